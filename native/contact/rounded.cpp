#include <algorithm>

#include "contact/shapes.hpp"

namespace volery::contact {
namespace {

constexpr double SHARP = 1e-4;  // sine of a ridge that is felt: below it is rounding

// Whether d goes into the solid behind the face.
bool beyond(const Triangle& T, const Vec3d& d) { return T.solid && dot(d, T.normal) < 0; }

struct Capsule {
  const Linked& world;
  double r, length, margin;
  Contacts& out;

  // The contact at a point of an edge of the triangle t, if there is one.
  void touch_at(std::int32_t t, std::int32_t mate, const Vec3d& p) const {
    auto [dist, d] = direction_of({-p.x, -p.y, std::min(std::max(p.z, -length), length) - p.z});
    if (dist == 0 || dist > r + margin) return;
    if (beyond(world.surface[t], d) && (mate < 0 || beyond(world.surface[mate], d))) {
      // The line has gone through the edge into the solid: back the way it came.
      dist = -dist, d = -d;
    }
    if (!clear_way(world.surface, p, d, EXACT)) return;
    dist -= r;
    add(out, {dist, p + 0.5 * dist * d, d, t});
  }

  // Nearest points of an edge and the line from −length to length on z; two pairs where they run side by side.
  void touch_edge(std::int32_t t, int i) const {
    const EdgeLine line = edge_line(world.surface[t], i);
    const auto& [p, e] = line;
    const std::int32_t mate = world.edges[t].mate[i];
    const double across = e.x * e.x + e.y * e.y, along = across + e.z * e.z;
    if (length > 0 && across < 1e-4 * along) {
      const double first = e.z > 0 ? -length : length;
      for (const double z : {first, -first}) touch_at(t, mate, line.at(std::clamp((z - p.z) / e.z, 0.0, 1.0)));
      return;
    }
    double z = 0;
    if (length > 0) {
      const double s = std::min(std::max(-(p.x * e.x + p.y * e.y) / across, 0.0), 1.0);
      z = std::min(std::max(p.z + s * e.z, -length), length);
    }
    const double s = -(p.x * e.x + p.y * e.y + (p.z - z) * e.z) / along;
    touch_at(t, mate, line.at(std::min(std::max(s, 0.0), 1.0)));
  }
};

}  // namespace

void touch_rounded(const Linked& world, double r, double length, double margin, Contacts& out) {
  touch_point(world.surface, {0, 0, -length}, r, margin, out);
  if (length > 0) touch_point(world.surface, {0, 0, length}, r, margin, out);
  const Capsule capsule{world, r, length, margin, out};
  world.each_ridge(SHARP, [&](std::int32_t t, int i) { capsule.touch_edge(t, i); });
}

}  // namespace volery::contact
