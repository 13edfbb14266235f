#include "render/light_rays.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "core/pool.hpp"
#include "render/lamp_maps.hpp"

namespace volery {
namespace {

constexpr double SHADOW_REACH = 800.0, BOUNCE_REACH = 200.0;  // [m]
constexpr double HOUSING = 0.25;                              // rays stop so far before a lamp's middle [m]
constexpr std::int64_t AT_ONCE = 1024;
constexpr double QUARTER_TURN = 0.5 * std::numbers::pi;

// A number in [0, 1) of two whole numbers.
double hash(std::int64_t a, std::int64_t b) {
  const std::uint64_t wide =
      std::uint64_t(std::uint32_t(a)) * 0x9E3779B1u + std::uint64_t(std::uint32_t(b)) * 0x85EBCA77u;
  std::uint32_t x = std::uint32_t((wide ^ (wide >> 16)) * 0x7FEB352Du);
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  x = x ^ (x >> 16);
  return double(x >> 8) * (1.0 / 16777216.0);
}

struct Stratum {
  int height, turn;
};

// Quarters of height and of turn for a ray: the 16 of a tile (render/lens.py) have all pairs, and the four of a pixel
// that has as many have all heights and all turns.
Stratum stratum(std::int64_t ray, std::int64_t seed) {
  const int b0 = ray & 1, b1 = (ray >> 1) & 1, b2 = (ray >> 2) & 1, b3 = (ray >> 3) & 1;
  const int shuffle = int(16.0 * hash(ray >> 4, seed + 3));
  return {(2 * b0 + b2) ^ (shuffle & 3), (2 * (b2 ^ b1) + (b0 ^ b3)) ^ (shuffle >> 2)};
}

// A vector given in a frame whose third axis is n (after Duff 2017).
Vec3d turned(const Vec3d& n, double a, double b, double c) {
  const double sign = n.z >= 0 ? 1.0 : -1.0, k = -1.0 / (sign + n.z), m = n.x * n.y * k;
  return {a * (1.0 + sign * n.x * n.x * k) + b * m + c * n.x, a * sign * m + b * (sign + n.y * n.y * k) + c * n.y,
          -a * sign * n.x - b * n.y + c * n.z};
}

}  // namespace

SurfacePoints::SurfacePoints(const SurfaceTable& surfaces, const TracedRays& rays)
    : surfaces_(surfaces), eye_L_(rays.eye_L()), origin_W_(rays.origin_W()), material_(rays.count(), -1) {
  find(rays, nullptr);
}

SurfacePoints::SurfacePoints(const SurfaceTable& surfaces, const TracedRays& rays, Array<const std::int64_t, -1> chosen)
    : surfaces_(surfaces), eye_L_(rays.eye_L()), origin_W_(rays.origin_W()), material_(chosen.size(), -1) {
  for (const std::int64_t i : chosen) need(i >= 0 && i < rays.count(), "chosen: there is no such ray");
  find(rays, chosen.data);
}

void SurfacePoints::find(const TracedRays& rays, const std::int64_t* chosen) {
  way_.resize(count()), point_.resize(count()), normal_.resize(count());
  parallel_ranges(count(), AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    const auto b = std::make_unique<SurfaceBlock>();
    for (std::int64_t first = from; first < to; first += BLOCK) {
      const std::int64_t last = std::min(first + BLOCK, to);
      if (chosen)
        b->load(surfaces_, rays, chosen + first, int(last - first));
      else
        b->load(surfaces_, rays, first, last, 1.0f);
      for (int n = 0; n < b->count; ++n) {
        const std::int64_t i = chosen ? first + b->slot[n] : b->ray[n];
        material_[i] = b->material[n];
        way_[i] = {b->dx[n], b->dy[n], b->dz[n]};
        point_[i] = {b->x[n], b->y[n], b->z[n]};
        normal_[i] = {b->nx[n], b->ny[n], b->nz[n]};
      }
    }
  });
}

// Begin a ray a little above a surface (or below it), more so far from the eye, where points are less exact, and on
// leaves, lest their folds shade them.
Vec3f SurfacePoints::leave(std::int64_t i, double side, bool leaf) const {
  const double gap = ((leaf ? 0.012 : 0.002) + 2e-4 * norm(as<double>(point_[i]) - eye_L_)) * side;
  return as<float>(as<double>(point_[i]) + as<double>(normal_[i]) * gap);
}

