// What rays are cast into: triangle meshes with a hierarchy each, top scenes of their instances, and the tables in which
// kernels look up what was met.
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/arrays.hpp"
#include "core/vec.hpp"
#include "rays/embree.hpp"

namespace volery {

// An Embree device. Every call through it throws if Embree reports an error.
class Device {
 public:
  explicit Device(int threads);  // for building hierarchies; 0: all cores
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  embree::DeviceHandle* handle() const { return handle_; }
  void check(const char* function) const;

 private:
  embree::DeviceHandle* handle_;
};

struct BoundingSphere {
  Vec3f centre;
  float radius;
};

// One triangle mesh with its own hierarchy, to be instanced. Holds a copy of the mesh, which Embree shares.
class TriangleScene {
 public:
  TriangleScene(std::shared_ptr<Device> device, Array<const float, -1, 3> vertices, Array<const std::uint32_t, -1, 3> faces,
                bool robust, bool deforms);
  ~TriangleScene();
  TriangleScene(const TriangleScene&) = delete;
  TriangleScene& operator=(const TriangleScene&) = delete;
  void deform(Array<const float, -1, 3> vertices);  // move the corners and refit the hierarchy
  BoundingSphere bounding_sphere() const;  // in the mesh's own frame
  embree::SceneHandle* handle() const { return scene_; }
  std::int64_t vertex_count() const { return vertex_count_; }
  std::int64_t face_count() const { return face_count_; }
  const Vec3f* vertices() const { return vertices_.data(); }
  const std::uint32_t (*faces() const)[3] { return reinterpret_cast<const std::uint32_t(*)[3]>(faces_.data()); }

 private:
  void widen_box();
  std::shared_ptr<Device> device_;
  std::int64_t vertex_count_, face_count_;
  std::vector<Vec3f> vertices_;
  std::vector<std::uint32_t> faces_;
  embree::SceneHandle* scene_ = nullptr;
  embree::GeometryHandle* geometry_ = nullptr;
};

// k instances of triangle scenes as one geometry of a top scene: a plain instance for k = 1, else an array.
class InstanceGeometry {
 public:
  // X: relative to the top scene's origin.
  InstanceGeometry(std::shared_ptr<Device> device, std::vector<std::shared_ptr<TriangleScene>> scenes,
                   Array<const std::int32_t, -1> kinds, Array<const float, -1, 3, 4> X, unsigned mask);
  ~InstanceGeometry();
  InstanceGeometry(const InstanceGeometry&) = delete;
  InstanceGeometry& operator=(const InstanceGeometry&) = delete;
  void move(Array<const float, -1, 3, 4> X);
  void add_bounding_spheres(std::vector<BoundingSphere>& spheres) const;  // of its instances, in the top scene's frame
  embree::GeometryHandle* handle() const { return geometry_; }

 private:
  void share_transforms();
  std::shared_ptr<Device> device_;
  std::vector<std::shared_ptr<TriangleScene>> scenes_;
  std::vector<float> columns_;  // column-major 3×4 matrices: four columns of three
  std::vector<unsigned> kinds_;
  std::int64_t count_;
  embree::GeometryHandle* geometry_ = nullptr;
};

// A scene of instances only, quick to change: what rays are cast into.
class TopScene {
 public:
  explicit TopScene(std::shared_ptr<Device> device);
  ~TopScene();
  TopScene(const TopScene&) = delete;
  TopScene& operator=(const TopScene&) = delete;
  void attach(unsigned slot, std::shared_ptr<InstanceGeometry> geometry);
  void detach(unsigned slot);
  std::shared_ptr<InstanceGeometry> geometry(unsigned slot) const;
  void commit();  // make changes visible to rays
  std::size_t size() const { return attached_.size(); }
  const std::unordered_map<unsigned, std::shared_ptr<InstanceGeometry>>& attached() const { return attached_; }
  // Null if the scene is empty: casting into it can be left out.
  embree::SceneHandle* handle() const { return attached_.empty() ? nullptr : scene_; }

 private:
  std::shared_ptr<Device> device_;
  std::unordered_map<unsigned, std::shared_ptr<InstanceGeometry>> attached_;
  embree::SceneHandle* scene_ = nullptr;
};

constexpr int MOST_LEVELS = 12;  // of detail

// A mesh as kernels look it up by its number. Behind its own triangles come those of its coarser levels of detail, which
// only pictures show.
struct MeshView {
  const Vec3f* vertices = nullptr;
  const std::uint32_t (*faces)[3] = nullptr;
  embree::SceneHandle* scene = nullptr;
  std::int64_t vertex_count = 0, face_count = 0;  // without the two dots that widen its box (see scene.cpp)
  std::int64_t all_vertices = 0;                  // of all levels
  int levels = 1;
  std::int64_t level_end[MOST_LEVELS] = {};  // one past the last face of each level
  float detail[MOST_LEVELS] = {};            // size of what a level shows only roughly [m]
  const std::uint16_t* face_material = nullptr;   // of one entry if all faces are alike
  const std::int8_t* face_side = nullptr;         // what lies behind each face (world/scene/solidity.py); likewise
  bool one_material = true, one_side = true;

