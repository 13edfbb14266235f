#include "rays/bare.hpp"

#include <algorithm>

#include "core/pool.hpp"
#include "rays/scene.hpp"

namespace volery {

void bare_cast(const TopScene& scene, Array<const float, -1, 3> origins, Array<const float, -1, 3> directions, float far,
               bool coherent, Array<float, -1> distance) {
  constexpr std::int64_t W = embree::WIDTH, PER = 8 * W;
  const std::int64_t n = directions.size();
  need(origins.size() == 1 || origins.size() == n, "origins: give one, or one for each direction");
  need_size(distance, n, "distance");
  if (!scene.handle()) return;
  parallel_ranges(n, PER, [&](std::int64_t begin, std::int64_t end) {
    embree::RayHit8 r{};
    embree::IntersectArguments arguments;
    arguments.flags = coherent ? embree::COHERENT : 0;
    alignas(32) int valid[W];
    for (std::int64_t first = begin; first < end; first += W) {
      for (std::int64_t k = 0; k < W; ++k) {
        const std::int64_t i = std::min(first + k, n - 1);
        const Vec3f &o = vec3(origins[origins.size() > 1 ? i : 0]), &d = vec3(directions[i]);
        r.org_x[k] = o.x, r.org_y[k] = o.y, r.org_z[k] = o.z;
        r.dir_x[k] = d.x, r.dir_y[k] = d.y, r.dir_z[k] = d.z;
        r.near[k] = 0, r.far[k] = far, r.mask[k] = r.geometry[k] = embree::NONE;
        valid[k] = first + k < end ? -1 : 0;
      }
      embree::functions().rtcIntersect8(valid, scene.handle(), &r, &arguments);
      for (std::int64_t k = 0; k < std::min(W, end - first); ++k) distance[first + k] = r.far[k];
    }
  });
}

}  // namespace volery
