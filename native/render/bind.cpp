#include "render/bind.hpp"

#include "render/denoise.hpp"
#include "render/measures.hpp"
#include "render/shading.hpp"
#include "render/tone_mapping.hpp"

namespace volery {
namespace {

CornerVectors kept(const Array<const float, -1, 3>& array) {
  if (array.empty()) return {};
  auto* object = static_cast<PyObject*>(array.source);
  Py_INCREF(object);
  std::shared_ptr<const void> owner(object, [](PyObject* o) {
    nb::gil_scoped_acquire acquired;
    Py_DECREF(o);
  });
  return {&vec3(array.data), array.size(), std::move(owner)};
}

void bind_surfaces(nb::module_& m) {
  nb::enum_<Texture>(m, "Texture", nb::is_arithmetic(), "Kinds of the grain of materials.")
      .value("NONE", Texture::none)
      .value("PLAIN", Texture::plain)
      .value("BARK", Texture::bark)
      .value("ROCK", Texture::rock)
      .value("STRATA", Texture::strata)
      .value("DRIPSTONE", Texture::dripstone)
      .value("GROUND", Texture::ground)
      .value("BRICK", Texture::brick)
      .value("LEAF", Texture::leaf);
  table<MaterialRow>(m, "Material");
  auto surfaces = nb::class_<SurfaceTable>(m, "SurfaceTable", "What the surfaces of a scene look like.");
  surfaces.def(nb::init<const SceneTables&>(), nb::arg("scene"), nb::keep_alive<1, 2>());
  surfaces.def(nb::init<const SurfaceTable&, const SceneTables&>(), nb::arg("other"), nb::arg("scene"),
               nb::keep_alive<1, 3>(), "The looks of another table, for tables that show the same meshes.");
  method<false>(surfaces, "set_materials", &SurfaceTable::set_materials, {"rows"}, "Materials by number.");
  method<false>(surfaces, "set_moving", &SurfaceTable::set_moving, {"rows"}, "Which instances move.");
  surfaces.def(
      "set_corners",
      [](SurfaceTable& self, std::int64_t mesh, Array<const float, -1, 3> normals, Array<const float, -1, 3> colours) {
        check_argument(normals, "normals");
        check_argument(colours, "colours");
        self.set_corners(mesh, kept(normals), kept(colours));
      },
      nb::arg("mesh"), nb::arg("normals"), nb::arg("colours"),
      "Smooth normals and colours of a mesh's corners; empty: there are none.");
  surfaces.def("forget_corners", &SurfaceTable::forget_corners, nb::arg("mesh"), "Let go of what a mesh had.");
}

void bind_rays(nb::module_& m) {
  views<TracedRays, Array<const float, -1, 3>, Array<const float, -1, 3>, Array<const double, 3, 3>,
        Array<const double, 3>, Array<const double, 3>, Array<const float, -1>, Array<const std::int32_t, -1>,
        Array<const std::int32_t, -1>, Array<const float, -1, 3>, Array<const bool, -1>>(
      m, "TracedRays",
      {"origins_C", "directions_C", "R_WC", "p_WC", "origin_W", "distance", "row", "primitive", "normal_W", "back"},
      "Unit rays of a camera, and what they met; origin_W: of the scene's cell.");
}

void bind_air(nb::module_& m) {
  nb::class_<Air>(m, "Air", "Light and air at an instant; colours are linear RGB.")
      .def(
          "__init__",
          [](Air* self, Array<const double, 3> sun_W, Array<const double, 3> sun, Array<const double, 3> zenith,
             Array<const double, 3> horizon, double extinction, double cloud, double headlight, double pixel_angle,
             double below) {
            check_argument(sun_W, "sun_W"), check_argument(sun, "sun");
            check_argument(zenith, "zenith"), check_argument(horizon, "horizon");
            new (self) Air{vec3(sun_W.data), vec3(sun.data), vec3(zenith.data), vec3(horizon.data),
                           extinction,       cloud,          headlight,         pixel_angle,       below};
          },
          nb::arg("sun_W"), nb::arg("sun"), nb::arg("zenith"), nb::arg("horizon"), nb::arg("extinction"),
          nb::arg("cloud"), nb::arg("headlight"), nb::arg("pixel_angle"), nb::arg("below"));
  nb::class_<NoiseVolume>(m, "NoiseVolume", "A periodic cloud of noise, 64 values along each edge.")
      .def(
          "__init__",
          [](NoiseVolume* self, Array<const float, -1> values) {
            check_argument(values, "values");
            new (self) NoiseVolume(values);
          },
          nb::arg("values"));
  m.attr("NOISE_EDGE") = NoiseVolume::EDGE;
  m.attr("DARK_SUN") = DARK_SUN;
  m.def("passing", &passing, nb::arg("depth"), "exp(-depth) of an optical depth >= 0, within 1e-5.");
}

void bind_shading(nb::module_& m) {
  m.attr("BLOCK") = BLOCK;
  views<GivenLight, Array<const float, -1>, Array<const float, -1, 3>, Array<const std::uint16_t, -1>, bool, bool, bool,
        float>(m, "GivenLight", {"sun", "lamps", "hidden", "sun_by_map", "sky_seen", "shared", "coarse"},
               "Light that was found before a picture is shaded, by ray; arrays may be empty.");
  views<ShadedArrays, Array<float, -1, 3>, Array<float, -1, 3>, Array<float, -1>, Array<float, -1, 3>,
        Array<std::int32_t, -1>>(m, "ShadedArrays", {"colour", "albedo", "lit", "normal", "material"},
                                 "Where colours go, by ray; albedo, lit and normal may be empty.");
  views<ShadingNeeds, ShadowMapWindow::Marks, LampMapWindow::Marks, Array<bool, -1>>(
      m, "ShadingNeeds", {"marks", "lamp_marks", "todo"}, "Tiles of maps that were needed, and blocks to be shaded.");
  kernel(m, "shade", &shade, {"surfaces", "rays", "maps", "lamps", "air", "noise", "given", "out", "needs"},
         "Colours of rays; blocks that miss a tile of a map stay to be done.");
  kernel(m, "shade_plain", &shade_plain, {"surfaces", "rays", "air", "noise", "colour"},
         "Colours of rays in the light of an open sky, without shadows.");
  kernel(m, "shade_drawn", &shade_drawn, {"drawn", "surfaces", "air", "noise", "origin_W", "far", "linear", "out"},
         "The same straight from a drawn picture into its pixels, and what is wanted of depths, labels, instances and heat.");
}

void bind_measures(nb::module_& m) {
  nb::class_<Lens>(m, "Lens", "A projection, as kernels take it.")
      .def(
          "__init__",
          [](Lens* self, bool fisheye, double focal, std::int64_t width, std::int64_t height) {
            need(width > 0 && height > 0 && focal > 0, "focal, width, height: must be above 0");
            new (self) Lens{fisheye, focal, width, height};
          },
          nb::arg("fisheye"), nb::arg("focal"), nb::arg("width"), nb::arg("height"));
  nb::class_<Motion>(m, "Motion", "Where camera and things were at the reading before.")
      .def(
          "__init__",
          [](Motion* self, bool known, Array<const double, 3, 3> R_before, Array<const double, 3> p_before,
             Array<const std::int32_t, -1> row_motion, Array<const double, -1, 3, 4> motions) {
            check_argument(R_before, "R_before"), check_argument(p_before, "p_before");
            check_argument(row_motion, "row_motion"), check_argument(motions, "motions");
            new (self) Motion{known, mat3(R_before.data), vec3(p_before.data), row_motion, motions};
          },
          nb::arg("known"), nb::arg("R_before"), nb::arg("p_before"), nb::arg("row_motion"), nb::arg("motions"),
          nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>());
  views<MeasureArrays, Array<float, -1>, Array<float, -1>, Array<std::int32_t, -1>, Array<std::int32_t, -1>,
        Array<float, -1, 3>, Array<float, -1, 2>, Array<float, -1>>(
      m, "MeasureArrays", {"depth", "depth_planar", "labels", "instances", "normals", "flow", "infrared"},
      "Where measures go, by pixel; those not wanted are empty.");
  kernel(m, "measure", &measure, {"surfaces", "rays", "lens", "motion", "far", "pixel", "out"},
         "Depth, labels, instances, normals, flow and heat of what rays met.");
}

void bind_pictures(nb::module_& m) {
  kernel(m, "gather_rays", &gather_rays, {"colour", "rays", "width", "over", "weight", "first", "linear"},
         "Add colours of rays to pixels from row `first` on: the mean of over² rays, times a weight.");
  kernel(m, "mean_brightness", &mean_brightness, {"linear"},
         "Geometric mean of the green of a picture, by every second row and column.");
  kernel(m, "expose", &expose, {"linear", "gain", "table", "first_bits", "dropped", "rgb"},
         "Display colours by a table over the leading bits of float32 light.");
  kernel(m, "smooth_light", &smooth_light, {"light", "albedo", "normal", "rounds", "out"},
         "Average light over neighbours of like normal, colour and light.");
}

}  // namespace

void bind_render(nb::module_& m) {
  m.doc() = "Pictures: what is seen, and in which light.";
  bind_surfaces(m);
  bind_rays(m);
  bind_air(m);
  bind_visibility(m);
  bind_light(m);
  bind_shading(m);
  bind_measures(m);
  bind_pictures(m);
}

}  // namespace volery
