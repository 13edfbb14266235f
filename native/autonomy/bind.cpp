#include "core/bind.hpp"

#include "autonomy/kernels.hpp"
#include "autonomy/occupancy.hpp"
#include "autonomy/surfels.hpp"

namespace volery {
namespace {

void occupancy_add(OccupancyGrid& grid, Point origin, Points ends) { grid.add(vec3(origin.data), ends); }
void occupancy_window(const OccupancyGrid& grid, Array<const std::int64_t, 3> first,
                      Array<std::int8_t, -1, -1, -1> out) {
  for (int k = 0; k < 3; ++k) need(first[k] >= -(1ll << 40) && first[k] <= 1ll << 40, "first: too far from home");
  grid.copy({first[0], first[1], first[2]}, out);
}
Made<double, 2> occupancy_middles(const OccupancyGrid& grid, bool taken) { return grid.middles(taken); }
std::int64_t occupancy_count(const OccupancyGrid& grid, bool taken) { return grid.count(taken); }
Made<std::int64_t, 2> occupancy_bounds(const OccupancyGrid& grid) { return grid.bounds(); }

void surfels_add(SurfelMap& map, Points points) { map.add(points); }
void surfels_forget(SurfelMap& map, Point here, double reach) { map.forget(vec3(here.data), reach); }
double surfels_fit(const SurfelMap& map, Points points, Array<const double, 6> prior, Array<double, 3, 3> R,
                   Array<double, 3> t) {
  return map.fit(points, prior, mat3(R.data), vec3(t.data));
}

void bind_maps(nb::module_& m) {
  nb::class_<OccupancyGrid>(m, "OccupancyGrid", "What is free, taken and unknown: a grid without end.")
      .def(nb::init<double, double, double>(), nb::arg("cell"), nb::arg("reach"), nb::arg("hollow"));
  kernel(m, "occupancy_add", &occupancy_add, {"grid", "origin", "ends"}, "Add a sweep of beams, [3] to [n, 3] [m].");
  kernel(m, "occupancy_window", &occupancy_window, {"grid", "first", "out"}, "Copy cells from `first` on into out.");
  kernel(m, "occupancy_middles", &occupancy_middles, {"grid", "taken"},
         "Middles of all cells that are taken, or that are free, [n, 3] [m].");
  kernel(m, "occupancy_count", &occupancy_count, {"grid", "taken"}, "How many cells are taken, or are free.");
  kernel(m, "occupancy_bounds", &occupancy_bounds, {"grid"},
         "First and last cells of what was seen, [2, 3] or [0, 3].");
  nb::class_<SurfelMap>(m, "SurfelMap", "The mean and spread of points in each cell of a grid.")
      .def(nb::init<double>(), nb::arg("cell"));
  kernel(m, "surfels_add", &surfels_add, {"map", "points"}, "Take points in [m].");
  kernel(m, "surfels_forget", &surfels_forget, {"map", "here", "reach"},
         "Let go of what is out of reach of a place [m].");
  kernel(m, "surfels_fit", &surfels_fit, {"map", "points", "prior", "R", "t"},
         "Turn and move the guess R, t to the pose from which points are seen as in the map; the share found.");
  kernel(m, "thinned", &thinned, {"points", "cell"}, "One point of each cell, the first that falls into it, [m, 3].");
}

void bind_ways(nb::module_& m) {
  table<PriceTerms>(m, "PriceTerms");
  kernel(m, "clearances", &clearances, {"evidence", "out"},
         "How far each cell is from the nearest taken one, into out [thirds of a cell].");
  kernel(m, "floors", &floors, {"evidence", "start", "out"},
         "Height of the ground of each column, rising no steeper than one in two from below a robot's cell [cells].");
  kernel(m, "prices", &prices, {"evidence", "clear", "floor", "terms", "out"},
         "Of flying through each cell; 0: not allowed.");
  kernel(m, "search_way", &search_way, {"price", "clear", "start", "goal", "greed"},
         "Cells from a start to a goal (A*), [n, 3], and whether it was reached; one outside is sought at the sides.");
  kernel(m, "flood", &flood, {"price", "clear", "evidence", "start"},
         "What it costs to get to each cell through known free air [cells], and the cell before each, or −1.");
  kernel(m, "find_ends", &find_ends, {"evidence", "cost", "low", "high"},
         "Cells in a box with a way to them and an unknown one beside them, [n, 3].");
  kernel(m, "straightened", &straightened, {"price", "way"}, "The way without what a straight line makes no dearer.");
  kernel(m, "smoothed", &smoothed, {"price", "way", "spacing", "held"},
         "The way in even steps [cells], its corners rounded where that costs little; the first `held` points stay.");
  kernel(m, "speed_profile", &speed_profile,
         {"p", "room", "spacing", "v0", "most", "narrow", "acceleration", "out"},
         "Speeds at points in even steps, into out [m/s]; and how much too fast the worst is, as a factor.");
  kernel(m, "best_escape", &best_escape, {"p", "v", "taken", "clear", "acceleration", "dt"},
         "Of some ways to rest the one with most room, places at even times, [n, 3] [m].");
  kernel(m, "path_gap", &path_gap, {"path", "taken"}, "Between places of a path and the nearest of some points [m].");
}

void bind_rescue(nb::module_& m) {
  m.attr("GROUND_THICK") = GROUND_THICK;
  kernel(m, "ground_heights", &ground_heights, {"points", "eye", "far", "corner", "cell", "height", "top"},
         "Heights of the ground and of what lies on it by points near an eye and below it [m].");
  kernel(m, "seen_from_above", &seen_from_above, {"evidence", "bottom", "height", "sure", "cell", "climbs", "out"},
         "1: something is in the way; −1: free; else out stays.");
  kernel(m, "gaze", &gaze, {"gazes", "turns", "far", "blocked", "looked"},
         "Mark what is seen from places (x, y [cells], yaw [rad]) at some turns, up to what is blocked.");
  kernel(m, "seen_behind", &seen_behind, {"starts", "turns", "far", "panes", "out"},
         "Mark what is seen through panes from places [cells].");
  kernel(m, "hear_pane", &hear_pane, {"votes", "start", "yaw", "half_angle", "echo", "pane"},
         "What an echo [cells] in a cone tells of the cells it may come from, and of those before.");
  kernel(m, "hidden_by", &hidden_by, {"taken", "eye", "ends", "out"},
         "Whether something taken is between an eye and ends.");
}

}  // namespace

void bind_autonomy(nb::module_& m) {
  m.doc() = "Kernels of robots that find their way.";
  bind_maps(m);
  bind_ways(m);
  bind_rescue(m);
}

}  // namespace volery