  std::int64_t level_first(int level) const { return level ? level_end[level - 1] : 0; }
  std::int64_t all_faces() const { return level_end[levels - 1]; }
  std::uint16_t material(std::int64_t face) const { return face_material[one_material ? 0 : face]; }
  std::int8_t side(std::int64_t face) const { return face_side[one_side ? 0 : face]; }
};

// What kernels look up by number: a row for each instance, an entry for each mesh, a first row for each slot.
// The arrays of rows belong to Python; whoever replaces them says so with set_rows.
class SceneTables {
 public:
  SceneTables() = default;
  // Tables of rows of their own that show the same meshes: for a picture of an instant that is drawn later.
  explicit SceneTables(const SceneTables* other) : meshes_(other->meshes_) {}
  void set_rows(Array<const double, -1, 3, 4> X, Array<const float, -1, 3, 3> normal, Array<const std::int32_t, -1> mesh,
                Array<const std::int32_t, -1> object, Array<const std::int32_t, -1> group,
                Array<const std::uint32_t, -1> mask);
  void set_slot_rows(bool moving, Array<const std::int32_t, -1> first_row);
  // face_material: of all levels. The coarser levels come as the corners and faces of all of them, counted on from those
  // of the mesh itself, with how many faces each has, and its detail [m].
  void set_mesh(std::int64_t number, std::shared_ptr<TriangleScene> scene, Array<const std::uint16_t, -1> face_material,
                Array<const std::int8_t, -1> face_side, Array<const float, -1, 3> coarser_vertices,
                Array<const std::uint32_t, -1, 3> coarser_faces, Array<const std::int64_t, -1> coarser_counts,
                Array<const float, -1> coarser_details);
  void forget_mesh(std::int64_t number);

  std::int64_t row_count() const { return row_count_; }
  const Posed& X_W(std::int64_t row) const { return X_[row]; }       // pose in W
  const Mat3f& normal(std::int64_t row) const { return normal_[row]; }  // turns normals into W: inverse transposed
  std::int32_t mesh_number(std::int64_t row) const { return mesh_[row]; }
  const MeshView& mesh(std::int64_t row) const { return entry(mesh_[row]).view; }  // that a row shows
  const MeshView& mesh_by_number(std::int64_t number) const { return entry(number).view; }
  std::int32_t object(std::int64_t row) const { return object_[row]; }
  std::int32_t group(std::int64_t row) const { return group_[row]; }  // −1: of nobody
  std::uint32_t mask(std::int64_t row) const { return mask_[row]; }
  // The row of an instance that Embree met.
  std::int32_t row(bool moving, unsigned instance, unsigned instance_primitive) const {
    return slot_row_[moving][instance] + (instance_primitive == embree::NONE ? 0 : std::int32_t(instance_primitive));
  }

 private:
  struct Entry {
    MeshView view;
    std::shared_ptr<TriangleScene> scene;  // kept
    std::vector<std::uint16_t> face_material;
    std::vector<std::int8_t> face_side;
    std::vector<Vec3f> vertices;  // of all levels; empty if there is one
    std::vector<std::uint32_t> faces;
  };
  // In blocks that never move: a background thread may enter meshes while kernels read others.
  static constexpr std::int64_t BLOCK = 256, BLOCKS = 4096;
  struct Entries {
    std::unique_ptr<Entry[]> blocks[BLOCKS];
  };
  Entry& entry(std::int64_t number) const { return meshes_->blocks[number / BLOCK][number % BLOCK]; }
  std::shared_ptr<Entries> meshes_ = std::make_shared<Entries>();
  const Posed* X_ = nullptr;
  const Mat3f* normal_ = nullptr;
  const std::int32_t *mesh_ = nullptr, *object_ = nullptr, *group_ = nullptr;
  const std::uint32_t* mask_ = nullptr;
  std::int64_t row_count_ = 0;
  const std::int32_t* slot_row_[2] = {nullptr, nullptr};
};

// The top scenes of one cube of space (world/scene/floating_origin.py), placed relative to its centre.
struct RayCell {
  std::shared_ptr<TopScene> standing, moving;
  Vec3d origin_W;
};

}  // namespace volery
