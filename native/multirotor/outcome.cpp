#include "multirotor/outcome.hpp"

#include "multirotor/body.hpp"
#include "multirotor/flight.hpp"
#include "multirotor/rotors.hpp"

namespace volery {
namespace {

// The one name of a rotation: its first part other than 0 is positive.
Quatd named(const Quatd& q) {
  double sign = 1.0;
  for (double part : {q.w, q.x, q.y, q.z})
    if (part != 0.0) {
      sign = part > 0.0 ? 1.0 : -1.0;
      break;
    }
  return {sign * q.w + 0.0, sign * q.x + 0.0, sign * q.y + 0.0, sign * q.z + 0.0};
}

Outcome outcome(const DroneState& s, const DroneParameters& p) {
  const Mat3d R_WB = rotation(s.q_WB);
  Outcome o;
  o.p_WB = s.p_W - R_WB * p.centre;
  o.q_WB = named(s.q_WB);
  o.v_WB_W = s.v_W - R_WB * cross(s.w_B, p.centre);
  o.w_WB_W = R_WB * s.w_B;
  for (int k = 0; k < most_rotors; ++k) {
    const std::int64_t rotor = p.shown[k];
    o.turns[k] = p.way[rotor] * s.turn[rotor];
    o.speeds[k] = p.way[rotor] * s.rpm[rotor] * revolution;
  }
  o.power = s.power;
  return o;
}

bool below(const Outcome& o, double most) {
  bool all = true;
  for (const Vec3d& v : {o.p_WB, o.v_WB_W, o.w_WB_W, Vec3d{o.q_WB.w, o.q_WB.x, o.q_WB.y}, Vec3d{o.q_WB.z, 0.0, 0.0}})
    for (int k = 0; k < 3; ++k) all &= std::abs(v[k]) < most;  // NaN is not
  return all;
}

// Where another engine has the root, as motion of the centre of mass.
void take_over(DroneState& s, const DroneParameters& p, const Roots& roots, std::int64_t j) {
  s.q_WB = quat(roots.q_WB[j]);
  s.w_B = vec3(roots.w_B[j]);
  const Mat3d R_WB = rotation(s.q_WB);
  s.p_W = vec3(roots.p_W[j]) + R_WB * p.centre;
  s.v_W = vec3(roots.v_W[j]) + R_WB * cross(s.w_B, p.centre);
}

RotorWrench<double> rotors_on(DroneState& state, Reference& reference, const Air& air, const Step& s) {
  Block<double> b;
  load(b, 0, state, reference, air);
  drive_motors(b, s);
  const RotorWrench<double> f = rotor_wrench(b, s.kind, s.half);
  spin_up(b, s);
  move_on(b, s);
  store(b, 0, state, reference);
  return lifted(f, lift_factor(state.p_W.z, air, s.kind));
}

}  // namespace

bool outcomes(Table<const DroneState> state, Table<const DroneParameters> parameters, double most, Table<Outcome> out) {
  need_kinds(state, out.size(), parameters);
  bool all = true;
  for (std::int64_t i = 0; i < out.size(); ++i) {
    out[i] = outcome(state[i], parameters[state[i].kind]);
    all &= below(out[i], most);
  }
  return all;
}

void wrenches(Array<const std::int64_t, -1> which, Table<DroneState> state, Table<Reference> reference,
              Table<const DroneParameters> parameters, const Roots& roots, Table<const Air> air, double dt,
              Array<double, -1, 6> out) {
  need_drones(which, read_only(state), read_only(reference), parameters);
  need_size(roots.p_W, which.size(), "p_W");
  need_size(roots.q_WB, which.size(), "q_WB");
  need_size(roots.v_W, which.size(), "v_W");
  need_size(roots.w_B, which.size(), "w_B");
  need_size(air, which.size(), "air");
  need_size(out, which.size(), "out");
  for (std::int64_t j = 0; j < which.size(); ++j) {
    DroneState& s = state[which[j]];
    Reference& r = reference[which[j]];
    const DroneParameters& p = parameters[s.kind];
    take_over(s, p, roots, j);
    const RotorWrench<double> f = rotors_on(s, r, air[j], Step{p, r.level, dt});
    vec3(out[j]) = f.force_B + air_force(rotation(s.q_WB), s.v_W - air[j].wind_W, air[j].share, f.speeds, p);
    vec3(out[j] + 3) = f.torque_B;
  }
}

}  // namespace volery
