#include "world/wind.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/noise.hpp"

namespace volery {
namespace {

constexpr double REACH = 3.0;  // a thermal ends at this many radii, where its sinking ring is down to 0.1 %
constexpr int LANES = 8;
constexpr std::int64_t TOGETHER = 64;  // points whose logarithms run beside each other, before their modes
const double LEVEL_RATE = (WIND_LEVELS - 1) / std::log(WIND_LEVEL_SPAN);
const double KNOT_RATE = (WIND_KNOTS - 1) / std::log(WIND_HIGHEST / WIND_LOWEST);

// sin(2π·turns) within 3e-7, without branches so that modes run in vector lanes.
inline double sine(double turns) {
  const double r = turns - std::rint(turns), y = r * r;
  const double p = 67.03803359005194 + y * (-38.06362849245706 + y * 12.073662319674575);
  return r * (0.25 - y) * (25.132735125106645 + y * (-64.83461680043479 + y * p));
}

template <int N>
[[gnu::always_inline]] inline double weighted_sum(const double (&weights)[N], const double* values) {
  double lanes[LANES] = {};
  for (int m = 0; m < N; m += LANES)
    for (int l = 0; l < LANES; ++l) lanes[l] += weights[m + l] * values[m + l];
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// The modes of one level, of unit variance.
Vec3d modes(const WindLevel& level, const double* phase, const Vec3d& p) {
  double s[MODES];
  const auto& k = level.wave;
  for (int m = 0; m < MODES; ++m)
    s[m] = sine(k[0][m] * p.x + k[1][m] * p.y + k[2][m] * p.z + phase[m]);
  return {weighted_sum(level.east, s), weighted_sum(level.north, s), weighted_sum(level.up, s + MODES_ALONG)};
}

// Share of a gust's peak, 0 to 1.
double gust_share(const WindGust& g, const Vec3d& p, double t) {
  const Vec3d d = p - g.p_W;
  const double along = dot(d, g.way), s = along - g.speed * (t - g.time);
  if (std::abs(s) >= 0.5 * g.length) return 0.0;
  double share = 0.5 + 0.5 * std::cos(2 * std::numbers::pi * s / g.length);
  if (g.width > 0.0) {
    const double aside = std::sqrt(std::max(norm2(d) - along * along, 0.0));
    share *= 0.5 + 0.5 * std::cos(std::numbers::pi * std::min(aside / g.width, 1.0));
  }
  return share;
}

// Share of a thermal's strength at q = (r/radius)² and at height rise·top.
double updraft(double q, double rise) {
  if (q >= REACH * REACH || rise <= 0.0 || rise >= 1 / 1.1) return 0.0;
  return std::cbrt(rise) * (1.0 - 1.1 * rise) / 0.45767 * std::exp(-q) * (1.0 - q);
}

std::int64_t floor_index(double x) { return std::abs(x) < 9e18 ? std::int64_t(std::floor(x)) : 0; }

}  // namespace

double log_scale(const WindShape& shape) {
  const double reference = shape.reference_height / shape.roughness;
  return reference > 1 ? 1 / std::log(reference) : 0.0;
}

double mean_factor(const WindShape& shape, double log_scale, double h) {
  const double low = std::min(h, shape.gradient_height);
  switch (shape.shear) {
    case Shear::log: return std::log(std::max(low, shape.roughness) * (1 / shape.roughness)) * log_scale;
    case Shear::power: return std::pow(std::max(low, 0.0) / shape.reference_height, shape.exponent);
    default: return 1.0;
  }
}

WindField::WindField(const WindShape& shape, Array<const double, WIND_KNOTS, 2> sigma, Table<const WindLevel> levels,
                     Table<const WindGust> gusts, Table<const WindThermal> thermals)
    : shape_(shape),
      log_scale_(log_scale(shape)),
      levels_(levels.begin(), levels.end()),
      gusts_(gusts.begin(), gusts.end()),
      thermals_(thermals.begin(), thermals.end()) {
  need(levels.empty() || levels.size() == WIND_LEVELS, "levels: all or none are needed");
  for (int k = 0; k < WIND_KNOTS; ++k) sigma_[k] = {sigma(k, 0), sigma(k, 1)};
}

// Updraft [m/s] of the one thermal of this cell of the plane, which lies wholly inside its cell.
double WindField::strewn(double x, double y, double h) const {
  const double cell = shape_.thermal_cell;
  const std::int64_t i = floor_index(x / cell), j = floor_index(y / cell);
  const auto draw = [&](int k) { return uniform_cell(shape_.seed, i, j, k); };
  const double reach = REACH * shape_.thermal_radius * (0.75 + 0.5 * draw(71));
  const double dx = x - double(i) * cell - reach - (cell - 2 * reach) * draw(72);
  const double dy = y - double(j) * cell - reach - (cell - 2 * reach) * draw(73);
  const double q = (dx * dx + dy * dy) / (reach * reach) * (REACH * REACH);
  if (q >= REACH * REACH) return 0.0;
  return shape_.thermal_strength * (0.5 + draw(74)) * updraft(q, h / shape_.thermal_top);
}

// All but turbulence.
Vec3d WindField::smooth(const Vec3d& p, double h, double t) const {
  Vec3d v = shape_.steady * mean_factor(shape_, log_scale_, h);
  for (const WindGust& g : gusts_) v += gust_share(g, p, t) * g.peak;
  for (const WindThermal& thermal : thermals_) {
    const double dx = p.x - thermal.x, dy = p.y - thermal.y;
    v.z += thermal.strength * updraft((dx * dx + dy * dy) / (thermal.radius * thermal.radius), h / thermal.top);
  }
  if (shape_.thermal_cell > 0.0) v.z += strewn(p.x, p.y, h);
  return v;
}

WindField::Blend WindField::blend(double h) const {
  // Written so that NaN is the ground: an index made of NaN would be anywhere in memory
  const double rise = h > WIND_LOWEST ? std::log(h / WIND_LOWEST) : 0.0;
  const double knot = std::min(rise * KNOT_RATE, WIND_KNOTS - 1 - 1e-6);
  const int k = int(knot);
  const double f = knot - k;
  const double along = (1.0 - f) * sigma_[k][0] + f * sigma_[k + 1][0];
  const double up = (1.0 - f) * sigma_[k][1] + f * sigma_[k + 1][1];
  const double place = std::min(rise * LEVEL_RATE, WIND_LEVELS - 1.0);
  const int level = std::min(int(place), WIND_LEVELS - 2);
  // Two neighbours blended with cos² + sin² = 1 keep the variance.
  const double below = sine(0.25 - 0.25 * (place - level)), above = sine(0.25 * (place - level));
  return {level, {along * below, along * above}, {up * below, up * above}};
}

void WindField::phases_at(double t, int level, Phases& phases, unsigned& known) const {
  if (known >> level & 1) return;
  known |= 1u << level;
  const WindLevel& own = levels_[level];
  for (int m = 0; m < MODES; ++m) {
    const double phase = own.phase[m] + own.rate[m] * t;
    phases[level][m] = phase - std::floor(phase);
  }
}

void WindField::velocity(Array<const double, -1, 3> p_W, Array<const double, -1> ground, double t,
                         Array<double, -1, 3> out) const {
  need_size(out, p_W.size(), "out");
  if (!ground.empty()) need_size(ground, p_W.size(), "ground");
  const double* base = ground.empty() ? nullptr : ground.data;
  const auto height = [&](std::int64_t n) { return p_W(n, 2) - (base ? base[n] : shape_.ground); };
  for (std::int64_t n = 0; n < p_W.size(); ++n) vec3(out[n]) = smooth(vec3(p_W[n]), height(n), t);
  if (levels_.empty()) return;
  Phases phases;
  unsigned known = 0;
  Blend blends[TOGETHER];
  for (std::int64_t first = 0; first < p_W.size(); first += TOGETHER) {
    const std::int64_t end = std::min(first + TOGETHER, p_W.size());
    for (std::int64_t n = first; n < end; ++n) {
      blends[n - first] = blend(height(n));
      for (int i = 0; i < 2; ++i) phases_at(t, blends[n - first].level + i, phases, known);
    }
    for (std::int64_t n = first; n < end; ++n) {
      const auto& [level, along, up] = blends[n - first];
      const Vec3d p = vec3(p_W[n]), low = modes(levels_[level], phases[level].data(), p);
      const Vec3d high = modes(levels_[level + 1], phases[level + 1].data(), p);
      vec3(out[n]) += Vec3d{along[0] * low.x + along[1] * high.x, along[0] * low.y + along[1] * high.y,
                            up[0] * low.z + up[1] * high.z};
    }
  }
}

}  // namespace volery
