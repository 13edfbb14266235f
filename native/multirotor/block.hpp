// Drones of one kind and level side by side while they fly.
#pragma once
#include <cmath>
#include <numbers>

#include "multirotor/lanes.hpp"
#include "multirotor/tables.hpp"

namespace volery {

// Force and torque of all rotors together, in the reference air far from the ground.
template <class L>
struct RotorWrench {
  Vec3<L> force_B, torque_B;
  L speeds;  // sum of theirs [rpm]
};

template <class L>
struct Block {
  StateOf<L> state;
  ReferenceOf<L> reference;
  AirOf<L> air;
  L cos_yaw, sin_yaw;    // of the heading wanted
  L goal[most_rotors];   // throttle, then speed [rpm], that each motor strives for
  RotorWrench<L> early;  // at the begin of a step
};

// What all steps of a block share.
struct Step {
  const DroneParameters& kind;
  Level level;
  double dt;
  double often = 1.0 / dt;
  double half = std::exp(-0.5 * dt / kind.tau), full = std::exp(-dt / kind.tau);  // what is left of a motor's gap
  double per_mass = 1.0 / kind.mass;
  double kept = std::exp(-kind.leak * dt);  // of an integral that leaks
};

// Numbers of a row; the whole one that rows of state and of reference end with is no number of a lane.
template <class Row>
constexpr int numbers_of = sizeof(Row) / sizeof(double) - 1;
template <>
inline constexpr int numbers_of<Air> = sizeof(Air) / sizeof(double);

template <template <class> class Of, class L>
void put_row(Of<L>& many, int l, const Of<double>& row) {
  const double* from = reinterpret_cast<const double*>(&row);
  L* to = reinterpret_cast<L*>(&many);
  for (int k = 0; k < numbers_of<Of<double>>; ++k) put(to[k], l, from[k]);
}

template <template <class> class Of, class L>
void take_row(const Of<L>& many, int l, Of<double>& row) {
  const L* from = reinterpret_cast<const L*>(&many);
  double* to = reinterpret_cast<double*>(&row);
  for (int k = 0; k < numbers_of<Of<double>>; ++k) to[k] = at(from[k], l);
}

template <class L>
void load(Block<L>& b, int l, const DroneState& state, const Reference& reference, const Air& air) {
  put_row(b.state, l, state);
  put_row(b.reference, l, reference);
  put_row(b.air, l, air);
  put(b.cos_yaw, l, std::cos(reference.yaw));
  put(b.sin_yaw, l, std::sin(reference.yaw));
}

// Its state, and its reference as far as that moves on by itself.
template <class L>
void store(const Block<L>& b, int l, DroneState& state, Reference& reference) {
  constexpr double circle = 2.0 * std::numbers::pi;
  take_row(b.state, l, state);
  for (double& turn : state.turn) turn -= circle * std::floor(turn / circle);
  for (int k = 0; k < 3; ++k) {
    reference.p_W[k] = at(b.reference.p_W[k], l);
    reference.v_W[k] = at(b.reference.v_W[k], l);
    reference.a_W[k] = at(b.reference.a_W[k], l);
    reference.drift_W[k] = at(b.reference.drift_W[k], l);
    reference.rise_W[k] = at(b.reference.rise_W[k], l);
  }
  reference.yaw = at(b.reference.yaw, l);
}

// A reference that moves, a step on: exactly, since loops with derivatives in a row make a kick of the least jump.
template <class L>
void move_on(Block<L>& b, const Step& s) {
  ReferenceOf<L>& r = b.reference;
  const double dt = s.dt;
  const Vec3<L> gain = r.rise_W * L(dt) + r.surge_W * L(0.5 * dt * dt);
  r.p_W += r.drift_W * L(dt) + r.rise_W * L(0.5 * dt * dt) + r.surge_W * L(dt * dt * dt / 6.0);
  r.drift_W += gain;
  r.v_W += gain;
  r.rise_W += r.surge_W * L(dt);
  r.a_W += r.jerk_W * L(dt);
  if (s.level != Level::position) return;
  const L turn = r.yaw_rate * L(dt), c = b.cos_yaw, n = b.sin_yaw, less = L(1.0) - L(0.5) * turn * turn;
  r.yaw += turn;
  b.cos_yaw = less * c - turn * n;
  b.sin_yaw = less * n + turn * c;
}

}  // namespace volery
