// Before a step: which drones may touch something within it, and how far below them the ground is.
#pragma once
#include "contact/world.hpp"
#include "multirotor/tables.hpp"

namespace volery {

// For each drone: near, whether the world is within its reach for the next `span` [s]; air's ground: z of what lies
// straight below its rotors. Returns how many are near.
std::int64_t survey(const contact::ContactWorld& world, Table<const DroneState> state,
                    Table<const DroneParameters> parameters, double span, Array<bool, -1> near, Table<Air> air);

// Whether `free` [m] beyond the reach of the first `count` drones there is nothing of the world and, if they may meet,
// no other drone.
bool alone(const contact::ContactWorld& world, Table<const DroneState> state, Table<const DroneParameters> parameters,
           std::int64_t count, double span, double free, bool meet);

}  // namespace volery
