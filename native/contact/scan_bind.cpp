#include "core/bind.hpp"

#include <nanobind/stl/pair.h>

#include "contact/scanbody.hpp"

namespace volery {
namespace {

using contact::Patch;
using contact::Piece;
using contact::ScanBody;
using contact::ScanLaw;
using contact::Screw;
using contact::VoxelMap;

// Rows of plain numbers, which Python views as what they are.
template <class T>
Made<double, 2> numbers(const std::vector<T>& rows) {
  constexpr std::size_t WIDTH = sizeof(T) / sizeof(double);
  const double* first = reinterpret_cast<const double*>(rows.data());
  return {std::vector<double>(first, first + WIDTH * rows.size()), {rows.size(), WIDTH}};
}

std::tuple<Made<double>, Made<double, 2>> depths(const VoxelMap& voxels, Array<const double, -1, 3> points_B) {
  std::vector<double> depth;
  std::vector<Vec3d> rise;
  for (std::int64_t i = 0; i < points_B.size(); ++i) {
    const VoxelMap::Depth found = voxels.depth(vec3(points_B[i]));
    depth.push_back(found.depth), rise.push_back(found.rise);
  }
  return {Made<double>(std::move(depth)), numbers(rise)};
}

std::pair<std::int64_t, double> count_inside(const VoxelMap& voxels, Array<const double, -1, 3> points_W,
                                             Array<const std::int8_t, -1> occupancy, Array<const double, 3, 3> R_WB,
                                             Array<const double, 3> p_WB) {
  need_size(occupancy, points_W.size(), "occupancy");
  return voxels.count_inside(points_W, occupancy, mat3(R_WB.data), vec3(p_WB.data));
}

Made<double, 2> cut(const VoxelMap& voxels, Array<const double, 4, 3> corners_B, double whole) {
  const contact::Quad quad = {vec3(corners_B[0]), vec3(corners_B[1]), vec3(corners_B[2]), vec3(corners_B[3])};
  std::vector<Piece> pieces;
  contact::cut(voxels, quad, whole, pieces);
  return numbers(pieces);
}

Made<double, 2> surface_of(Array<const double, 3, 2, -1, -1> heights, double resolution) {
  return numbers(contact::surface_of(heights, resolution));
}

Made<double> six(const Screw& s) {
  return Made<double>({s.linear.x, s.linear.y, s.linear.z, s.angular.x, s.angular.y, s.angular.z});
}

Made<double> push_of(const VoxelMap& voxels, Table<const Patch> patches, Table<const ScanBody> body,
                     Table<const ScanLaw> law, Array<const double, 6> held, double whole) {
  need_size(body, 1, "body");
  need_size(law, 1, "law");
  const Screw memory{vec3(held.data), vec3(held.data + 3)};
  const std::vector<Patch> near = contact::patches_near(voxels, patches, body[0], 0);
  return six(contact::push_of(voxels, near, body[0], law[0], memory, whole));
}

std::tuple<Made<double>, double> advance(const VoxelMap& voxels, Table<const Patch> patches, Table<ScanBody> body,
                                         Table<const ScanLaw> law, Array<double, 6> held, double whole, double margin,
                                         double dt, std::int64_t count) {
  need_size(body, 1, "body");
  need_size(law, 1, "law");
  need(count > 0, "count: must be above 0");
  Screw memory{vec3(held.data), vec3(held.data + 3)};
  const std::vector<Patch> near = contact::patches_near(voxels, patches, body[0], margin);
  const Screw mean = contact::advance(voxels, near, body[0], law[0], memory, whole, dt, count);
  vec3(held.data) = memory.linear, vec3(held.data + 3) = memory.angular;
  return {six(mean), whole};
}

}  // namespace

void bind_scan(nb::module_& m) {
  table<Patch>(m, "Patch");
  table<Piece>(m, "Piece");
  table<ScanBody>(m, "ScanBody");
  table<ScanLaw>(m, "ScanLaw");
  nb::class_<VoxelMap>(m, "VoxelMap", "Depth inside a closed mesh, in the mesh's frame B; made by `voxel_map`.")
      .def(
          "__init__",
          [](VoxelMap* self, Array<const double, 3> origin, double size, Array<const std::int64_t, 3> blocks,
             Array<const double, -1, 3, 3> corners, Array<const double, -1, 7, 3> normals) {
            check_argument(origin, "origin");
            check_argument(blocks, "blocks");
            check_argument(corners, "corners");
            check_argument(normals, "normals");
            nb::gil_scoped_release released;
            new (self) VoxelMap(origin, size, blocks, corners, normals);
          },
          nb::arg("origin"), nb::arg("size"), nb::arg("blocks"), nb::arg("corners"), nb::arg("normals"))
      .def_ro_static("block", &VoxelMap::BLOCK, "Voxels along the edge of a block.")
      .def_prop_ro("size", &VoxelMap::size, "Edge of a voxel [m].")
      .def_prop_ro("shape", [](const VoxelMap& v) { return nb::make_tuple(v.shape()[0], v.shape()[1], v.shape()[2]); })
      .def_prop_ro(
          "origin", [](const VoxelMap& v) { return Made<double>({v.origin().x, v.origin().y, v.origin().z}); },
          "Lowest corner [m].")
      .def_prop_ro(
          "layers",
          [](const VoxelMap& v) {
            const auto [x, y, z] = v.shape();
            return Made<std::int16_t, 3>(v.layers(), {std::size_t(x), std::size_t(y), std::size_t(z)});
          },
          "Whole voxels of depth at each voxel's centre, negative outside, [x, y, z].");
  kernel(m, "depths", &depths, {"voxels", "points_B"},
         "Depths of points below the skin [m], negative outside, and unit directions in which they grow.");
  kernel(m, "count_inside", &count_inside, {"voxels", "points_W", "occupancy", "R_WB", "p_WB"},
         "How many occupied points are inside the robot, and how deep the deepest is [m].");
  kernel(m, "cut", &cut, {"voxels", "corners_B", "whole"}, "What a patch cuts off a robot: numbers of `Piece`.");
  kernel(m, "surface_of", &surface_of, {"heights", "resolution"},
         "The surface that a box scan saw: numbers of `Patch`.");
  kernel(m, "push_of", &push_of, {"voxels", "patches", "body", "law", "held", "whole"},
         "Force and torque of contact about the centre of mass, [6].");
  kernel(m, "advance", &advance, {"voxels", "patches", "body", "law", "held", "whole", "margin", "dt", "count"},
         "Move a body by implicit Euler steps; returns mean force and torque [6], and the volume of contact [m3].");
}

}  // namespace volery
