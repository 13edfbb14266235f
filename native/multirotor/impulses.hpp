// Impulses between drones and what they touch: a few rounds over all contacts, each brought to rest or to rebound.
#pragma once
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "multirotor/tables.hpp"

namespace volery {

// A contact of a drone's bumper, in W.
struct Bump {
  std::int64_t a, b;     // rows of the drones; b −1: the world
  Vec3d arm_a, arm_b;    // the point from each centre of mass
  Vec3d normal;          // unit, from b to a
  double depth;          // [m]
  double friction;       // Coulomb's coefficient
  double part = 0.0;     // speed to part with [m/s]
  double press = 0.0;    // impulse along the normal [N s]
  Vec3d slip{};          // impulse across it [N s]
  std::int64_t bumper_a, bumper_b;
  std::int64_t row;  // of the scene; −1: b is a drone
};
using Bumps = std::vector<Bump>;

struct Bodies {
  Table<DroneState> state;
  Table<const DroneParameters> parameters;
  const DroneParameters& of(std::int64_t drone) const { return parameters[state[drone].kind]; }
};

// Velocity of the first drone's point against the second's.
Vec3d closing(const Bump& c, const Bodies& bodies);
// Changes velocities so that no contact closes (or parts at its speed), with dry friction; keeps the impulses.
void solve(Bumps& contacts, const Bodies& bodies);

}  // namespace volery
