#include "render/surface_table.hpp"

#include <algorithm>
#include <cmath>

namespace volery {

void SurfaceTable::refuse(const char* what) { throw std::invalid_argument(what); }

void SurfaceTable::set_corners(std::int64_t mesh, CornerVectors normals, CornerVectors colours) {
  need(mesh >= 0, "mesh: there is no such mesh");
  const std::int64_t vertices = scene_.mesh_by_number(mesh).all_vertices;
  need(!normals.data || normals.count == vertices, "normals: one for each vertex of the mesh");
  need(!colours.data || (normals.data && colours.count == vertices), "colours: one for each vertex of a smooth mesh");
  if (std::size_t(mesh) >= corners_.size()) corners_.resize(std::max<std::size_t>(mesh + 1, 2 * corners_.size()));
  corners_[mesh] = {std::move(normals), std::move(colours)};
}

void SurfaceTable::forget_corners(std::int64_t mesh) {
  if (mesh >= 0 && std::size_t(mesh) < corners_.size()) corners_[mesh] = {};
}

Vec3f flat_normal(const SceneTables& scene, std::int32_t row, std::int32_t face) {
  const MeshView& mesh = scene.mesh(row);
  const auto& f = mesh.faces[face];
  const Vec3f a = mesh.vertices[f[0]];
  const Vec3f n = scene.normal(row) * cross(mesh.vertices[f[1]] - a, mesh.vertices[f[2]] - a);
  return n * (1.0f / std::sqrt(std::max(dot(n, n), 1e-37f)));
}

}  // namespace volery
