// Motors, rotors and battery. Between two looks of the autopilot the speed of a motor is known exactly:
// rpm(t) = goal + (rpm − goal)·exp(−t/τ).
#pragma once
#include "multirotor/simple_flight.hpp"

namespace volery {

constexpr double revolution = 2.0 * std::numbers::pi / 60.0;  // rad/s per rpm

template <class L>
L cube(L a) {
  return a * a * a;
}

// Power drawn now. Rotors that are not there stand.
template <class L>
L drawn(const Block<L>& b, const DroneParameters& p) {
  const auto& rpm = b.state.rpm;
  L cubes = (cube(rpm[0]) + cube(rpm[1])) + (cube(rpm[2]) + cube(rpm[3]));
  if (p.rotors > 4) cubes += (cube(rpm[4]) + cube(rpm[5])) + (cube(rpm[6]) + cube(rpm[7]));
  return p.idle_power + p.shaft * b.air.share * cubes;
}

// Takes the power from the battery; motors turn no faster than the voltage under load lets them, and an empty battery
// turns none.
template <class L>
void drain(Block<L>& b, const Step& s) {
  const DroneParameters& p = s.kind;
  const L power = b.state.power, charge = b.state.charge;
  const L free = p.empty_voltage + (p.full_voltage - p.empty_voltage) * charge / p.capacity;
  // V = E − R·P/V: the upper root; half of E where the battery cannot give as much
  const L voltage = 0.5 * (free + root(most(free * free - 4.0 * p.resistance * power, L(0.0))));
  const auto full = charge > L(0.0);
  const L most_rpm = select(full, p.most_rpm * voltage / p.full_voltage, L(0.0));
  b.state.charge = select(full, most(charge - power / voltage * s.dt, L(0.0)), charge);
  b.state.power = select(full, power, L(0.0));
  for (L& goal : b.goal) goal = least(goal, most_rpm);
}

// Speeds that the motors strive for within the next step; drains the battery.
template <class L>
void drive_motors(Block<L>& b, const Step& s) {
  const DroneParameters& p = s.kind;
  if (s.level == Level::off || s.level == Level::crashed) {
    for (L& goal : b.goal) goal = L(p.stopped_rpm);
  } else {
    if (p.simple) simple_flight::throttles(b, s);
    else throttles(b, s);
    const double span = p.most_rpm - p.least_rpm;
    for (L& goal : b.goal) goal = p.least_rpm + span * goal;
  }
  // Rotors come by fours; those that are not there stand
  for (std::int64_t i = p.rotors; i < most_rotors; ++i) b.goal[i] = L(0.0);
  b.state.power = drawn(b, p);
  if (p.full_voltage > 0.0) drain(b, s);
}

template <class L>
RotorWrench<L> four_rotors(const Block<L>& b, const DroneParameters& p, int first, double decay) {
  L rpm[4], square[4], sum[6];
  for (int i = 0; i < 4; ++i) {
    const L goal = b.goal[first + i];
    rpm[i] = goal + (b.state.rpm[first + i] - goal) * decay;
    square[i] = rpm[i] * rpm[i];
  }
  for (int k = 0; k < 6; ++k) {
    const double* e = p.effect[k] + first;
    sum[k] = e[0] * square[0] + e[1] * square[1] + e[2] * square[2] + e[3] * square[3];
  }
  return {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}, rpm[0] + rpm[1] + rpm[2] + rpm[3]};
}

// What all rotors do together, once the gap between goals and speeds has shrunk to `decay`.
template <class L>
RotorWrench<L> rotor_wrench(const Block<L>& b, const DroneParameters& p, double decay) {
  const RotorWrench<L> f = four_rotors(b, p, 0, decay);
  if (p.rotors <= 4) return f;
  const RotorWrench<L> g = four_rotors(b, p, 4, decay);
  return {f.force_B + g.force_B, f.torque_B + g.torque_B, f.speeds + g.speeds};
}

// Thrust over that in the reference air far from the ground (Cheeseman and Bennett, to half a radius).
template <class L>
L lift_factor(L z, const AirOf<L>& air, const DroneParameters& p) {
  if (p.near_ground <= 0.0) return air.share;
  const L height = z + p.hub - air.ground;
  return air.share / (1.0 - p.near_ground / most(height * height, L(4.0 * p.near_ground)));
}

template <class L>
RotorWrench<L> lifted(const RotorWrench<L>& f, L lift) {
  return {f.force_B * lift, f.torque_B * lift, f.speeds};
}

// Brings the motors' speeds and the rotors' angles to the end of a step.
template <class L>
void spin_up(Block<L>& b, const Step& s) {
  const double lag = s.kind.tau * (1.0 - s.full);
  for (std::int64_t i = 0; i < s.kind.rotors; ++i) {
    const L goal = b.goal[i], gap = b.state.rpm[i] - goal;
    b.state.turn[i] += revolution * (goal * s.dt + gap * lag);
    b.state.rpm[i] = goal + gap * s.full;
  }
}

}  // namespace volery
