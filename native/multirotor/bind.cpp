#include "core/bind.hpp"

#include "multirotor/bump.hpp"
#include "multirotor/flight.hpp"
#include "multirotor/near.hpp"
#include "multirotor/outcome.hpp"
#include "multirotor/survey.hpp"

namespace volery {
namespace {

void bind_tables(nb::module_& m) {
  table<DroneState>(m, "DroneState");
  table<Reference>(m, "Reference");
  table<Air>(m, "Air");
  table<DroneParameters>(m, "DroneParameters");
  table<Bumper>(m, "Bumper");
  table<Outcome>(m, "Outcome");
  table<Touch>(m, "Touch");
}

void bind_levels(nb::module_& m) {
  nb::enum_<Level>(m, "Level", nb::is_arithmetic(), "At which a drone is told what to do; each feeds the next ones.")
      .value("OFF", Level::off, "Motors stopped: not told anything yet on the ground, empty, or crashed.")
      .value("POSITION", Level::position)
      .value("VELOCITY_HEADING", Level::velocity_heading)
      .value("VELOCITY_RATE", Level::velocity_rate)
      .value("ACCELERATION_HEADING", Level::acceleration_heading)
      .value("ACCELERATION_RATE", Level::acceleration_rate)
      .value("ATTITUDE", Level::attitude)
      .value("TILT_RATE", Level::tilt_rate)
      .value("BODY_RATE", Level::body_rate)
      .value("GROUP", Level::group)
      .value("ACTUATORS", Level::actuators)
      .value("CRASHED", Level::crashed, "As OFF, but it takes no command until it is placed anew.");
}

void wrenches_of(Array<const std::int64_t, -1> which, Table<DroneState> state, Table<Reference> reference,
                 Table<const DroneParameters> parameters, Array<const double, -1, 3> p_W,
                 Array<const double, -1, 4> q_WB, Array<const double, -1, 3> v_W, Array<const double, -1, 3> w_B,
                 Table<const Air> air, double dt, Array<double, -1, 6> out) {
  wrenches(which, state, reference, parameters, {p_W, q_WB, v_W, w_B}, air, dt, out);
}

void bind_among_things(nb::module_& m) {
  nb::class_<BumpRules>(m, "BumpRules", "How drones meet what they touch.")
      .def(nb::init<double, double, double>(), nb::arg("restitution"), nb::arg("friction"), nb::arg("crash_speed"));
  kernel(m, "bump", &bump,
         {"world", "near", "pairs", "state", "reference", "parameters", "bumpers", "air", "dt", "steps", "rules",
          "log"},
         "Drones that may touch something on by so many steps of dt [s]; how many contacts are in the log.");
  kernel(m, "survey", &survey, {"world", "state", "parameters", "span", "near", "air"},
         "Which drones may touch the world within `span` [s], and where the ground below is; how many.");
  kernel(m, "alone", &alone, {"world", "state", "parameters", "count", "span", "free", "meet"},
         "Whether there is nothing within `free` [m] beyond the reach of drones.");
}

}  // namespace

void bind_multirotor(nb::module_& m) {
  m.doc() = "Flight of multirotors: autopilots, motors, rotors and bodies.";
  bind_tables(m);
  bind_levels(m);
  kernel(m, "fly", &fly, {"which", "state", "reference", "parameters", "air", "dt", "steps"},
         "Some drones on by so many steps of dt [s] each.");
  kernel(m, "outcomes", &outcomes, {"state", "parameters", "most", "out"},
         "What robots tell of drones; whether all are nearer, slower and spin less than `most` [m, m/s, rad/s].");
  kernel(m, "wrenches", &wrenches_of,
         {"which", "state", "reference", "parameters", "p_W", "q_WB", "v_W", "w_B", "air", "dt", "out"},
         "Advance autopilots and motors by dt [s]; force and torque about the centre of mass in B [N, N m].");
  bind_among_things(m);
  kernel(m, "find_pairs", &find_pairs, {"state", "parameters", "count", "span"},
         "Pairs of drones that may meet within `span` [s], [m, 2].");
  kernel(m, "one_of_each_part", &one_of_each_part, {"places", "size"},
         "Of places [n, 3] the first in each cube of an edge of `size` [m] that holds any.");
  kernel(m, "farthest", &farthest, {"state", "seen", "span"},
         "How far from where it was seen a drone may be after the next `span` [s], the most of all [m].");
  kernel(m, "thin_air", &thin_air, {"state", "parameters", "lowest", "apart", "densities", "air"},
         "Density of the air where drones are over that at which their thrust holds, into air's `share`.");
}

}  // namespace volery
