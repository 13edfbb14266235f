#include "mujoco/arms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace volery {
namespace {

constexpr double gravity = 9.80665;

struct Elbow {
  Vec3d sphere;  // middle of the sphere that the platform lies on
  Vec3d lever;   // what the elbow moves by per angle
};

Elbow elbow(const DeltaArm& arm, int i, double theta) {
  const double c = std::cos(theta), s = std::sin(theta);
  const double u = std::cos(i * 2 * std::numbers::pi / 3), v = std::sin(i * 2 * std::numbers::pi / 3);
  const double out = arm.base - arm.tool + arm.upper * c;
  return {{out * u, out * v, arm.upper * s}, {-arm.upper * s * u, -arm.upper * s * v, arm.upper * c}};
}

// Where three spheres of a radius meet; whether they do. The same as `Delta.place` in Python.
bool platform(const Elbow (&elbows)[3], double fore, Vec3d& p) {
  const Vec3d a = elbows[1].sphere - elbows[0].sphere, b = elbows[2].sphere - elbows[0].sphere, n = cross(a, b);
  const double nn = norm2(n);
  const Vec3d m = cross(norm2(a) * b - norm2(b) * a, n) / (2.0 * nn);
  const double left = fore * fore - norm2(m);
  if (!(left > 0.0)) return false;
  p = elbows[0].sphere + m + std::sqrt(left / nn) * n;
  return true;
}

// Force that the motors are to give at the tip, its load's weight included; p, v: of the tip in D.
Vec3d pull(const DeltaArm& arm, const ArmOrder& order, const Vec3d& p, const Vec3d& v, const Vec3d& g) {
  Vec3d force = -arm.carried * g;
  if (ArmTask(order.task) != ArmTask::press) return force;
  for (int i = 0; i < 3; ++i)
    force[i] += order.force[i] + order.stiffness[i] * (order.place[i] - p[i]) - order.damping[i] * v[i];
  return force;
}

}  // namespace

void check_arm(const DeltaArm& arm, const ArmArrays& arrays) {
  const auto within = [](std::int64_t at, std::int64_t count) { return at >= 0 && at < count; };
  need(within(arm.plate, arrays.xmat.size()), "arm: its plate is no body of the model");
  for (int i = 0; i < 3; ++i)
    need(within(arm.q[i], arrays.qpos.size()) && within(arm.v[i], arrays.qvel.size()) &&
             within(arm.motor[i], arrays.ctrl.size()),
         "arm: its joints and motors are not in the model");
}

void drive_arm(const DeltaArm& arm, const ArmOrder& order, const ArmArrays& arrays) {
  if (ArmTask(order.task) == ArmTask::idle) return;
  const Vec3d g = -gravity * mat3(arrays.xmat[arm.plate]).rows[2];
  double theta[3], rate[3];
  Elbow elbows[3];
  for (int i = 0; i < 3; ++i) {
    theta[i] = arrays.qpos[arm.q[i]];
    rate[i] = arrays.qvel[arm.v[i]];
    elbows[i] = elbow(arm, i, theta[i]);
  }
  Vec3d p, rod[3], inverse[3], v;
  if (!platform(elbows, arm.fore, p)) return;
  double gain[3];
  for (int i = 0; i < 3; ++i) {
    rod[i] = elbows[i].sphere - p;
    gain[i] = dot(rod[i], elbows[i].lever);
  }
  for (int i = 0; i < 3; ++i) inverse[i] = cross(rod[(i + 1) % 3], rod[(i + 2) % 3]);
  const double det = dot(rod[0], inverse[0]);
  if (std::abs(det) < 1e-4 * arm.fore * arm.fore * arm.fore) return;
  for (int i = 0; i < 3; ++i) v += inverse[i] * (gain[i] * rate[i] / det);
  p.z += arm.stick;
  const Vec3d force = pull(arm, order, p, v, g);
  for (int i = 0; i < 3; ++i) {
    double torque = gain[i] * dot(inverse[i], force) / det - arm.own * dot(elbows[i].lever, g);
    if (ArmTask(order.task) == ArmTask::reach)
      torque += arm.stiffness * (order.angles[i] - theta[i]) - arm.damping * rate[i];
    arrays.ctrl[arm.motor[i]] = std::min(std::max(torque, -arm.torque), arm.torque);
  }
}

}  // namespace volery
