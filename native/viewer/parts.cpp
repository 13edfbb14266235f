#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/vec.hpp"
#include "viewer/kernels.hpp"
#include "viewer/slots.hpp"

namespace volery {
namespace {

class Roots {  // of a forest that joins vertices; the lowest of each tree
 public:
  explicit Roots(std::int64_t count) : root_(count) { std::iota(root_.begin(), root_.end(), 0); }
  std::int32_t find(std::int32_t a) {
    while (root_[a] != a) a = root_[a] = root_[root_[a]];
    return a;
  }
  std::int32_t join(std::int32_t a, std::int32_t b) {  // of roots
    root_[std::max(a, b)] = std::min(a, b);
    return std::min(a, b);
  }
  std::vector<std::int32_t> flat() && {
    for (std::int32_t& r : root_) r = root_[r];
    return std::move(root_);
  }

 private:
  std::vector<std::int32_t> root_;
};

struct Edges {  // by their lower vertex, each once, as chains
  struct Edge {
    std::int32_t follow, other, used;
  };
  std::vector<std::int32_t> head;
  std::vector<Edge> all;

  explicit Edges(std::int64_t count) : head(count, -1) {}
  void use(std::int32_t a, std::int32_t b) {
    const std::int32_t low = std::min(a, b), high = std::max(a, b);
    std::int32_t at = head[low];
    while (at >= 0 && all[at].other != high) at = all[at].follow;
    if (at < 0) {
      at = std::int32_t(all.size());
      all.push_back({head[low], high, 0});
      head[low] = at;
    }
    ++all[at].used;
  }
};

struct Leaf {
  const std::int64_t *begin, *end;  // its vertices
  Vec3d middle, axis;               // axis: unit, to the farthest vertex
  double length = 0, width = 0;     // [m]

  Leaf(Places vertices, const std::int64_t* first, const std::int64_t* last) : begin(first), end(last) {
    for (auto v = begin; v < end; ++v) middle += as<double>(vec3(vertices[*v])) / double(end - begin);
    for (auto v = begin; v < end; ++v) {
      const Vec3d d = as<double>(vec3(vertices[*v])) - middle;
      const double far = norm(d);
      if (far > length) length = far, axis = d / far;
    }
    for (auto v = begin; v < end; ++v) {
      const Vec3d d = as<double>(vec3(vertices[*v])) - middle;
      const double s = dot(d, axis);
      width = std::max(width, std::sqrt(std::max(norm2(d) - s * s, 0.0)));
    }
  }
  // Narrow leaves grow in width first, so that grass does not become taller.
  void grow(Places vertices, double share, float* out) const {
    const double slender = length / std::max(width, 1e-3 * length);
    const double longer = std::max(1.0, std::sqrt(1.0 / (share * slender))), wider = 1.0 / (share * longer);
    for (auto v = begin; v < end; ++v) {
      const Vec3d d = as<double>(vec3(vertices[*v])) - middle;
      const double s = dot(d, axis);
      vec3(out + 3 * *v) = as<float>(middle + (longer * s) * axis + wider * (d - s * axis));
    }
  }
};

}  // namespace

Made<std::int32_t> components(Faces faces, std::int64_t count) {
  need_vertex_count(count);
  need_vertices_below(faces, count, "faces: name a vertex that is not there");
  Roots roots(count);
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    std::int32_t a = roots.find(std::int32_t(faces(f, 0)));
    for (int k = 1; k < 3; ++k) a = roots.join(a, roots.find(std::int32_t(faces(f, k))));
  }
  return Made<std::int32_t>(std::move(roots).flat());
}

void rims(Faces faces, Array<bool, -1> out) {
  need_vertex_count(out.size());
  need_vertices_below(faces, out.size(), "faces: name a vertex that is not there");
  Edges edges(out.size());
  for (std::int64_t f = 0; f < faces.size(); ++f)
    for (int k = 0; k < 3; ++k) edges.use(std::int32_t(faces(f, k)), std::int32_t(faces(f, (k + 1) % 3)));
  std::fill(out.begin(), out.end(), false);
  for (std::int64_t v = 0; v < out.size(); ++v)
    for (std::int32_t at = edges.head[v]; at >= 0; at = edges.all[at].follow)
      if (edges.all[at].used == 1) out[v] = out[edges.all[at].other] = true;
}

Made<float, 2> grow(Places vertices, Array<const std::int64_t, -1> start, Array<const std::int64_t, -1> members,
                    double share) {
  for (std::int64_t v : members) need(v >= 0 && v < vertices.size(), "members: name a vertex that is not there");
  std::vector<float> out(vertices.begin(), vertices.end());
  for (std::int64_t n = 0; n + 1 < start.size(); ++n) {
    need(0 <= start[n] && start[n] <= start[n + 1] && start[n + 1] <= members.size(), "start: does not fit members");
    const Leaf leaf(vertices, members.data + start[n], members.data + start[n + 1]);
    if (leaf.length > 0.0) leaf.grow(vertices, share, out.data());
  }
  return {std::move(out), {std::size_t(vertices.size()), 3}};
}

}  // namespace volery
