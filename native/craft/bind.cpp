#include "core/bind.hpp"

#include <nanobind/stl/pair.h>

#include "craft/airfoil.hpp"
#include "craft/held.hpp"

namespace volery {
namespace {

using namespace craft;

void make(Craft* self, Table<const Gains> gains, Table<const Fan> fans, Table<const Vane> vanes) {
  check_argument(gains, "gains");
  check_argument(fans, "fans");
  check_argument(vanes, "vanes");
  need_size(gains, 1, "gains");
  new (self) Craft(gains[0], {fans.begin(), fans.end()}, {vanes.begin(), vanes.end()});
}

void need_states(const Craft& craft, const Table<FanState>& fans, const Array<double, -1>& angles) {
  need_size(fans, craft.fan_count(), "fans");
  need_size(angles, craft.vane_count(), "angles");
}

Efforts efforts_of(const Craft& craft, const Table<FanState>& fans, const Array<double, -1>& angles) {
  need_states(craft, fans, angles);
  Efforts efforts;
  for (int k = 0; k < craft.fan_count(); ++k) {
    efforts.thrust[k] = fans[k].thrust;
    for (int i = 0; i < 2; ++i) efforts.tilt[k][i] = fans[k].tilt[i];
  }
  std::copy(angles.begin(), angles.end(), efforts.angle);
  return efforts;
}

void write(const Efforts& efforts, const Table<FanState>& fans, const Array<double, -1>& angles) {
  for (std::int64_t k = 0; k < fans.size(); ++k) {
    fans[k].thrust = efforts.thrust[k];
    for (int i = 0; i < 2; ++i) fans[k].tilt[i] = efforts.tilt[k][i];
  }
  std::copy(efforts.angle, efforts.angle + angles.size(), angles.begin());
}

Flow flow_of(const Craft& craft, double density, const Array<const double, -1>& climb) {
  need_size(climb, craft.fan_count(), "climb");
  Flow flow{density, {}};
  std::copy(climb.begin(), climb.end(), flow.climb);
  return flow;
}

void put(const Wrench& found, const Array<double, 6>& out) {
  vec3(out.data) = found.force;
  vec3(out.data + 3) = found.torque;
}

void wrench_(const Craft& craft, Table<FanState> fans, Array<double, -1> angles, double density,
             Array<const double, -1> climb, Array<double, 6> out) {
  put(wrench(craft, efforts_of(craft, fans, angles), flow_of(craft, density, climb)), out);
}

void allocate_(const Craft& craft, Array<const double, 3> centre_B, Array<const double, 4> wanted, double density,
               Array<const double, -1> climb, Table<FanState> fans, Array<double, -1> angles) {
  need_states(craft, fans, angles);
  const Wanted goal{wanted[0], vec3(wanted.data + 1)};
  write(allocate(craft, vec3(centre_B.data), goal, flow_of(craft, density, climb)), fans, angles);
}

void follow_(const Craft& craft, Table<FanState> told, Array<double, -1> told_angles, double dt, Table<FanState> fans,
             Array<double, -1> angles) {
  Efforts now = efforts_of(craft, fans, angles);
  follow(craft, efforts_of(craft, told, told_angles), dt, now);
  write(now, fans, angles);
}

void make_flight(HeldFlight* self, const Craft& craft, nb::object reference, nb::object memory, nb::object fans,
                 nb::object angles, nb::object tool, nb::object tip, nb::object felt) {
  HeldFlight made(craft);
  made.hold(reference, "reference", made.reference, 1);
  made.hold(memory, "memory", made.memory, 1);
  made.hold(fans, "fans", made.fans, craft.fan_count());
  made.hold(angles, "angles", made.angles, craft.vane_count());
  made.hold(tool, "tool", made.tool, 1);
  made.hold(tip, "tip", made.tip, 1);
  made.hold(felt, "felt", made.felt, 1);
  new (self) HeldFlight(std::move(made));
}

double feel_(const contact::ContactWorld& world, Array<const double, 3> p_W, double radius, Table<Felt> felt) {
  need_size(felt, 1, "felt");
  contact::Scratch scratch;
  return feel(world, scratch, vec3(p_W.data), radius, felt[0]);
}

void press_(const contact::ContactWorld& world, Table<const Tool> tool, Array<const double, 3> p_W,
            Array<const double, 3> v_W, double dt, Table<Tip> tip, Table<Felt> felt) {
  need_size(tool, 1, "tool");
  need_size(tip, 1, "tip");
  need_size(felt, 1, "felt");
  contact::Scratch scratch;
  felt[0] = press(world, scratch, tool[0], vec3(p_W.data), vec3(v_W.data), dt, tip[0]);
}

double power_(const Craft& craft, Table<const FanState> fans, double density) {
  need_size(fans, craft.fan_count(), "fans");
  return ideal_power(craft, fans.data, density);
}

void bind_tables(nb::module_& m) {
  table<Fan>(m, "Fan");
  table<FanState>(m, "FanState");
  table<Vane>(m, "Vane");
  table<Reference>(m, "Reference");
  table<Gains>(m, "Gains");
  table<Memory>(m, "Memory");
  table<Tool>(m, "Tool");
  table<Tip>(m, "Tip");
  table<Felt>(m, "Felt");
  nb::enum_<Level>(m, "Level", nb::is_arithmetic(), "By impedance; an attitude with a thrust; force and torque.")
      .value("FLY", Level::fly)
      .value("POINT", Level::point)
      .value("GIVE", Level::give);
  nb::enum_<Drift>(m, "Drift", nb::is_arithmetic(), "How the place of a reference moves.")
      .value("STAYS", Drift::stays)
      .value("DRIFTS", Drift::drifts)
      .value("TURNS", Drift::turns)
      .value("LEADS", Drift::leads);
  nb::enum_<Law>(m, "Law", nb::is_arithmetic(), "By which surfaces press on a tool.")
      .value("HUNT_CROSSLEY", Law::hunt_crossley)
      .value("SPRING_DAMPER", Law::spring_damper)
      .value("VIRTUAL_MASS", Law::virtual_mass);
}

}  // namespace

void bind_craft(nb::module_& m) {
  m.doc() = "Crafts: fans, vanes, their autopilot, and tools that touch.";
  bind_tables(m);
  nb::class_<Craft>(m, "Craft", "What makes a craft: body and autopilot, fans and vanes; copied.")
      .def("__init__", &make, nb::arg("gains"), nb::arg("fans"), nb::arg("vanes"));
  m.def("coefficients", [](double angle) {
        const auto [lift, drag] = coefficients(angle);
        return std::pair(lift, drag);
      }, nb::arg("angle"), "Of lift and drag of a vane at an angle of −π to π [rad].");
  m.def("outflow", &outflow, nb::arg("thrust"), nb::arg("area"), nb::arg("density"), nb::arg("climb"),
        "Speed of a duct's outflow by momentum theory [m/s].");
  kernel(m, "wrench", &wrench_, {"craft", "fans", "angles", "density", "climb", "out"},
         "Force [N] and torque [N m] about the root's origin, both in B, into out [6], with nothing near.");
  kernel(m, "allocate", &allocate_, {"craft", "centre_B", "wanted", "density", "climb", "fans", "angles"},
         "Thrusts, tilts and angles for a lift [N] and a torque [N m] about the centre of mass, wanted [4] in B.");
  kernel(m, "follow", &follow_, {"craft", "told", "told_angles", "dt", "fans", "angles"},
         "Motors, servos and discs come nearer to what they were told, within their limits, for dt [s].");
  kernel(m, "power", &power_, {"craft", "fans", "density"},
         "Ideal power of all fans at rest in the air, by momentum theory [W].");
  kernel(m, "feel", &feel_, {"world", "p_W", "radius", "felt"},
         "Where a ball is deepest in the world: normal, depth and row into felt; the surface's friction.");
  kernel(m, "press", &press_, {"world", "tool", "p_W", "v_W", "dt", "tip", "felt"},
         "What the world does to a tip at p_W [m] with v_W [m/s] for the next dt [s].");
  nb::class_<HeldFlight>(m, "Flight", "A craft in flight: the arrays that the kernels work on, which are not copied.")
      .def("__init__", &make_flight, nb::arg("craft"), nb::arg("reference"), nb::arg("memory"), nb::arg("fans"),
           nb::arg("angles"), nb::arg("tool"), nb::arg("tip"), nb::arg("felt"))
      .def_rw("level", &HeldFlight::level, "What of the reference counts.")
      .def_prop_ro("lift", [](const HeldFlight& f) { return f.given.force.z; }, "Force along z now [N].");
}

}  // namespace volery
