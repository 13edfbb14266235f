#include "core/bind.hpp"
#include "world/geotiff.hpp"
#include "world/wind.hpp"

namespace volery {
namespace {

WindField wind_field(Table<const WindShape> shape, Array<const float, WIND_KNOTS, EDDY_AXES, EDDY_SIZES> strengths,
                     Table<const WindLayer> layers, Table<const WindGust> gusts, Table<const WindThermal> thermals) {
  need_size(shape, 1, "shape");
  return {shape[0], strengths, layers, gusts, thermals};
}

double wind_mean_factor(Table<const WindShape> shape, double h) {
  need_size(shape, 1, "shape");
  return mean_factor(shape[0], log_scale(shape[0]), h);
}

void wind_velocity(const WindField& field, Array<const double, -1, 3> p_W, Array<const double, -1> ground, double t,
                   Array<double, -1, 3> out) {
  field.velocity(p_W, ground, t, out);
}

void bind_wind(nb::module_& m) {
  m.attr("WIND_LOWEST") = WIND_LOWEST;
  m.attr("WIND_HIGHEST") = WIND_HIGHEST;
  m.attr("WIND_LAYER_SPAN") = WIND_LAYER_SPAN;
  m.attr("WIND_LAYERS") = WIND_LAYERS;
  m.attr("WIND_KNOTS") = WIND_KNOTS;
  m.attr("EDDY_SIZES") = EDDY_SIZES;
  m.attr("EDDY_SMALLEST") = EDDY_SMALLEST;
  table<WindShape>(m, "WindShape");
  table<WindLayer>(m, "WindLayer");
  table<WindGust>(m, "WindGust");
  table<WindThermal>(m, "WindThermal");
  nb::enum_<Shear>(m, "Shear", nb::is_arithmetic())
      .value("none", Shear::none)
      .value("log", Shear::log)
      .value("power", Shear::power);
  nb::class_<WindField>(m, "WindField", "The wind as a field.");
  kernel(m, "wind_field", &wind_field, {"shape", "strengths", "layers", "gusts", "thermals"},
         "The field of a shape (one row), strengths of eddies at the knots [m/s], layers (none, one or all), gusts, "
         "thermals.");
  kernel(m, "wind_mean_factor", &wind_mean_factor, {"shape", "h"},
         "Mean wind at height h [m] as a multiple of that at the reference height.");
  kernel(m, "wind_velocity", &wind_velocity, {"field", "p_W", "ground", "t", "out"},
         "Velocities of the air in W [m/s] at points [m] over the ground (none: as the shape says) and time t [s].");
}

}  // namespace

void bind_world(nb::module_& m) {
  m.doc() = "Kernels of the world: wind, and files of terrain.";
  bind_wind(m);
  kernel(m, "unpack_lzw", &unpack_lzw, {"data", "out"},
         "TIFF's LZW (most significant bit first, early change): bytes written, or −1 if the data are broken.");
}

}  // namespace volery
