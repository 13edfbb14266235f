// The autopilot of AirSim's multirotor, SimpleFlight, re-made from its published equations and constants.
//
// Four loops in a row, each with an output of −1 to 1 that the next one takes as a share of its own limit: position →
// velocity → angles of Euler → body rates → mixer. Axes are those of the body, forward, left, up.
#pragma once
#include <numbers>

#include "multirotor/control.hpp"

namespace volery::simple_flight {

template <class L>
struct Heading {
  L cosine, sine;
};

// Roll, pitch (nose down) and heading of a body with axes R_WB.
template <class L>
struct Angles {
  L roll, pitch, yaw;
};

inline double arc_sine(double a) { return std::asin(std::min(std::max(a, -1.0), 1.0)); }
inline double arc_tangent(double y, double x) { return std::atan2(y, x); }
inline double wrapped(double a) { return a - 2.0 * std::numbers::pi * std::floor(a / (2.0 * std::numbers::pi) + 0.5); }

template <class L>
Angles<L> angles(const Mat3<L>& R) {
  return {each(arc_tangent, R(2, 1), R(2, 2)), each(arc_sine, -R(2, 0)), each(arc_tangent, R(1, 0), R(0, 0))};
}

template <class L>
Heading<L> heading(const Mat3<L>& R) {
  const L flat = root(R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0));
  const auto none = flat < L(steep);
  return {select(none, L(1.0), R(0, 0) / flat), select(none, L(0.0), R(1, 0) / flat)};
}

// One PID of an axis; its integral is kept in units of its output.
template <class L>
L run(Block<L>& b, L e, Loop loop, int axis, double kept, const Step& s) {
  const DroneParameters& p = s.kind;
  L &last = b.state.loop_error[loop][axis], &sum = b.state.loop_sum[loop][axis];
  const L d = select(last == last, (e - last) * s.often, L(0.0));
  last = e;
  sum = within(sum * kept + e * (s.dt * p.axis_ki[loop][axis]), L(-1.0), L(1.0));
  return within(p.axis_kp[loop][axis] * e + sum + p.axis_kd[loop][axis] * d, L(-1.0), L(1.0));
}

// What angles and throttle a pilot would give.
template <class L>
struct Sticks {
  L roll, pitch, throttle;
};

template <class L>
Vec3<L> velocity_goal(Block<L>& b, const Mat3<L>& R_WB, const Step& s) {
  const DroneParameters& p = s.kind;
  Vec3<L> v_W = told_velocity(b.reference, R_WB);
  if (s.level != Level::position) return v_W;
  const Vec3<L> gap = b.reference.p_W - (b.state.p_W - R_WB * as<L>(p.centre));
  for (int k = 0; k < 3; ++k) v_W[k] += L(p.most_speed) * run(b, gap[k], position_loop, k, 1.0, s);
  return v_W;
}

template <class L>
Sticks<L> fly_velocity(Block<L>& b, const Mat3<L>& R_WB, const Step& s) {
  const DroneParameters& p = s.kind;
  const Vec3<L> gap_W = velocity_goal(b, R_WB, s) - b.state.v_W, &a_W = b.reference.a_W;
  const auto [c, n] = heading(R_WB);
  Vec3<L> e{c * gap_W.x + n * gap_W.y, c * gap_W.y - n * gap_W.x, gap_W.z};
  if (p.tilted) e = transposed_times(R_WB, gap_W);
  e += Vec3<L>{p.lead.x * (c * a_W.x + n * a_W.y), p.lead.y * (c * a_W.y - n * a_W.x), p.lead.z * a_W.z};
  const L across = run(b, e.y, velocity_loop, 1, 1.0, s), along = run(b, e.x, velocity_loop, 0, 1.0, s);
  const L climb = run(b, e.z, velocity_loop, 2, s.kept, s);
  return {-across * L(p.most_tilt), along * L(p.most_tilt), most((climb + L(1.0)) * L(0.5), L(p.least_control))};
}

// Roll and pitch that let the rotors push along a direction, at the heading of now.
template <class L>
Sticks<L> lean(const Vec3<L>& up_W, L throttle, const Mat3<L>& R_WB) {
  const auto [c, n] = heading(R_WB);
  const Vec3<L> up = direction(up_W);
  return {each(arc_sine, up.x * n - up.y * c), each(arc_tangent, c * up.x + n * up.y, up.z), throttle};
}

