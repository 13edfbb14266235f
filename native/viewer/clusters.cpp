#include <algorithm>
#include <array>
#include <cmath>

#include "core/vec.hpp"
#include "viewer/kernels.hpp"
#include "viewer/slots.hpp"

namespace volery {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct Quadric {  // the planes of all faces at a cluster, weighted by area²: A x = b about its middle
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  Vec3d b;

  void add(const Vec3d& n, double d) {
    xx += n.x * n.x;
    xy += n.x * n.y;
    xz += n.x * n.z;
    yy += n.y * n.y;
    yz += n.y * n.z;
    zz += n.z * n.z;
    b += d * n;
  }
  // The place that keeps best to the planes, near the middle where they leave a direction free.
  Vec3d solved() const {
    const double weak = 1e-2 * (xx + yy + zz);
    if (weak == 0.0) return {};
    const double a00 = xx + weak, a11 = yy + weak, a22 = zz + weak;
    const double c00 = a11 * a22 - yz * yz, c01 = xz * yz - xy * a22, c02 = xy * yz - xz * a11;
    const double c11 = a00 * a22 - xz * xz, c12 = xy * xz - a00 * yz, c22 = a00 * a11 - xy * xy;
    const Mat3d adjugate{{{c00, c01, c02}, {c01, c11, c12}, {c02, c12, c22}}};
    return adjugate * b / (a00 * c00 + xy * c01 + xz * c02);
  }
};

std::vector<Quadric> quadrics(Places vertices, Faces faces, Array<const std::int32_t, -1> clusters,
                              Array<const double, -1, 3> middle) {
  std::vector<Quadric> all(middle.size());
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    const Vec3f &p = vec3(vertices[faces(f, 0)]), &q = vec3(vertices[faces(f, 1)]), &r = vec3(vertices[faces(f, 2)]);
    const Vec3d n = cross(as<double>(q - p), as<double>(r - p));
    for (int i = 0; i < 3; ++i) {
      const std::int32_t c = clusters[faces(f, i)];
      need(c >= 0 && c < middle.size(), "clusters: a vertex of a face has none");
      all[c].add(n, dot(n, as<double>(p) - vec3(middle[c])));
    }
  }
  return all;
}

std::int64_t floor_index(double x) { return std::abs(x) < 9e18 ? std::int64_t(std::floor(x)) : 0; }

}  // namespace

std::tuple<Made<std::int32_t>, std::int64_t> cluster(Places vertices, Faces faces, Array<const bool, -1> locked,
                                                     Array<const float, 3> low, double cell) {
  const std::int64_t n = vertices.size();
  need_vertex_count(n);
  need_size(locked, n, "locked");
  need_vertices_below(faces, n, "faces: name a vertex that is not there");
  std::vector<std::uint8_t> inside(n);
  for (std::uint32_t v : faces) inside[v] = 1;
  Slots slots(n);
  std::vector<Cell> place(n);
  std::vector<std::int32_t> out(n, -1);
  std::int32_t count = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    if (!inside[v]) continue;
    std::int64_t first = v;
    if (!locked[v]) {
      Cell& own = place[v];
      for (int i = 0; i < 3; ++i) own[i] = floor_index(double(vertices(v, i) - low[i]) / cell);
      first = slots.first(own[0], own[1], own[2], std::int32_t(v), [&](std::int32_t w) { return place[w] == own; });
    }
    out[v] = first == v ? count++ : out[first];
  }
  return {Made<std::int32_t>(std::move(out)), count};
}

Made<double, 2> solve_clusters(Places vertices, Faces faces, Array<const std::int32_t, -1> clusters,
                               Array<const double, -1, 3> middle, Array<const bool, -1> locked, double reach) {
  need_vertices_below(faces, vertices.size(), "faces: name a vertex that is not there");
  need_size(clusters, vertices.size(), "clusters");
  need_size(locked, middle.size(), "locked");
  const std::vector<Quadric> all = quadrics(vertices, faces, clusters, middle);
  std::vector<double> out(middle.begin(), middle.end());
  for (std::int64_t c = 0; c < middle.size(); ++c) {
    if (locked[c]) continue;
    const Vec3d move = all[c].solved();
    const double far = norm(move);
    if (far > 0.0) vec3(&out[3 * c]) += std::min(1.0, reach / far) * move;
  }
  return {std::move(out), {std::size_t(middle.size()), 3}};
}

std::tuple<Made<std::uint32_t, 2>, Made<std::int32_t>> coarse_faces(Faces faces,
                                                                    Array<const std::int32_t, -1> clusters) {
  need_vertex_count(faces.size());
  need_vertices_below(faces, clusters.size(), "faces: name a vertex that is not there");
  Slots slots(faces.size());
  std::vector<std::uint32_t> turned;
  std::vector<std::int32_t> which;
  turned.reserve(3 * faces.size());
  which.reserve(faces.size());
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    std::int32_t a = clusters[faces(f, 0)], b = clusters[faces(f, 1)], c = clusters[faces(f, 2)];
    if (a == b || b == c || c == a) continue;
    if (b < a && b < c) std::tie(a, b, c) = std::make_tuple(b, c, a);
    else if (c < a && c < b) std::tie(a, b, c) = std::make_tuple(c, a, b);
    const std::uint32_t own[] = {std::uint32_t(a), std::uint32_t(b), std::uint32_t(c)};
    const auto next = std::int32_t(which.size());
    const auto same = [&](std::int32_t g) { return std::equal(own, own + 3, &turned[3 * g]); };
    if (slots.first(a, b, c, next, same) != next) continue;
    turned.insert(turned.end(), own, own + 3);
    which.push_back(std::int32_t(f));
  }
  const std::size_t count = which.size();
  return {Made<std::uint32_t, 2>(std::move(turned), {count, 3}), Made<std::int32_t>(std::move(which))};
}

Made<double, 2> means(Array<const double, -1, 3> rows, Array<const std::int32_t, -1> clusters, std::int64_t count) {
  need_vertex_count(count);
  need_size(clusters, rows.size(), "clusters");
  std::vector<double> out(3 * count), members(count);
  for (std::int64_t v = 0; v < rows.size(); ++v) {
    const std::int32_t c = clusters[v];
    if (c < 0) continue;
    need(c < count, "clusters: there is a higher number than count");
    members[c] += 1.0;
    vec3(&out[3 * c]) += vec3(rows[v]);
  }
  for (std::int64_t n = 0; n < 3 * count; ++n) out[n] /= std::max(members[n / 3], 1.0);
  return {std::move(out), {std::size_t(count), 3}};
}

}  // namespace volery
