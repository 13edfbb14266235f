// The wood of limbs: tubes round polylines.
#include <cmath>

#include "core/vec.hpp"
#include "generate/kernels.hpp"

namespace volery {
namespace {

Vec3d unit_or_zero(const Vec3d& v) { return v / (norm(v) + 1e-12); }

// A unit vector across a direction, level unless the direction is upright.
Vec3d sideways(const Vec3d& d) {
  const Vec3d up = std::abs(d.z) < 0.95 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
  return unit_or_zero(cross(up, d));
}

Vec3d direction(const double* points, std::int64_t ring, std::int64_t rings) {
  const auto p = [&](std::int64_t k) { return vec3(points + 3 * k); };
  if (ring == 0) return unit_or_zero(p(1) - p(0));
  if (ring + 1 == rings) return unit_or_zero(p(ring) - p(ring - 1));
  return unit_or_zero(0.5 * (p(ring + 1) - p(ring - 1)));
}

}  // namespace

std::tuple<Made<float, 2>, Made<std::uint32_t, 2>, Made<float, 2>> wood_tubes(
    Array<const double, -1, -1, 3> points, Array<const double, -1, -1, -1> radii, Array<const double, -1, 2> corners) {
  const std::int64_t limbs = points.shape[0], rings = points.shape[1], sides = corners.size();
  need(radii.shape[0] == limbs && radii.shape[1] == rings, "radii: must be those of the points");
  need(radii.shape[2] == sides || radii.shape[2] == 1, "radii: must be one for each corner, or one for all");
  need(rings > 1 && sides > 2, "points: a tube has two rings or more, of three corners or more");
  const std::size_t count = std::size_t(limbs * rings * sides);
  std::vector<float> vertices, normals;
  std::vector<std::uint32_t> faces;
  vertices.reserve(3 * count), normals.reserve(3 * count), faces.reserve(6 * count);
  for (std::int64_t limb = 0; limb < limbs; ++limb) {
    const double* own = points[limb];
    Vec3d u{};
    for (std::int64_t ring = 0; ring < rings; ++ring) {
      const Vec3d d = direction(own, ring, rings);
      u = ring == 0 ? sideways(d) : unit_or_zero(u - dot(u, d) * d);
      const Vec3d w = cross(d, u);
      for (std::int64_t side = 0; side < sides; ++side) {
        const Vec3d n = corners(side, 0) * u + corners(side, 1) * w;
        const Vec3d p = vec3(own + 3 * ring) + radii(limb, ring, radii.shape[2] == 1 ? 0 : side) * n;
        for (int k = 0; k < 3; ++k) vertices.push_back(float(p[k])), normals.push_back(float(n[k]));
        if (ring + 1 == rings) continue;
        const auto i = std::uint32_t((limb * rings + ring) * sides + side), s = std::uint32_t(sides);
        const std::uint32_t j = side + 1 == sides ? i + 1 - s : i + 1;
        faces.insert(faces.end(), {i, j, j + s, i, j + s, i + s});
      }
    }
  }
  const std::size_t triangles = faces.size() / 3;
  return {Made<float, 2>{std::move(vertices), {count, 3}}, Made<std::uint32_t, 2>{std::move(faces), {triangles, 3}},
          Made<float, 2>{std::move(normals), {count, 3}}};
}

}  // namespace volery
