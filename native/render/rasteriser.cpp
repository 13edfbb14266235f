#include "render/rasteriser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volery {
namespace {

constexpr std::int64_t WIDE = 12;  // pixels from which on the ends of a row inside of a triangle are computed

}  // namespace

Rasteriser::Rasteriser(const View& view) : view_(view), ys_(view.width), zs_(view.rows()) {
  for (std::int64_t x = 0; x < view.width; ++x) ys_[x] = view.column_y(x);
  for (std::int64_t y = view.top; y < view.bottom; ++y) zs_[y - view.top] = view.row_z(y);
}

// A cluster in C and in the picture.
struct Rasteriser::Placed : PlacedCluster {
  alignas(32) float corner[9][CLUSTER];  // x, y, z in C of each of the three

  Placed(const float* corners, int count, const Posed& X_C, const View& view) : PlacedCluster(count) {
    const auto focal = float(view.focal);
    const float half_w = 0.5f * float(view.width) - 0.5f, half_h = 0.5f * float(view.height) - 0.5f;
    for (int c = 0; c < 3; ++c) {
      float *const x = corner[3 * c], *const y = corner[3 * c + 1], *const z = corner[3 * c + 2];
      float* const to[3] = {x, y, z};
      move(corners + 3 * c * CLUSTER, X_C, to);
      for (int t = 0; t < lanes; ++t) {
        const float r = 1.0f / x[t];
        value[c][t] = r, u[c][t] = half_w - y[t] * (focal * r), w[c][t] = half_h - z[t] * (focal * r);
      }
    }
  }

  void cut_behind() {  // what is behind the eye has no place in the picture
    const auto near = float(NEAR);
    for (int t = 0; t < lanes; ++t) {
      const float least = least_of(corner[0][t], corner[3][t], corner[6][t]);
      const float most = most_of(corner[0][t], corner[3][t], corner[6][t]);
      state[t] = least > near ? state[t] : most > near ? CUT : OUT;
    }
  }
};

void Rasteriser::draw(const float* corners, int count, const Posed& X_C, std::uint32_t name,
                      RasterTarget target) const {
  Placed at(corners, count, X_C, view_);
  const RasterExtent extent{view_.width, view_.top, view_.bottom};
  at.find_bounds(extent);
  at.cut_behind();
  at.find_single();
  const auto& v = at.corner;
  for (int t = 0; t < count; ++t) {
    const std::int32_t state = at.state[t];
    const std::uint32_t own = name + std::uint32_t(t);
    if (state == Placed::OUT) continue;
    if (state == Placed::ONE) {
      at.draw_one(t, extent, own, target);
    } else if (state == Placed::FEW) {
      at.draw_few(t, extent, own, target);
    } else {
      const Vec3f triangle[3] = {
          {v[0][t], v[1][t], v[2][t]}, {v[3][t], v[4][t], v[5][t]}, {v[6][t], v[7][t], v[8][t]}};
      const Bounds bounds =
          state == Placed::CUT ? cut_bounds(triangle) : Bounds{at.left[t], at.right[t], at.up[t], at.down[t]};
      draw_triangle(triangle, bounds, own, target);
    }
  }
}

void Rasteriser::draw_triangle(const Vec3f* v, Bounds at, std::uint32_t name, RasterTarget target) const {
  if (!(at.left <= at.right && at.up <= at.down)) return;
  const Vec3d a = as<double>(v[0]), b = as<double>(v[1]), c = as<double>(v[2]);
  Edges e{cross(b, c), cross(c, a), cross(a, b), 0};
  const double volume = dot(a, e.a);
  if (volume == 0) return;
  if (volume < 0) e.a = -e.a, e.b = -e.b, e.c = -e.c;
  e.scale = 1.0 / std::abs(volume);
  fill(e, std::int64_t(at.left), std::int64_t(at.right), std::int64_t(at.up), std::int64_t(at.down), name, target);
}

