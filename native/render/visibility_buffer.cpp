#include "render/visibility_buffer.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/pool.hpp"
#include "render/surface_table.hpp"

namespace volery {
namespace {

constexpr std::int64_t TILE = 8;  // pixels along a tile: what is behind all of its pixels is not drawn
constexpr int NAME_BITS = 7;      // a name is the number of a cluster, and in so many bits that of a triangle in it
static_assert(CLUSTER == 1 << NAME_BITS);
constexpr std::int64_t ALONE = 512;   // pixels: so few are quicker on one thread
constexpr std::int64_t TAKEN = 4;     // clusters that a thread takes at a time
constexpr std::int64_t AT_ONCE = 32;  // instances that a thread lists at a time
constexpr std::size_t SORTED = 16;    // an instance of so many clusters in view has them drawn nearest first
constexpr int MOST_LAYERS = 16;

std::int64_t tiles(std::int64_t pixels) { return (pixels + TILE - 1) / TILE; }

}  // namespace

void VisibilityBuffer::prepare(const View& view) {
  view_ = std::make_unique<View>(view);
  raster_ = std::make_unique<Rasteriser>(view);
  layers_ = view.pixels() < ALONE ? 1 : std::min(threads(), MOST_LAYERS);
  if (layers_ * layer_size() > room_) {
    room_ = layers_ * layer_size();
    nearness_ = std::make_unique_for_overwrite<float[]>(room_);
    name_ = std::make_unique_for_overwrite<std::uint32_t[]>(room_);
  }
  // What is seen there is not asked where nothing is near.
  parallel_blocks(layers_, [&](std::int64_t k) { std::fill_n(layer(int(k)).value, view_->pixels(), 0.0f); });
  covers_ = false, drawn_ = 0;
}

void VisibilityBuffer::draw(const View& view, double far, std::uint32_t mask, std::int32_t ignored_group, double detail,
                            std::int64_t first_round) {
  need(first_round > 0, "first_round: must be above 0");
  need(detail >= 0, "detail: must not be below 0");
  instances_ = instances_in_view(clusters_, view, {far, mask, ignored_group, detail});
  instance_of_.clear();
  for (std::size_t k = 0; k < instances_.size(); ++k)
    instance_of_.insert(instance_of_.end(), std::size_t(instances_[k].clusters->clusters()), std::uint32_t(k));
  prepare(view);
  const Frustum frustum(view, far);
  // In rounds of instances, and of what they are listed with, each twice as long as all before it.
  std::int64_t round = first_round;
  for (std::size_t first = 0, end; first < instances_.size(); first = end, round *= 2) {
    std::int64_t count = 0;
    for (end = first; end < instances_.size() && count < round; ++end) count += instances_[end].clusters->clusters();
    if (first > 0) cover();
    list(frustum, first, end);
    const auto listed = std::int64_t(listed_.size());
    for (std::int64_t k = 0, last; k < listed; k = last) {
      last = std::min(listed, std::max(2 * k, round));
      if (k > 0) cover();
      draw_round(k, last);
    }
  }
}

// The clusters of some instances that may be seen.
void VisibilityBuffer::list(const Frustum& frustum, std::size_t first, std::size_t end) {
  const auto count = std::int64_t(end - first);
  std::vector<std::vector<Listed>> parts((count + AT_ONCE - 1) / AT_ONCE);
  parallel_ranges(count, AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t k = from; k < to; ++k)
      list_instance(frustum, std::uint32_t(first + std::size_t(k)), parts[from / AT_ONCE]);
  });
  listed_.clear();
  for (const auto& part : parts) listed_.insert(listed_.end(), part.begin(), part.end());
}

void VisibilityBuffer::list_instance(const Frustum& frustum, std::uint32_t number, std::vector<Listed>& found) const {
  const Instance& instance = instances_[number];
  if (covers_ && hidden(instance.sphere_C)) return;
  const std::vector<Sphere>& spheres = instance.clusters->spheres;
  const std::size_t start = found.size();
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    const Sphere sphere{instance.X_C * spheres[k].middle, spheres[k].radius * instance.scale};
    if (frustum.misses(sphere) || (covers_ && hidden(sphere))) continue;
    found.push_back({number, std::int32_t(k), sphere});
  }
  if (found.size() - start < SORTED) return;
  std::stable_sort(found.begin() + std::ptrdiff_t(start), found.end(), [](const Listed& a, const Listed& b) {
    return a.sphere_C.middle.x - a.sphere_C.radius < b.sphere_C.middle.x - b.sphere_C.radius;
  });
}

