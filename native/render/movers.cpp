#include "render/movers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/pool.hpp"
#include "render/surface_block.hpp"

namespace volery {
namespace {

constexpr float MARGIN = 0.02f;  // for float32, in a cell of 1 km [m]

struct Ball {
  Vec3f middle;
  float radius;
};

// What the rays of a block met, in L, and a sphere round all of it.
struct Points {
  alignas(32) float x[BLOCK], y[BLOCK], z[BLOCK];
  alignas(32) std::uint16_t bits[BLOCK];
  std::int32_t ray[BLOCK];
  int count = 0;
  Ball around;

  void load(const TracedRays& rays, std::int64_t first, std::int64_t last) {
    constexpr float INF = std::numeric_limits<float>::infinity();
    Vec3f low{INF, INF, INF}, high{-INF, -INF, -INF};
    count = 0;
    for (std::int64_t i = first; i < last; ++i) {
      if (rays.row(i) < 0) continue;
      const Vec3f p = as<float>(as<double>(rays.start_L(i)) + rays.direction_W(i) * double(rays.distance(i)));
      x[count] = p.x, y[count] = p.y, z[count] = p.z, bits[count] = 0, ray[count++] = std::int32_t(i);
      for (int c = 0; c < 3; ++c) low[c] = std::min(low[c], p[c]), high[c] = std::max(high[c], p[c]);
    }
    around = {0.5f * (low + high), 0.5f * norm(high - low)};
  }

  // Set a bit of the points that pass a test, if the sphere round all of them does.
  template <class Test>
  void mark(std::uint16_t bit, const Test& test) {
    if (!test(around.middle.x, around.middle.y, around.middle.z, around.radius)) return;
    for (int n = 0; n < count; ++n) bits[n] |= test(x[n], y[n], z[n], 0.0f) ? bit : std::uint16_t(0);
  }
};

// Whether the way to the sun from a point, or from some point so near to it [m], may pass through a sphere.
bool before_sun(const Ball& ball, float x, float y, float z, float near, const Vec3f& sun) {
  const float dx = ball.middle.x - x, dy = ball.middle.y - y, dz = ball.middle.z - z;
  const float radius = ball.radius + near, along = dx * sun.x + dy * sun.y + dz * sun.z;
  return (along > -radius) & (dx * dx + dy * dy + dz * dz - along * along < radius * radius);
}

bool before_lamp(const Ball& ball, float x, float y, float z, float near, const Vec3f& lamp) {
  const float dx = ball.middle.x - x, dy = ball.middle.y - y, dz = ball.middle.z - z;
  const float wx = lamp.x - x, wy = lamp.y - y, wz = lamp.z - z, square = wx * wx + wy * wy + wz * wz;
  const float share = (dx * wx + dy * wy + dz * wz) / (square > 1e-12f ? square : 1e-12f);
  const float low = share > 0 ? share : 0.0f, along = low < 1 ? low : 1.0f, radius = ball.radius + near;
  const float px = dx - along * wx, py = dy - along * wy, pz = dz - along * wz;
  return px * px + py * py + pz * pz < radius * radius;
}

}  // namespace

void near_movers(const TracedRays& rays, Table<const Mover> movers, bool sun, Array<const double, 3> sun_W,
                 Table<const Lamp> lamps, Array<std::uint16_t, -1> bits) {
  need_size(bits, rays.count(), "bits");
  need(lamps.size() <= lamp_map::MOST, "lamps: there are too many");
  const Vec3f towards_sun = as<float>(vec3(sun_W.data));
  const Vec3d origin = rays.origin_W();
  parallel_ranges(rays.count(), BLOCK, [&](std::int64_t first, std::int64_t last) {
    std::fill_n(&bits[first], last - first, std::uint16_t(0));
    Points points;
    points.load(rays, first, last);
    if (points.count == 0) return;
    for (const Mover& mover : movers) {
      const Ball ball{as<float>(mover.p_W - origin), float(mover.radius) + MARGIN};
      if (sun)
        points.mark(BY_SUN, [&](float x, float y, float z, float near) {
          return before_sun(ball, x, y, z, near, towards_sun);
        });
      for (std::int64_t k = 0; k < lamps.size(); ++k) {
        const Vec3f lamp = as<float>(lamps[k].p_W - origin);
        points.mark(std::uint16_t(1 << k), [&](float x, float y, float z, float near) {
          return before_lamp(ball, x, y, z, near, lamp);
        });
      }
    }
    for (int n = 0; n < points.count; ++n) bits[points.ray[n]] = points.bits[n];
  });
}

}  // namespace volery
