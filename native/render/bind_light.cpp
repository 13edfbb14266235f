#include "render/bind.hpp"
#include "render/lamp_maps.hpp"
#include "render/shadow_maps.hpp"
#include "render/light_rays.hpp"
#include "render/shadow_tiles.hpp"
#include "render/movers.hpp"
#include "render/standing.hpp"

namespace volery {
namespace {

void bind_maps(nb::module_& m) {
  auto maps = m.def_submodule("shadow_map", "Sizes of the maps of sun and sky.");
  maps.attr("LEVELS") = shadow_map::LEVELS;
  maps.attr("WINDOW") = shadow_map::WINDOW;
  maps.attr("TEXELS") = shadow_map::TEXELS;
  maps.attr("BORDER") = shadow_map::BORDER;
  maps.attr("EDGE") = shadow_map::EDGE;
  maps.attr("BLUR") = shadow_map::BLUR;
  maps.attr("NO_ROOF") = shadow_map::NO_ROOF;
  maps.attr("SUN_TEXEL") = shadow_map::SUN_TEXEL;
  maps.attr("SKY_TEXEL") = shadow_map::SKY_TEXEL;
  maps.attr("SKY_CHANNELS") = SKY_CHANNELS;
  auto lamps = m.def_submodule("lamp_map", "Sizes of the maps of lamps.");
  lamps.attr("REACH") = lamp_map::REACH;
  lamps.attr("FACE") = lamp_map::FACE;
  lamps.attr("TILE") = lamp_map::TILE;
  lamps.attr("RIM") = lamp_map::RIM;
  lamps.attr("SIDE") = lamp_map::SIDE;
  lamps.attr("ACROSS") = lamp_map::ACROSS;
  lamps.attr("TILES") = lamp_map::TILES;
  table<Lamp>(m, "Lamp");
  table<Spotlight>(m, "Spotlight");
  using namespace shadow_map;
  views<ShadowMapWindow, Array<const double, -1, 3, 3>, Array<const std::int64_t, -1, LEVELS, 2>,
        Array<const std::int32_t, -1, LEVELS, WINDOW, WINDOW>, Array<const float, -1, EDGE, EDGE>,
        Array<const float, -1, EDGE, EDGE, SKY_CHANNELS>>(m, "ShadowMapWindow",
                                                          {"basis", "corner", "index", "sun", "sky"},
                                                          "The maps of sun (direction 0) and sky round a camera.");
  views<LampMapWindow, Table<const Lamp>, Array<const double, 3>, Array<const std::int32_t, -1, lamp_map::TILES>,
        Array<const float, -1, lamp_map::SIDE, lamp_map::SIDE>>(
      m, "LampMapWindow", {"lamps", "origin_W", "index", "depth"}, "The maps of lamps.");
}

nb::ndarray<nb::numpy, float> vectors(std::vector<Vec3f>& values, nb::handle owner) {
  return nb::ndarray<nb::numpy, float>(values.data(), {values.size(), 3}, owner);
}
template <class T, class U>
nb::ndarray<nb::numpy, T> numbers(std::vector<U>& values, nb::handle owner) {
  static_assert(sizeof(T) == sizeof(U));
  return nb::ndarray<nb::numpy, T>(values.data(), {values.size()}, owner);
}

using Held = nb::handle_t<SurfacePoints>;
SurfacePoints& points_of(Held h) { return nb::cast<SurfacePoints&>(h); }

void bind_points(nb::module_& m) {
  auto points =
      nb::class_<SurfacePoints>(m, "SurfacePoints", "Some of the surfaces of a picture, to ask about their light.");
  points
      .def(
          "__init__",
          [](SurfacePoints* self, const SurfaceTable& surfaces, const TracedRays& rays) {
            nb::gil_scoped_release released;
            new (self) SurfacePoints(surfaces, rays);
          },
          nb::arg("surfaces"), nb::arg("rays"), nb::keep_alive<1, 2>())
      .def(
          "__init__",
          [](SurfacePoints* self, const SurfaceTable& surfaces, const TracedRays& rays,
             Array<const std::int64_t, -1> chosen) {
            check_argument(chosen, "chosen");
            nb::gil_scoped_release released;
            new (self) SurfacePoints(surfaces, rays, chosen);
          },
          nb::arg("surfaces"), nb::arg("rays"), nb::arg("chosen"), nb::keep_alive<1, 2>())
      .def("__len__", &SurfacePoints::count)
      .def_prop_ro(
          "way", [](Held h) { return vectors(points_of(h).way(), h); }, "Direction of the ray that came [n, 3].")
      .def_prop_ro(
          "point", [](Held h) { return vectors(points_of(h).point(), h); }, "In the cell [m], [n, 3].")
      .def_prop_ro(
          "normal", [](Held h) { return vectors(points_of(h).normal(), h); }, "Towards the eye [n, 3].")
      .def_prop_ro(
          "material", [](Held h) { return numbers<std::int32_t>(points_of(h).material(), h); }, "-1: sky.")
      .def_prop_ro(
          "blocked", [](Held h) { return numbers<bool>(points_of(h).blocked(), h); }, "Of the light asked for.")
      .def_prop_ro(
          "start", [](Held h) { return vectors(points_of(h).start(), h); }, "Of bounced rays [n, 3].")
      .def_prop_ro(
          "ray", [](Held h) { return vectors(points_of(h).ray(), h); }, "Directions of bounced rays [n, 3].")
      .def_prop_ro(
          "far", [](Held h) { return numbers<float>(points_of(h).far(), h); }, "Of bounced rays [m], -1: none.")
      .def_prop_ro("weight", [](Held h) { return numbers<float>(points_of(h).weight(), h); }, "What they count.");
  method(points, "ask_direction", &SurfacePoints::ask_direction,
         {"cell", "direction_W", "spread", "seed", "first", "standing"},
         "Find where the light of a direction, jittered by spread, is blocked; standing: also by what does not move.");
  method(points, "ask_place", &SurfacePoints::ask_place, {"cell", "p_W", "standing"},
         "The same for a lamp at a place.");
  method(points, "ask_movers", &SurfacePoints::ask_movers, {"cell", "sun_W", "lamps", "bits"},
         "Of the lights whose bits a point has (bit k: lamp k; 15: the sun), leave those that movers block.");
  method(points, "add_lamp", &SurfacePoints::add_lamp, {"p_W", "power", "light"},
         "Add the light of a lamp where it comes to.");
  method(points, "add_glint", &SurfacePoints::add_glint, {"p_W", "power", "light"},
         "Add what glossy points mirror of the same lamp.");
  method(points, "add_spotlight", &SurfacePoints::add_spotlight, {"spot", "light"}, "The same for a cone of light.");
  method(points, "bounce", &SurfacePoints::bounce, {"seed", "first", "count", "number"},
         "Make rays to all round, by cosine: of count of them, this is number.");
}

}  // namespace

void bind_light(nb::module_& m) {
  bind_maps(m);
  bind_points(m);
  kernel(m, "trace_standing", &trace_standing,
         {"scene", "cell", "origins_L", "directions_L", "near", "far", "distance", "row", "primitive"},
         "The first thing that does not move along each unit ray in a cell; distance infinite where there is none.");
  const std::array<const char*, 9> tile = {"clusters", "surfaces", "origin_W", "basis",  "texel",
                                           "detail",   "tiles",    "numbers",  "pool"};
  kernel(m, "draw_sun_tiles", &draw_sun_tiles, tile,
         "Draw tiles (level and two indices) of a light's map of one finest texel [m] into numbers of a pool.");
  kernel(m, "draw_sky_tiles", &draw_sky_tiles, tile, "The same, averaged over neighbours.");
  table<Mover>(m, "Mover");
  m.attr("BY_SUN") = BY_SUN;
  kernel(m, "near_movers", &near_movers, {"rays", "movers", "sun", "sun_W", "lamps", "bits"},
         "Lights whose way to what a ray met passes through a mover's sphere: bit k for lamp k, BY_SUN.");
}

}  // namespace volery
