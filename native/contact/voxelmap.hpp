// How deep a point lies inside a robot: a layered voxel map of its mesh, with the exact distance where it is needed.
//
// Every voxel knows its layer (whole voxels of depth below the skin, negative outside) and which triangles can be
// nearest to any point in it. The layer alone settles points that are far outside; for the others a few triangles are
// measured, so the depth is that of the mesh and has no steps.
#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/arrays.hpp"
#include "core/vec.hpp"

namespace volery::contact {

class VoxelMap {
 public:
  static constexpr std::int64_t BLOCK = 8;  // voxels along the edge of the blocks that are looked at first

  // origin: lowest corner in the mesh's frame B [m]; size: edge of a voxel [m]; blocks: along each axis. corners of the
  // triangles [m]; normals, outward, of each triangle's face, its edges 01, 12, 20 and its corners.
  VoxelMap(Array<const double, 3> origin, double size, Array<const std::int64_t, 3> blocks,
           Array<const double, -1, 3, 3> corners, Array<const double, -1, 7, 3> normals);

  struct Depth {
    double depth;  // below the skin [m], negative outside
    Vec3d rise;    // unit direction in which it grows; 0 beyond the map
  };
  // Beyond the map the depth is the distance to the map, which is less than that to the skin.
  Depth depth(const Vec3d& p_B) const;
  // How many occupied points in W are inside the robot, and how deep the deepest is [m].
  std::pair<std::int64_t, double> count_inside(Array<const double, -1, 3> points_W,
                                               Array<const std::int8_t, -1> occupancy, const Mat3d& R_WB,
                                               const Vec3d& p_WB) const;

  const Vec3d& origin() const { return origin_; }
  double size() const { return size_; }
  const std::array<std::int64_t, 3>& shape() const { return shape_; }
  const std::vector<std::int16_t>& layers() const { return layers_; }

 private:
  struct Triangle {
    Vec3d corner[3], normal[7];
  };
  // Of cells: which triangles can be nearest to a point in each.
  struct Lists {
    std::vector<std::int64_t> start;
    std::vector<std::int32_t> items;
  };
  template <class Centre, class Parent>
  Lists narrow(std::int64_t count, double radius, const Lists& parents, Centre centre, Parent parent) const;
  Depth signed_depth(const Vec3d& p, std::int64_t cell) const;
  std::int64_t voxel(const Vec3d& p_B) const;  // of a point within the map

  Vec3d origin_;
  double size_;
  std::array<std::int64_t, 3> shape_;
  std::vector<Triangle> triangles_;
  Lists near_;
  std::vector<std::int16_t> layers_;
};

}  // namespace volery::contact
