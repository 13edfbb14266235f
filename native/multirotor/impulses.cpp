#include "multirotor/impulses.hpp"

#include <algorithm>

namespace volery {
namespace {

constexpr int rounds = 16;

// Of a drone's point at `arm` from its centre of mass.
Vec3d point_velocity(const DroneState& s, const Vec3d& arm) { return s.v_W + cross(rotation(s.q_WB) * s.w_B, arm); }

// Change of the angular velocity in B by an impulse at a point.
Vec3d spun(const DroneState& s, const DroneParameters& p, const Vec3d& arm, const Vec3d& impulse) {
  return p.inverse_inertia * transposed_times(rotation(s.q_WB), cross(arm, impulse));
}

void strike(DroneState& s, const DroneParameters& p, const Vec3d& arm, const Vec3d& impulse) {
  const Vec3d spin = spun(s, p, arm, impulse);
  s.v_W += impulse * (1.0 / p.mass);
  s.w_B += spin;
}

// Change of a point's velocity along a unit vector by a unit impulse along it [1/kg].
double softness(const DroneState& s, const DroneParameters& p, const Vec3d& arm, const Vec3d& n) {
  return 1.0 / p.mass + dot(cross(rotation(s.q_WB) * spun(s, p, arm, n), arm), n);
}

double softness(const Bump& c, const Bodies& on, const Vec3d& n) {
  const double k = softness(on.state[c.a], on.of(c.a), c.arm_a, n);
  return c.b < 0 ? k : k + softness(on.state[c.b], on.of(c.b), c.arm_b, n);
}

void apply(const Bump& c, const Bodies& on, const Vec3d& impulse) {
  strike(on.state[c.a], on.of(c.a), c.arm_a, impulse);
  if (c.b >= 0) strike(on.state[c.b], on.of(c.b), c.arm_b, -impulse);
}

// Stops sliding as far as the pressure allows.
void rub(Bump& c, const Bodies& on) {
  const Vec3d v = closing(c, on), across = v - dot(v, c.normal) * c.normal;
  const double speed = norm(across);
  if (speed < 1e-12) return;
  Vec3d slip = c.slip - (1.0 / softness(c, on, across / speed)) * across;
  const double size = norm(slip), most = c.friction * c.press;
  if (size > most) slip = slip * most / size;
  apply(c, on, slip - c.slip);
  c.slip = slip;
}

}  // namespace

Vec3d closing(const Bump& c, const Bodies& on) {
  const Vec3d v = point_velocity(on.state[c.a], c.arm_a);
  return c.b < 0 ? v : v - point_velocity(on.state[c.b], c.arm_b);
}

void solve(Bumps& contacts, const Bodies& on) {
  for (int round = 0; round < rounds; ++round)
    for (Bump& c : contacts) {
      const double gap = dot(closing(c, on), c.normal) - c.part;
      const double press = std::max(c.press - gap / softness(c, on, c.normal), 0.0), more = press - c.press;
      c.press = press;
      apply(c, on, more * c.normal);
      rub(c, on);
    }
}

}  // namespace volery
