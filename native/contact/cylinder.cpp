#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/shapes.hpp"

namespace volery::contact {
namespace {

constexpr double SHARP = 1e-4;
constexpr double LYING = 0.7;  // sine between axis and normal below which a cylinder stands on its end
constexpr double INFINITE = std::numeric_limits<double>::infinity();

struct Part {  // of an edge, from s0 to s1
  double s0, s1;
};
constexpr Part EMPTY{1, 0};

// The part of an edge that is within a cylinder.
Part within(const EdgeLine& line, double r, double length) {
  const auto& [p, e] = line;
  double s0 = 0, s1 = 1;
  if (std::abs(e.z) > 1e-12) {
    const double a = (-length - p.z) / e.z, b = (length - p.z) / e.z;
    s0 = std::max(s0, std::min(a, b)), s1 = std::min(s1, std::max(a, b));
  } else if (std::abs(p.z) > length) {
    return EMPTY;
  }
  const double A = e.x * e.x + e.y * e.y, B = p.x * e.x + p.y * e.y, C = p.x * p.x + p.y * p.y - r * r;
  if (A < 1e-14) return C <= 0 ? Part{s0, s1} : EMPTY;
  const double D = B * B - A * C;
  if (D <= 0) return EMPTY;
  const double root = std::sqrt(D);
  return {std::max(s0, (-B - root) / A), std::min(s1, (-B + root) / A)};
}

// A direction d away from the axis turned square to an edge, and the cosine between the two.
//
// They are one where an edge is nearest to the axis within the cylinder; where it is nearest beyond an end, such as for
// a narrow wheel that meets a kerb aslant, only the square one leads away from the edge.
Direction square_to(const Vec3d& d, const Vec3d& e) {
  const double along = (d.x * e.x + d.y * e.y) / norm2(e);
  const Direction turned = direction_of({d.x - along * e.x, d.y - along * e.y, -along * e.z});
  // Nearly along the edge there is no such way; then it stays as it was and is found not to be clear.
  return turned.length > 0.3 ? turned : Direction{1, d};
}

struct Cylinder {
  const Linked& world;
  double r, length, margin;
  Contacts& out;

  // The contact of a point of the cylinder with a face that it is over.
  void touch_face(std::int32_t t, const Vec3d& p) const {
    const Triangle& T = world.surface[t];
    const double h = height(T, p);
    if (h < margin && felt(world.surface, t, h, p)) add(out, {h, p - 0.5 * h * T.normal, T.normal, t});
  }

  // The line of the mantle that is lowest over a face, cut to the part over the face: its ends, but for those where a
  // flat or hollow neighbour goes on.
  void touch_line(std::int32_t t, double sideways) const {
    const Triangle& T = world.surface[t];
    const double x = -r * T.normal.x / sideways, y = -r * T.normal.y / sideways;
    double z0 = -length, z1 = length;
    bool end0 = true, end1 = true;
    for (int i = 0; i < 3; ++i) {
      const Vec3d &m = T.inward[i], &c = T.corner[i];
      const double inside = m.x * (x - c.x) + m.y * (y - c.y) - m.z * c.z + 1e-6;
      if (std::abs(m.z) < 1e-9) {
        if (inside < 0) return;
        continue;
      }
      const double z = -inside / m.z;
      if (m.z > 0 && z > z0) z0 = z, end0 = world.edges[t].ridge[i] > SHARP;
      else if (m.z < 0 && z < z1) z1 = z, end1 = world.edges[t].ridge[i] > SHARP;
    }
    if (z0 > z1) return;
    if (end0) touch_face(t, {x, y, z0});
    if (end1) touch_face(t, {x, y, z1});
  }

