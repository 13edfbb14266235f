#include "craft/autopilot.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace volery::craft {
namespace {

constexpr double pi = std::numbers::pi, gravity = 9.80665;
// No disturbance is believed to be larger: to the sides, as a share of the spring's most force, or a craft that leans
// on a wall with its body would not come off; up and down, of the weight.
constexpr double most_found = 0.5;
constexpr double most_turn = 0.25;  // a heading farther off is turned to no harder [rad]: yaw has the least strength

double within(double value, double most) { return std::min(std::max(value, -most), most); }
Vec3d times(const Vec3d& a, const Vec3d& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

// The wanted force in W, never so far from upright that the craft cannot point there.
Vec3d wanted_force(const Gains& g, const Reference& r, const Memory& memory, const Motion& motion) {
  Vec3d spring = times(g.stiffness, r.p_W - motion.p_W);
  const double along = dot(spring, r.way_W), press = r.force >= 0.0 ? within(along, r.force) : 0.0;
  spring -= along * r.way_W;
  const double scale = std::min(1.0, g.most_force / std::max(norm(spring), 1e-12));
  Vec3d force = scale * spring + press * r.way_W + times(g.damping, r.v_W - motion.v_W) +
                (g.mass * r.a_W - memory.force_W);
  force.z = std::max(force.z + g.mass * gravity, 0.3 * g.mass * gravity);
  const double flat = std::hypot(force.x, force.y), most = g.most_tilt * force.z;
  if (flat > most) {
    force.x *= most / flat;
    force.y *= most / flat;
  }
  return force;
}

// The attitude whose z is a unit vector, and whose x points to a heading.
Mat3d upright(const Vec3d& z, double yaw) {
  const Vec3d y = unit(cross(z, Vec3d{std::cos(yaw), std::sin(yaw), 0.0})), x = cross(y, z);
  return transpose(Mat3d{{x, y, z}});
}

// Turn to another attitude: proportional, derivative, gyroscopic, less what the observer found. rate: of turning
// [rad/s].
Vec3d turning(const Gains& g, const Memory& memory, const Motion& motion, const Mat3d& turn, const Vec3d& rate) {
  const Mat3d& R = motion.R_WB;
  Vec3d spin;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    // ½ (RᵀT − TᵀR)∨
    double error = 0.0;
    for (int a = 0; a < 3; ++a) error += 0.5 * (R(a, k) * turn(a, j) - R(a, j) * turn(a, k));
    const double band = i == 2 ? g.heading : g.attitude;
    spin[i] = band * band * error + 2.0 * band * (rate[i] - motion.w_B[i]);
  }
  return g.inertia_B * spin + (cross(motion.w_B, g.inertia_B * motion.w_B) - memory.torque_B);
}

// Along its way, until it is there or the spring along the way gives what it may.
void lead(const Gains& g, const Vec3d& p_W, double dt, Reference& r) {
  const double drawn = dot(times(g.stiffness, r.p_W - p_W), r.way_W), most = r.force;
  const double step = drawn < most ? std::min(r.speed * dt, r.left) : 0.0;
  r.left -= step;
  // The more the spring is drawn, the less the damper pulls along: together never more than the force
  const double pace =
      step > 0.0 ? r.speed * std::min(std::max(1.0 - drawn / std::max(most, 1e-9), 0.0), 1.0) : 0.0;
  r.p_W += step * r.way_W;
  r.v_W = pace * r.way_W;
}

}  // namespace

void observe(const Gains& g, const Motion& motion, const Wrench& given, const Vec3d& felt_W, double dt,
             Memory& memory) {
  const double weight = g.mass * gravity;
  Vec3d push = given.force.z * motion.R_WB.column(2) + felt_W;
  push.z -= weight;
  memory.momentum_W += dt * (push + memory.force_W);
  const Vec3d found = g.observe_force * (g.mass * motion.v_W - memory.momentum_W);
  for (int i = 0; i < 3; ++i) memory.force_W[i] = within(found[i], most_found * (i == 2 ? weight : g.most_force));
  const Vec3d h = g.inertia_B * motion.w_B;
  const Vec3d torque = given.torque - cross(g.centre_B, given.force) - cross(motion.w_B, h);
  memory.spin_B += dt * (torque + memory.torque_B);
  memory.torque_B = g.observe_torque * (h - memory.spin_B);
}

Wanted steer(Level level, const Gains& g, const Reference& r, const Memory& memory, const Motion& motion) {
  if (level == Level::give) return {r.force_B.z, r.torque_B};
  if (level == Level::point) {
    const Mat3d turn = rotation(quat(r.q_WB));
    return {r.thrust, turning(g, memory, motion, turn, {})};
  }
  const Mat3d& R = motion.R_WB;
  const Vec3d force = wanted_force(g, r, memory, motion);
  const double heading = std::atan2(R(1, 0), R(0, 0));
  double error = r.yaw - heading;
  error -= 2.0 * pi * std::floor(error / (2.0 * pi) + 0.5);
  const Mat3d turn = upright(unit(force), heading + within(error, most_turn));
  return {std::max(dot(force, R.column(2)), 0.0), turning(g, memory, motion, turn, R.rows[2] * r.yaw_rate)};
}

void move_on(const Gains& g, const Vec3d& p_W, double dt, Reference& r) {
  if (Drift(r.drift) == Drift::stays) return;
  if (Drift(r.drift) == Drift::leads) return lead(g, p_W, dt, r);
  const double turn = r.yaw_rate * dt;
  r.yaw += turn;
  if (Drift(r.drift) == Drift::turns) {
    const double c = std::cos(turn), s = std::sin(turn), x = r.v_W.x, y = r.v_W.y;
    r.v_W.x = c * x - s * y;
    r.v_W.y = s * x + c * y;
  }
  r.p_W += r.v_W * dt;
  // The stiffest axis counts
  const double most = g.most_force / std::max(g.stiffness.x, g.stiffness.z), ahead = norm(r.p_W - p_W);
  if (ahead > most) r.p_W = p_W + (r.p_W - p_W) * most / ahead;
}

}  // namespace volery::craft
