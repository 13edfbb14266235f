// Levels of detail of meshes that are made of many small pieces, such as leaves, straws and twigs: which of them stay
// at a coarser level, and how much larger they are there. world/generate/detail.py says why.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vec.hpp"
#include "generate/kernels.hpp"

namespace volery {
namespace {

constexpr double GOLDEN = 0.6180339887498949;
constexpr double BROAD = 1.4;  // what triangles in place of limbs must be wider by, since leaves hide more of few wide ones
constexpr int KITE = 4, STRAW = 5;                // corners of a leaf, and of a bent straw
constexpr double LEAF_FOLD = 1.07, STRAW_FOLD = 0.93;  // a leaf is folded, a straw bent: what a triangle must be larger by

struct Piece {
  std::int64_t corner, corners, face, faces;
};

struct Foliage {
  Array<const float, -1, 3> vertices;
  Array<const std::uint32_t, -1, 3> faces;
  Array<const float, -1, 3> normals;
  Array<const std::uint8_t, -1> materials;

  Vec3d corner(std::int64_t i) const { return as<double>(vec3(vertices[i])); }

  double area(std::int64_t f) const {
    const std::uint32_t* c = faces[f];
    return 0.5 * norm(cross(corner(c[1]) - corner(c[0]), corner(c[2]) - corner(c[0])));
  }
  // Radius of the tube that is as long and has as much surface [m].
  double radius(const Piece& piece) const {
    Vec3d low = corner(piece.corner), high = low;
    for (std::int64_t i = piece.corner; i < piece.corner + piece.corners; ++i) {
      const Vec3d p = corner(i);
      for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    }
    double surface = 0.0;
    for (std::int64_t f = piece.face; f < piece.face + piece.faces; ++f) surface += area(f);
    return surface / (2 * std::numbers::pi * std::max(norm(high - low), 1e-6));
  }
  // They come one after another: a face whose corners are all beyond those before begins the next.
  std::vector<Piece> pieces() const {
    std::vector<Piece> found;
    std::uint32_t last = 0;
    for (std::int64_t f = 0; f < faces.size(); ++f) {
      const auto [low, high] = std::minmax({faces[f][0], faces[f][1], faces[f][2]});
      need(high < vertices.size(), "faces: a face names a corner that there is not");
      if (f == 0 || low > last) found.push_back({low, 0, f, 0});
      last = f == 0 ? high : std::max(last, high);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool end = i + 1 == found.size();
      found[i].corners = (end ? vertices.size() : found[i + 1].corner) - found[i].corner;
      found[i].faces = (end ? faces.size() : found[i + 1].face) - found[i].face;
    }
    return found;
  }
};

struct Thinned {
  std::vector<float> vertices, normals;
  std::vector<std::uint32_t> faces;
  std::vector<std::uint8_t> materials;

