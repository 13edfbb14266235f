// Flight of drones: autopilot, motors, and the rigid body under rotors, air and pushes, many at a time.
#pragma once
#include <cstdint>

#include "core/arrays.hpp"
#include "multirotor/tables.hpp"

namespace volery {

template <class T>
Table<const T> read_only(const Table<T>& table) {
  return {table.data, {table.size()}};
}

// Throws unless rows of all drones `which`, of their kinds and of their levels are there.
void need_drones(Array<const std::int64_t, -1> which, Table<const DroneState> state, Table<const Reference> reference,
                 Table<const DroneParameters> parameters);
void need_kinds(Table<const DroneState> state, std::int64_t count, Table<const DroneParameters> parameters);

// Drones `which` on by so many steps of dt [s] each: the same bytes for one alone, among others, and on any threads.
void fly(Array<const std::int64_t, -1> which, Table<DroneState> state, Table<Reference> reference,
         Table<const DroneParameters> parameters, Table<const Air> air, double dt, std::int64_t steps);

}  // namespace volery
