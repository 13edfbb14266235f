// The triangles gathered near a shape as one surface, so that a shape feels what a solid would make it feel, not each
// triangle by itself. All in the shape's frame G.
//
// Three rules keep ghosts away:
// - A face counts only for a shape whose centre is in front of it. What is behind several faces is pushed out of the
//   one it is least behind of.
// - A direction away from an edge or corner counts only if no triangle that meets there rises above it. This one test
//   leaves out flat and hollow edges, seams between chunks, split vertices and edges that end on another face.
// - A face that coincides with one facing it is inside a pile of solids and does not count.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.hpp"

namespace volery::contact {

constexpr std::size_t MOST_TRIANGLES = 512;
constexpr std::size_t MOST_CONTACTS = 96;

struct Triangle {
  Vec3d corner[3];
  Vec3d normal;               // unit; towards the shape for a sheet
  double above;               // height of the shape's centre above the plane [m]
  Vec3d inward[3];            // unit vectors in the plane across each edge
  double friction;            // Coulomb's coefficient of its material
  double near2;               // how near its box comes to the shape's centre, squared [m²]
  std::int32_t row, object;   // of the scene's tables
  std::uint32_t primitive;    // of the row's mesh
  bool solid;                 // it has an inside behind it
};
using Surface = std::span<const Triangle>;

struct Contact {
  double dist;            // negative: depth [m]
  Vec3d p_G;              // half way between the two surfaces
  Vec3d normal_G;         // unit, from the world to the shape
  std::int32_t triangle;  // of the surface
};
using Contacts = std::vector<Contact>;  // at most MOST_CONTACTS

// Neighbours of a triangle by its edges.
struct Edges {
  double ridge[3];       // sine by which the surface falls away; 0 flat or hollow, 2 without a neighbour
  std::int32_t mate[3];  // the neighbour; −1: none
};

// Sines by which a triangle may rise above a direction away from it. Exact, for roundings of float32 corners: where the
// direction is that of the nearest points. Rough: where it is that of a face of the shape, which may lie nearly flat.
constexpr double EXACT = 1e-4, ROUGH = 0.05;
constexpr double EDGE_ON = 1e-6;  // how far outside a triangle a point may be and still be over it [m]

struct Direction {
  double length;  // 0: it has none
  Vec3d unit;
};
Direction direction_of(const Vec3d& v);

// Of a point above the triangle's plane [m].
inline double height(const Triangle& T, const Vec3d& p) { return dot(T.normal, p) + T.above; }
// Whether a point is over (or under) the triangle, or at most `slack` [m] beside.
inline bool over(const Triangle& T, const Vec3d& p, double slack) {
  for (int i = 0; i < 3; ++i)
    if (dot(T.inward[i], p - T.corner[i]) < -slack) return false;
  return true;
}
// The start and the way of an edge.
struct EdgeLine {
  Vec3d p, e;
  Vec3d at(double s) const { return p + s * e; }
};
inline EdgeLine edge_line(const Triangle& T, int i) {
  return {T.corner[i], T.corner[(i + 1) % 3] - T.corner[i]};
}

// Whether a point of a face with this normal lies on the face of another solid that faces it.
bool covered(Surface surface, const Vec3d& p, const Vec3d& normal);
// Whether one may go from a point of the surface along the unit vector d without entering what meets there.
bool clear_way(Surface surface, const Vec3d& p, const Vec3d& d, double slack);
// Whether the surface seen along d goes on flat across an edge of direction e, whatever solids it is made of: then the
// edge is none.
bool plateau(Surface surface, const Vec3d& p, const Vec3d& e, const Vec3d& d);
// The face that a point of the shape is behind, having come through the surface from the shape's centre; of several the
// one it is least behind of; −1: it is behind none.
int least_behind(Surface surface, const Vec3d& p);
// Nearest point of the triangle to the shape's centre.
Vec3d nearest(const Triangle& T);
// The face of a solid nearest to the shape's centre if the centre is inside it; −1: it is outside, as nearly always.
int inside(Surface surface);
// Find the neighbours among the triangles, by the very places of their corners. `hash` is room to work in.
void link(Surface surface, std::vector<Edges>& edges, std::vector<std::int32_t>& hash);

// Append a contact, or join it with one that is nearly the same, keeping the deeper. When there is no room the
// shallowest goes.
void add(Contacts& out, const Contact& contact);
// Contacts of a ball of radius r [m] about a point of the shape (0: a corner) with faces.
void touch_point(Surface surface, const Vec3d& p, double r, double margin, Contacts& out);
// Whether the point is held by the face t it is over: nothing it is less behind of, nothing that covers it.
bool felt(Surface surface, int t, double h, const Vec3d& p);

}  // namespace volery::contact
