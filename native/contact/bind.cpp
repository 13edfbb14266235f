#include "core/bind.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "contact/balls.hpp"
#include "contact/collide.hpp"
#include "contact/hook.hpp"
#include "contact/world.hpp"

namespace volery {

void bind_scan(nb::module_&);  // scan_bind.cpp

namespace {

using contact::ContactWorld;
using contact::Polytope;

std::tuple<Made<double>, Made<double, 2>, Made<double, 2>, Made<std::int64_t>> collide(
    const ContactWorld& world, const contact::Shape& shape, const Vec3d& p_W, const Mat3d& R_WG, double margin) {
  const bool angular = shape.kind == contact::ShapeKind::box || shape.kind == contact::ShapeKind::mesh;
  need(shape.hull || !angular, "hull: a box or mesh needs one");
  contact::Scratch scratch;
  const std::size_t n = contact::collide(world, scratch, shape, p_W, R_WG, margin);
  std::vector<double> dist, point, normal;
  std::vector<std::int64_t> row;
  for (std::size_t k = 0; k < n; ++k) {
    const contact::Contact& c = scratch.contacts[k];
    dist.push_back(c.dist);
    row.push_back(scratch.triangles[c.triangle].row);
    for (int i = 0; i < 3; ++i) point.push_back(c.p_G[i]), normal.push_back(c.normal_G[i]);
  }
  return {Made<double>(std::move(dist)), {std::move(point), {n, 3}}, {std::move(normal), {n, 3}},
          Made<std::int64_t>(std::move(row))};
}

void bind_world(nb::module_& m) {
  nb::class_<Polytope>(m, "Polytope", "A convex body: corners, and planes with outward unit normals.")
      .def(
          "__init__",
          [](Polytope* self, Array<const double, -1, 3> corners, Array<const double, -1, 4> planes) {
            check_argument(corners, "corners");
            check_argument(planes, "planes");
            new (self) Polytope(corners, planes);
          },
          nb::arg("corners"), nb::arg("planes"), "corners [k, 3] [m]; planes [p, 4]: normal and offset [m].");
  nb::enum_<contact::ShapeKind>(m, "ShapeKind", "Shapes, as MuJoCo numbers them.")
      .value("sphere", contact::ShapeKind::sphere)
      .value("capsule", contact::ShapeKind::capsule)
      .value("ellipsoid", contact::ShapeKind::ellipsoid)
      .value("cylinder", contact::ShapeKind::cylinder)
      .value("box", contact::ShapeKind::box)
      .value("mesh", contact::ShapeKind::mesh);
  auto world = nb::class_<ContactWorld>(m, "ContactWorld", "A scene's solid triangles as shapes feel them.");
  world.def(nb::new_([](std::shared_ptr<SceneTables> tables) { return std::make_shared<ContactWorld>(tables); }),
            nb::arg("tables"));
  method<false>(world, "set_friction", &ContactWorld::set_friction, {"friction"},
                "Coulomb's coefficient by material; negative: not solid.");
  method<false>(world, "set_own", &ContactWorld::set_own, {"groups"},
                "Groups of the scene that are no part of the world.");
  world.def("begin_step", &ContactWorld::begin_step, "From here to end_step nothing changes the scene.");
  world.def("end_step", &ContactWorld::end_step, "The scene may change again.");
  world.def("clear_cells", &ContactWorld::clear_cells, "Let go of all cells.");
  world.def("add_cell", &ContactWorld::add_cell, nb::arg("cell"), nb::arg("movers"),
            "Let shapes ask in a cell; movers: also for what moves there.");
  method<false>(world, "bind_geoms", &ContactWorld::bind_geoms, {"stand_in", "pair", "slip", "hull", "hulls"},
                "Know the geoms of a MuJoCo model.");
  world.def("mark", [](std::shared_ptr<ContactWorld> self) { return contact::mark(self); },
            "The number by which MuJoCo's callback finds this world, for as long as it lives: for userdata[0].");
  world.def_prop_ro("lost", [](const ContactWorld& w) {
    return nb::make_tuple(w.counts().lost_triangles.load(), w.counts().lost_contacts.load());
  });
  world.def_prop_ro("asked", [](const ContactWorld& w) { return w.counts().asked.load(); });
  world.def(
      "rows_touched",
      [](const ContactWorld& w, Array<const std::int32_t, -1, 2> geoms, Array<const double, -1, 3> p_W,
         Array<std::int64_t, -1> rows) {
        check_argument(geoms, "geoms");
        check_argument(p_W, "p_W");
        check_argument(rows, "rows");
        w.rows_touched(geoms, p_W, rows);
      },
      nb::arg("geoms"), nb::arg("p_W"), nb::arg("rows"),
      "The scene row of each contact between two geoms, by its place; -1: it is not with the world.");
}

void bind_hook(nb::module_& m) {
  using contact::CollisionTable;
  auto table = nb::class_<CollisionTable>(m, "CollisionTable", "MuJoCo's collision functions, out of its library.");
  table.def(nb::init<const std::string&>(), nb::arg("library"));
  table.def(
      "ask_plane",
      [](const CollisionTable& self, contact::ShapeKind kind, std::uintptr_t model, std::uintptr_t data, int geom1,
         int geom2, Array<double, -1, contact::PRE_CONTACT> out) {
        check_argument(out, "out");
        return self.ask_plane(kind, model, data, geom1, geom2, out);
      },
      nb::arg("kind"), nb::arg("model"), nb::arg("data"), nb::arg("geom1"), nb::arg("geom2"), nb::arg("out"),
      "What MuJoCo's function for a plane and another shape writes; returns how many contacts.");
  table.def(
      "install",
      [](CollisionTable& self, std::size_t geom_size, std::size_t pair_friction, std::size_t geom_xpos,
         std::size_t geom_xmat, std::size_t userdata) {
        self.install({geom_size, pair_friction, geom_xpos, geom_xmat, userdata});
      },
      nb::kw_only(), nb::arg("geom_size"), nb::arg("pair_friction"), nb::arg("geom_xpos"), nb::arg("geom_xmat"),
      nb::arg("userdata"),
      "Take the place of the functions for height fields. Arguments: where arrays are in MuJoCo's records [bytes].");
  m.def(
      "pointer_offsets",
      [](std::uintptr_t record, std::size_t bytes, nb::ndarray<nb::ro> array) {
        return contact::pointer_offsets(record, bytes, array.data());
      },
      nb::arg("record"), nb::arg("bytes"), nb::arg("array"),
      "Where in one of MuJoCo's records there are pointers to an array [bytes].");
}

}  // namespace

void bind_contact(nb::module_& m) {
  m.doc() = "Shapes against the scene's triangles.";
  m.attr("MOST_TRIANGLES") = contact::MOST_TRIANGLES;
  bind_world(m);
  bind_hook(m);
  bind_scan(m);
  m.def(
      "collide",
      [](const ContactWorld& world, contact::ShapeKind kind, Array<const double, 3> size, const Polytope* hull,
         Array<const double, 3> p_W, Array<const double, 3, 3> R_WG, double margin) {
        check_argument(size, "size");
        check_argument(p_W, "p_W");
        check_argument(R_WG, "R_WG");
        return collide(world, {kind, vec3(size.data), hull}, vec3(p_W.data), mat3(R_WG.data), margin);
      },
      nb::arg("world"), nb::arg("kind"), nb::arg("size"), nb::arg("hull").none(), nb::arg("p_W"), nb::arg("R_WG"),
      nb::arg("margin"),
      "Contacts of one shape with the world, in its own frame: dist, point, normal, scene row of each.");
  kernel(m, "touch", &contact::touch, {"world", "p_W", "radius", "normal_W", "depth", "row"},
         "The deepest contact of each ball with the world: normal, depth [m], scene row (-1: none).");
  kernel(m, "room", &contact::room, {"world", "p_W", "radius", "look", "gap", "normal_W"},
         "Gap between each ball and the nearest solid surface [m], and the way from there to the ball.");
}

}  // namespace volery