// A ray towards a light; false where the light cannot matter.
bool SurfacePoints::aim(const Target& target, std::int64_t i, Vec3f& start, Vec3f& ray, float& far) const {
  if (material_[i] < 0) return false;
  Vec3d d = target.at;
  if (target.place) {
    d = d - as<double>(point_[i]);
  } else if (target.spread > 0) {
    const std::int64_t number = target.first + i, seed = target.seed;
    const Stratum quarter = stratum(number, seed);
    const double out = target.spread * std::sqrt(0.25 * (quarter.height + hash(number, seed)));
    const double turn = QUARTER_TURN * (quarter.turn + hash(number, seed + 1));
    d = turned(d, out * std::cos(turn), out * std::sin(turn), 1.0);
  }
  const double length = norm(d);
  if (length < 1e-6 || (target.place && length > lamp_map::REACH)) return false;
  d = d / length;
  const double facing = dot(as<double>(normal_[i]), d);
  const float thin = surfaces_.material(material_[i]).thin;
  if (facing <= 0 && (target.place || thin == 0)) return false;
  start = leave(i, facing > 0 ? 1.0 : -1.0, thin > 0);
  ray = as<float>(d);
  far = float(target.place ? std::max(length - HOUSING, 0.5 * length) : SHADOW_REACH);
  return true;
}

void SurfacePoints::ask_direction(const RayCell& cell, Array<const double, 3> direction_W, double spread,
                                  std::int64_t seed, std::int64_t first, bool standing) {
  ask(cell, {vec3(direction_W.data), false, spread, seed, first}, standing);
}

void SurfacePoints::ask_place(const RayCell& cell, Array<const double, 3> p_W, bool standing) {
  ask(cell, {vec3(p_W.data) - origin_W_, true, 0, 0, 0}, standing);
}

template <class Wanted, class Seen>
void SurfacePoints::cast(PacketCaster& caster, const Target& target, std::int64_t first, std::int64_t last,
                         Wanted wanted, Seen seen) const {
  constexpr int W = embree::WIDTH;
  embree::RayHit8 rays{};
  alignas(32) int valid[W];
  std::int64_t point[W];
  // Only points that the light can come to take a place in a packet.
  for (std::int64_t i = first; i < last;) {
    int lanes = 0;
    for (; i < last && lanes < W; ++i) {
      Vec3f start, ray;
      float far;
      if (!wanted(i) || !aim(target, i, start, ray, far)) continue;
      point[lanes] = i;
      rays.org_x[lanes] = start.x, rays.org_y[lanes] = start.y, rays.org_z[lanes] = start.z;
      rays.dir_x[lanes] = ray.x, rays.dir_y[lanes] = ray.y, rays.dir_z[lanes] = ray.z;
      rays.far[lanes] = far, rays.mask[lanes] = embree::NONE;
      ++lanes;
    }
    for (int k = 0; k < W; ++k) valid[k] = k < lanes ? -1 : 0;
    if (lanes) caster.occluded(valid, rays);
    for (int k = 0; k < lanes; ++k)
      if (!(rays.far[k] < 0)) seen(point[k]);
  }
}

void SurfacePoints::ask(const RayCell& cell, const Target& target, bool standing) {
  blocked_.assign(count(), true);
  parallel_rays(count(), (count() + BLOCK_RAYS - 1) / BLOCK_RAYS, [&](std::int64_t block) {
    PacketCaster caster(surfaces_.scene(), standing ? cell.standing.get() : nullptr, cell.moving.get(),
                        cell.origin_W, RayQuery{});
    const std::int64_t first = block * BLOCK_RAYS;
    cast(caster, target, first, std::min(first + BLOCK_RAYS, count()), [](std::int64_t) { return true; },
         [&](std::int64_t i) { blocked_[i] = false; });
  });
}

void SurfacePoints::ask_movers(const RayCell& cell, Array<const double, 3> sun_W, Table<const Lamp> lamps,
                               Array<std::uint16_t, -1> bits) {
  need_size(bits, count(), "bits");
  need(lamps.size() <= lamp_map::MOST, "lamps: there are too many");
  std::vector<std::pair<Target, std::uint16_t>> lights{{{vec3(sun_W.data), false, 0, 0, 0}, BY_SUN}};
  for (std::int64_t k = 0; k < lamps.size(); ++k)
    lights.push_back({{lamps[k].p_W - origin_W_, true, 0, 0, 0}, std::uint16_t(1 << k)});
  parallel_rays(count(), (count() + BLOCK_RAYS - 1) / BLOCK_RAYS, [&](std::int64_t block) {
    PacketCaster caster(surfaces_.scene(), nullptr, cell.moving.get(), cell.origin_W, RayQuery{});
    const std::int64_t first = block * BLOCK_RAYS, last = std::min(first + BLOCK_RAYS, count());
    for (const auto& [target, bit] : lights)
      cast(caster, target, first, last, [&, bit = bit](std::int64_t i) { return (bits[i] & bit) != 0; },
           [&, bit = bit](std::int64_t i) { bits[i] &= std::uint16_t(~bit); });
  });
}

