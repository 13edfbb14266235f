// What single devices need beside their rays: patterns of lidars, points of the scanner, the force an IMU feels.
#pragma once
#include "core/arrays.hpp"
#include "rays/cast.hpp"

namespace volery {

// A scan that never repeats: phases at the stamp and turns during a sweep of its two motions, and its elevations [rad].
// time: of each beam, in sweeps before the stamp.
void rosette_pattern(Array<const double, -1> time, Array<const double, 2> phase, Array<const double, 2> turns, double low,
                     double high, Array<float, -1, 3> directions);
void dome_pattern(Array<const double, -1> time, Array<const double, 2> phase, Array<const double, 2> turns, double low,
                  double high, Array<float, -1, 3> directions);

// Points in W of rays start … start + n: where they hit, or where they end free.
void scan_points(std::int64_t start, std::int64_t count, Array<const float, -1, 3> origins_S,
                 Array<const float, -1, 3> directions_S, Array<const double, 3, 3> R_WS, Array<const double, 3> p_WS,
                 float length, const HitArrays& hits, Array<double, -1, 3> points_W, Array<std::int8_t, -1> occupancy,
                 Array<bool, -1> inside);

// Mean of v' − g over dt [s] in the axes halfway between two attitudes of the sensor.
void specific_force(Array<const double, 3, 3> R_before, Array<const double, 3, 3> R_after, Array<const double, 3> v_before,
                    Array<const double, 3> v_after, double dt, double gravity, Array<double, 3> force_S);

}  // namespace volery