template <class L>
Sticks<L> fly_acceleration(const Block<L>& b, const Mat3<L>& R_WB, const Step& s) {
  const DroneParameters& p = s.kind;
  Vec3<L> f_W = b.reference.a_W;
  f_W.z += L(p.gravity);
  const L push = most(dot(f_W, R_WB.column(2)), L(0.0)) * (p.mass / (p.lift * p.most_rpm * p.most_rpm));
  return lean(f_W, push / b.air.share, R_WB);
}

// A throttle as the other law has it, a share of speed, as a share of thrust.
template <class L>
L share_of_thrust(L throttle, const DroneParameters& p) {
  const L share = (p.least_rpm + (p.most_rpm - p.least_rpm) * throttle) * (1.0 / p.most_rpm);
  return share * share;
}

template <class L>
Sticks<L> sticks(Block<L>& b, const Mat3<L>& R_WB, const Step& s) {
  const L throttle = share_of_thrust(b.reference.throttle, s.kind);
  switch (s.level) {
    case Level::acceleration_heading:
    case Level::acceleration_rate:
      return fly_acceleration(b, R_WB, s);
    case Level::attitude: {
      const Angles<L> told = angles(rotation(b.reference.q_WB));
      return {told.roll, told.pitch, throttle};
    }
    case Level::tilt_rate:
      return lean(b.reference.a_W, throttle, R_WB);
    default:
      return fly_velocity(b, R_WB, s);
  }
}

// How far the heading is from the one that is told [rad].
template <class L>
L missing_heading(const Block<L>& b, const Mat3<L>& R_WB, Level level) {
  const auto [c, n] = heading(R_WB);
  if (level != Level::attitude)
    return each(arc_tangent, b.sin_yaw * c - b.cos_yaw * n, b.cos_yaw * c + b.sin_yaw * n);
  const auto [goal_c, goal_n] = heading(rotation(b.reference.q_WB));
  return each(arc_tangent, goal_n * c - goal_c * n, goal_c * c + goal_n * n);
}

// Body rates that bring the angles to what the sticks say.
template <class L>
Vec3<L> rates_by_sticks(Block<L>& b, L& throttle, const Step& s) {
  const DroneParameters& p = s.kind;
  throttle = share_of_thrust(b.reference.throttle, p);
  if (s.level == Level::body_rate) return b.reference.w_B;
  const Mat3<L> R_WB = rotation(b.state.q_WB);
  const Sticks<L> want = sticks(b, R_WB, s);
  const Angles<L> now = angles(R_WB);
  throttle = want.throttle;
  Vec3<L> rate{p.most_rates.x * run(b, each(wrapped, want.roll - now.roll), attitude_loop, 0, 1.0, s),
               p.most_rates.y * run(b, each(wrapped, want.pitch - now.pitch), attitude_loop, 1, 1.0, s),
               b.reference.yaw_rate};
  const bool turns = s.level == Level::velocity_rate || s.level == Level::acceleration_rate ||
                     s.level == Level::tilt_rate;
  if (!turns) rate.z = p.most_rates.z * run(b, missing_heading(b, R_WB, s.level), attitude_loop, 2, 1.0, s);
  return rate;
}

// Shares of thrust, shifted up where one would be below 0 and scaled down where one would be above 1.
template <class L>
void mix(const DroneParameters& p, const Vec3<L>& turning, L throttle, L (&goal)[most_rotors]) {
  const auto idle = throttle < L(p.least_turning);
  L low = throttle, high = throttle;
  for (std::int64_t i = 0; i < p.rotors; ++i) {
    goal[i] = p.mix[i][3] * throttle + p.mix[i][0] * turning.x + p.mix[i][1] * turning.y + p.mix[i][2] * turning.z;
    low = least(low, goal[i]);
    high = most(high, goal[i]);
  }
  const L shift = most(-low, L(0.0)), scale = L(1.0) / most(high + shift, L(1.0));
  for (std::int64_t i = 0; i < p.rotors; ++i) {
    const L share = select(idle, most(throttle, L(0.0)), within((goal[i] + shift) * scale, L(0.0), L(1.0)));
    goal[i] = root(share);
  }
}

// Speeds of all rotors, as shares of the most, into the goals; advances the loops.
template <class L>
void throttles(Block<L>& b, const Step& s) {
  if (s.level == Level::actuators) return volery::throttles(b, s);
  Vec3<L> turning = b.reference.group;
  L throttle = share_of_thrust(b.reference.throttle, s.kind);
  if (s.level != Level::group) {
    const Vec3<L> e = rates_by_sticks(b, throttle, s) - b.state.w_B;
    for (int k = 0; k < 3; ++k) turning[k] = run(b, e[k], rate_loop, k, 1.0, s);
  }
  mix(s.kind, turning, throttle, b.goal);
}

}  // namespace volery::simple_flight
