#include "contact/voxelmap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volery::contact {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

struct Foot {
  Vec3d way;  // from the point to the nearest of the triangle
  int part;   // of the triangle, in the order of its normals
};

// Ericson, Real-Time Collision Detection, 5.1.5.
Foot foot(const Vec3d& p, const Vec3d (&T)[3]) {
  const Vec3d a = T[0] - p, ab = T[1] - T[0], ac = T[2] - T[0];
  const double d1 = -dot(ab, a), d2 = -dot(ac, a), bc = dot(ab, ac);
  const double d3 = d1 - norm2(ab), d4 = d2 - bc, d5 = d1 - bc, d6 = d2 - norm2(ac);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (d1 <= 0 && d2 <= 0) return {a, 4};
  if (d3 >= 0 && d4 <= d3) return {a + ab, 5};
  if (d6 >= 0 && d5 <= d6) return {a + ac, 6};
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, 1};
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {a + (1 - t) * ab + t * ac, 2};
  }
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, 3};
  return {a + (vb / (va + vb + vc)) * ab + (vc / (va + vb + vc)) * ac, 0};
}

// A grid of cells by number.
struct Grid {
  Vec3d origin;
  double size;
  std::int64_t shape[3];
  std::int64_t count() const { return shape[0] * shape[1] * shape[2]; }
  std::array<std::int64_t, 3> index(std::int64_t i) const {
    return {i / (shape[1] * shape[2]), i / shape[2] % shape[1], i % shape[2]};
  }
  Vec3d centre(std::int64_t i) const {
    const auto [x, y, z] = index(i);
    return {origin.x + (x + 0.5) * size, origin.y + (y + 0.5) * size, origin.z + (z + 0.5) * size};
  }
};

}  // namespace

VoxelMap::VoxelMap(Array<const double, 3> origin, double size, Array<const std::int64_t, 3> blocks,
                   Array<const double, -1, 3, 3> corners, Array<const double, -1, 7, 3> normals)
    : origin_(vec3(origin.data)), size_(size), triangles_(corners.size()) {
  constexpr std::int64_t MOST = 1 << 16;
  need(size > 0 && size < INFINITE, "size: must be above 0");
  need(corners.size() > 0, "corners: there is no triangle");
  need_size(normals, corners.size(), "normals");
  for (int k = 0; k < 3; ++k) {
    need(blocks[k] > 0 && blocks[k] < MOST, "blocks: there must be some");
    shape_[k] = blocks[k] * BLOCK;
  }
  need(blocks[0] * blocks[1] * blocks[2] < MOST, "blocks: there are too many");
  for (std::int64_t t = 0; t < corners.size(); ++t) {
    for (int k = 0; k < 3; ++k) triangles_[t].corner[k] = vec3(&corners(t, k, 0));
    for (int k = 0; k < 7; ++k) triangles_[t].normal[k] = vec3(&normals(t, k, 0));
  }

  Lists all{{0, corners.size()}, std::vector<std::int32_t>(corners.size())};
  for (std::size_t t = 0; t < all.items.size(); ++t) all.items[t] = std::int32_t(t);
  const double half = std::sqrt(0.75) * size;
  const Grid coarse{origin_, BLOCK * size, {blocks[0], blocks[1], blocks[2]}};
  const Lists rough = narrow(coarse.count(), BLOCK * half, all, [&](std::int64_t i) { return coarse.centre(i); },
                             [](std::int64_t) { return std::int64_t(0); });
  const Grid fine{origin_, size, {shape_[0], shape_[1], shape_[2]}};
  const auto block_of = [&](std::int64_t i) {
    const auto [x, y, z] = fine.index(i);
    return (x / BLOCK * blocks[1] + y / BLOCK) * blocks[2] + z / BLOCK;
  };
  near_ = narrow(fine.count(), half, rough, [&](std::int64_t i) { return fine.centre(i); }, block_of);
  layers_.resize(fine.count());
  for (std::int64_t i = 0; i < fine.count(); ++i) {
    const double layer = signed_depth(fine.centre(i), i).depth / size;
    layers_[i] = std::int16_t(std::floor(std::clamp(layer, -32'000.0, 32'000.0)));
  }
}

