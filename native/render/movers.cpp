#include "render/movers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/pool.hpp"
#include "render/surface_block.hpp"

namespace volery {
namespace {

struct Ball {
  Vec3d middle;
  double radius;
};

// What the rays of a block met, and a sphere round all of it.
struct Points {
  Vec3f at[BLOCK];
  Ball around;

  bool load(const TracedRays& rays, std::int64_t first, std::int64_t last) {  // false: nothing was met
    constexpr double INF = std::numeric_limits<double>::infinity();
    Vec3d low{INF, INF, INF}, high{-INF, -INF, -INF};
    for (std::int64_t i = first; i < last; ++i) {
      if (rays.row(i) < 0) continue;
      const Vec3d p = as<double>(rays.start_L(i)) + rays.direction_W(i) * double(rays.distance(i));
      at[i - first] = as<float>(p);
      for (int c = 0; c < 3; ++c) low[c] = std::min(low[c], p[c]), high[c] = std::max(high[c], p[c]);
    }
    around = {0.5 * (low + high), 0.5 * norm(high - low)};
    return around.radius < INF;
  }
};

// Whether the way to the sun from a point, or from some point so near to it [m], may pass through a sphere.
bool before_sun(const Ball& ball, const Vec3d& p, double near, const Vec3d& sun) {
  const Vec3d d = ball.middle - p;
  const double radius = ball.radius + near, along = dot(d, sun);
  return along > -radius && dot(d, d) - along * along < radius * radius;
}

bool before_lamp(const Ball& ball, const Vec3d& p, double near, const Vec3d& lamp) {
  const Vec3d d = ball.middle - p, way = lamp - p;
  const double radius = ball.radius + near;
  const double along = std::clamp(dot(d, way) / std::max(dot(way, way), 1e-12), 0.0, 1.0);
  return norm2(d - along * way) < radius * radius;
}

}  // namespace

void near_movers(const TracedRays& rays, Table<const Mover> movers, bool sun, Array<const double, 3> sun_W,
                 Table<const Lamp> lamps, Array<std::uint16_t, -1> bits) {
  need_size(bits, rays.count(), "bits");
  need(lamps.size() <= lamp_map::MOST, "lamps: there are too many");
  const Vec3d towards_sun = vec3(sun_W.data), origin = rays.origin_W();
  parallel_ranges(rays.count(), BLOCK, [&](std::int64_t first, std::int64_t last) {
    std::fill_n(&bits[first], last - first, std::uint16_t(0));
    Points points;
    if (!points.load(rays, first, last)) return;
    // mark(bit, test): the points that pass a test, if the sphere round all of them does.
    const auto mark = [&](std::uint16_t bit, const auto& test) {
      if (!test(points.around.middle, points.around.radius)) return;
      for (std::int64_t i = first; i < last; ++i)
        if (rays.row(i) >= 0 && test(as<double>(points.at[i - first]), 0.0)) bits[i] |= bit;
    };
    for (const Mover& mover : movers) {
      const Ball ball{mover.p_W - origin, mover.radius};
      if (sun) mark(BY_SUN, [&](const Vec3d& p, double near) { return before_sun(ball, p, near, towards_sun); });
      for (std::int64_t k = 0; k < lamps.size(); ++k) {
        const Vec3d lamp = lamps[k].p_W - origin;
        mark(std::uint16_t(1 << k), [&](const Vec3d& p, double near) { return before_lamp(ball, p, near, lamp); });
      }
    }
  });
}

}  // namespace volery
