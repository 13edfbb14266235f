#include "world/wind.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/noise.hpp"

namespace volery {
namespace {

constexpr double REACH = 3.0;  // a thermal ends at this many radii, where its sinking ring is down to 0.1 %
const double LAYER_RATE = (WIND_LAYERS - 1) / std::log(WIND_LAYER_SPAN);
const double KNOT_RATE = (WIND_KNOTS - 1) / std::log(WIND_HIGHEST / WIND_LOWEST);

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

WindField::WindField(const WindShape& shape, Array<const float, WIND_KNOTS, EDDY_AXES, EDDY_SIZES> strengths,
                     Table<const WindLayer> layers, Table<const WindGust> gusts, Table<const WindThermal> thermals)
    : shape_(shape),
      log_scale_(log_scale(shape)),
      gusts_(gusts.begin(), gusts.end()),
      thermals_(thermals.begin(), thermals.end()) {
  need(layers.size() <= 1 || layers.size() == WIND_LAYERS, "layers: none, one or all are needed");
  for (int k = 0; k < WIND_KNOTS; ++k)
    for (int i = 0; i < EDDY_AXES; ++i)
      for (int n = 0; n < EDDY_SIZES; ++n) strengths_[k][i][n] = strengths(k, i, n);
  for (const WindLayer& layer : layers) {
    Layer made{Eddies(shape.seed, int(layers_.size())), layer.flow, false, {}};
    for (int n = 0; n < EDDY_SIZES; ++n) made.rate[n] = layer.rate[n], made.evolving |= layer.rate[n] != 0.0;
    layers_.push_back(made);
  }
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

// Velocity of one layer's eddies, which its flow has carried here.
Vec3d WindField::carried(int layer, const Vec3d& p, const EddyStrengths& strengths, double t, Now& now) const {
  const Layer& own = layers_[layer];
  Carried& moved = now[layer];
  if (!moved.known) {
    moved.known = true, moved.way = own.flow * t;
    if (own.evolving) moved.moment = own.eddies.moment(own.rate, t);
  }
  return own.eddies.velocity(p - moved.way, strengths, own.evolving ? &moved.moment : nullptr);
}

Vec3d WindField::turbulence(const Vec3d& p, double h, double t, Now& now) const {
  // Written so that NaN is the ground: an index made of NaN would be anywhere in memory
  const double rise = h > WIND_LOWEST ? std::log(h / WIND_LOWEST) : 0.0;
  const double knot = std::min(rise * KNOT_RATE, WIND_KNOTS - 1 - 1e-6);
  const int k = int(knot);
  const float f = float(knot - k);
  EddyStrengths strengths;
  for (int i = 0; i < EDDY_AXES; ++i)
    for (int n = 0; n < EDDY_SIZES; ++n)
      strengths[i][n] = (1.0f - f) * strengths_[k][i][n] + f * strengths_[k + 1][i][n];
  if (layers_.size() == 1) return carried(0, p, strengths, t, now);
  const double place = std::min(rise * LAYER_RATE, WIND_LAYERS - 1.0);
  const int layer = std::min(int(place), WIND_LAYERS - 2);
  const double up = place - layer, down = 1.0 - up;
  // Two independent neighbours blended so that the squares of their shares add to one keep the variance
  const double norm = 1.0 / std::sqrt(up * up + down * down);
  Vec3d v{};
  if (down > 0.0) v += down * norm * carried(layer, p, strengths, t, now);
  if (up > 0.0) v += up * norm * carried(layer + 1, p, strengths, t, now);
  return v;
}

void WindField::velocity(Array<const double, -1, 3> p_W, Array<const double, -1> ground, double t,
                         Array<double, -1, 3> out) const {
  need_size(out, p_W.size(), "out");
  if (!ground.empty()) need_size(ground, p_W.size(), "ground");
  const double* base = ground.empty() ? nullptr : ground.data;
  Now now;
  for (std::int64_t n = 0; n < p_W.size(); ++n) {
    const Vec3d p = vec3(p_W[n]);
    const double h = p.z - (base ? base[n] : shape_.ground);
    vec3(out[n]) = smooth(p, h, t);
    if (!layers_.empty()) vec3(out[n]) += turbulence(p, h, t, now);
  }
}

}  // namespace volery
