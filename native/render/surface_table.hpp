// What surfaces look like: materials by number, and what meshes have beyond their triangles.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/arrays.hpp"
#include "core/table.hpp"
#include "rays/scene.hpp"

namespace volery {

enum class Texture : std::int32_t { none, plain, bark, rock, strata, dripstone, ground, brick, leaf };

struct MaterialRow {
  Vec3f colour;
  float emission;
  float thin;  // light it lets through, as a multiple of what it sends back: leaves
  float gloss;
  float temperature;  // [K]
  float grain;        // strength of its texture
  float frequency;    // of the texture [1/m]
  std::int32_t texture;
  float mirror, glass;
  std::int32_t label;

  Texture kind() const { return Texture(texture); }
};
VOLERY_TABLE(MaterialRow, colour, emission, thin, gloss, temperature, grain, frequency, texture, mirror, glass, label)

// Vectors at the corners of a mesh, which somebody else owns.
struct CornerVectors {
  const Vec3f* data = nullptr;
  std::int64_t count = 0;
  std::shared_ptr<const void> owner;
};

class SurfaceTable {
 public:
  explicit SurfaceTable(const SceneTables& scene) : scene_(scene) {}
  // The same looks for tables that show the same meshes.
  SurfaceTable(const SurfaceTable& other, const SceneTables& scene)
      : scene_(scene), materials_(other.materials_), moving_(other.moving_), corners_(other.corners_) {}
  void set_materials(Table<const MaterialRow> rows) { materials_.assign(rows.begin(), rows.end()); }
  void set_moving(Array<const bool, -1> rows) { moving_.assign(rows.begin(), rows.end()); }
  // Smooth normals and colours of a mesh's corners; empty: it is flat, and of its materials' colours.
  void set_corners(std::int64_t mesh, CornerVectors normals, CornerVectors colours);
  void forget_corners(std::int64_t mesh);

  const SceneTables& scene() const { return scene_; }
  const MaterialRow& material(std::int32_t number) const { return materials_[number]; }
  bool moves(std::int32_t row) const { return std::size_t(row) < moving_.size() && moving_[row]; }
  // Number of the material of a triangle. What was met must still be there.
  std::int32_t material_of(std::int32_t row, std::int32_t face) const { return material_of(mesh(row), face); }
  std::int32_t material_of(const MeshView& mesh, std::int32_t face) const {
    if (std::uint64_t(face) >= std::uint64_t(mesh.all_faces())) refuse("primitive: is no triangle of the mesh");
    const std::int32_t number = mesh.material(face);
    if (std::size_t(number) >= materials_.size()) refuse("materials: there is none of a surface that was met");
    return number;
  }
  const MeshView& mesh(std::int32_t row) const {
    if (std::uint64_t(row) >= std::uint64_t(scene_.row_count())) refuse("row: is no instance of the scene");
    return scene_.mesh(row);
  }
  const Vec3f* corner_normals(std::int32_t mesh) const {  // null: flat
    return std::size_t(mesh) < corners_.size() ? corners_[mesh].normals.data : nullptr;
  }
  const Vec3f* corner_colours(std::int32_t mesh) const {
    return std::size_t(mesh) < corners_.size() ? corners_[mesh].colours.data : nullptr;
  }

 private:
  struct Corners {
    CornerVectors normals, colours;
  };
  [[noreturn]] static void refuse(const char* what);
  const SceneTables& scene_;
  std::vector<MaterialRow> materials_;
  std::vector<std::uint8_t> moving_;
  std::vector<Corners> corners_;  // by mesh
};

// Unit normal of a triangle in W.
Vec3f flat_normal(const SceneTables& scene, std::int32_t row, std::int32_t face);

}  // namespace volery
