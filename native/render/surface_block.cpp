#include "render/surface_block.hpp"

#include <algorithm>
#include <cmath>

namespace volery {
namespace {

// Cosine between the corners' normals and that towards the eye below which a surface is seen from behind. Where they are
// square to each other, the triangle only hides the gap beside a surface, and looks like that (skirts of ground).
constexpr float SEEN_BEHIND = -0.4f;

// What a triangle's corners blend by: the first corner in L; gradients of the shares of the second and the third; the
// first one's normal, and by how much those of the others differ; colours likewise.
struct Blend {
  Vec3f corner, second, third;
  Vec3f normal, normal_second, normal_third;
};

Blend blend_of(const SurfaceTable& surfaces, const Vec3d& origin_W, std::int32_t row, std::int32_t face) {
  const SceneTables& scene = surfaces.scene();
  const MeshView& mesh = scene.mesh(row);
  const Vec3f* normals = surfaces.corner_normals(scene.mesh_number(row));
  const Mat3f& N = scene.normal(row);
  const auto& f = mesh.faces[face];
  const Vec3f a = mesh.vertices[f[0]], u = mesh.vertices[f[1]] - a, v = mesh.vertices[f[2]] - a;
  const float uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
  const float scale = 1.0f / std::max(uu * vv - uv * uv, 1e-20f);
  const Vec3f p = N * normals[f[0]];
  // Gradients, like normals, turn by the inverse transposed.
  return {as<float>(scene.X_W(row) * as<double>(a) - origin_W),
          N * ((vv * u - uv * v) * scale),
          N * ((uu * v - uv * u) * scale),
          p,
          N * normals[f[1]] - p,
          N * normals[f[2]] - p};
}

void find_materials(const SurfaceTable& surfaces, SurfaceBlock& b) {
  std::int32_t last_row = -1;
  const MeshView* mesh = nullptr;
  for (int n = 0; n < b.count; ++n) {
    if (b.row[n] != last_row) {
      last_row = b.row[n];
      mesh = &surfaces.mesh(last_row);
    }
    b.mesh[n] = surfaces.scene().mesh_number(last_row);
    b.material[n] = surfaces.material_of(*mesh, b.primitive[n]);
    const MaterialRow& m = surfaces.material(b.material[n]);
    b.thin[n] = m.thin, b.gloss[n] = m.gloss;
    b.r[n] = m.colour.x, b.g[n] = m.colour.y, b.b[n] = m.colour.z;
  }
}

// Have what `smooth_all` will look up brought into the cache: all faces, then all corners, so that they are waited for
// together.
void fetch_smooth(const SurfaceTable& surfaces, const SurfaceBlock& b) {
  const auto is_smooth = [&](int n) { return b.thin[n] <= 0 && surfaces.corner_normals(b.mesh[n]); };
  const SceneTables& scene = surfaces.scene();
  for (int n = 0; n < b.count; ++n)
    if (is_smooth(n)) __builtin_prefetch(scene.mesh_by_number(b.mesh[n]).faces[b.primitive[n]]);
  for (int n = 0; n < b.count; ++n) {
    if (!is_smooth(n)) continue;
    const MeshView& mesh = scene.mesh_by_number(b.mesh[n]);
    for (const std::uint32_t corner : mesh.faces[b.primitive[n]])
      __builtin_prefetch(&mesh.vertices[corner]), __builtin_prefetch(&surfaces.corner_normals(b.mesh[n])[corner]);
  }
}

void smooth_all(const SurfaceTable& surfaces, const Vec3d& origin_W, SurfaceBlock& b) {
  fetch_smooth(surfaces, b);
  for (int first = 0, last; first < b.count; first = last) {
    last = first + 1;
    // Neighbours mostly see the same triangle.
    while (last < b.count && b.row[last] == b.row[first] && b.primitive[last] == b.primitive[first]) ++last;
    // Leaves are flat.
    if (b.thin[first] <= 0 && surfaces.corner_normals(b.mesh[first]))
      smooth_triangle(surfaces, origin_W, b.row[first], b.primitive[first], first, last, b);
  }
}

}  // namespace

void SurfaceBlock::load(const SurfaceTable& surfaces, const TracedRays& rays, std::int64_t first, std::int64_t last,
                        float coarse) {
  count = 0;
  for (std::int64_t i = first; i < last; ++i)
    if (rays.row(i) >= 0) add(rays, i, int(i - first), coarse);
  finish(surfaces, rays);
}

void SurfaceBlock::load(const SurfaceTable& surfaces, const TracedRays& rays, const std::int64_t* chosen, int number) {
  count = 0;
  for (int k = 0; k < number; ++k)
    if (rays.row(chosen[k]) >= 0) add(rays, chosen[k], k, 1.0f);
  finish(surfaces, rays);
}

inline void SurfaceBlock::add(const TracedRays& rays, std::int64_t i, int place, float coarse) {
  const int n = count++;
  ray[n] = std::int32_t(i), slot[n] = place, row[n] = rays.row(i), primitive[n] = rays.primitive(i);
  const float t = rays.distance(i);
  const Vec3d d = rays.direction_W(i), p = as<double>(rays.start_L(i)) + d * double(t);
  const Vec3f normal = rays.facing_normal_W(i);
  dx[n] = float(d.x), dy[n] = float(d.y), dz[n] = float(d.z);
  x[n] = float(p.x), y[n] = float(p.y), z[n] = float(p.z);
  nx[n] = normal.x, ny[n] = normal.y, nz[n] = normal.z;
  path[n] = t, away[n] = float(norm(p - rays.eye_L())), detail[n] = away[n] * coarse;
}

void SurfaceBlock::finish(const SurfaceTable& surfaces, const TracedRays& rays) {
  find_materials(surfaces, *this);
  smooth_all(surfaces, rays.origin_W(), *this);
}

void smooth_triangle(const SurfaceTable& surfaces, const Vec3d& origin_W, std::int32_t row, std::int32_t face,
                     int first, int last, SurfaceBlock& b) {
  const Blend t = blend_of(surfaces, origin_W, row, face);
  alignas(32) float seconds[BLOCK], thirds[BLOCK];
  for (int n = first; n < last; ++n) {
    const float x = b.x[n] - t.corner.x, y = b.y[n] - t.corner.y, z = b.z[n] - t.corner.z;
    const float second = std::clamp(t.second.x * x + t.second.y * y + t.second.z * z, 0.0f, 1.0f);
    const float third = std::min(std::max(t.third.x * x + t.third.y * y + t.third.z * z, 0.0f), 1.0f - second);
    seconds[n] = second, thirds[n] = third;
    const float u = t.normal.x + second * t.normal_second.x + third * t.normal_third.x;
    const float v = t.normal.y + second * t.normal_second.y + third * t.normal_third.y;
    const float w = t.normal.z + second * t.normal_second.z + third * t.normal_third.z;
    const float square = u * u + v * v + w * w;
    const float length = 1.0f / std::sqrt(std::max(square, 1e-18f));
    const float along = (u * b.nx[n] + v * b.ny[n] + w * b.nz[n]) * length;
    const float scale = along < SEEN_BEHIND ? -length : length;
    const bool good = square > 1e-18f;
    b.nx[n] = good ? u * scale : b.nx[n];
    b.ny[n] = good ? v * scale : b.ny[n];
    b.nz[n] = good ? w * scale : b.nz[n];
  }
  const SceneTables& scene = surfaces.scene();
  const Vec3f* colours = surfaces.corner_colours(scene.mesh_number(row));
  if (!colours) return;
  const auto& f = scene.mesh(row).faces[face];
  const Vec3f own = colours[f[0]], to_second = colours[f[1]] - own, to_third = colours[f[2]] - own;
  for (int n = first; n < last; ++n) {
    b.r[n] = own.x + seconds[n] * to_second.x + thirds[n] * to_third.x;
    b.g[n] = own.y + seconds[n] * to_second.y + thirds[n] * to_third.y;
    b.b[n] = own.z + seconds[n] * to_second.z + thirds[n] * to_third.z;
  }
}

}  // namespace volery
