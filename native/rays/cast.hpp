// Packets of rays into what stands and what moves: the nearest hit of both.
#pragma once
#include <cstdint>
#include <vector>

#include "core/pool.hpp"
#include "rays/scene.hpp"

namespace volery {

constexpr std::int64_t PACKETS = 8;  // in a block of work
constexpr std::int64_t BLOCK_RAYS = embree::WIDTH * PACKETS;
constexpr std::int64_t ALONE = 256;  // fewer rays than these are quicker on one thread

// What all rays of a cast have in common.
struct RayQuery {
  std::uint32_t mask = embree::NONE;  // channels that are seen
  std::int32_t ignored_group = -1;    // whose surfaces the rays pass through
  bool coherent = false;              // neighbours go the same way, as a camera's do
};

// What a packet met: rows of the tables (−1: nothing), triangles, and normals in W, not unit.
struct PacketHits {
  std::int32_t row[embree::WIDTH], primitive[embree::WIDTH];
  Vec3f normal[embree::WIDTH];
};

// Spheres round what moves, without the ignored group: packets that pass all of them by need not ask Embree. A sensor
// inside its own robot would else meet, and turn away, every surface of that robot with every ray.
class Movers {
 public:
  Movers(const SceneTables& tables, const TopScene& moving, std::int32_t ignored_group);
  bool may_be_met(const int* valid, const embree::RayHit8& rays) const;

 private:
  static constexpr std::size_t MOST = 64;  // with more, Embree is quicker
  std::vector<BoundingSphere> spheres_;
};

class PacketCaster {
 public:
  // origin_W: of the frame L that the rays are given in, as RayCell has it; movers: of `moving`, which may be left out.
  PacketCaster(const SceneTables& tables, const TopScene* standing, const TopScene* moving, const Vec3d& origin_W,
               const RayQuery& query, const Movers* movers = nullptr);
  // `rays` has origin, direction, near and far set; `valid` is −1 for lanes that count, else 0. Sets rays.far.
  void intersect(const int* valid, embree::RayHit8& rays, PacketHits& hits);
  // A ray that something stands in the way of gets far = −infinity.
  void occluded(const int* valid, embree::RayHit8& rays);
  std::uint32_t mask() const { return mask_; }

 private:
  struct OwnContext : embree::RayQueryContext {
    const SceneTables* tables;
    std::int32_t ignored_group;
  };
  static void reject_own(const embree::FilterArguments* arguments);
  void take(bool moving, const int* valid, const embree::RayHit8& rays, PacketHits& hits) const;
  void intersect_moving(const int* valid, embree::RayHit8& rays, PacketHits& hits);
  float exact_distance(const embree::RayHit8& rays, const PacketHits& hits, int lane) const;

  const SceneTables& tables_;
  embree::SceneHandle *standing_, *moving_;
  const Movers* movers_;
  Vec3d origin_W_;
  std::uint32_t mask_;
  embree::RayQueryContext context_;
  OwnContext own_context_;
  embree::IntersectArguments arguments_, own_arguments_;
};

// Unit rays given in a sensor's frame S, and the pose of S in the frame L of a cell.
struct RayPattern {
  const Vec3f* origins_S;  // one, or one for each
  const Vec3f* directions_S;
  const float* far;  // one, or one for each
  std::int64_t count;
  bool own_origins, own_far;
  Mat3d R_LS;
  Vec3d p_LS;
  float near;

  void load(std::int64_t first, std::uint32_t mask, int* valid, embree::RayHit8& rays) const;
};

// Where the answers go: `row` −1 and `distance` infinite where nothing was met; `normal`, unit in W, may be null.
struct HitArrays {
  std::int64_t count;  // room
  float* distance;
  std::int32_t *row, *primitive;
  Vec3f* normal;
  bool* back;  // hit from behind: the ray began inside something

  void store(std::int64_t first, std::int64_t count, const embree::RayHit8& rays,
             const PacketHits& hits) const;
};

// Many casts, perhaps of many sensors, together. What `add` is given must live until `cast` has been called.
class RayBatch {
 public:
  explicit RayBatch(const SceneTables& tables) : tables_(tables) {}
  void add(const RayCell& cell, Array<const float, -1, 3> origins_S, Array<const float, -1, 3> directions_S,
           Array<const double, 3, 3> R_WS, Array<const double, 3> p_WS, Array<const float, -1> far, std::uint32_t mask,
           std::int32_t ignored_group, float near, bool coherent, const HitArrays& hits);
  void cast();

 private:
  struct Item {
    RayPattern pattern;
    HitArrays hits;
    RayQuery query;
    RayCell cell;
    Movers movers;
    std::int64_t first_block;
  };
  void cast_block(std::int64_t block) const;
  const SceneTables& tables_;
  std::vector<Item> items_;
  std::int64_t blocks_ = 0, rays_ = 0;
};

void occluded_rays(const SceneTables& tables, const RayCell& cell, Array<const float, -1, 3> origins_S,
                   Array<const float, -1, 3> directions_S, Array<const double, 3, 3> R_WS, Array<const double, 3> p_WS,
                   Array<const float, -1> far, std::uint32_t mask, std::int32_t ignored_group, bool standing, bool moving,
                   Array<bool, -1> blocked);

// work(block) for all blocks, on all threads if there are rays enough to wake them for.
template <class F>
void parallel_rays(std::int64_t rays, std::int64_t blocks, F&& work) {
  if (rays >= ALONE) {
    parallel_blocks(blocks, work);
  } else {
    for (std::int64_t b = 0; b < blocks; ++b) work(b);
  }
}

}  // namespace volery
