// Meshes cut into clusters of near triangles, so that those out of a view, or hidden in it, are passed over together.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "core/arrays.hpp"
#include "rays/scene.hpp"
#include "render/view.hpp"

namespace volery {

constexpr int CLUSTER = 128;  // triangles

// One level of detail of a mesh.
struct LevelClusters {
  std::vector<std::int32_t> order;  // its triangles as faces of the mesh, cluster by cluster
  std::vector<Sphere> spheres;      // round the clusters, in the mesh's frame
  std::vector<float> corners;       // by cluster, corner, axis and triangle; empty: the mesh changes its shape

  std::int64_t clusters() const { return std::int64_t(spheres.size()); }
  int triangles_in(std::int64_t cluster) const {
    return int(std::min<std::int64_t>(CLUSTER, std::int64_t(order.size()) - cluster * CLUSTER));
  }
  const float* corners_of(std::int64_t cluster) const { return &corners[cluster * 9 * CLUSTER]; }
};

struct MeshClusters {
  Vec3d low, high;       // corners of its box, in its own frame
  bool deforms = false;  // then its clusters count as in view
  std::vector<std::unique_ptr<const LevelClusters>> levels;  // null: not cut yet
  std::mutex cutting;                                        // two pictures may ask at once

  Sphere around() const;
};

// Corners of a cluster of a mesh as `LevelClusters::corners` has them; those past the last triangle are its first corner.
void gather_corners(const MeshView& mesh, const std::int32_t* faces, int count, float* corners);

// The clusters of one scene, shared by its cameras; a level of a mesh is cut when it first comes into a picture.
class ClusterTable {
 public:
  explicit ClusterTable(const SceneTables& scene) : scene_(scene) {}
  // The same clusters for tables that show the same meshes.
  ClusterTable(const ClusterTable& other, const SceneTables& scene)
      : scene_(scene), rows_(other.rows_), meshes_(other.meshes_) {}
  void set_rows(Array<const std::int32_t, -1> rows);  // the instances in the scene
  void set_mesh(std::int64_t number, Array<const double, 2, 3> bounds, bool deforms);
  void forget_mesh(std::int64_t number);

  const SceneTables& scene() const { return scene_; }
  const std::vector<std::int32_t>& rows() const { return rows_; }
  const MeshClusters& of_row(std::int32_t row) const {
    const auto mesh = std::size_t(scene_.mesh_number(row));
    if (mesh >= meshes_.size() || !meshes_[mesh]) throw std::invalid_argument("rows: a mesh is not known");
    return *meshes_[mesh];
  }
  // Those of a level, made if they are not yet. They stay while the mesh is known.
  const LevelClusters& cut(std::int32_t row, int level);

 private:
  const SceneTables& scene_;
  std::vector<std::int32_t> rows_;
  std::vector<std::shared_ptr<MeshClusters>> meshes_;
};

}  // namespace volery
