#include "render/bind.hpp"
#include "render/visibility_buffer.hpp"

namespace volery {
namespace {

void bind_view(nb::module_& m) {
  nb::class_<View>(m, "View", "Some rows of a pinhole's picture, from a pose.")
      .def(
          "__init__",
          [](View* self, Array<const double, 3, 3> R_WC, Array<const double, 3> p_WC, double focal, std::int64_t width,
             std::int64_t height, std::int64_t top, std::int64_t bottom) {
            check_argument(R_WC, "R_WC"), check_argument(p_WC, "p_WC");
            need(focal > 0, "focal: must be above 0");
            need(width > 0 && width < 1 << 20, "width: must be 1 to 2^20");
            need(0 <= top && top < bottom && bottom <= height, "top, bottom: must be rows of the picture");
            new (self) View{mat3(R_WC.data), vec3(p_WC.data), focal, width, height, top, bottom};
          },
          nb::arg("R_WC"), nb::arg("p_WC"), nb::arg("focal"), nb::arg("width"), nb::arg("height"), nb::arg("top"),
          nb::arg("bottom"));
}

}  // namespace

void bind_visibility(nb::module_& m) {
  bind_view(m);
  m.attr("CLUSTER") = CLUSTER;
  auto clusters =
      nb::class_<ClusterTable>(m, "ClusterTable", "Meshes of a scene, cut into clusters of near triangles.");
  clusters.def(nb::init<const SceneTables&>(), nb::arg("scene"), nb::keep_alive<1, 2>());
  clusters.def(nb::init<const ClusterTable&, const SceneTables&>(), nb::arg("other"), nb::arg("scene"),
               nb::keep_alive<1, 3>(), "The clusters of another table, for tables that show the same meshes.");
  method<false>(clusters, "set_rows", &ClusterTable::set_rows, {"rows"}, "The instances in the scene.");
  method<false>(clusters, "set_mesh", &ClusterTable::set_mesh, {"number", "bounds", "deforms"},
                "Enter a mesh with its lowest and highest corner; it is cut when it first comes into view.");
  clusters.def("forget_mesh", &ClusterTable::forget_mesh, nb::arg("number"), "Let a mesh go.");
  auto buffer = nb::class_<VisibilityBuffer>(m, "VisibilityBuffer", "Which triangle each pixel of a view sees.");
  buffer.def(nb::init<ClusterTable&>(), nb::arg("clusters"), nb::keep_alive<1, 2>());
  method(buffer, "resolve", &VisibilityBuffer::resolve,
         {"directions_C", "far", "pixel", "distance", "row", "primitive", "normal", "back"},
         "What was drawn as the hits of rays, each through a pixel of the whole picture.");
  method(buffer, "draw", &VisibilityBuffer::draw,
         {"view", "far", "mask", "ignored_group", "detail", "first_round"},
         "Draw what is in view; detail: things so small [pixels] may be shown roughly.");
  buffer.def_prop_ro("clusters_drawn", &VisibilityBuffer::clusters_drawn, "In the last picture.");
}

}  // namespace volery