// Who draws what does not matter: the nearest counts, and of equals that of the lower name.
void VisibilityBuffer::draw_round(std::int64_t first, std::int64_t last) {
  std::atomic<std::int64_t> next{first}, drawn{0};
  parallel_blocks(layers_, [&](std::int64_t number) {
    std::int64_t own = 0;
    for (std::int64_t n; (n = next.fetch_add(TAKEN, std::memory_order_relaxed)) < last;)
      for (std::int64_t k = n; k < std::min(n + TAKEN, last); ++k) {
        if (k + 1 < last) fetch(listed_[k + 1]);
        if (first == 0 || !hidden(listed_[k].sphere_C)) draw_cluster(int(number), listed_[k]), ++own;
      }
    drawn += own;
  });
  drawn_ += drawn;
}

// Have the corners of a cluster brought into the cache while another is drawn.
void VisibilityBuffer::fetch(const Listed& item) const {
  constexpr int LINE = 16;  // numbers
  const LevelClusters& clusters = *instances_[item.instance].clusters;
  if (clusters.corners.empty()) return;
  const float* corners = clusters.corners_of(item.cluster);
  for (int k = 0; k < 9 * CLUSTER; k += LINE) __builtin_prefetch(corners + k);
}

void VisibilityBuffer::draw_cluster(int number, const Listed& item) {
  const Instance& instance = instances_[item.instance];
  const LevelClusters& clusters = *instance.clusters;
  const int count = clusters.triangles_in(item.cluster);
  const std::uint32_t name = (instance.first_cluster + std::uint32_t(item.cluster)) << NAME_BITS;
  if (!clusters.corners.empty())
    return raster_->draw(clusters.corners_of(item.cluster), count, instance.X_C, name, layer(number));
  alignas(32) float corners[9 * CLUSTER];
  gather_corners(clusters_.scene().mesh(instance.row), &clusters.order[item.cluster * CLUSTER], count, corners);
  raster_->draw(corners, count, instance.X_C, name, layer(number));
}

void VisibilityBuffer::cover() {
  const std::int64_t width = view_->width, rows = view_->rows(), across = tiles(width);
  covered_.resize(tiles(rows) * across);
  covers_ = true;
  parallel_blocks(tiles(rows), [&](std::int64_t j) {
    float* least = &covered_[j * across];
    std::fill_n(least, across, std::numeric_limits<float>::infinity());
    std::vector<float> best(width);
    for (std::int64_t y = j * TILE; y < std::min((j + 1) * TILE, rows); ++y) {
      std::copy_n(nearness_.get() + y * width, width, best.data());
      for (int k = 1; k < layers_; ++k) {
        const float* other = layer(k).value + y * width;
        for (std::int64_t x = 0; x < width; ++x) best[x] = std::max(best[x], other[x]);
      }
      for (std::int64_t x = 0; x < width; ++x) least[x / TILE] = std::min(least[x / TILE], best[x]);
    }
  });
}

bool VisibilityBuffer::hidden(const Sphere& s) const {
  const double nearest = s.middle.x - s.radius, farthest = s.middle.x + s.radius;
  if (nearest <= NEAR) return false;
  const auto [x, y, z] = s.middle;
  const double left = std::max((y + s.radius) / nearest, (y + s.radius) / farthest);
  const double right = std::min((y - s.radius) / nearest, (y - s.radius) / farthest);
  const double up = std::max((z + s.radius) / nearest, (z + s.radius) / farthest);
  const double down = std::min((z - s.radius) / nearest, (z - s.radius) / farthest);
  const View& v = *view_;
  const double half_w = 0.5 * double(v.width), half_h = 0.5 * double(v.height) - double(v.top);
  const double x0 = std::max(half_w - left * v.focal - 1.0, 0.0);
  const double x1 = std::min(half_w - right * v.focal + 1.0, double(v.width) - 1.0);
  const double y0 = std::max(half_h - up * v.focal - 1.0, 0.0);
  const double y1 = std::min(half_h - down * v.focal + 1.0, double(v.rows()) - 1.0);
  if (!(x0 <= x1 && y0 <= y1)) return true;
  for (std::int64_t j = std::int64_t(y0) / TILE; j <= std::int64_t(y1) / TILE; ++j)
    for (std::int64_t i = std::int64_t(x0) / TILE; i <= std::int64_t(x1) / TILE; ++i)
      if (covered_[j * tiles(v.width) + i] * nearest <= 1) return false;
  return true;
}

void VisibilityBuffer::nearest(std::int64_t at, int count, float* nearness, std::uint32_t* name) const {
  std::copy_n(nearness_.get() + at, count, nearness);
  std::copy_n(name_.get() + at, count, name);
  for (int k = 1; k < layers_; ++k) {
    const float* __restrict nears = nearness_.get() + k * layer_size() + at;
    const std::uint32_t* __restrict names = name_.get() + k * layer_size() + at;
    for (int n = 0; n < count; ++n) {
      const bool better = (nears[n] > nearness[n]) | ((nears[n] == nearness[n]) & (names[n] < name[n]));
      nearness[n] = better ? nears[n] : nearness[n];
      name[n] = better ? names[n] : name[n];
    }
  }
}

