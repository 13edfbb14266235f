#include "render/instances.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/pool.hpp"

namespace volery {
namespace {

constexpr std::int64_t ROWS_AT_ONCE = 1024;
constexpr double JITTER = 0.25;  // levels do not all change at the same distance: by up to so much earlier or later

// A number from 0 to 1 that belongs to a place.
double chance_of(const Vec3d& p_W) {
  std::uint64_t h = 0;
  for (int k = 0; k < 3; ++k) h = (h ^ std::bit_cast<std::uint64_t>(p_W[k])) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
  return double(h >> 11) * 0x1p-53;
}

// Least distance from the eye to the box round an instance [m], in units of its own frame.
double distance_to_box(const View& view, const MeshClusters& mesh, const Posed& X_W, const Mat3f& normal_W) {
  const Vec3d eye_O = transposed_times(as<double>(normal_W), view.p_WC - X_W.p());
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = std::max({mesh.low[k] - eye_O[k], eye_O[k] - mesh.high[k], 0.0});
    sum += gap * gap;
  }
  return std::sqrt(sum);
}

struct Finder {
  const ClusterTable& clusters;
  const View& view;
  const InstanceQuery& query;
  Frustum frustum;

  bool seen(std::int32_t row, Instance& found) const {
    const SceneTables& scene = clusters.scene();
    if ((scene.mask(row) & query.mask) == 0) return false;
    if (query.ignored_group >= 0 && scene.group(row) == query.ignored_group) return false;
    const MeshClusters& mesh = clusters.of_row(row);
    const Sphere own = mesh.around();
    const Posed& X_W = scene.X_W(row);
    const double scale = largest_scale(X_W);
    const Sphere sphere{transposed_times(view.R_WC, X_W * own.middle - view.p_WC), own.radius * scale};
    if (frustum.misses(sphere)) return false;
    found.row = row, found.object = scene.object(row), found.distance = norm(sphere.middle);
    found.sphere_C = sphere;
    found.X_C = pose_in_camera(view, X_W);
    found.scale = largest_scale(found.X_C);
    found.level = level(scene.mesh(row), mesh, X_W, scene.normal(row));
    return true;
  }

  int level(const MeshView& view_of_mesh, const MeshClusters& mesh, const Posed& X_W, const Mat3f& normal_W) const {
    if (view_of_mesh.levels == 1 || mesh.deforms) return 0;
    const double late = 1.0 + JITTER * (2.0 * chance_of(X_W.p()) - 1.0);
    return coarsest_level(view_of_mesh, query.detail * late / view.focal * distance_to_box(view, mesh, X_W, normal_W));
  }
};

bool nearer(const Instance& a, const Instance& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.object != b.object ? a.object < b.object : a.row < b.row;
}

}  // namespace

std::vector<Instance> instances_in_view(ClusterTable& clusters, const View& view, const InstanceQuery& query) {
  const Finder finder{clusters, view, query, Frustum(view, query.far)};
  const std::vector<std::int32_t>& rows = clusters.rows();
  const auto count = std::int64_t(rows.size());
  std::vector<std::vector<Instance>> parts((count + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE);
  parallel_ranges(count, ROWS_AT_ONCE, [&](std::int64_t first, std::int64_t last) {
    Instance found;
    for (std::int64_t k = first; k < last; ++k)
      if (finder.seen(rows[k], found)) parts[first / ROWS_AT_ONCE].push_back(found);
  });
  std::vector<Instance> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(), nearer);
  std::uint64_t number = 0;
  for (Instance& instance : all) {
    instance.clusters = &clusters.cut(instance.row, instance.level);
    instance.first_cluster = std::uint32_t(number);
    number += instance.clusters->clusters();
  }
  need(number < std::uint64_t(1) << 25, "view: there are too many triangles in it");
  return all;
}

}  // namespace volery
