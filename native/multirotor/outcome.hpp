// What comes out of flight: as robots tell it, and for engines that move the bodies of drones themselves.
#pragma once
#include "core/arrays.hpp"
#include "multirotor/tables.hpp"

namespace volery {

// What robots tell of the first drones, as many as `out` has rows. Whether all are nearer, slower and spin less than
// `most` [m, m/s, rad/s].
bool outcomes(Table<const DroneState> state, Table<const DroneParameters> parameters, double most, Table<Outcome> out);

// Where another engine has the roots of drones.
struct Roots {
  Array<const double, -1, 3> p_W;
  Array<const double, -1, 4> q_WB;
  Array<const double, -1, 3> v_W, w_B;
};

// Advances autopilots and motors of drones `which` by dt [s]; force and torque about the centre of mass in B into
// `out`, rotors with what they give half way. air: a row for each of `which`.
void wrenches(Array<const std::int64_t, -1> which, Table<DroneState> state, Table<Reference> reference,
              Table<const DroneParameters> parameters, const Roots& roots, Table<const Air> air, double dt,
              Array<double, -1, 6> out);

}  // namespace volery
