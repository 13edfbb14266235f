// Poses of instances as rows of the tables.
#pragma once
#include <tuple>

#include "core/arrays.hpp"

namespace volery {

// Write poses and normal matrices (inverse transposed, by cofactors). Returns the middle of the origins (three numbers),
// the radius round it [m], and the largest scale. A pose that is not finite or has no volume is found before any is
// written: then the scale is 0.
std::tuple<double, double, double, double, double> settle(Array<const double, -1, 3, 4> X, Array<double, -1, 3, 4> rows_X,
                                                          Array<float, -1, 3, 3> rows_normal);

}  // namespace volery
