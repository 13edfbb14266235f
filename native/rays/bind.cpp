#include "core/bind.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "rays/bare.hpp"
#include "rays/cast.hpp"
#include "rays/nearest.hpp"
#include "rays/settle.hpp"
#include "rays/sides.hpp"

namespace volery {
namespace {

void bind_scenes(nb::module_& m) {
  m.def("load_embree", &embree::load, nb::arg("tbb"), nb::arg("embree"), "Open Embree's libraries, once in a process.");
  nb::class_<Device>(m, "Device", "An Embree device. What is made on it throws if Embree reports an error.")
      .def(nb::init<int>(), nb::arg("threads"), "threads: for building hierarchies; 0: all cores.");

  auto triangles = nb::class_<TriangleScene>(
      m, "TriangleScene", "One triangle mesh with its own hierarchy, to be instanced. It holds a copy of the mesh.");
  triangles.def(
      "__init__",
      [](TriangleScene* self, std::shared_ptr<Device> device, Array<const float, -1, 3> vertices,
         Array<const std::uint32_t, -1, 3> faces, bool robust, bool deforms) {
        check_argument(vertices, "vertices");
        check_argument(faces, "faces");
        // Building takes long, so others may run meanwhile.
        nb::gil_scoped_release released;
        new (self) TriangleScene(std::move(device), vertices, faces, robust, deforms);
      },
      nb::arg("device"), nb::arg("vertices"), nb::arg("faces"), nb::kw_only(), nb::arg("robust"), nb::arg("deforms"));
  method<false>(triangles, "deform", &TriangleScene::deform, {"vertices"}, "Move the corners and refit the hierarchy.");
  triangles.def_prop_ro("count", &TriangleScene::vertex_count, "Vertices.");

  auto instances = nb::class_<InstanceGeometry>(m, "InstanceGeometry", "Instances of triangle scenes as one geometry.");
  instances.def(
      "__init__",
      [](InstanceGeometry* self, std::shared_ptr<Device> device, std::vector<std::shared_ptr<TriangleScene>> scenes,
         Array<const std::int32_t, -1> kinds, Array<const float, -1, 3, 4> X, unsigned mask) {
        check_argument(kinds, "kinds");
        check_argument(X, "X");
        new (self) InstanceGeometry(std::move(device), std::move(scenes), kinds, X, mask);
      },
      nb::arg("device"), nb::arg("scenes"), nb::arg("kinds"), nb::arg("X"), nb::arg("mask"),
      "X: [k, 3, 4], relative to the top scene's origin.");
  method<false>(instances, "move", &InstanceGeometry::move, {"X"}, "Set the places of all instances.");

  // To take the interpreter back after each of these short calls would make the loop wait for background work.
  nb::class_<TopScene>(m, "TopScene", "A scene of instances only, quick to change: what rays are cast into.")
      .def(nb::init<std::shared_ptr<Device>>(), nb::arg("device"))
      .def("__len__", &TopScene::size)
      .def("attach", &TopScene::attach, nb::arg("slot"), nb::arg("geometry"), "Put a geometry into a free slot.")
      .def("detach", &TopScene::detach, nb::arg("slot"), "Take the geometry out of a slot.")
      .def("geometry", &TopScene::geometry, nb::arg("slot"), "The geometry in a slot.")
      .def("commit", &TopScene::commit, "Make changes visible to rays.")
      .def("build", &TopScene::commit, nb::call_guard<nb::gil_scoped_release>(),
           "The same in a background thread: the loop runs meanwhile.");
}

void bind_tables(nb::module_& m) {
  auto tables = nb::class_<SceneTables>(m, "SceneTables", "What kernels look up by number: rows, meshes, slots.");
  tables.def(nb::init<>());
  tables.def_static(
      "sharing_meshes", [](const SceneTables& other) { return new SceneTables(&other); }, nb::arg("other"),
      nb::rv_policy::take_ownership, "Tables of rows of their own that show the meshes of others: for an instant that is kept.");
  // The arrays are kept for as long as the tables: a kernel in another thread may still read those that were replaced.
  method<false>(tables, "set_rows", &SceneTables::set_rows, {"X", "normal", "mesh", "object", "group", "mask"},
                "Let rows be those of these arrays, which stay the caller's.", nb::keep_alive<1, 2>(),
                nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
                nb::keep_alive<1, 7>());
  method<false>(tables, "set_slot_rows", &SceneTables::set_slot_rows, {"moving", "first_row"},
                "Let slots of top scenes begin at the rows of this array.", nb::keep_alive<1, 3>());
  method<false>(tables, "set_mesh", &SceneTables::set_mesh, 
                {"number", "scene", "face_material", "face_side", "coarser_vertices", "coarser_faces", "coarser_counts",
                 "coarser_details"},
                "Enter a mesh with its coarser levels of detail: face_material of all levels, corners and faces of the "
                "coarser ones counted on from the mesh's own, their numbers of faces, and details [m].");
  tables.def("forget_mesh", &SceneTables::forget_mesh, nb::arg("number"), "Let a mesh go.");
  nb::class_<RayCell>(m, "RayCell", "The top scenes of one cube of space, placed relative to its centre.")
      .def(
          "__init__",
          [](RayCell* self, std::shared_ptr<TopScene> standing, std::shared_ptr<TopScene> moving,
             Array<const double, 3> origin_W) {
            check_argument(origin_W, "origin_W");
            need(standing && moving, "standing, moving: must be scenes");
            new (self) RayCell{std::move(standing), std::move(moving), vec3(origin_W.data)};
          },
          nb::arg("standing"), nb::arg("moving"), nb::arg("origin_W"));
}

void bind_casts(nb::module_& m) {
  nb::class_<HitArrays>(m, "HitArrays", "Where the answers of rays go: arrays that stay the caller's.")
      .def(
          "__init__",
          [](HitArrays* self, Array<float, -1> distance, Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive,
             Array<float, -1, 3> normal, Array<bool, -1> back) {
            check_argument(distance, "distance");
            check_argument(row, "row");
            check_argument(primitive, "primitive");
            check_argument(normal, "normal");
            check_argument(back, "back");
            const std::int64_t n = distance.size();
            need_size(row, n, "row");
            need_size(primitive, n, "primitive");
            need_size(back, n, "back");
            if (!normal.empty()) need_size(normal, n, "normal");
            new (self) HitArrays{n, distance.data, row.data, primitive.data, normal.empty() ? nullptr : &vec3(normal.data),
                                 back.data};
          },
          nb::arg("distance"), nb::arg("row"), nb::arg("primitive"), nb::arg("normal"), nb::arg("back"),
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(),
          nb::keep_alive<1, 6>(), "normal: of no rows if it is not wanted.");
  auto batch = nb::class_<RayBatch>(m, "RayBatch", "Casts of many sensors, made together.");
  batch.def(nb::init<const SceneTables&>(), nb::arg("tables"), nb::keep_alive<1, 2>());
  method<false>(batch, "add", &RayBatch::add,
                {"cell", "origins_S", "directions_S", "R_WS", "p_WS", "far", "mask", "ignored_group", "near", "coherent",
                 "hits"},
                "Unit rays in a sensor's frame S, to be cast from its pose in W, and where the answers go.",
                nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 7>(), nb::keep_alive<1, 12>());
  method(batch, "cast", &RayBatch::cast, {}, "Cast all.");
  kernel(m, "occluded_rays", &occluded_rays,
         {"tables", "cell", "origins_S", "directions_S", "R_WS", "p_WS", "far", "mask", "ignored_group", "standing",
          "moving", "blocked"},
         "Whether anything stands in the way of each ray.");
  kernel(m, "bare_cast", &bare_cast, {"scene", "origins", "directions", "far", "coherent", "distance"},
         "Nearest distances of rays in a scene's own frame, and nothing else: the measure for the sensor path.");
  kernel(m, "nearest_points", &nearest_points,
         {"tables", "cell", "points_W", "reach", "ignored_group", "mask", "nearest_W", "distance", "row", "primitive"},
         "Nearest surface points to points in W; row -1 where nothing is within reach [m].");
  kernel(m, "inside_meshes", &inside_meshes, {"tables", "points_W", "row", "inside"},
         "Whether each point is inside the closed mesh that its row shows; rows below 0 are passed over.");
}

}  // namespace

void bind_rays(nb::module_& m) {
  m.doc() = "Rays into triangle meshes, by Embree.";
  bind_scenes(m);
  bind_tables(m);
  bind_casts(m);
  kernel(m, "face_sides", &face_sides, {"vertices", "faces", "sides"},
         "Per face: 1 its part of the mesh is closed, -1 closed but inside out, 0 a sheet.");
  // So short that letting go of the GIL would cost more.
  m.def(
      "settle",
      [](Array<const double, -1, 3, 4> X, Array<double, -1, 3, 4> rows_X, Array<float, -1, 3, 3> rows_normal) {
        check_argument(X, "X");
        check_argument(rows_X, "rows_X");
        check_argument(rows_normal, "rows_normal");
        return settle(X, rows_X, rows_normal);
      },
      nb::arg("X"), nb::arg("rows_X"), nb::arg("rows_normal"),
      "Write poses and normal matrices; returns middle (three numbers), radius [m] and scale, which is 0 if a pose is bad.");
}

}  // namespace volery
