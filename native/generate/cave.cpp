// The worms of the cave's tunnels, and what is asked of its rock.
#include <algorithm>
#include <cmath>

#include "core/noise.hpp"
#include "generate/kernels.hpp"

namespace volery {

Made<double, 2> worm(Array<const double, 3> a, Array<const double, 3> b, Array<const double, 3> low,
                     Array<const double, 3> high, std::int64_t seed) {
  const Vec3d goal = vec3(b.data);
  Vec3d p = vec3(a.data);
  const double steps = 4.0 * norm(goal - p) / STEP;
  need(steps < 1e7, "b: too far from a");
  std::vector<Vec3d> points{p};
  const auto most = std::size_t(steps) + 3;
  while (points.size() < most - 1) {
    const Vec3d to = goal - p;
    const double far = norm(to);
    if (far <= 1.2 * STEP) break;
    Vec3d w;
    for (int k = 0; k < 3; ++k) w[k] = perlin3(p.x / 11.0, p.y / 11.0, p.z / 11.0, seed + k);
    w.z *= 0.5;
    const Vec3d d = 0.6 * to / far + 0.4 * w / (norm(w) + 1e-9);
    p += STEP * d / norm(d);
    for (int k = 0; k < 3; ++k) p[k] = std::min(std::max(p[k], low[k]), high[k]);
    points.push_back(p);
  }
  points.push_back(goal);
  // Tunnels are carved along every second point; the others come to lie on their axes.
  for (std::size_t n = 1; n + 1 < points.size(); n += 2) points[n] = 0.5 * (points[n - 1] + points[n + 1]);
  std::vector<double> flat;
  for (const Vec3d& q : points) flat.insert(flat.end(), {q.x, q.y, q.z});
  return {std::move(flat), {points.size(), 3}};
}

Made<double> worm_radii(Array<const double, -1, 3> axis, double low, double high, std::int64_t seed) {
  std::vector<double> r;
  for (std::int64_t n = 0; n < axis.size(); ++n) {
    const double u = 0.45 + 1.1 * perlin3(axis(n, 0) / 13.0, axis(n, 1) / 13.0, axis(n, 2) / 13.0, seed);
    r.push_back(low + (high - low) * std::min(std::max(u, 0.0), 1.0));
  }
  return Made<double>(std::move(r));
}

CaveField cave_field(Table<const CaveCapsule> capsules, Array<const double, 3> low, Array<const double, 3> high,
                     std::int64_t seed) {
  return {capsules, vec3(low.data), vec3(high.data), seed};
}

double cave_cast(const CaveField& field, Array<const double, 3> p, Array<const double, 3> d) {
  return field.cast(vec3(p.data), vec3(d.data));
}

void cave_gradient(const CaveField& field, Array<const double, 3> p, Array<double, 3> out) {
  vec3(out.data) = field.gradient(vec3(p.data));
}

Made<double, 3> cave_sample(const CaveField& field, Array<const double, -1> x, Array<const double, -1> y,
                            Array<const double, -1> z, double voxel) {
  const std::int64_t row = y.size() * z.size();
  std::vector<double> out(x.size() * row);
  for (std::int64_t i = 0; i < x.size(); ++i)
    for (std::int64_t j = 0; j < y.size(); ++j)
      field.column(x[i], y[j], z.data, z.size(), 2.2 * voxel, out.data() + i * row + j * z.size());
  return {std::move(out), {std::size_t(x.size()), std::size_t(y.size()), std::size_t(z.size())}};
}

void cave_distances(const CaveField& field, Array<const double, -1, 3> points, Array<const double, -1, 3> around,
                    Array<double, -1> out) {
  need_size(out, points.size(), "out");
  for (std::int64_t n = 0; n < points.size(); ++n) {
    const Vec3d& p = vec3(points[n]);
    const Vec3d g = field.gradient(p);
    const double free = field.density(p), slope = norm(g);
    out[n] = free / std::max(slope, 1.0);
    if (!(free > 0.0)) continue;
    out[n] = field.cast(p, -g / std::max(slope, 1e-9));
    for (std::int64_t m = 0; m < around.size(); ++m) out[n] = field.cast(p, vec3(around[m]), out[n]);
  }
}

}  // namespace volery
