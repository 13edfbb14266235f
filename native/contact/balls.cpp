#include "contact/balls.hpp"

#include "contact/collide.hpp"
#include "contact/gather.hpp"

namespace volery::contact {

void touch(const ContactWorld& world, Array<const double, -1, 3> p_W, Array<const double, -1> radius,
           Array<double, -1, 3> normal_W, Array<double, -1> depth, Array<std::int64_t, -1> row) {
  need_size(radius, p_W.size(), "radius");
  need_size(normal_W, p_W.size(), "normal_W");
  need_size(depth, p_W.size(), "depth");
  need_size(row, p_W.size(), "row");
  Scratch scratch;
  for (std::int64_t i = 0; i < p_W.size(); ++i) {
    depth[i] = 0, row[i] = -1, vec3(normal_W[i]) = {};
    const int n = collide_ball(world, scratch, vec3(p_W[i]), radius[i]);
    for (int k = 0; k < n; ++k) {
      const Contact& contact = scratch.contacts[k];
      if (!(-contact.dist > depth[i])) continue;
      depth[i] = -contact.dist;
      vec3(normal_W[i]) = contact.normal_G;
      row[i] = scratch.triangles[contact.triangle].row;
    }
  }
}

void room(const ContactWorld& world, Array<const double, -1, 3> p_W, Array<const double, -1> radius, double look,
          Array<double, -1> gap, Array<double, -1, 3> normal_W) {
  need_size(radius, p_W.size(), "radius");
  need_size(gap, p_W.size(), "gap");
  need_size(normal_W, p_W.size(), "normal_W");
  Scratch scratch;
  for (std::int64_t i = 0; i < p_W.size(); ++i) {
    const double reach = radius[i] + look;
    gather(world, scratch, vec3(p_W[i]), Mat3d::identity(), {reach, reach, reach}, 0);
    double least = reach * reach;
    Vec3d best;
    for (const Triangle& T : scratch.triangles) {
      const Vec3d point = nearest(T);
      if (norm2(point) < least) least = norm2(point), best = point;
    }
    const double distance = std::sqrt(least);
    gap[i] = distance - radius[i];
    // In the middle of a surface no side is the nearer one.
    vec3(normal_W[i]) = distance > 1e-9 ? -best / distance : Vec3d{};
  }
}

}  // namespace volery::contact
