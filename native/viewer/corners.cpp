#include <algorithm>
#include <bit>
#include <cmath>

#include "core/vec.hpp"
#include "viewer/kernels.hpp"
#include "viewer/slots.hpp"

namespace volery {
namespace {

// Faces round a corner beyond which they are not compared with each other: a fan that large is no smooth surface.
constexpr std::int32_t MOST_ROUND = 256;

struct Rounds {  // the corners at vertex v are found[start[v]] … found[start[v + 1]]
  std::vector<std::int32_t> start, found;

  Rounds(const std::vector<std::uint32_t>& corners, std::int64_t count) : start(count + 1), found(corners.size()) {
    for (std::uint32_t v : corners) ++start[v + 1];
    for (std::int64_t v = 0; v < count; ++v) start[v + 1] += start[v];
    std::vector<std::int32_t> fill(start);
    for (std::size_t c = 0; c < corners.size(); ++c) found[fill[corners[c]]++] = std::int32_t(c);
  }
};

struct FaceShapes {
  std::vector<Vec3d> normal;  // unit, or null for faces without area
  std::vector<double> angle;  // of each corner [rad]

  FaceShapes(Places vertices, Faces faces) : normal(faces.size()), angle(3 * faces.size()) {
    for (std::int64_t f = 0; f < faces.size(); ++f) {
      Vec3d e[3];
      for (int k = 0; k < 3; ++k)
        e[k] = as<double>(vec3(vertices[faces(f, (k + 1) % 3)])) - as<double>(vec3(vertices[faces(f, k)]));
      const Vec3d n = cross(e[0], e[1]);
      const double area = norm(n);
      if (area == 0.0) continue;
      normal[f] = n / area;
      for (int k = 0; k < 3; ++k) angle[3 * f + k] = std::atan2(area, -dot(e[k], e[(k + 2) % 3]));
    }
  }
};

}  // namespace

Made<std::uint32_t> weld(Places vertices) {
  need_vertex_count(vertices.size());
  const auto bits = [&](std::int64_t v, int i) { return std::bit_cast<std::int32_t>(vertices(v, i)); };
  Slots slots(vertices.size());
  std::vector<std::uint32_t> first(vertices.size());
  for (std::int64_t v = 0; v < vertices.size(); ++v)
    first[v] = slots.first(bits(v, 0), bits(v, 1), bits(v, 2), std::int32_t(v), [&](std::int32_t w) {
      return bits(w, 0) == bits(v, 0) && bits(w, 1) == bits(v, 1) && bits(w, 2) == bits(v, 2);
    });
  return Made<std::uint32_t>(std::move(first));
}

Made<float, 2> crease_normals(Places vertices, Faces faces, Corners welded, double cosine) {
  need_vertices_below(faces, vertices.size(), "faces: name a vertex that is not there");
  need_size(welded, vertices.size(), "welded");
  need_vertices_below(welded, vertices.size(), "welded: names a vertex that is not there");
  const FaceShapes shapes(vertices, faces);
  std::vector<std::uint32_t> corners(faces.count());
  std::transform(faces.begin(), faces.end(), corners.begin(), [&](std::uint32_t v) { return welded[v]; });
  const Rounds rounds(corners, vertices.size());
  std::vector<float> out;
  out.reserve(3 * corners.size());
  for (std::size_t c = 0; c < corners.size(); ++c) {
    const Vec3d own = shapes.normal[c / 3];
    const std::int32_t first = rounds.start[corners[c]], last = rounds.start[corners[c] + 1];
    Vec3d sum;
    for (std::int32_t k = first; k < last && last - first <= MOST_ROUND; ++k) {
      const Vec3d& other = shapes.normal[rounds.found[k] / 3];
      if (dot(other, own) >= cosine) sum += shapes.angle[rounds.found[k]] * other;
    }
    const double size = norm(sum);
    const Vec3d n = size > 0.0 ? sum / size : own;
    out.insert(out.end(), {float(n.x), float(n.y), float(n.z)});
  }
  return {std::move(out), {corners.size(), 3}};
}

std::tuple<Made<std::uint32_t>, Made<std::int32_t>> part(Corners corners, Array<const std::int64_t, -1> keys,
                                                         std::int64_t count) {
  need_size(keys, corners.size(), "keys");
  need_vertex_count(count);
  need_vertices_below(corners, count, "corners: name a vertex that is not there");
  // New vertices at each place as a chain.
  std::vector<std::int32_t> head(count, -1), follow, source;
  std::vector<std::uint32_t> index(corners.size());
  for (std::int64_t c = 0; c < corners.size(); ++c) {
    std::int32_t at = head[corners[c]];
    while (at >= 0 && keys[source[at]] != keys[c]) at = follow[at];
    if (at < 0) {
      at = std::int32_t(source.size());
      source.push_back(std::int32_t(c));
      follow.push_back(head[corners[c]]);
      head[corners[c]] = at;
    }
    index[c] = std::uint32_t(at);
  }
  return {Made<std::uint32_t>(std::move(index)), Made<std::int32_t>(std::move(source))};
}

Made<double, 2> blend(Corners corners, Array<const double, -1, 3> values, std::int64_t count) {
  need_vertex_count(count);
  need_vertices_below(corners, count, "corners: name a vertex that is not there");
  need(corners.size() <= 3 * values.size(), "values: one for each face is needed");
  std::vector<double> total(3 * count), many(count);
  for (std::int64_t c = 0; c < corners.size(); ++c) {
    const std::uint32_t v = corners[c];
    many[v] += 1.0;
    for (int i = 0; i < 3; ++i) total[3 * v + i] += values(c / 3, i);
  }
  for (std::int64_t n = 0; n < 3 * count; ++n) total[n] /= std::max(many[n / 3], 1.0);
  return {std::move(total), {std::size_t(count), 3}};
}

Made<double> areas(Places vertices, Faces faces) {
  need_vertices_below(faces, vertices.size(), "faces: name a vertex that is not there");
  std::vector<double> out(faces.size());
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    const Vec3f &p = vec3(vertices[faces(f, 0)]), &q = vec3(vertices[faces(f, 1)]), &r = vec3(vertices[faces(f, 2)]);
    out[f] = 0.5 * norm(cross(as<double>(q - p), as<double>(r - p)));
  }
  return Made<double>(std::move(out));
}

}  // namespace volery
