#include "mujoco/exchange.hpp"

#include <cmath>

namespace volery {
namespace {

constexpr double wild = 1e6;  // speeds beyond this [m/s, rad/s] are a model that has blown up

Quatd upper_half(const double* q) {
  double scale = 1.0 / std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; ++i) {
    if (q[i] == 0.0) continue;
    if (q[i] < 0.0) scale = -scale;
    break;
  }
  return {q[0] * scale + 0.0, q[1] * scale + 0.0, q[2] * scale + 0.0, q[3] * scale + 0.0};
}

}  // namespace

bool sound(Array<const double, -1> qpos, Array<const double, -1> qvel) {
  for (double v : qvel)
    if (!(std::abs(v) < wild)) return false;
  for (double q : qpos)
    if (!(std::abs(q) < 1e3 * wild)) return false;
  return true;
}

void check_span(const RobotSpan& span, const StateArrays& arrays) {
  const std::int64_t nq = arrays.qpos.size(), nv = arrays.qvel.size();
  need(span.body >= 0 && span.bodies >= 0 && span.body + span.bodies <= arrays.xpos.size(),
       "bodies: the model does not have them");
  need(span.q < 0 || (span.q + 7 <= nq && span.v >= 0 && span.v + 6 <= nv), "q, v: no free joint of the model");
  for (const JointPlace& j : span.joints)
    need(j.joint >= 0 && j.q >= 0 && j.q < nq && j.v >= 0 && j.v < nv, "joints: not in the model");
}

void take_root(const RobotSpan& span, const StateArrays& arrays, Array<double, 13> out) {
  const double *q = &arrays.qpos[span.q], *v = &arrays.qvel[span.v];
  const Quatd q_WB = upper_half(q + 3);
  vec3(out.data) = vec3(q);
  quat(out.data + 3) = q_WB;
  vec3(out.data + 7) = vec3(v);
  // MuJoCo has the origin's velocity in W, but the angular velocity in the body's own axes.
  vec3(out.data + 10) = rotation(q_WB) * vec3(v + 3);
}

void take_wrenches(const RobotSpan& span, const StateArrays& arrays, Array<double, -1, 6> out) {
  const Vec3d com = vec3(arrays.subtree_com[span.body]);
  for (std::int64_t i = 0; i < span.bodies; ++i) {
    // MuJoCo has torque before force, of the parent on the body, about the centre of mass of the whole robot.
    const double* f = arrays.cfrc_int[span.body + i];
    const Vec3d force = vec3(f + 3), arm = com - vec3(arrays.xpos[span.body + i]);
    vec3(out[i]) = -force;
    vec3(out[i] + 3) = -(vec3(f) + cross(arm, force));
  }
}

}  // namespace volery