void SurfacePoints::add_lamp(Array<const double, 3> p_W, Array<const double, 3> power, Array<float, -1, 3> light) {
  need_size(light, count(), "light");
  need(std::int64_t(blocked_.size()) == count(), "points: were not asked about the light yet");
  const Vec3d place = vec3(p_W.data) - origin_W_, full = vec3(power.data);
  parallel_ranges(count(), AT_ONCE, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const Vec3d d = place - as<double>(point_[i]);
      const double square = dot(d, d), facing = dot(as<double>(normal_[i]), d);
      const double share = lamp_around(square) + (blocked_[i] ? 0.0 : lamp_direct(square, facing));
      for (int c = 0; c < 3; ++c) light(i, c) = float(light(i, c) + full[c] * share);
    }
  });
}

void SurfacePoints::add_glint(Array<const double, 3> p_W, Array<const double, 3> power, Array<float, -1, 3> light) {
  need_size(light, count(), "light");
  need(std::int64_t(blocked_.size()) == count(), "points: were not asked about the light yet");
  const Vec3f place = as<float>(vec3(p_W.data) - origin_W_), full = as<float>(vec3(power.data));
  parallel_ranges(count(), AT_ONCE, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      if (material_[i] < 0 || blocked_[i]) continue;
      const float gloss = surfaces_.material(material_[i]).gloss;
      if (gloss < LEAST_GLOSS) continue;
      const Vec3f to = place - point_[i];
      const float share = lamp_glint(gloss, to.x, to.y, to.z, normal_[i], way_[i]);
      for (int c = 0; c < 3; ++c) light(i, c) += full[c] * share;
    }
  });
}

void SurfacePoints::add_spotlight(Table<const Spotlight> spots, Array<float, -1, 3> light) {
  constexpr double RIM = 0.2;       // part of the cone, in cosine, over which the light fades
  constexpr double NEAREST = 0.01;  // squared distance [m²] below which it gets no brighter
  need_size(spots, 1, "spot");
  need_size(light, count(), "light");
  need(std::int64_t(blocked_.size()) == count(), "points: were not asked about the light yet");
  const Spotlight& spot = spots[0];
  const Vec3d place = spot.p_W - origin_W_;
  parallel_ranges(count(), AT_ONCE, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      if (blocked_[i]) continue;
      const Vec3d d = as<double>(point_[i]) - place;
      const double square = dot(d, d), away = std::sqrt(square), along = dot(d, spot.ahead_W);
      const double facing = -dot(as<double>(normal_[i]), d);
      if (facing <= 0 || along <= spot.cosine * away) continue;
      const double inside = std::min((along / away - spot.cosine) / ((1.0 - spot.cosine) * RIM), 1.0);
      const double share = inside * facing / (away * std::max(square, NEAREST));
      for (int c = 0; c < 3; ++c) light(i, c) = float(light(i, c) + spot.light[c] * share);
    }
  });
}

void SurfacePoints::bounce(std::int64_t seed, std::int64_t first_number, std::int64_t of, std::int64_t number) {
  need(number >= 0 && number < of, "number: must be 0 to count - 1");
  start_.assign(count(), {}), ray_.assign(count(), {0, 0, 1}), far_.assign(count(), -1), weight_.assign(count(), 0);
  parallel_ranges(count(), AT_ONCE, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      if (material_[i] < 0) continue;
      const Vec3d n = as<double>(normal_[i]);
      const double through = surfaces_.material(material_[i]).thin;
      const std::int64_t id = first_number + i;
      const double side = hash(id, seed) * (1.0 + through) < through ? -1.0 : 1.0;
      const Stratum quarter = stratum(id, seed);
      const double up = 0.5 * (quarter.height + (double(number) + hash(id, seed + 1)) / double(of)) - 1.0;
      const double turn = QUARTER_TURN * (quarter.turn + hash(id, seed + 2)),
                   flat = std::sqrt(std::max(1.0 - up * up, 0.0));
      // A point of the unit sphere round the tip of the normal: even in cosine.
      Vec3d d = side * n + turned(n, flat * std::cos(turn), flat * std::sin(turn), up);
      double length = norm(d);
      if (length < 1e-4) d = side * n, length = 1;
      start_[i] = leave(i, side, through > 0);
      ray_[i] = as<float>(d / length);
      far_[i] = float(BOUNCE_REACH), weight_[i] = float(1.0 + through);
    }
  });
}

}  // namespace volery
