#pragma once
#include <cstdint>
#include <tuple>

#include "core/arrays.hpp"
#include "core/table.hpp"

namespace volery {

// Of a window of the map, [nx, ny, nz].
using Evidence = Array<const std::int8_t, -1, -1, -1>;     // above 0 taken, below 0 free, 0 unknown
using Clearance = Array<const std::uint8_t, -1, -1, -1>;  // from the nearest taken cell [thirds of a cell]
using Prices = Array<const float, -1, -1, -1>;            // of a cell's length; 0: not allowed
using Points = Array<const double, -1, 3>;
using Point = Array<const double, 3>;
using Mask = Array<const bool, -1, -1>;

template <class A, class B>
void need_alike(const A& a, const B& b, const char* what) {
  for (int axis = 0; axis < A::N; ++axis) need(a.shape[axis] == b.shape[axis], what);
}

struct PriceTerms {
  double clear, comfort;  // least clearance, and from where on more is not worth a detour [thirds of a cell]
  double unknown;         // what a way through what nobody has seen counts more, as a factor
  double low, high;       // heights above the ground to keep to [cells]
  double cell;            // edge of a cell [m]
};
VOLERY_TABLE(PriceTerms, clear, comfort, unknown, low, high, cell)

// clearance.cpp
void clearances(Evidence evidence, Array<std::uint8_t, -1, -1, -1> out);
void floors(Evidence evidence, Array<const std::int64_t, 3> start, Array<float, -1, -1> out);
void prices(Evidence evidence, Clearance clear, Array<const float, -1, -1> floor, Table<const PriceTerms> terms,
            Array<float, -1, -1, -1> out);

// search.cpp
std::tuple<Made<double, 2>, bool> search_way(Prices price, Clearance clear, Point start, Point goal, double greed);
std::tuple<Made<float, 3>, Made<std::int64_t>> flood(Prices price, Clearance clear, Evidence evidence,
                                                     Array<const std::int64_t, 3> start);
Made<std::int64_t, 2> find_ends(Evidence evidence, Array<const float, -1, -1, -1> cost,
                                Array<const std::int64_t, 3> low, Array<const std::int64_t, 3> high);

// ways.cpp
Made<double, 2> straightened(Prices price, Points way);
Made<double, 2> smoothed(Prices price, Points way, double spacing, std::int64_t held);
double speed_profile(Points p, Array<const double, -1> room, double spacing, double v0, double most, double narrow,
                     double acceleration, Array<double, -1> out);

// escape.cpp
Made<double, 2> best_escape(Point p, Point v, Points taken, double clear, double acceleration, double dt);
double path_gap(Points path, Points taken);

// rescue.cpp
constexpr double GROUND_THICK = 0.12;  // what is so much higher than the lowest point of a cell is no ground [m]
void ground_heights(Points points, Point eye, double far, Array<const double, 2> corner, double cell,
                    Array<double, -1, -1> height, Array<double, -1, -1> top);
void seen_from_above(Evidence evidence, double bottom, Array<const double, -1, -1> height,
                     Array<const double, -1, -1> sure, double cell, double climbs, Array<std::int8_t, -1, -1> out);
void gaze(Array<const double, -1, 3> gazes, Array<const double, -1> turns, double far, Mask blocked,
          Array<bool, -1, -1> looked);
void seen_behind(Array<const double, -1, 2> starts, Array<const double, -1> turns, double far, Mask panes,
                 Array<bool, -1, -1> out);
void hear_pane(Array<std::int8_t, -1, -1> votes, Array<const double, 2> start, double yaw, double half_angle,
               double echo, bool pane);
void hidden_by(Mask taken, Array<const double, 2> eye, Array<const double, -1, 2> ends, Array<bool, -1> out);

// surfels
Made<double, 2> thinned(Points points, double cell);

}  // namespace volery
