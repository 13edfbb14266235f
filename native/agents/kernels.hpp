#pragma once
#include <cstdint>

#include "core/arrays.hpp"

namespace volery {

// A chart: columns of bits, one for each cell over the other, [n, n].
using Columns = Array<const std::uint64_t, -1, -1>;
using Point = Array<const double, 3>;
using Points = Array<const double, -1, 3>;

constexpr double CHART_CELL = 0.5;           // edge of a cell [m]
constexpr std::int64_t CHART_LAYERS = 63;    // cells over each other, bits of a word
constexpr std::int64_t CHART_POOL = 2;       // cells of the chart in one of a plan, each way

std::int64_t chart_note(Array<std::uint64_t, -1, -1> columns, Point corner_W, Points points_W, Points others_W,
                        double body);
Made<double, 2> chart_near(Columns columns, Point corner_W, Point p_W, double reach, double height);
Made<double, 2> chart_costs(Columns columns, std::uint64_t bits);
Made<std::int64_t, 2> chart_search(Array<const double, -1, -1> costs, Array<const double, 2> start,
                                   Array<const double, 2> goal);
std::int64_t chart_ahead(Array<const double, -1, -1> costs, Array<const std::int64_t, -1, 2> cells,
                         Array<const double, 2> start);

std::int64_t choose_velocity(Point p, Point v, Point wish, Points options, Points cells, Points others_p,
                             Points others_v, double floor_z);

}  // namespace volery
