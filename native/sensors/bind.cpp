#include "core/bind.hpp"

#include "sensors/beams.hpp"
#include "sensors/devices.hpp"

namespace volery {
namespace {

void bind_beams(nb::module_& m) {
  table<Optics>(m, "Optics");
  table<BeamEnd>(m, "BeamEnd");
  table<Receiver>(m, "Receiver");
  m.attr("NOTHING") = NOTHING;
  m.attr("HAZE") = HAZE;
  kernel(m, "follow_beams", &follow_beams,
         {"tables", "optics", "surface", "last", "count", "origins_S", "directions_S", "R_WS", "max_range", "glass", "key",
          "hits", "ends", "which", "next_origins", "next_directions", "next_far"},
         "Note where beams end and write down those that go on; returns how many do.");
  kernel(m, "receive_echoes", &receive_echoes,
         {"tables", "optics", "ends", "receiver", "key", "range", "intensity", "label", "object"},
         "What the receiver tells of beams that ended.");
  kernel(m, "false_return_chances", &false_return_chances, {"key", "chance"}, "Even numbers of [0, 1), one a beam.");
  kernel(m, "move_beams", &move_beams,
         {"directions", "firing", "time", "v_S", "w_S", "lever_S", "moved_origins", "moved_directions"},
         "Beams as seen from the sensor's pose at the stamp, each from the pose of its own time.");
  kernel(m, "place_points", &place_points<float>, {"range", "origins", "directions", "R", "p", "points"},
         "Points at the end of beams, float32.");
  kernel(m, "place_points_double", &place_points<double>, {"range", "origins", "directions", "R", "p", "points"},
         "Points at the end of beams, float64.");
}

}  // namespace

void bind_sensors(nb::module_& m) {
  m.doc() = "What sensors make of rays.";
  bind_beams(m);
  kernel(m, "rosette_pattern", &rosette_pattern, {"time", "phase", "turns", "low", "high", "directions"},
         "Directions of two prisms that turn against each other.");
  kernel(m, "dome_pattern", &dome_pattern, {"time", "phase", "turns", "low", "high", "directions"},
         "Directions of a turn about z while the elevation runs up and down.");
  kernel(m, "scan_points", &scan_points,
         {"start", "count", "origins_S", "directions_S", "R_WS", "p_WS", "length", "hits", "points_W", "occupancy",
          "inside"},
         "Points in W of rays: where they hit, or where they end free.");
  kernel(m, "specific_force", &specific_force,
         {"R_before", "R_after", "v_before", "v_after", "dt", "gravity", "force_S"},
         "Mean of v' - g over dt [s], in the axes halfway between two attitudes.");
}

}  // namespace volery