  // Standing on its end: four points of the rim, the first where it is lowest over the face.
  void touch_rim(std::int32_t t, double sideways) const {
    const Triangle& T = world.surface[t];
    Vec3d p{1, 0, 0};
    // Seldom flat on: turn so that the lowest point of the rim, which the line gives, is one of the four.
    if (sideways > 0.1) p = direction_of({-T.normal.x, -T.normal.y, 0}).unit;
    const double z = T.normal.z > 0 ? -length : length;
    for (int k = 0; k < 4; ++k) {
      const Vec3d at{r * p.x, r * p.y, z};
      if (over(T, at, EDGE_ON)) touch_face(t, at);
      p = {-p.y, p.x, 0};
    }
  }

  // The contact of a point of an edge, away along d.
  void leave(std::int32_t t, const Vec3d& p, const Vec3d& d, double dist, double slack) const {
    if (dist >= margin || !clear_way(world.surface, p, d, slack)) return;
    add(out, {dist, p + 0.5 * dist * d, d, t});
  }

  // Away from the axis by `side` [m].
  void leave_through_mantle(std::int32_t t, const EdgeLine& line, Part part, double s, const Vec3d& away,
                            double side) const {
    const auto& e = line.e;
    const std::size_t before = out.size();
    const auto [cosine, d] = square_to(away, e);
    leave(t, line.at(s), d, -side / cosine, EXACT);
    const double across = e.x * e.x + e.y * e.y;
    if (out.size() > before && across < 1e-4 * (across + e.z * e.z)) {
      // Along the tread: a line.
      leave(t, line.at(part.s0), away, -side, ROUGH);
      leave(t, line.at(part.s1), away, -side, ROUGH);
    }
  }

  // An edge of the world in the cylinder: away through the mantle or through an end, whichever is nearer.
  void touch_edge(std::int32_t t, int i) const {
    const EdgeLine line = edge_line(world.surface[t], i);
    const auto& [p, e] = line;
    const Part part = within(line, r + margin, length + margin);
    if (part.s0 > part.s1) return;
    const double across = e.x * e.x + e.y * e.y;
    double s = 0.5 * (part.s0 + part.s1);
    if (across > 1e-14) s = std::min(std::max(-(p.x * e.x + p.y * e.y) / across, part.s0), part.s1);
    const Vec3d q = line.at(s);
    double off = std::hypot(q.x, q.y);
    const Vec3d away{-q.x / off, -q.y / off, 0};
    const double z0 = p.z + part.s0 * e.z, z1 = p.z + part.s1 * e.z;
    double up = length - std::min(z0, z1), down = length + std::max(z0, z1);
    const double least = std::min({r - off, up, down});
    for (int tries = 0; tries < 3; ++tries) {
      const double side = r - off;
      const std::size_t before = out.size();
      // A way out much longer than the shortest is none.
      if (std::min({side, up, down}) > 3 * least + 2e-3) return;
      if (off > 1e-9 && side <= std::min(up, down)) {
        leave_through_mantle(t, line, part, s, away, side);
        off = -INFINITE;
      } else {
        const double sign = up <= down ? -1 : 1;
        if (plateau(world.surface, q, e, {0, 0, sign})) return;
        leave(t, line.at(part.s0), {0, 0, sign}, -length - sign * z0, ROUGH);
        leave(t, line.at(part.s1), {0, 0, sign}, -length - sign * z1, ROUGH);
        (up <= down ? up : down) = INFINITE;
      }
      if (out.size() > before) return;
    }
  }
};

}  // namespace

void touch_cylinder(const Linked& world, double r, double length, double margin, Contacts& out) {
  const Cylinder cylinder{world, r, length, margin, out};
  for (std::int32_t t = 0; t < std::int32_t(world.surface.size()); ++t) {
    const Triangle& T = world.surface[t];
    if (T.above < 0) continue;
    const double upright = std::abs(T.normal.z), sideways = std::hypot(T.normal.x, T.normal.y);
    if (T.above > length * upright + r * sideways + margin) continue;
    if (sideways > 1e-3) cylinder.touch_line(t, sideways);
    if (sideways < LYING) cylinder.touch_rim(t, sideways);
  }
  world.each_ridge(SHARP, [&](std::int32_t t, int i) { cylinder.touch_edge(t, i); });
}

}  // namespace volery::contact
