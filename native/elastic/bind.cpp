#include "core/bind.hpp"

#include <nanobind/stl/string.h>

#include "elastic/flight.hpp"
#include "elastic/propulsion.hpp"
#include "elastic/tables.hpp"
#include "mujoco/views.hpp"

namespace volery {
namespace {

using namespace elastic;

Bodies bodies_of(Views& views, nb::handle model, nb::handle data) {
  Bodies b;
  take_bodies(views, model, data, b);
  views.take(data, "cdof", b.cdof);
  views.take(data, "cdof_dot", b.cdof_dot);
  views.take(data, "qvel", b.qvel);
  views.take(data, "M", b.M);
  views.take(data, "qfrc_applied", b.qfrc);
  views.take(model, "body_parentid", b.parent);
  views.take(model, "body_dofadr", b.dof_start);
  views.take(model, "body_dofnum", b.dof_count);
  views.take(model, "dof_parentid", b.dof_parent);
  views.take(model, "M_rowadr", b.M_row);
  views.take(model, "M_rownnz", b.M_width);
  return b;
}

// A flight with what keeps MuJoCo's records alive.
struct Held {
  Views views;
  nb::object model, data;
  Flight flight;

  Held(nb::object model_, nb::object data_, const std::string& path, Table<const Strip> strips,
       Array<const std::int64_t, -1> parts, double drag_area, bool wakes)
      : model(model_),
        data(data_),
        flight(record_of(model_, data_, path), bodies_of(views, model_, data_),
               {{strips.begin(), strips.end()}, {parts.begin(), parts.end()}, drag_area, wakes}) {}
};

void make(Held* self, nb::object model, nb::object data, const std::string& library, Table<const Strip> strips,
          Array<const std::int64_t, -1> parts, double drag_area, bool wakes) {
  check_argument(strips, "strips");
  check_argument(parts, "parts");
  new (self) Held(model, data, library, strips, parts, drag_area, wakes);
}

using Angles = Array<const double, -1>;
using Pushes = Array<const double, -1, 6>;

void places(Held& held, Array<double, -1, 3> out) { held.flight.places(out); }
bool run(Held& held, Table<StripAir> air, Table<Disc> discs, Angles flaps, Pushes pushes, std::int64_t count,
         double dt, double wake) {
  return held.flight.run({air, discs, flaps, pushes}, count, dt, wake);
}
void settle(Held& held, Table<StripAir> air, Table<Disc> discs, Angles flaps, Pushes pushes) {
  held.flight.settle({air, discs, flaps, pushes});
}
void lag_rates(Held& held, Table<StripAir> air, Table<Disc> discs, Angles flaps, Pushes pushes, double dt,
               Array<double, -1, 3> out) {
  held.flight.lag_rates({air, discs, flaps, pushes}, dt, out);
}

}  // namespace

void bind_elastic(nb::module_& m) {
  m.doc() = "Aircraft that bend: strips in unsteady air on MuJoCo's bodies.";
  table<Strip>(m, "Strip");
  table<StripAir>(m, "StripAir");
  table<Disc>(m, "Disc");
  nb::class_<Held>(m, "Flight", "The step of one aircraft; its strips are copied, MuJoCo's arrays are not.")
      .def("__init__", &make, nb::arg("model"), nb::arg("data"), nb::arg("library"), nb::arg("strips"),
           nb::arg("parts"), nb::arg("drag_area"), nb::arg("wakes"));
  kernel(m, "places", &places, {"flight", "out"}, "Leading edges of all strips in W [s, 3] [m].");
  kernel(m, "run", &run, {"flight", "air", "discs", "flaps", "pushes", "count", "dt", "wake"},
         "`count` steps of dt [s] after the wake has gone on by `wake` [s]; whether the motion is sound.");
  kernel(m, "settle", &settle, {"flight", "air", "discs", "flaps", "pushes"},
         "Forces of a flight that has gone on like this for ever; fills MuJoCo's qfrc_smooth and M.");
  kernel(m, "lag_rates", &lag_rates, {"flight", "air", "discs", "flaps", "pushes", "dt", "out"},
         "How fast both lags and the downwash change now, into out [s, 3] [m/s²].");
  m.def("disc_thrust", &disc_thrust, nb::arg("power"), nb::arg("speed"), nb::arg("rho"), nb::arg("area"),
        "Thrust [N] of a disc [m²] that puts a power [W] into air [kg/m³] that comes at a speed [m/s].");
  m.def("disc_power", &disc_power, nb::arg("thrust"), nb::arg("speed"), nb::arg("rho"), nb::arg("area"),
        "Power [W] into the air for a thrust [N] at a speed [m/s].");
}

}  // namespace volery
