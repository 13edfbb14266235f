#include "mujoco/flying.hpp"

#include <algorithm>
#include <cmath>

namespace volery {

void check_flying(Table<const FlyingBody> flying, std::int64_t bodies, std::int64_t nq, std::int64_t nv) {
  for (const FlyingBody& f : flying)
    need(f.body >= 0 && f.body < bodies && f.q >= 0 && f.q + 7 <= nq && f.v >= 0 && f.v + 6 <= nv,
         "flying: a body or free joint that the model does not have");
}

void gather_flying(Table<const FlyingBody> flying, Array<const double, -1> qpos, Array<const double, -1> qvel,
                   Array<double, -1, 3> p, Array<double, -1, 4> q, Array<double, -1, 3> v, Array<double, -1, 3> w) {
  need_size(p, flying.size(), "p");
  need_size(q, flying.size(), "q");
  need_size(v, flying.size(), "v");
  need_size(w, flying.size(), "w");
  for (std::int64_t k = 0; k < flying.size(); ++k) {
    const double *place = &qpos[flying[k].q], *rate = &qvel[flying[k].v];
    std::copy(place, place + 3, p[k]);
    std::copy(place + 3, place + 7, q[k]);
    std::copy(rate, rate + 3, v[k]);
    std::copy(rate + 3, rate + 6, w[k]);
  }
}

void push_flying(Table<const FlyingBody> flying, const MujocoBodies& bodies, Array<const double, -1, 6> wrenches) {
  need_size(wrenches, flying.size(), "wrenches");
  for (std::int64_t k = 0; k < flying.size(); ++k) {
    const std::int64_t b = flying[k].body;
    const Mat3d& R_WB = bodies.R_WB(b);
    const Vec3d force = R_WB * vec3(wrenches[k]), torque = R_WB * vec3(wrenches[k] + 3);
    // A motion that blew up must not spread: MuJoCo adds forces up over all robots.
    if (!std::isfinite(force.x + force.y + force.z + torque.x + torque.y + torque.z)) continue;
    bodies.push(b, bodies.at(b, flying[k].centre_B), force, torque);
  }
}

}  // namespace volery
