#include "rays/sides.hpp"

#include <bit>
#include <cmath>
#include <numeric>

#include "core/vec.hpp"

namespace volery {
namespace {

constexpr double THIN = 1e-9;  // volume below which a closed part has no inside [m³]: two sheets back to back
using Faces = Array<const std::uint32_t, -1, 3>;

// Parts of a mesh: a forest of vertices (union and find).
struct Parts {
  std::vector<std::int32_t> parent;
  explicit Parts(std::int64_t count) : parent(count) { std::iota(parent.begin(), parent.end(), 0); }
  std::int32_t find(std::int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }
};

std::size_t table_size(std::int64_t entries) { return std::bit_ceil(std::size_t(std::max<std::int64_t>(entries, 1))); }

// For each vertex the first one at its place.
std::vector<std::int32_t> weld(Array<const float, -1, 3> vertices) {
  const std::size_t size = table_size(2 * vertices.size());
  std::vector<std::int32_t> table(size, -1), first(vertices.size());
  for (std::int64_t i = 0; i < vertices.size(); ++i) {
    const float* v = vertices[i];
    std::uint64_t h = std::uint64_t(std::bit_cast<std::uint32_t>(v[0])) * 73856093u;
    h ^= std::uint64_t(std::bit_cast<std::uint32_t>(v[1])) * 19349663u;
    h = (h ^ std::uint64_t(std::bit_cast<std::uint32_t>(v[2])) * 83492791u) * 0x9E3779B97F4A7C15u;
    std::size_t k = (h >> 40) & (size - 1);
    while (table[k] >= 0 && !(vec3(vertices[table[k]]) == vec3(v))) k = (k + 1) & (size - 1);
    if (table[k] < 0) table[k] = std::int32_t(i);
    first[i] = table[k];
  }
  return first;
}

// The parts in which an edge is not walked as often in one sense as in the other.
std::vector<bool> open_parts(Faces faces, const std::vector<std::int32_t>& first, Parts& parts) {
  const std::size_t size = table_size(6 * faces.size());
  std::vector<std::int64_t> key(size, -1);
  std::vector<std::int32_t> net(size, 0);
  for (std::int64_t t = 0; t < faces.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const std::int64_t a = first[faces(t, i)], b = first[faces(t, (i + 1) % 3)];
      if (a == b) continue;
      const std::int64_t edge = (std::min(a, b) << 32) | std::max(a, b);
      std::size_t k = ((std::uint64_t(edge) * 0x9E3779B97F4A7C15u) >> 38) & (size - 1);
      while (key[k] != -1 && key[k] != edge) k = (k + 1) & (size - 1);
      key[k] = edge;
      net[k] += a < b ? 1 : -1;
    }
  }
  std::vector<bool> open(first.size(), false);
  for (std::size_t k = 0; k < size; ++k)
    if (net[k] != 0) open[parts.find(std::int32_t(key[k] >> 32))] = true;
  return open;
}

}  // namespace

void face_sides(Array<const float, -1, 3> vertices, Faces faces, Array<std::int8_t, -1> sides) {
  need_size(sides, faces.size(), "sides");
  for (const std::uint32_t corner : faces) need(corner < vertices.size(), "faces: a corner is no vertex");
  const std::vector<std::int32_t> first = weld(vertices);
  Parts parts(vertices.size());
  for (std::int64_t t = 0; t < faces.size(); ++t) {
    const std::int32_t root = parts.find(first[faces(t, 0)]);
    for (int i = 1; i < 3; ++i) parts.parent[parts.find(first[faces(t, i)])] = root;
  }
  const std::vector<bool> open = open_parts(faces, first, parts);
  std::vector<double> volume(vertices.size(), 0.0);
  for (std::int64_t t = 0; t < faces.size(); ++t) {
    const std::int32_t root = parts.find(first[faces(t, 0)]);
    const Vec3d o = as<double>(vec3(vertices[root]));
    const auto corner = [&](int i) { return as<double>(vec3(vertices[faces(t, i)])) - o; };
    volume[root] += dot(corner(0), cross(corner(1), corner(2))) / 6.0;
  }
  for (std::int64_t t = 0; t < faces.size(); ++t) {
    const std::int32_t root = parts.find(first[faces(t, 0)]);
    const bool closed = !open[root] && std::abs(volume[root]) > THIN;
    sides[t] = std::int8_t(!closed ? 0 : volume[root] > 0 ? 1 : -1);
  }
}

}  // namespace volery
