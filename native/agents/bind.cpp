#include "core/bind.hpp"

#include "agents/kernels.hpp"

namespace volery {

void bind_agents(nb::module_& m) {
  m.doc() = "Kernels of agents: charts of what they have seen, and velocities at which they meet nobody.";
  m.attr("CHART_CELL") = CHART_CELL;
  m.attr("CHART_LAYERS") = CHART_LAYERS;
  m.attr("CHART_POOL") = CHART_POOL;
  kernel(m, "chart_note", &chart_note, {"columns", "corner_W", "points_W", "others_W", "body"},
         "Set the bits of points that are farther than body from each of the others; how many were new.");
  kernel(m, "chart_near", &chart_near, {"columns", "corner_W", "p_W", "reach", "height"},
         "Middles of taken cells within reach in the plane and height up and down of a point, [n, 3] [m].");
  kernel(m, "chart_costs", &chart_costs, {"columns", "bits"}, "What a metre costs in each cell of a plan, [m, m].");
  kernel(m, "chart_search", &chart_search, {"costs", "start", "goal"},
         "Cells of the cheapest way between two places of a plan, [n, 2]; none: empty.");
  kernel(m, "chart_ahead", &chart_ahead, {"costs", "cells", "start"},
         "Number of the farthest cell of a way that a straight line reaches without costing more than the way does.");
  kernel(m, "choose_velocity", &choose_velocity,
         {"p", "v", "wish", "options", "cells", "others_p", "others_v", "floor_z"},
         "Number of the best of the options for a drone at p [m] with velocity v [m/s].");
}

}  // namespace volery
