// Drones that may touch something: flown together step by step, with contacts found and answered after each.
#pragma once
#include "contact/world.hpp"
#include "multirotor/tables.hpp"

namespace volery {

struct BumpRules {
  double restitution;
  double friction;     // of the drones; times that of what they touch
  double crash_speed;  // [m/s]; 0: never
};

// What a drone touched: one entry for a drone, another and a bumper, at its deepest, impulses summed.
struct Touch {
  std::int64_t drone;
  std::int64_t other;  // row of the scene, or −1 − drone
  std::int64_t bumper;
  Vec3d p_W, normal_W;  // normal: towards the drone
  double depth;
  Vec3d impulse_W;  // on the drone
};
VOLERY_TABLE(Touch, drone, other, bumper, p_W, normal_W, depth, impulse_W)

// Drones `near` on by so many steps of dt [s]; returns how many contacts are in the log, at most its length. pairs:
// rows of drones, all of them near, that may meet.
std::int64_t bump(const contact::ContactWorld& world, Array<const std::int64_t, -1> near,
                  Array<const std::int64_t, -1, 2> pairs, Table<DroneState> state, Table<Reference> reference,
                  Table<const DroneParameters> parameters, Table<const Bumper> bumpers, Table<const Air> air, double dt,
                  std::int64_t steps, const BumpRules& rules, Table<Touch> log);

}  // namespace volery
