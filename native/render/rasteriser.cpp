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

void Rasteriser::draw(const MeshView& mesh, const MeshClusters& clusters, std::int64_t cluster, const Posed& X_C,
                      std::uint32_t name, RasterTarget target) const {
  Pose<float> X;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) X.m[i][j] = float(X_C.m[i][j]);
  const std::int64_t count = clusters.triangles_in(cluster);
  const std::int32_t* order = &clusters.order[cluster * CLUSTER];
  Vec3f corners[3 * CLUSTER];
  for (std::int64_t t = 0; t < count; ++t)
    for (int c = 0; c < 3; ++c) corners[3 * t + c] = X * mesh.vertices[mesh.faces[order[t]][c]];
  for (std::int64_t t = 0; t < count; ++t) draw_triangle(&corners[3 * t], name + std::uint32_t(t), target);
}

void Rasteriser::draw_triangle(const Vec3f* v, std::uint32_t name, RasterTarget target) const {
  if (v[0].x < NEAR && v[1].x < NEAR && v[2].x < NEAR) return;
  const double half_w = 0.5 * double(view_.width) - 0.5, half_h = 0.5 * double(view_.height) - 0.5;
  const Bounds at = v[0].x > NEAR && v[1].x > NEAR && v[2].x > NEAR ? bounds(v) : cut_bounds(v);
  // A little wider: what is inside is said by the edges alone.
  const double x0 = std::max(std::ceil(at.left + half_w - 1e-3), 0.0);
  const double x1 = std::min(std::floor(at.right + half_w + 1e-3), double(view_.width) - 1.0);
  const double y0 = std::max(std::ceil(at.up + half_h - 1e-3), double(view_.top));
  const double y1 = std::min(std::floor(at.down + half_h + 1e-3), double(view_.bottom) - 1.0);
  if (!(x0 <= x1 && y0 <= y1)) return;
  const Vec3d a = as<double>(v[0]), b = as<double>(v[1]), c = as<double>(v[2]);
  Edges e{cross(b, c), cross(c, a), cross(a, b), 0};
  const double volume = dot(a, e.a);
  if (volume == 0) return;
  if (volume < 0) e.a = -e.a, e.b = -e.b, e.c = -e.c;
  e.scale = 1.0 / std::abs(volume);
  fill(e, std::int64_t(x0), std::int64_t(x1), std::int64_t(y0), std::int64_t(y1), name, target);
}

Rasteriser::Bounds Rasteriser::bounds(const Vec3f* v) const {
  const double ra = view_.focal / v[0].x, rb = view_.focal / v[1].x, rc = view_.focal / v[2].x;
  const double u0 = -v[0].y * ra, u1 = -v[1].y * rb, u2 = -v[2].y * rc;
  const double w0 = -v[0].z * ra, w1 = -v[1].z * rb, w2 = -v[2].z * rc;
  return {std::min(std::min(u0, u1), u2), std::max(std::max(u0, u1), u2), std::min(std::min(w0, w1), w2),
          std::max(std::max(w0, w1), w2)};
}

// Of the part of a triangle that is before the eye.
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
  return at;
}

void Rasteriser::fill(const Edges& e, std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1,
                      std::uint32_t name, RasterTarget target) const {
  for (std::int64_t y = y0; y <= y1; ++y) {
    const double z = zs_[y - view_.top];
    const Row row{e.a.x + e.a.z * z, e.a.y, e.b.x + e.b.z * z, e.b.y, e.c.x + e.c.z * z, e.c.y, e.scale};
    const std::int64_t start = (y - view_.top) * view_.width;
    fill_row(row, x0, x1, name, {target.nearness + start, target.name + start});
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
    const float near = float((a + b + c) * r.scale), before = target.nearness[x];
    if (a >= 0 && b >= 0 && c >= 0 && (near > before || (near == before && name < target.name[x]))) {
      target.nearness[x] = near;
      target.name[x] = name;
    }
  }
}

// A part of a row that is all inside. Written without branches, for the compiler to take several at once.
void Rasteriser::inner_pixels(const Row& r, std::int64_t first, std::int64_t end, std::uint32_t name,
                              RasterTarget target) const {
  const double start = (r.a0 + r.b0 + r.c0) * r.scale, slope = (r.a1 + r.b1 + r.c1) * r.scale;
  const double* __restrict ys = ys_.data();
  float* __restrict nearness = target.nearness;
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
