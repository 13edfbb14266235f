// Marching cubes: the surface of a sampled density.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "generate/kernels.hpp"

namespace volery {
namespace {

struct Surface {
  std::vector<float> vertices, normals;
  std::unique_ptr<std::int32_t[]> number;  // of the vertex on each lattice edge that the surface cuts
};

struct Lattice {
  Array<const double, -1, -1, -1> d;
  std::vector<std::uint8_t> free;

  explicit Lattice(Array<const double, -1, -1, -1> density) : d(density), free(density.count()) {
    std::transform(d.begin(), d.end(), free.begin(), [](double v) { return v > 0.0; });
  }
  std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (i * d.shape[1] + j) * d.shape[2] + k;
  }
  std::int64_t step(int axis) const { return axis == 0 ? d.shape[1] * d.shape[2] : axis == 1 ? d.shape[2] : 1; }
  Vec3d slope(std::int64_t n) const {
    Vec3d g;
    for (int a = 0; a < 3; ++a) g[a] = d.data[n + step(a)] - d.data[n - step(a)];
    return g;
  }
};

void add_vertex(const Lattice& lattice, const std::int64_t (&place)[3], int axis, double voxel, Surface& out) {
  const std::int64_t here = lattice.at(place[0], place[1], place[2]), there = here + lattice.step(axis);
  const double d = lattice.d.data[here];
  const double t = std::min(std::max(d / (d - lattice.d.data[there]), 0.01), 0.99);
  const Vec3d a = lattice.slope(here), g = a + t * (lattice.slope(there) - a);
  const double length = norm(g) + 1e-12;
  out.number[3 * here + axis] = std::int32_t(out.vertices.size() / 3);
  for (int b = 0; b < 3; ++b) {
    const double whole = double(place[b] - 1);
    out.vertices.push_back(float((b == axis ? whole + t : whole) * voxel));
    out.normals.push_back(float(g[b] / length));
  }
}

Surface cut_edges(const Lattice& lattice, double voxel) {
  const auto& shape = lattice.d.shape;
  Surface out;
  out.number.reset(new std::int32_t[3 * lattice.d.count()]);
  std::int64_t p[3];
  for (p[0] = 1; p[0] < shape[0] - 1; ++p[0])
    for (p[1] = 1; p[1] < shape[1] - 1; ++p[1])
      for (p[2] = 1; p[2] < shape[2] - 1; ++p[2]) {
        const std::uint8_t* own = &lattice.free[lattice.at(p[0], p[1], p[2])];
        if (*own == own[lattice.step(0)] && *own == own[lattice.step(1)] && *own == own[1]) continue;
        for (int axis = 0; axis < 3; ++axis)
          if (*own != own[lattice.step(axis)] && p[axis] + 1 < shape[axis] - 1)
            add_vertex(lattice, p, axis, voxel, out);
      }
  return out;
}

// Corner = x + 2 y + 4 z, bit set: free.
int case_of(const Lattice& lattice, std::int64_t n) {
  const std::uint8_t* f = &lattice.free[n];
  const auto x = lattice.step(0), y = lattice.step(1);
  return f[0] | f[x] << 1 | f[y] << 2 | f[x + y] << 3 | f[1] << 4 | f[x + 1] << 5 | f[y + 1] << 6 | f[x + y + 1] << 7;
}

std::vector<std::uint32_t> triangles(const Lattice& lattice, const Surface& surface,
                                     Array<const std::int8_t, 256, 16> cases) {
  const auto& shape = lattice.d.shape;
  std::vector<std::uint32_t> faces;
  for (std::int64_t i = 1; i < shape[0] - 2; ++i)
    for (std::int64_t j = 1; j < shape[1] - 2; ++j)
      for (std::int64_t k = 1; k < shape[2] - 2; ++k) {
        const std::int64_t n = lattice.at(i, j, k);
        const std::int8_t* edges = cases[case_of(lattice, n)];
        for (int m = 0; m < 16 && edges[m] >= 0; ++m) {
          const int e = edges[m];
          const auto lower = n + (e & 1 ? lattice.step(0) : 0) + (e & 2 ? lattice.step(1) : 0) + (e & 4 ? 1 : 0);
          faces.push_back(std::uint32_t(surface.number[3 * lower + (e >> 3)]));
        }
      }
  return faces;
}

}  // namespace

std::tuple<Made<float, 2>, Made<float, 2>, Made<std::uint32_t, 2>> march(Array<const double, -1, -1, -1> density,
                                                                         Array<const std::int8_t, 256, 16> cases,
                                                                         double voxel) {
  for (std::int8_t edge : cases) need(edge < 24, "cases: an edge is axis · 8 + lower corner, or −1");
  const Lattice lattice(density);
  Surface surface = cut_edges(lattice, voxel);
  std::vector<std::uint32_t> faces = triangles(lattice, surface, cases);
  const std::size_t count = surface.vertices.size() / 3, face_count = faces.size() / 3;
  return {Made<float, 2>(std::move(surface.vertices), {count, 3}),
          Made<float, 2>(std::move(surface.normals), {count, 3}),
          Made<std::uint32_t, 2>(std::move(faces), {face_count, 3})};
}

}  // namespace volery