template <class Centre, class Parent>
VoxelMap::Lists VoxelMap::narrow(std::int64_t count, double radius, const Lists& parents, Centre centre,
                                 Parent parent) const {
  Lists made;
  made.start.reserve(count + 1);
  made.start.push_back(0);
  std::vector<double> distance(triangles_.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t above = parent(i), first = parents.start[above], end = parents.start[above + 1];
    const Vec3d p = centre(i);
    double least = INFINITE;
    for (std::int64_t n = first; n < end; ++n) {
      distance[n - first] = norm(foot(p, triangles_[parents.items[n]].corner).way);
      least = std::min(least, distance[n - first]);
    }
    for (std::int64_t n = first; n < end; ++n)
      if (distance[n - first] <= least + 2 * radius + 1e-9) made.items.push_back(parents.items[n]);
    made.start.push_back(std::int64_t(made.items.size()));
  }
  return made;
}

VoxelMap::Depth VoxelMap::signed_depth(const Vec3d& p, std::int64_t cell) const {
  double best = INFINITE;
  const Triangle* nearest = nullptr;
  Foot least{};
  for (std::int64_t n = near_.start[cell]; n < near_.start[cell + 1]; ++n) {
    const Triangle& T = triangles_[near_.items[n]];
    const Foot found = foot(p, T.corner);
    const double square = norm2(found.way);
    if (square < best) best = square, nearest = &T, least = found;
  }
  if (!nearest) return {-INFINITE, {}};
  const double distance = std::sqrt(best);
  const Vec3d& N = nearest->normal[least.part];
  const double inward = dot(least.way, N) < 0 ? -1 : 1;
  return {inward * distance, distance > 1e-9 ? -least.way * inward / distance : -N};
}

std::int64_t VoxelMap::voxel(const Vec3d& p_B) const {
  const auto along = [&](int k) {
    return std::clamp(std::int64_t((p_B[k] - origin_[k]) / size_), std::int64_t(0), shape_[k] - 1);
  };
  return (along(0) * shape_[1] + along(1)) * shape_[2] + along(2);
}

VoxelMap::Depth VoxelMap::depth(const Vec3d& p_B) const {
  double away = 0;
  for (int k = 0; k < 3; ++k) {
    const double low = origin_[k] - p_B[k], high = p_B[k] - origin_[k] - size_ * shape_[k];
    const double beyond = std::max(std::max(low, high), 0.0);
    away += beyond * beyond;
  }
  if (away == 0) return signed_depth(p_B, voxel(p_B));
  return {away > 0 ? -std::sqrt(away) : -INFINITE, {}};  // what is no number is far away
}

std::pair<std::int64_t, double> VoxelMap::count_inside(Array<const double, -1, 3> points_W,
                                                       Array<const std::int8_t, -1> occupancy, const Mat3d& R_WB,
                                                       const Vec3d& p_WB) const {
  std::int64_t count = 0;
  double deepest = 0;
  for (std::int64_t i = 0; i < points_W.size(); ++i) {
    if (occupancy[i] != 1) continue;
    const Vec3d p_B = transposed_times(R_WB, vec3(points_W[i]) - p_WB);
    bool within = true;
    for (int k = 0; k < 3; ++k) {
      const double at = (p_B[k] - origin_[k]) / size_;
      within = within && 0 <= at && at < double(shape_[k]);
    }
    // A voxel's centre is at most 0.87 voxels from any of its points: layers below −2 are all outside.
    if (!within || layers_[voxel(p_B)] < -2) continue;
    const double deep = depth(p_B).depth;
    if (deep > 0) ++count, deepest = std::max(deepest, deep);
  }
  return {count, deepest};
}

}  // namespace volery::contact
