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
constexpr int NAME_BITS = 7;  // a name is the number of the cluster in the list, and in so many bits the triangle's own
static_assert(CLUSTER == 1 << NAME_BITS);
constexpr std::int64_t ALONE = 512;  // pixels: so few are quicker on one thread
constexpr std::int64_t TAKEN = 4;    // clusters that a thread takes at a time
constexpr int MOST_LAYERS = 16;

std::int64_t tiles(std::int64_t pixels) { return (pixels + TILE - 1) / TILE; }

struct InView {
  double distance;
  std::int32_t object, row;
};

// The instances that may be seen, nearest first. What is at the same distance comes in an order that does not hang on
// what came first into the world.
std::vector<InView> instances_in_view(const ClusterTable& clusters, const View& view, const Frustum& frustum,
                                      const VisibilityBuffer::Query& query) {
  const SceneTables& scene = clusters.scene();
  std::vector<InView> found;
  for (const std::int32_t row : clusters.rows()) {
    if ((scene.mask(row) & query.mask) == 0) continue;
    if (query.ignored_group >= 0 && scene.group(row) == query.ignored_group) continue;
    const Posed X_C = pose_in_camera(view, scene.X_W(row));
    const Sphere& own = clusters.of_row(row).around;
    const Sphere sphere{X_C * own.middle, own.radius * largest_scale(X_C)};
    if (!frustum.misses(sphere)) found.push_back({norm(sphere.middle), scene.object(row), row});
  }
  std::sort(found.begin(), found.end(), [](const InView& a, const InView& b) {
    return a.distance != b.distance ? a.distance < b.distance
           : a.object != b.object   ? a.object < b.object
                                    : a.row < b.row;
  });
  return found;
}

}  // namespace

bool VisibilityBuffer::list(const View& view, const Query& query) {
  const Frustum frustum(view, query.far);
  const std::vector<InView> instances = instances_in_view(clusters_, view, frustum, query);
  if (std::int64_t(instances.size()) > query.most_clusters) return false;
  listed_.clear();
  for (const InView& instance : instances) {
    const MeshClusters& mesh = clusters_.cut(instance.row);
    const Posed X_C = pose_in_camera(view, clusters_.scene().X_W(instance.row));
    const double scale = largest_scale(X_C);
    for (std::size_t k = 0; k < mesh.spheres.size(); ++k) {
      const Sphere sphere{X_C * mesh.spheres[k].middle, mesh.spheres[k].radius * scale};
      if (frustum.misses(sphere)) continue;
      if (std::int64_t(listed_.size()) == query.most_clusters) return false;
      listed_.push_back({instance.row, std::int32_t(k), sphere});
    }
  }
  need(listed_.size() < (std::size_t(1) << (32 - NAME_BITS)), "view: there are too many triangles in it");
  std::stable_sort(listed_.begin(), listed_.end(), [](const Listed& a, const Listed& b) {
    return a.sphere_C.middle.x - a.sphere_C.radius < b.sphere_C.middle.x - b.sphere_C.radius;
  });
  return true;
}

bool VisibilityBuffer::draw(const View& view, double far, std::uint32_t mask, std::int32_t ignored_group,
                            std::int64_t most_clusters, std::int64_t first_round) {
  need(first_round > 0, "first_round: must be above 0");
  const Query query{far, mask, ignored_group, most_clusters};
  if (!list(view, query)) return false;
  view_ = std::make_unique<View>(view);
  raster_ = std::make_unique<Rasteriser>(view);
  layers_ = view.pixels() < ALONE ? 1 : std::min(threads(), MOST_LAYERS);
  if (layers_ * view.pixels() > room_) {
    room_ = layers_ * view.pixels();
    nearness_ = std::make_unique_for_overwrite<float[]>(room_);
    name_ = std::make_unique_for_overwrite<std::uint32_t[]>(room_);
  }
  // In rounds, each twice as long as all before it: what those hide, the next ones need not draw.
  const auto count = std::int64_t(listed_.size());
  for (std::int64_t first = 0, last = std::min(first_round, count);; last = std::min(2 * last, count)) {
    draw_round(first, last);
    if (last >= count) return true;
    cover();
    first = last;
  }
}

