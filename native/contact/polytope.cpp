#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/shapes.hpp"

namespace volery::contact {

Polytope::Polytope(Array<const double, -1, 3> corners_, Array<const double, -1, 4> planes_) {
  for (std::int64_t k = 0; k < corners_.size(); ++k) {
    corners.push_back(vec3(corners_[k]));
    for (int i = 0; i < 3; ++i) half_extents[i] = std::max(half_extents[i], std::abs(corners_(k, i)));
  }
  for (std::int64_t k = 0; k < planes_.size(); ++k) planes.push_back({vec3(planes_[k]), planes_(k, 3)});
}

namespace {

constexpr double SHARP = 3e-3;  // sine of a ridge that is felt: over flatter ones the corners carry the shape
constexpr int TRIES = 3;        // faces of the shape that are tried for a way off an edge
constexpr double INFINITE = std::numeric_limits<double>::infinity();

using Plane = Polytope::Plane;

// A piece of an edge from s0 to s1, and the planes that cut it off (null: none).
struct Piece {
  double s0, s1;
  const Plane *first, *last;
  bool empty() const { return s0 >= s1; }
};
constexpr Piece NOTHING{1, 0, nullptr, nullptr};

// A way off an edge across an edge of the polytope.
struct Crossing {
  double depth;
  Vec3d p, d;
};

struct Hull {
  const Linked& world;
  const Polytope& hull;
  double margin;
  Contacts& out;

  // The piece of an edge within the polytope.
  Piece clip(const EdgeLine& line) const {
    Piece piece{0, 1, nullptr, nullptr};
    for (const Plane& N : hull.planes) {
      const double outside = dot(N.normal, line.p) - N.offset - margin, slope = dot(N.normal, line.e);
      if (std::abs(slope) < 1e-12) {
        if (outside > 0) return NOTHING;
        continue;
      }
      const double s = -outside / slope;
      if (slope > 0 && s < piece.s1) piece.s1 = s, piece.last = &N;
      else if (slope < 0 && s > piece.s0) piece.s0 = s, piece.first = &N;
      if (piece.empty()) return NOTHING;
    }
    return piece;
  }

  // How far a point is behind a plane of the polytope [m].
  double depth_behind(const Plane& N, const Vec3d& p) const { return N.offset + margin - dot(N.normal, p); }

  // The plane that the whole piece of edge leaves soonest, of those that take more than `above` [m].
  const Plane* next_plane(const EdgeLine& line, const Piece& piece, double above, double& depth) const {
    const Plane* found = nullptr;
    depth = INFINITE;
    for (const Plane& N : hull.planes) {
      const double deep = std::max(depth_behind(N, line.at(piece.s0)), depth_behind(N, line.at(piece.s1)));
      if (above < deep && deep < depth) depth = deep, found = &N;
    }
    return found;
  }

  // The way off across the polytope's edge between the planes that cut the world's edge.
  Crossing cross_over(const EdgeLine& line, const Piece& piece) const {
    if (!piece.first || !piece.last) return {INFINITE, {}, {}};
    const Vec3d p = line.at(0.5 * (piece.s0 + piece.s1));
    auto [length, d] = direction_of(cross(cross(piece.first->normal, piece.last->normal), line.e));
    if (length == 0) return {INFINITE, p, d};
    double at = dot(p, d), lowest = 0;
    if (at > 0) at = -at, d = -d;
    for (const Vec3d& corner : hull.corners) lowest = std::min(lowest, dot(corner, d));
    return {at - lowest, p, d};
  }

  // The contact of a point of an edge with a face of the polytope.
  void leave(std::int32_t t, const Plane& N, const Vec3d& p) const {
    const double d = margin - depth_behind(N, p);
    if (d < margin - 1e-12) add(out, {d, p - 0.5 * d * N.normal, -N.normal, t});
  }

  // An edge of the world in the polytope: away through a face of it, or across one of its edges.
  void touch_edge(std::int32_t t, int i) const {
    const EdgeLine line = edge_line(world.surface[t], i);
    const Piece piece = clip(line);
    if (piece.empty()) return;
    Crossing crossing = cross_over(line, piece);
    crossing.depth += margin;
    double depth = -1, least = INFINITE;
    for (int tries = 0; tries < TRIES; ++tries) {
      const double above = depth;
      const Plane* N = next_plane(line, piece, above, depth);
      least = std::min({least, depth, crossing.depth});
      if (crossing.depth < 0.98 * depth) {
        if (clear_way(world.surface, crossing.p, crossing.d, EXACT)) {
          const double d = margin - crossing.depth;
          return add(out, {d, crossing.p + 0.5 * d * crossing.d, crossing.d, t});
        }
        crossing.depth = INFINITE;
      }
      // A way out much longer than the shortest is none.
      if (!N || depth > 3 * least + 2e-3) return;
      const Vec3d middle = line.at(0.5 * (piece.s0 + piece.s1));
      if (!clear_way(world.surface, middle, -N->normal, ROUGH)) continue;
      if (plateau(world.surface, middle, line.e, -N->normal)) return;
      leave(t, *N, line.at(piece.s0));
      return leave(t, *N, line.at(piece.s1));
    }
  }
};

}  // namespace

void touch_polytope(const Linked& world, const Polytope& polytope, double margin, Contacts& out) {
  for (const Vec3d& corner : polytope.corners) touch_point(world.surface, corner, 0, margin, out);
  const Hull hull{world, polytope, margin, out};
  world.each_ridge(SHARP, [&](std::int32_t t, int i) { hull.touch_edge(t, i); });
}

}  // namespace volery::contact