// Pixels that the part of a triangle before the eye may cover.
Rasteriser::Bounds Rasteriser::cut_bounds(const Vec3f* v) const {
  constexpr double INF = std::numeric_limits<double>::infinity();
  Bounds at{INF, -INF, INF, -INF};
  const auto add = [&](double y, double z, double x) {
    const double u = -view_.focal * y / x, w = -view_.focal * z / x;
    at = {std::min(at.left, u), std::max(at.right, u), std::min(at.up, w), std::max(at.down, w)};
  };
  for (int i = 0; i < 3; ++i) {
    const Vec3d a = as<double>(v[i]), b = as<double>(v[(i + 1) % 3]);
    if (a.x > NEAR) add(a.y, a.z, a.x);
    if ((a.x > NEAR) != (b.x > NEAR)) {
      const double s = (NEAR - a.x) / (b.x - a.x);
      add(a.y + s * (b.y - a.y), a.z + s * (b.z - a.z), NEAR);
    }
  }
  const double half_w = 0.5 * double(view_.width) - 0.5, half_h = 0.5 * double(view_.height) - 0.5;
  return {std::max(std::ceil(at.left + half_w - 1e-3), 0.0),
          std::min(std::floor(at.right + half_w + 1e-3), double(view_.width) - 1.0),
          std::max(std::ceil(at.up + half_h - 1e-3), double(view_.top)),
          std::min(std::floor(at.down + half_h + 1e-3), double(view_.bottom) - 1.0)};
}

void Rasteriser::fill(const Edges& e, std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1,
                      std::uint32_t name, RasterTarget target) const {
  for (std::int64_t y = y0; y <= y1; ++y) {
    const double z = zs_[y - view_.top];
    const Row row{e.a.x + e.a.z * z, e.a.y, e.b.x + e.b.z * z, e.b.y, e.c.x + e.c.z * z, e.c.y, e.scale};
    const std::int64_t start = (y - view_.top) * view_.width;
    fill_row(row, x0, x1, name, {target.value + start, target.name + start});
  }
}

void Rasteriser::fill_row(const Row& row, std::int64_t x0, std::int64_t x1, std::uint32_t name,
                          RasterTarget target) const {
  if (x1 - x0 <= WIDE) return edge_pixels(row, x0, x1, name, target);
  std::int64_t first, last;
  ends(row, x0, x1, first, last);
  // What is between the ends, and two pixels from them, is inside.
  const std::int64_t within = std::min(first + 3, last + 1), beyond = std::max(last - 2, within);
  edge_pixels(row, first, within - 1, name, target);
  inner_pixels(row, within, beyond, name, target);
  edge_pixels(row, beyond, last, name, target);
}

// Those pixels of a part of a row that are inside of all three edges.
inline void Rasteriser::edge_pixels(const Row& r, std::int64_t first, std::int64_t last, std::uint32_t name,
                                    RasterTarget target) const {
  for (std::int64_t x = first; x <= last; ++x) {
    const double y = ys_[x], a = r.a0 + r.a1 * y, b = r.b0 + r.b1 * y, c = r.c0 + r.c1 * y;
    if (a >= 0 && b >= 0 && c >= 0) target.put(x, float((a + b + c) * r.scale), name);
  }
}

// A part of a row that is all inside. Written without branches, for the compiler to take several at once.
void Rasteriser::inner_pixels(const Row& r, std::int64_t first, std::int64_t end, std::uint32_t name,
                              RasterTarget target) const {
  const double start = (r.a0 + r.b0 + r.c0) * r.scale, slope = (r.a1 + r.b1 + r.c1) * r.scale;
  const double* __restrict ys = ys_.data();
  float* __restrict nearness = target.value;
  std::uint32_t* __restrict names = target.name;
  for (std::int64_t x = first; x < end; ++x) {
    const float near = float(start + slope * ys[x]), before = nearness[x];
    const std::uint32_t there = names[x];
    const bool is_new = (near > before) | ((near == before) & (name < there));
    nearness[x] = is_new ? near : before;
    names[x] = is_new ? name : there;
  }
}

// First and last pixel of a row that may be inside of the edges; a pixel more to each side.
void Rasteriser::ends(const Row& r, std::int64_t x0, std::int64_t x1, std::int64_t& first, std::int64_t& last) const {
  const double step = ys_[1] - ys_[0], edges[3][2] = {{r.a0, r.a1}, {r.b0, r.b1}, {r.c0, r.c1}};
  double from = double(x0), to = double(x1);
  for (const auto& [e0, e1] : edges) {
    const double slope = e1 * step, start = e0 + e1 * ys_[0];
    if (slope > 0)
      from = std::max(from, std::ceil(-start / slope) - 1.0);
    else if (slope < 0)
      to = std::min(to, std::floor(-start / slope) + 1.0);
  }
  const bool some = from <= to;
  first = some ? std::int64_t(from) : 0;
  last = some ? std::int64_t(to) : -1;
}

}  // namespace volery
