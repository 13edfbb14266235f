#include <algorithm>
#include <cmath>

#include "contact/shapes.hpp"

namespace volery::contact {
namespace {

constexpr double SHARP = 1e-4;

struct Ellipsoid {
  const Linked& world;
  Vec3d radii;
  double margin;
  Contacts& out;

  // How far it reaches from its centre along a unit vector [m].
  double reach(const Vec3d& n) const { return norm(Vec3d{radii.x * n.x, radii.y * n.y, radii.z * n.z}); }

  // The point of the ellipsoid that is lowest over a face, if it is over it.
  void touch_face(std::int32_t t) const {
    const Triangle& T = world.surface[t];
    const Vec3d& n = T.normal;
    const double far = reach(n);
    if (T.above < 0 || T.above > far + margin) return;
    const Vec3d p{-(radii.x * radii.x) * n.x / far, -(radii.y * radii.y) * n.y / far, -(radii.z * radii.z) * n.z / far};
    if (!over(T, p, EDGE_ON)) return;
    const double h = height(T, p);
    if (felt(world.surface, t, h, p)) add(out, {h, p - 0.5 * h * n, n, t});
  }

  // The point of an edge that is deepest in the ellipsoid, found where the ellipsoid is a unit ball.
  void touch_edge(std::int32_t t, int i) const {
    const EdgeLine line = edge_line(world.surface[t], i);
    const auto& [p, e] = line;
    const Vec3d w{1 / (radii.x * radii.x), 1 / (radii.y * radii.y), 1 / (radii.z * radii.z)};
    const double s = -(w.x * p.x * e.x + w.y * p.y * e.y + w.z * p.z * e.z) /
                     (w.x * e.x * e.x + w.y * e.y * e.y + w.z * e.z * e.z);
    const Vec3d q = line.at(std::min(std::max(s, 0.0), 1.0));
    const auto [length, n] = direction_of({-w.x * q.x, -w.y * q.y, -w.z * q.z});
    if (length == 0) return;
    // How far the ellipsoid must go along n until it no longer contains the point.
    const double dist = -dot(q, n) - reach(n);
    if (dist >= margin || !clear_way(world.surface, q, n, EXACT)) return;
    add(out, {dist, q + 0.5 * dist * n, n, t});
  }
};

}  // namespace

void touch_ellipsoid(const Linked& world, const Vec3d& radii, double margin, Contacts& out) {
  const Ellipsoid ellipsoid{world, radii, margin, out};
  for (std::int32_t t = 0; t < std::int32_t(world.surface.size()); ++t) ellipsoid.touch_face(t);
  world.each_ridge(SHARP, [&](std::int32_t t, int i) { ellipsoid.touch_edge(t, i); });
}

}  // namespace volery::contact