// Who draws what does not matter: the nearest counts, and of equals that of the lower name.
void VisibilityBuffer::draw_round(std::int64_t first, std::int64_t last) {
  std::atomic<std::int64_t> next{first};
  parallel_blocks(layers_, [&](std::int64_t number) {
    // What is seen there is not asked where nothing is near.
    if (first == 0) std::fill_n(layer(int(number)).nearness, view_->pixels(), 0.0f);
    for (std::int64_t n; (n = next.fetch_add(TAKEN, std::memory_order_relaxed)) < last;)
      for (std::int64_t k = n; k < std::min(n + TAKEN, last); ++k)
        if (first == 0 || !hidden(listed_[k].sphere_C)) draw_layer(int(number), k);
  });
}

void VisibilityBuffer::draw_layer(int number, std::int64_t k) {
  const Listed& item = listed_[k];
  const SceneTables& scene = clusters_.scene();
  raster_->draw(scene.mesh(item.row), clusters_.of_row(item.row), item.cluster,
                pose_in_camera(*view_, scene.X_W(item.row)), std::uint32_t(k) << NAME_BITS, layer(number));
}

void VisibilityBuffer::cover() {
  const std::int64_t width = view_->width, rows = view_->rows(), across = tiles(width);
  covered_.resize(tiles(rows) * across);
  parallel_blocks(tiles(rows), [&](std::int64_t j) {
    float* least = &covered_[j * across];
    std::fill_n(least, across, std::numeric_limits<float>::infinity());
    std::vector<float> best(width);
    for (std::int64_t y = j * TILE; y < std::min((j + 1) * TILE, rows); ++y) {
      std::copy_n(nearness_.get() + y * width, width, best.data());
      for (int k = 1; k < layers_; ++k) {
        const float* other = layer(k).nearness + y * width;
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
    const float* __restrict nears = nearness_.get() + k * view_->pixels() + at;
    const std::uint32_t* __restrict names = name_.get() + k * view_->pixels() + at;
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
    const std::int64_t at = k * view_->pixels() + pixel;
    if (nearness_[at] > nearness || (nearness_[at] == nearness && name_[at] < name))
      nearness = nearness_[at], name = name_[at];
  }
}

Triangle VisibilityBuffer::triangle(std::uint32_t name) const {
  const Listed& item = listed_[name >> NAME_BITS];  // names are those of this list
  const std::vector<std::int32_t>& order = clusters_.of_row(item.row).order;
  const std::size_t place = item.cluster * CLUSTER + (name & (CLUSTER - 1));
  if (place >= order.size()) throw std::invalid_argument("the scene has changed since the picture was drawn");
  return {item.row, order[place]};
}

void VisibilityBuffer::resolve(Array<const float, -1, 3> directions_C, Array<const float, -1> far,
                               Array<const std::int32_t, -1> pixel, Array<float, -1> distance,
                               Array<std::int32_t, -1> row, Array<std::int32_t, -1> primitive,
                               Array<float, -1, 3> normal, Array<bool, -1> back) {
  need(is_drawn(), "nothing was drawn");
  const std::int64_t count = directions_C.size(), skip = view_->top * view_->width;
  need_size(far, count, "far"), need_size(pixel, count, "pixel"), need_size(distance, count, "distance");
  need_size(row, count, "row"), need_size(primitive, count, "primitive");
  need_size(normal, count, "normal"), need_size(back, count, "back");
  parallel_ranges(count, 1024, [&](std::int64_t first, std::int64_t last) {
    std::uint32_t last_name = NO_TRIANGLE;
    Triangle seen{-1, -1};
    Vec3f n{};
    Vec3d n_C{};
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t at = pixel[i] - skip;
      if (at < 0 || at >= view_->pixels()) throw std::invalid_argument("pixel: is not in the view");
      const Vec3f& d = vec3(directions_C[i]);
      float near;
      std::uint32_t name;
      nearest_at(at, near, name);
      const float away = near > 0 ? 1.0f / (near * d.x) : std::numeric_limits<float>::infinity();
      if (!(away <= far[i]) || std::isinf(away)) {
        distance[i] = std::numeric_limits<float>::infinity();
        row[i] = primitive[i] = -1, back[i] = false, vec3(normal[i]) = {};
        continue;
      }
      // Neighbours mostly see the same triangle.
      if (name != last_name) {
        last_name = name, seen = triangle(name);
        n = flat_normal(clusters_.scene(), seen.row, seen.face);
        n_C = transposed_times(view_->R_WC, as<double>(n));
      }
      distance[i] = away, row[i] = seen.row, primitive[i] = seen.face, vec3(normal[i]) = n;
      back[i] = dot(n_C, as<double>(d)) > 0;
    }
  });
}

}  // namespace volery
