// The autopilot: the cascade of the MRS multirotor simulator, from a position down to motor throttles.
//
// Each level is told by the one above it or from outside, so one cascade serves all commands. World axes for position,
// velocity and acceleration, body axes for attitude and rates.
#pragma once
#include "multirotor/mixer.hpp"

namespace volery {

constexpr double steep = 1e-9;  // below this a direction has no length

// One PID; the integral used is the old one.
template <class L>
L run_loop(L e, L& last, L& sum, Loop which, double most_out, const Step& s) {
  const DroneParameters& p = s.kind;
  const L d = select(last == last, (e - last) * s.often, L(0.0));
  const L u = within(p.kp[which] * e + p.kd[which] * d + p.ki[which] * sum, L(-most_out), L(most_out));
  last = e;
  sum = select(magnitude(u) < L(p.windup[which]), sum + e * s.dt, sum);
  return u;
}

template <class L>
Vec3<L> run_loops(Block<L>& b, const Vec3<L>& e, Loop which, double most_of_z, const Step& s) {
  Vec3<L>&last = b.state.loop_error[which], &sum = b.state.loop_sum[which];
  const double most_out = s.kind.most[which];
  return {run_loop(e.x, last.x, sum.x, which, most_out, s), run_loop(e.y, last.y, sum.y, which, most_out, s),
          run_loop(e.z, last.z, sum.z, which, most_of_z, s)};
}

// The velocity that is told, in W; one given in axes that turn with the heading is turned.
template <class L>
Vec3<L> told_velocity(const ReferenceOf<L>& r, const Mat3<L>& R_WB) {
  // Flat part of the nose's direction; straight up it has none, and W's axes stand in
  const L nose_x = R_WB(0, 0), nose_y = R_WB(1, 0), flat = root(nose_x * nose_x + nose_y * nose_y);
  const auto turns = (r.along != L(0.0)) & (flat > L(steep));
  const L c = select(turns, nose_x / flat, L(1.0)), s = select(turns, nose_y / flat, L(0.0));
  return {c * r.v_W.x - s * r.v_W.y, s * r.v_W.x + c * r.v_W.y, r.v_W.z};
}

template <class L>
Vec3<L> wanted_acceleration(Block<L>& b, const Mat3<L>& R_WB, const Step& s) {
  const DroneParameters& p = s.kind;
  Vec3<L> v_W = told_velocity(b.reference, R_WB);
  if (s.level == Level::position) {
    const Vec3<L> root_W = b.state.p_W - R_WB * as<L>(p.centre);
    v_W += run_loops(b, b.reference.p_W - root_W, position_loop, p.most[position_loop], s);
  }
  return b.reference.a_W + run_loops(b, v_W - b.state.v_W, velocity_loop, p.most[velocity_loop], s);
}

// Where to push to; upwards if nowhere.
template <class L>
Vec3<L> direction(const Vec3<L>& f) {
  const L length = root(norm2(f));
  const auto none = length < L(steep);
  const L over = select(none, L(0.0), L(1.0) / length);
  return {f.x * over, f.y * over, select(none, L(1.0), f.z * over)};
}

// Body rates that turn R into D; the error is half the vee of DᵀR − RᵀD.
template <class L>
Vec3<L> turn_to(Block<L>& b, const Mat3<L>& D, const Mat3<L>& R, const Step& s) {
  const Vec3<L> dx = D.column(0), dy = D.column(1), dz = D.column(2);
  const Vec3<L> rx = R.column(0), ry = R.column(1), rz = R.column(2);
  const Vec3<L> e = L(0.5) * Vec3<L>{dot(dy, rz) - dot(dz, ry), dot(dz, rx) - dot(dx, rz), dot(dx, ry) - dot(dy, rx)};
  return run_loops(b, e, attitude_loop, s.kind.most_yaw_rate, s);
}

template <class L>
Mat3<L> of_columns(const Vec3<L>& x, const Vec3<L>& y, const Vec3<L>& z) {
  return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

// Body rates that bring z_B to `up` and the nose above the heading exactly.
template <class L>
Vec3<L> head(Block<L>& b, const Vec3<L>& up, const Mat3<L>& R_WB, const Step& s) {
  const L c = b.cos_yaw, n = b.sin_yaw;
  const L rise = -(up.x * c + up.y * n) / select(magnitude(up.z) > L(steep), up.z, L(steep));
  const L over = L(1.0) / root(L(1.0) + rise * rise);
  const Vec3<L> x{c * over, n * over, rise * over};
  return turn_to(b, of_columns(x, cross(up, x), up), R_WB, s);
}

// Body rates that bring z_B to `up` while the heading turns at the rate it is told.
template <class L>
Vec3<L> tilt(Block<L>& b, const Vec3<L>& up, const Mat3<L>& R, const Step& s) {
  const Vec3<L> across = cross(up, R.column(0));
  const Vec3<L> y = across * (L(1.0) / most(root(norm2(across)), L(steep)));
  Vec3<L> rate = turn_to(b, of_columns(cross(y, up), y, up), R, s);
  // How a unit of yaw rate, and the rates wanted so far, turn the heading: d x_B/dt = r_z·y_B − r_y·z_B
  const L flat2 = R(0, 0) * R(0, 0) + R(1, 0) * R(1, 0), by_yaw = R(0, 0) * R(1, 1) - R(1, 0) * R(0, 1);
  const L so_far = (rate.z * by_yaw - rate.y * (R(0, 0) * R(1, 2) - R(1, 0) * R(0, 2))) / flat2;
  const L missing = b.reference.yaw_rate - so_far;
  const auto sound = (flat2 >= L(steep)) & (magnitude(by_yaw) >= L(steep)) & (magnitude(missing) >= L(1e-3));
  rate.z = select(sound, rate.z + missing * flat2 / by_yaw, rate.z);
  return rate;
}

// Throttle and body rates from a position, a velocity or an acceleration.
template <class L>
Vec3<L> accelerate(Block<L>& b, const Mat3<L>& R_WB, L& throttle, const Step& s) {
  const DroneParameters& p = s.kind;
  const bool told = s.level == Level::acceleration_heading || s.level == Level::acceleration_rate;
  Vec3<L> f_W = told ? b.reference.a_W : wanted_acceleration(b, R_WB, s);
  f_W.z += L(p.gravity);
  const L push = most(dot(f_W, R_WB.column(2)), L(0.0)), rpm = root(push * (p.mass / p.lift) / b.air.share);
  throttle = (rpm - p.least_rpm) / (p.most_rpm - p.least_rpm);
  const bool heading =
      s.level == Level::position || s.level == Level::velocity_heading || s.level == Level::acceleration_heading;
  const Vec3<L> up = direction(f_W);
  return heading ? head(b, up, R_WB, s) : tilt(b, up, R_WB, s);
}

template <class L>
Vec3<L> wanted_rates(Block<L>& b, L& throttle, const Step& s) {
  if (s.level == Level::body_rate) return b.reference.w_B;
  const Mat3<L> R_WB = rotation(b.state.q_WB);
  if (s.level == Level::attitude) return turn_to(b, rotation(b.reference.q_WB), R_WB, s);
  if (s.level == Level::tilt_rate) return tilt(b, direction(b.reference.a_W), R_WB, s);
  return accelerate(b, R_WB, throttle, s);
}

// From body rates to roll, pitch and yaw.
template <class L>
Vec3<L> run_rates(Block<L>& b, const Vec3<L>& rate, const Step& s) {
  const Vec3<L> e = rate - b.state.w_B;
  Vec3<L>&last = b.state.loop_error[rate_loop], out;
  for (int k = 0; k < 3; ++k) {
    const L d = select(last[k] == last[k], (e[k] - last[k]) * s.often, L(0.0));
    out[k] = s.kind.rate_kp[k] * e[k] + s.kind.rate_kd[k] * d;
  }
  last = e;
  return out;
}

// Throttles 0 to 1 of all rotors into the goals; advances the loops.
template <class L>
void throttles(Block<L>& b, const Step& s) {
  if (s.level == Level::actuators) {
    for (int i = 0; i < most_rotors; ++i) b.goal[i] = within(b.reference.motors[i], L(0.0), L(1.0));
    return;
  }
  Turning<L> want{b.reference.group, b.reference.throttle};
  if (s.level != Level::group) want.group = run_rates(b, wanted_rates(b, want.throttle, s), s);
  mix(s.kind, want, b.goal);
}

}  // namespace volery
