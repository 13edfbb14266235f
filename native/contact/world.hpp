// The world as shapes feel it: a scene's solid triangles, and what of it is whose.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contact/shapes.hpp"
#include "core/arrays.hpp"
#include "core/table.hpp"
#include "rays/scene.hpp"

namespace volery::contact {

constexpr int KEPT = 8;  // contacts handed on for one shape

// The faces round a shape that Embree found, good while nothing changes the scene: a shape that is asked for again within
// a step has moved by millimetres.
struct Nearby {
  struct Face {
    std::int32_t row;
    std::uint32_t primitive;
  };
  std::uint64_t epoch = 0;  // of the world when they were found
  const void* cell = nullptr;
  Vec3d p_W;
  double reach = 0;  // all faces within it [m] are there
  std::vector<Face> faces;
};

// Room for one question and its answer; kept by whoever asks often. Each thread needs its own.
struct Scratch {
  std::vector<Triangle> triangles;  // what `gather` found, in an order that is the same in every run
  Contacts contacts;                // what `collide` found, in front; Contact::triangle is one of the above
  // Of the kernels' own:
  std::vector<Triangle> found;
  std::vector<Nearby::Face> faces;
  std::vector<std::int32_t> order;
  std::vector<Edges> edges;
  std::vector<std::int32_t> hash;
};

// A contact that was told to MuJoCo.
struct Touched {
  Vec3d p_W;
  std::int64_t row;  // of the scene
};
// What a geom touched when it was asked for last.
struct GeomLog {
  std::int64_t count;
  Touched touched[KEPT];
};
// A geom of the bound model.
struct Geom {
  std::int64_t pair = -1;                  // its explicit pair with the world; −1: none
  double slip = 0;                         // its own friction
  std::shared_ptr<const Polytope> hull{};  // of a box or mesh
  Nearby nearby{};
};

// One for each simulation; one thread changes it, and no other asks meanwhile.
class ContactWorld : public std::enable_shared_from_this<ContactWorld> {
 public:
  explicit ContactWorld(std::shared_ptr<SceneTables> tables);

  // What changed in the scene. friction: Coulomb's coefficient by material, negative: not solid.
  void set_friction(Array<const double, -1> friction) { friction_.assign(friction.begin(), friction.end()); }
  // Groups whose surfaces are no part of the world, since the engine that asks moves them itself.
  void set_own(Array<const std::int64_t, -1> groups);
  // Where shapes will be. movers: whether anything moves near them that is not own.
  void clear_cells() { cells_.clear(); }
  void add_cell(const RayCell& cell, bool movers) { cells_.push_back({cell, movers}); }
  // Geoms of a MuJoCo model, by number. hull: of `hulls`, −1: none. stand_in: the geom that stands for the world.
  void bind_geoms(std::int64_t stand_in, Array<const std::int64_t, -1> pair, Array<const double, -1> slip,
                  Array<const std::int64_t, -1> hull, const std::vector<std::shared_ptr<Polytope>>& hulls);

  const SceneTables& tables() const { return *tables_; }
  // Coulomb's coefficient of a face; negative: it is not solid, or its owner's own.
  double friction(std::int64_t row, const MeshView& mesh, std::int64_t face) const;
  struct Cell {
    RayCell rays;
    bool movers;
  };
  const Cell* cell(const Vec3d& p_W) const;  // whose origin is nearest; null: there is none

  std::int64_t stand_in() const { return stand_in_; }
  std::vector<Geom>& geoms() { return geoms_; }
  // Between these nothing changes the scene, and what was found near a geom stays good.
  void begin_step() { epoch_ = ++epochs_; }
  void end_step() { epoch_ = 0; }
  std::uint64_t epoch() const { return epoch_; }  // 0: not within a step
  GeomLog& log(std::int64_t geom) { return logs_[geom]; }
  // The scene row of a contact that MuJoCo has between two geoms, by its very place; −1: it is not with the world.
  std::int64_t row_touched(std::int64_t geom1, std::int64_t geom2, const Vec3d& p_W) const;
  void rows_touched(Array<const std::int32_t, -1, 2> geoms, Array<const double, -1, 3> p_W,
                    Array<std::int64_t, -1> rows) const;
  Scratch& scratch() { return scratch_; }  // of the thread that steps the bound model

  // How often there was no room: the farthest triangle and the shallowest contact go; and how many shapes were asked for.
  struct Counts {
    std::atomic<std::int64_t> lost_triangles{0}, lost_contacts{0}, asked{0};
  };
  Counts& counts() const { return counts_; }

 private:
  std::shared_ptr<SceneTables> tables_;
  std::vector<float> friction_;
  std::vector<bool> own_;
  std::vector<Cell> cells_;
  std::int64_t stand_in_ = -1;
  std::vector<Geom> geoms_;
  std::vector<GeomLog> logs_;
  std::uint64_t epoch_ = 0, epochs_ = 0;
  Scratch scratch_;
  mutable Counts counts_;
};

}  // namespace volery::contact
