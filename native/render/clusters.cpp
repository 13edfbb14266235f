#include "render/clusters.hpp"

#include <algorithm>
#include <numeric>

namespace volery {
namespace {

constexpr double NEVER_OUT = 1e9;  // radius [m] of what changes its shape

struct Box {
  Vec3f low, high;
  void add(const Vec3f& p) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
};

// Places as numbers along a curve that stays near itself (after Morton).
std::vector<std::uint32_t> along_curve(const std::vector<Vec3f>& points) {
  Box box{points[0], points[0]};
  for (const Vec3f& p : points) box.add(p);
  const Vec3f size = box.high - box.low;
  const float extent = std::max({size.x, size.y, size.z, 1e-9f});
  std::vector<std::uint32_t> codes(points.size());
  for (std::size_t n = 0; n < points.size(); ++n) {
    const Vec3f at = (points[n] - box.low) / extent * 1023.0f;
    for (int bit = 0; bit < 10; ++bit)
      for (int axis = 0; axis < 3; ++axis) codes[n] |= ((std::uint32_t(at[axis]) >> bit) & 1u) << (3 * bit + axis);
  }
  return codes;
}

// The faces first … end − 1 of a mesh, near ones together.
std::vector<std::int32_t> near_order(const MeshView& mesh, std::int64_t first, std::int64_t end) {
  std::vector<Vec3f> middles(end - first);
  for (std::int64_t f = first; f < end; ++f) {
    const auto& c = mesh.faces[f];
    middles[f - first] = (mesh.vertices[c[0]] + mesh.vertices[c[1]] + mesh.vertices[c[2]]) / 3.0f;
  }
  const std::vector<std::uint32_t> code = along_curve(middles);
  std::vector<std::uint64_t> keys(end - first);
  for (std::size_t n = 0; n < keys.size(); ++n) keys[n] = std::uint64_t(code[n]) << 32 | n;
  std::sort(keys.begin(), keys.end());
  std::vector<std::int32_t> order(end - first);
  for (std::size_t n = 0; n < keys.size(); ++n) order[n] = std::int32_t(first + std::int64_t(keys[n] & 0xFFFFFFFFu));
  return order;
}

Sphere sphere_round(const MeshView& mesh, const std::int32_t* faces, std::int64_t count) {
  const Vec3f& start = mesh.vertices[mesh.faces[faces[0]][0]];
  Box box{start, start};
  for (std::int64_t n = 0; n < count; ++n)
    for (const std::uint32_t corner : mesh.faces[faces[n]]) box.add(mesh.vertices[corner]);
  return {as<double>((box.low + box.high) / 2.0f), double(norm(box.high - box.low) * 0.501f + 1e-4f)};
}

}  // namespace

Sphere MeshClusters::around() const {
  return {(low + high) / 2.0, deforms ? NEVER_OUT : norm(high - low) / 2};
}

void gather_corners(const MeshView& mesh, const std::int32_t* faces, int count, float* corners) {
  for (int c = 0; c < 3; ++c) {
    for (int t = 0; t < CLUSTER; ++t) {
      const Vec3f& v = mesh.vertices[mesh.faces[faces[t < count ? t : 0]][t < count ? c : 0]];
      for (int k = 0; k < 3; ++k) corners[(3 * c + k) * CLUSTER + t] = v[k];
    }
  }
}

void ClusterTable::set_rows(Array<const std::int32_t, -1> rows) {
  for (const std::int32_t row : rows) need(row >= 0 && row < scene_.row_count(), "rows: there is no such instance");
  rows_.assign(rows.begin(), rows.end());
}

void ClusterTable::set_mesh(std::int64_t number, Array<const double, 2, 3> bounds, bool deforms) {
  need(number >= 0, "number: there is no such mesh");
  if (std::size_t(number) >= meshes_.size()) meshes_.resize(std::max<std::size_t>(number + 1, 2 * meshes_.size()));
  meshes_[number] = std::make_shared<MeshClusters>();
  meshes_[number]->low = vec3(bounds[0]), meshes_[number]->high = vec3(bounds[1]);
  meshes_[number]->deforms = deforms;
  meshes_[number]->levels.resize(MOST_LEVELS);
}

void ClusterTable::forget_mesh(std::int64_t number) {
  if (number >= 0 && std::size_t(number) < meshes_.size()) meshes_[number] = {};
}

const LevelClusters& ClusterTable::cut(std::int32_t row, int level) {
  of_row(row);
  MeshClusters& of_mesh = *meshes_[scene_.mesh_number(row)];
  std::lock_guard lock(of_mesh.cutting);
  if (of_mesh.levels[level]) return *of_mesh.levels[level];
  const MeshView& mesh = scene_.mesh(row);
  auto made = std::make_unique<LevelClusters>();
  if (of_mesh.deforms) {
    // In the order of its faces: which of two triangles at one depth is seen must not hang on the shape it has now.
    made->order.resize(mesh.face_count);
    std::iota(made->order.begin(), made->order.end(), 0);
  } else {
    made->order = near_order(mesh, mesh.level_first(level), mesh.level_end[level]);
  }
  const auto count = std::int64_t(made->order.size());
  for (std::int64_t first = 0; first < count; first += CLUSTER) {
    made->spheres.push_back(sphere_round(mesh, &made->order[first], std::min<std::int64_t>(CLUSTER, count - first)));
    if (of_mesh.deforms) made->spheres.back().radius = NEVER_OUT;
  }
  if (!of_mesh.deforms) made->corners.resize(made->clusters() * 9 * CLUSTER);
  for (std::int64_t k = 0; k < made->clusters() && !of_mesh.deforms; ++k)
    gather_corners(mesh, &made->order[k * CLUSTER], made->triangles_in(k), &made->corners[k * 9 * CLUSTER]);
  of_mesh.levels[level] = std::move(made);
  return *of_mesh.levels[level];
}

}  // namespace volery
