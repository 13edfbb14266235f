#include "generate/cave_field.hpp"

#include <algorithm>
#include <cmath>

#include "core/noise.hpp"

namespace volery {
namespace {

constexpr double BLEND = 0.6;                   // two tunnels closer than this are joined smoothly [m]
constexpr double ROUGH = 0.45, ROUGHEST = 1.3;  // amplitude of the rock noise over (radius − 0.5 m), and at most [m]
constexpr double TUBE = 0.8;                    // no noise comes nearer to an axis: a ball of 0.5 m always passes [m]
constexpr double BLOCK = 2.0;                   // edge of the blocks by which capsules are found [m]
constexpr double WAVE = 5.5;                    // longest wave of the rock noise [m]
constexpr double MOST_BLOCKS = 1e8;

double clamp01(double v) { return std::min(std::max(v, 0.0), 1.0); }

}  // namespace

CaveField::CaveField(Table<const CaveCapsule> capsules, const Vec3d& low, const Vec3d& high, std::int64_t seed)
    : low_(low), seed_(seed) {
  double blocks = 1;
  for (int a = 0; a < 3; ++a) {
    const double edge = std::ceil((high[a] - low[a]) / BLOCK);
    blocks *= edge;
    need(edge >= 1 && blocks <= MOST_BLOCKS, "high: must be above low, and the box not endless");
    shape_[a] = std::int64_t(edge);
  }
  for (const CaveCapsule& c : capsules) {
    need(c.width > 0 && c.r_a < 1e6 && c.r_b < 1e6, "capsules: radii and widths must be finite");
    carvers_.push_back({c, 1.0 / (norm2(c.b - c.a) + 1e-12), std::pow(c.width, -2.0)});
  }
  starts_.assign(std::size_t(blocks) + 1, 0);
  each_block([this](std::int64_t at, std::int32_t) { ++starts_[at + 1]; });
  for (std::size_t n = 1; n < starts_.size(); ++n) starts_[n] += starts_[n - 1];
  items_.resize(starts_.back());
  std::vector<std::int32_t> place(starts_);
  each_block([&](std::int64_t at, std::int32_t n) { items_[place[at]++] = n; });
}

CaveField::Box CaveField::reached(const Carver& c) const {
  const double wide = std::max(c.capsule.r_a, c.capsule.r_b) + BAND + BLEND;
  const double wides[] = {wide * c.capsule.width, wide * c.capsule.width, wide};
  Box box;
  for (int a = 0; a < 3; ++a) {
    const double p = c.capsule.a[a], q = c.capsule.b[a], most = double(shape_[a]);
    const double first = std::floor((std::min(p, q) - wides[a] - low_[a]) / BLOCK);
    const double last = std::floor((std::max(p, q) + wides[a] - low_[a]) / BLOCK);
    box.first[a] = std::int64_t(std::min(std::max(0.0, first), most));  // this way round NaN is 0
    box.end[a] = std::int64_t(std::min(std::max(0.0, last + 1), most));
  }
  return box;
}

// note(block, capsule) for the blocks in which each capsule may act.
template <class F>
void CaveField::each_block(const F& note) const {
  for (std::size_t n = 0; n < carvers_.size(); ++n) {
    const Carver& c = carvers_[n];
    const double reach = std::max(c.capsule.r_a, c.capsule.r_b) + BAND + BLEND + 0.87 * BLOCK;
    const Box box = reached(c);
    for (auto i = box.first[0]; i < box.end[0]; ++i)
      for (auto j = box.first[1]; j < box.end[1]; ++j)
        for (auto k = box.first[2]; k < box.end[2]; ++k) {
          const double x = low_.x + (double(i) + 0.5) * BLOCK, y = low_.y + (double(j) + 0.5) * BLOCK;
          if (nearest(c, x, y, low_.z + (double(k) + 0.5) * BLOCK).square < reach * reach)
            note(block(i, j, k), std::int32_t(n));
        }
  }
}

CaveField::Nearest CaveField::nearest(const Carver& c, double x, double y, double z) {
  const CaveCapsule& s = c.capsule;
  const Vec3d u = s.b - s.a, d = Vec3d{x, y, z} - s.a;
  const double t = clamp01(dot(d, u) * c.inverse_square);
  const Vec3d e = d - t * u;
  return {s.r_a + t * (s.r_b - s.r_a), (e.x * e.x + e.y * e.y) * c.inverse_square_width + e.z * e.z, e.z};
}

// Joins one capsule with its flat floor smoothly to the room so far.
void CaveField::carve(const Carver& c, double x, double y, double z, Room& room) {
  const auto [r, square, above] = nearest(c, x, y, z);
  const double within = std::max(r - room.s + BLEND, 0.0);
  if (square >= within * within) return;
  const double wall = r - std::sqrt(square), floor = FLOOR * r + above;
  const double e = std::max(0.3 * r - std::abs(wall - floor), 0.0);
  const double own = std::min(wall, floor) - (0.25 / 0.3) * e * e / r;
  const double flat = clamp01(0.5 + (wall - floor) / r);
  const double rough = std::min(ROUGH * (r - 0.5), ROUGHEST) * (1.0 - 0.65 * flat);
  const double h = clamp01(0.5 + (0.5 / BLEND) * (own - room.s));
  room.s = room.s + h * (own - room.s) + BLEND * h * (1.0 - h);
  room.rough += h * (rough - room.rough);
  room.away = std::min(room.away, r - wall);
}

// The carved room with noise on its walls, scallops in flat strata, that fades away from them.
double CaveField::rock(double x, double y, double z, const Room& room, double window) const {
  const double s = room.s, a = room.rough * (1.0 - (s / BAND) * (s / BAND));
  // Where what is left of the noise cannot bring the value within the window, it is left out.
  if (a <= 0.0 || std::abs(s) > a + window) return s;
  x /= WAVE;
  y /= WAVE;
  z = 1.6 * z / WAVE;
  double noise = 1.2 * perlin3(x, y, z, seed_) - 0.25;
  if (s + a * std::max(noise - 0.4, -1.0) < window && s + a * std::min(noise + 1.5, 1.0) > -window) {
    noise += 1.1 * std::abs(perlin3(2.1 * x, 2.1 * y, 2.1 * z, seed_ + 1));
    if (std::abs(s + a * noise) < window + 0.4 * a) noise += 0.4 * perlin3(4.3 * x, 4.3 * y, 4.3 * z, seed_ + 2);
  }
  return std::max(s + a * std::min(std::max(noise, -1.0), 1.0), TUBE - room.away);
}

double CaveField::density(const Vec3d& p) const {
  std::int64_t at[3];
  for (int a = 0; a < 3; ++a) {
    const double place = (p[a] - low_[a]) / BLOCK;
    if (!(place >= 0.0 && place < double(shape_[a]))) return -BAND;
    at[a] = std::int64_t(place);
  }
  const std::int64_t n = block(at[0], at[1], at[2]);
  Room room;
  for (auto item = starts_[n]; item < starts_[n + 1]; ++item) carve(carvers_[items_[item]], p.x, p.y, p.z, room);
  return rock(p.x, p.y, p.z, room, std::numeric_limits<double>::infinity());
}

Vec3d CaveField::gradient(const Vec3d& p) const {
  constexpr double h = 0.1;
  Vec3d g;
  for (int a = 0; a < 3; ++a) {
    Vec3d above = p, below = p;
    above[a] += h;
    below[a] -= h;
    g[a] = density(above) - density(below);
  }
  return g / (2.0 * h);
}

double CaveField::cast(const Vec3d& p, const Vec3d& d, double far) const {
  double t = 0, before = 0;
  while (t < far) {
    const double free = density(p + t * d);
    if (free < 0.0) {
      // The density may be steeper than distance, so a step can end within the rock.
      for (int n = 0; n < 6; ++n) {
        const double middle = 0.5 * (before + t);
        (density(p + middle * d) >= 0.0 ? before : t) = middle;
      }
      return t;
    }
    before = t;
    t += std::max(0.05, 0.7 * free);
  }
  return far;
}

void CaveField::column(double x, double y, const double* z, std::int64_t count, double window, double* out) const {
  std::fill(out, out + count, -BAND);
  const double i = std::floor((x - low_.x) / BLOCK), j = std::floor((y - low_.y) / BLOCK);
  if (!(i >= 0 && i < double(shape_[0]) && j >= 0 && j < double(shape_[1]))) return;
  std::vector<Room> rooms;
  const double* first = std::lower_bound(z, z + count, low_.z);
  for (std::int64_t k = 0; k < shape_[2]; ++k) {
    const double* last = std::lower_bound(first, z + count, low_.z + BLOCK * double(k + 1));
    const std::int64_t n = block(std::int64_t(i), std::int64_t(j), k);
    if (starts_[n] < starts_[n + 1] && first < last) {
      rooms.assign(last - first, Room{});
      for (auto item = starts_[n]; item < starts_[n + 1]; ++item)
        for (auto m = first; m < last; ++m) carve(carvers_[items_[item]], x, y, *m, rooms[m - first]);
      for (auto m = first; m < last; ++m) out[m - z] = rock(x, y, *m, rooms[m - first], window);
    }
    first = last;
  }
}

}  // namespace volery