  std::uint32_t count() const { return std::uint32_t(vertices.size() / 3); }
  void corner(const Vec3d& p, const float* normal) {
    for (int k = 0; k < 3; ++k) vertices.push_back(float(p[k])), normals.push_back(normal[k]);
  }
  void triangle(const Vec3d (&corners)[3], const float* normal, std::uint8_t material) {
    const std::uint32_t first = count();
    for (int k = 0; k < 3; ++k) corner(corners[k], normal), faces.push_back(first + k);
    materials.push_back(material);
  }
};

// A leaf or a straw as one triangle that is as large, and grew round its middle.
void add_blade(Thinned& out, const Foliage& in, const Piece& piece, double growth) {
  const auto v = [&](int i) { return in.corner(piece.corner + i); };
  const bool kite = piece.corners == KITE;
  const Vec3d foot = kite ? v(0) : 0.5 * (v(0) + v(1));
  const Vec3d half = kite ? 0.5 * (v(1) - v(3)) : 0.75 * (v(1) - v(0));
  Vec3d corners[3] = {foot - half, foot + half, kite ? v(2) : v(4)};
  const Vec3d middle = (corners[0] + corners[1] + corners[2]) / 3.0;
  const double larger = (kite ? LEAF_FOLD : STRAW_FOLD) * growth;
  for (Vec3d& corner : corners) corner = middle + larger * (corner - middle);
  out.triangle(corners, in.normals[piece.corner], in.materials[piece.face]);
}

// A twig, as long as it is and thicker for those that are left out.
void add_thicker(Thinned& out, const Foliage& in, const Piece& piece, double stoutness) {
  const double more = in.radius(piece) * (stoutness - 1.0);
  const std::int64_t shift = std::int64_t(out.count()) - piece.corner;
  for (std::int64_t i = piece.corner; i < piece.corner + piece.corners; ++i)
    out.corner(in.corner(i) + more * as<double>(vec3(in.normals[i])), in.normals[i]);
  for (std::int64_t f = piece.face; f < piece.face + piece.faces; ++f) {
    for (int k = 0; k < 3; ++k) out.faces.push_back(std::uint32_t(in.faces[f][k] + shift));
    out.materials.push_back(in.materials[f]);
  }
}

// A limb as a triangle from its foot to its tip that hides as much; each is turned another way round its axis, so that
// not all of them are seen edge-on.
void add_spindle(Thinned& out, const Foliage& in, const Piece& piece, double stoutness, std::int64_t number) {
  const auto v = [&](std::int64_t i) { return in.corner(piece.corner + i); };
  const std::int64_t n = piece.corners;
  const Vec3d foot = (v(0) + v(1) + v(2)) / 3.0, tip = (v(n - 1) + v(n - 2) + v(n - 3)) / 3.0;
  const auto across = [](const Vec3d& a) { return a / std::max(norm(a), 1e-9); };
  const Vec3d one = cross(tip - foot, v(0) - foot), other = cross(tip - foot, one);
  const double turn = std::numbers::pi * GOLDEN * double(number);
  const double wide = BROAD * std::numbers::pi * stoutness * in.radius(piece);
  const Vec3d half = wide * (std::cos(turn) * across(one) + std::sin(turn) * across(other));
  out.triangle({foot - half, foot + half, tip}, in.normals[piece.corner], in.materials[piece.face]);
}

}  // namespace

ThinnedPieces thin_pieces(Array<const float, -1, 3> vertices, Array<const std::uint32_t, -1, 3> faces,
                          Array<const float, -1, 3> normals, Array<const std::uint8_t, -1> materials, double share,
                          double growth, double stoutness, bool spindles) {
  need_size(normals, vertices.size(), "normals");
  need_size(materials, faces.size(), "materials");
  const Foliage in{vertices, faces, normals, materials};
  std::vector<Piece> kites, straws, others;
  std::int64_t number = 0;
  for (const Piece& piece : in.pieces()) {
    // The pieces that stay are the same ones at every coarser level.
    if (std::fmod(double(number++) * GOLDEN + 0.5 * share, 1.0) >= share) continue;
    (piece.corners == KITE ? kites : piece.corners == STRAW ? straws : others).push_back(piece);
  }
  Thinned out;
  for (const Piece& piece : kites) add_blade(out, in, piece, growth);
  for (const Piece& piece : straws) add_blade(out, in, piece, growth);
  for (std::size_t i = 0; i < others.size(); ++i) {
    need(others[i].corners >= 3 && others[i].corner >= 0, "faces: a piece has no three corners of its own");
    if (spindles) add_spindle(out, in, others[i], stoutness, std::int64_t(i));
    else add_thicker(out, in, others[i], stoutness);
  }
  const std::size_t corners = out.count(), triangles = out.materials.size();
  return {Made<float, 2>{std::move(out.vertices), {corners, 3}},
          Made<std::uint32_t, 2>{std::move(out.faces), {triangles, 3}},
          Made<float, 2>{std::move(out.normals), {corners, 3}}, Made<std::uint8_t>{std::move(out.materials)}};
}

Made<double> piece_areas(Array<const float, -1, 3> vertices, Array<const std::uint32_t, -1, 3> faces) {
  const Foliage in{vertices, faces, {}, {}};
  std::vector<double> areas;
  for (const Piece& piece : in.pieces()) {
    double area = 0.0;
    for (std::int64_t f = piece.face; f < piece.face + piece.faces; ++f) area += in.area(f);
    areas.push_back(area);
  }
  return Made<double>{std::move(areas)};
}

}  // namespace volery
