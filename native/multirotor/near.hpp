// Who is near whom, and where the air is how thin.
#pragma once
#include <cstdint>

#include "core/arrays.hpp"
#include "multirotor/tables.hpp"

namespace volery {

double reach_of(const DroneState& s, const DroneParameters& p, double span);
double felt_within(const DroneParameters& p);

// Pairs of the first `count` drones that may meet within `span` [s], their reaches `more` [m] longer.
std::vector<std::int64_t> pairs_of(Table<const DroneState> state, Table<const DroneParameters> parameters,
                                   std::int64_t count, double span, double more);
Made<std::int64_t, 2> find_pairs(Table<const DroneState> state, Table<const DroneParameters> parameters,
                                 std::int64_t count, double span);

Made<double, 2> one_of_each_part(Array<const double, -1, 3> places, double size);

double farthest(Table<const DroneState> state, Array<const double, -1, 3> seen, double span);

void thin_air(Table<const DroneState> state, Table<const DroneParameters> parameters, double lowest, double apart,
              Array<const double, -1> densities, Table<Air> air);

}  // namespace volery
