// Nearest surface points of the scene, and whether points lie inside closed meshes.
#pragma once
#include "rays/scene.hpp"

namespace volery {

// The point of the triangle abc that is nearest to p.
Vec3d nearest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

// Nearest surface points [m] to points in W; row −1 where nothing is within reach [m].
void nearest_points(const SceneTables& tables, const RayCell& cell, Array<const double, -1, 3> points_W, double reach,
                    std::int32_t ignored_group, std::uint32_t mask, Array<double, -1, 3> nearest_W,
                    Array<double, -1> distance, Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive);

// Whether each point in W is inside the closed mesh that its row shows; rows below 0 are passed over.
void inside_meshes(const SceneTables& tables, Array<const double, -1, 3> points_W, Array<const std::int32_t, -1> row,
                   Array<bool, -1> inside);

}  // namespace volery
