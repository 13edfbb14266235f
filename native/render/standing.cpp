#include "render/standing.hpp"

#include <limits>

#include "rays/cast.hpp"

namespace volery {

void trace_standing(const SceneTables& scene, const RayCell& cell, Array<const float, -1, 3> origins_L,
                    Array<const float, -1, 3> directions_L, float near, float far, Array<float, -1> distance,
                    Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive) {
  constexpr int W = embree::WIDTH;
  const std::int64_t count = directions_L.size();
  need_size(origins_L, count, "origins_L"), need_size(distance, count, "distance");
  need_size(row, count, "row"), need_size(primitive, count, "primitive");
  const RayPattern pattern{
      &vec3(origins_L.data), &vec3(directions_L.data), &far, count, true, false, Mat3d::identity(), {}, near};
  parallel_rays(count, (count + BLOCK_RAYS - 1) / BLOCK_RAYS, [&](std::int64_t block) {
    PacketCaster caster(scene, cell.standing.get(), nullptr, cell.origin_W, {embree::NONE, -1, true});
    embree::RayHit8 rays;
    PacketHits hits;
    alignas(32) int valid[W];
    const std::int64_t end = std::min((block + 1) * BLOCK_RAYS, count);
    for (std::int64_t first = block * BLOCK_RAYS; first < end; first += W) {
      pattern.load(first, embree::NONE, valid, rays);
      caster.intersect(valid, rays, hits);
      for (std::int64_t k = 0; k < std::min<std::int64_t>(W, end - first); ++k) {
        row[first + k] = hits.row[k], primitive[first + k] = hits.primitive[k];
        distance[first + k] = hits.row[k] >= 0 ? rays.far[k] : std::numeric_limits<float>::infinity();
      }
    }
  });
}

}  // namespace volery