void VisibilityBuffer::nearest_at(std::int64_t pixel, float& nearness, std::uint32_t& name) const {
  nearness = nearness_[pixel], name = name_[pixel];
  for (int k = 1; k < layers_; ++k) {
    const std::int64_t at = k * layer_size() + pixel;
    if (nearness_[at] > nearness || (nearness_[at] == nearness && name_[at] < name))
      nearness = nearness_[at], name = name_[at];
  }
}

// A look-up of all of them, then the next one: so they are waited for together where they are not in the cache.
void VisibilityBuffer::find_triangles(const std::uint32_t* name, int count, SeenTriangles& out) const {
  const SceneTables& scene = clusters_.scene();
  const Instance* instance[SeenTriangles::MOST];
  out.count = 0;
  for (int n = 0; n < count; ++n) {
    if (name[n] == NO_TRIANGLE) {
      out.of[n] = -1;
      continue;
    }
    // Neighbours often see the same triangle.
    if (n == 0 || name[n] != name[n - 1]) out.name[out.count++] = name[n];
    out.of[n] = out.count - 1;
  }
  for (int k = 0; k < out.count; ++k) {
    instance[k] = &instances_[instance_of_[out.name[k] >> NAME_BITS]];
    __builtin_prefetch(instance[k]);
  }
  for (int k = 0; k < out.count; ++k) {
    const std::vector<std::int32_t>& order = instance[k]->clusters->order;
    const auto cluster = std::size_t((out.name[k] >> NAME_BITS) - instance[k]->first_cluster);
    const std::size_t place = cluster * CLUSTER + (out.name[k] & (CLUSTER - 1));
    if (place >= order.size()) throw std::invalid_argument("the scene has changed since the picture was drawn");
    out.triangle[k] = {instance[k]->row, order[place]};
    out.mesh[k] = &scene.mesh(instance[k]->row);
  }
  for (int k = 0; k < out.count; ++k) __builtin_prefetch(out.mesh[k]->faces[out.triangle[k].face]);
  for (int k = 0; k < out.count; ++k)
    for (const std::uint32_t corner : out.mesh[k]->faces[out.triangle[k].face])
      __builtin_prefetch(&out.mesh[k]->vertices[corner]);
  for (int k = 0; k < out.count; ++k) out.normal[k] = flat_normal(scene, out.triangle[k].row, out.triangle[k].face);
}

void VisibilityBuffer::resolve(Array<const float, -1, 3> directions_C, Array<const float, -1> far,
                               Array<const std::int32_t, -1> pixel, Array<float, -1> distance,
                               Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive,
                               Array<float, -1, 3> normal, Array<bool, -1> back) {
  constexpr int AT_ONCE = SeenTriangles::MOST;
  constexpr float INF = std::numeric_limits<float>::infinity();
  need(is_drawn(), "nothing was drawn");
  const std::int64_t count = directions_C.size(), skip = view_->top * view_->width;
  need_size(far, count, "far"), need_size(pixel, count, "pixel"), need_size(distance, count, "distance");
  need_size(row, count, "row"), need_size(primitive, count, "primitive");
  need_size(normal, count, "normal"), need_size(back, count, "back");
  parallel_ranges(count, 8 * AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    const auto seen = std::make_unique_for_overwrite<SeenTriangles>();
    std::uint32_t name[AT_ONCE];
    Vec3d normal_C[AT_ONCE];
    for (std::int64_t first = from; first < to; first += AT_ONCE) {
      const std::int64_t last = std::min(first + AT_ONCE, to);
      for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t at = pixel[i] - skip;
        if (at < 0 || at >= view_->pixels()) throw std::invalid_argument("pixel: is not in the view");
        float near;
        nearest_at(at, near, name[i - first]);
        const float away = near > 0 ? 1.0f / (near * directions_C(i, 0)) : INF;
        distance[i] = away <= far[i] ? away : INF;
        if (std::isinf(distance[i])) name[i - first] = NO_TRIANGLE;
      }
      find_triangles(name, int(last - first), *seen);
      for (int k = 0; k < seen->count; ++k)
        normal_C[k] = transposed_times(view_->R_WC, as<double>(seen->normal[k]));
      for (std::int64_t i = first; i < last; ++i) {
        const int k = seen->of[i - first];
        row[i] = k < 0 ? -1 : seen->triangle[k].row, primitive[i] = k < 0 ? -1 : seen->triangle[k].face;
        vec3(normal[i]) = k < 0 ? Vec3f{} : seen->normal[k];
        back[i] = k >= 0 && dot(normal_C[k], as<double>(vec3(directions_C[i]))) > 0;
      }
    }
  });
}

}  // namespace volery
