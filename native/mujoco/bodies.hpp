// MuJoCo's arrays of bodies, not copies. Spatial vectors are about the centre of mass of the tree that a body belongs
// to, rotation first.
#pragma once
#include "core/arrays.hpp"
#include "core/vec.hpp"

namespace volery {

struct MujocoBodies {
  Array<const double, -1, 3> xpos, xipos, subtree_com;
  Array<const double, -1, 9> xmat;
  Array<const double, -1, 6> cvel;
  Array<const double, -1> mass;
  Array<const int, -1> root;
  Array<double, -1, 6> xfrc;

  std::int64_t count() const { return xpos.size(); }
  bool has(std::int64_t b) const { return b >= 0 && b < count(); }
  const Vec3d& p_W(std::int64_t b) const { return vec3(xpos[b]); }
  const Vec3d& centre_W(std::int64_t b) const { return vec3(xipos[b]); }
  const Mat3d& R_WB(std::int64_t b) const { return mat3(xmat[b]); }
  const Vec3d& w_W(std::int64_t b) const { return vec3(cvel[b]); }
  Vec3d at(std::int64_t b, const Vec3d& p_B) const { return p_W(b) + R_WB(b) * p_B; }
  Vec3d from_com(std::int64_t b, const Vec3d& p) const { return p - vec3(subtree_com[root[b]]); }
  // Of the point of a body that is at p, in W.
  Vec3d velocity(std::int64_t b, const Vec3d& p) const { return vec3(cvel[b] + 3) + cross(w_W(b), from_com(b, p)); }
  // A force and a torque about p, in W.
  void push(std::int64_t b, const Vec3d& p, const Vec3d& force, const Vec3d& torque = {}) const {
    vec3(xfrc[b]) += force;
    vec3(xfrc[b] + 3) += cross(p - centre_W(b), force) + torque;
  }
};

}  // namespace volery
