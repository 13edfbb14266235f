// Meshes cut into clusters of near triangles, so that those out of a view are passed over together.
#pragma once
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "core/arrays.hpp"
#include "rays/scene.hpp"
#include "render/view.hpp"

namespace volery {

constexpr int CLUSTER = 128;  // triangles

struct MeshClusters {
  Sphere around;                    // the whole mesh, in its own frame
  bool deforms = false;             // then its clusters count as in view
  bool there = false;               // in the scene
  std::vector<std::int32_t> order;  // its triangles, cluster by cluster; empty: not cut yet
  std::vector<Sphere> spheres;      // round the clusters

  std::int64_t triangles_in(std::int64_t cluster) const {
    return std::min<std::int64_t>(CLUSTER, std::int64_t(order.size()) - cluster * CLUSTER);
  }
};

// The clusters of one scene, shared by its cameras; a mesh is cut when it first comes near a picture.
class ClusterTable {
 public:
  explicit ClusterTable(const SceneTables& scene) : scene_(scene) {}
  void set_rows(Array<const std::int32_t, -1> rows);  // the instances in the scene
  void set_mesh(std::int64_t number, Array<const double, 2, 3> bounds, bool deforms);
  void forget_mesh(std::int64_t number);

  const SceneTables& scene() const { return scene_; }
  const std::vector<std::int32_t>& rows() const { return rows_; }
  const MeshClusters& of_row(std::int32_t row) const { return meshes_[number(row)]; }
  const MeshClusters& cut(std::int32_t row);  // of_row, made if it is not yet

 private:
  std::size_t number(std::int32_t row) const {  // of the mesh that a row shows
    const auto mesh = std::size_t(scene_.mesh_number(row));
    if (mesh >= meshes_.size() || !meshes_[mesh].there) throw std::invalid_argument("rows: a mesh is not known");
    return mesh;
  }
  const SceneTables& scene_;
  std::vector<std::int32_t> rows_;
  std::vector<MeshClusters> meshes_;
  std::mutex cutting_;  // two cameras may ask at once
};

}  // namespace volery
