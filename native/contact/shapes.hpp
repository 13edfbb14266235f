// Contacts of each kind of shape with the surface gathered near it, in the shape's frame G.
#pragma once
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "contact/surface.hpp"

namespace volery::contact {

enum class ShapeKind : std::int32_t { sphere = 2, capsule, ellipsoid, cylinder, box, mesh };  // as MuJoCo numbers them

// A convex body: a box or the hull of a mesh.
struct Polytope {
  struct Plane {
    Vec3d normal;  // unit, outwards
    double offset;  // [m]
  };
  Polytope(Array<const double, -1, 3> corners, Array<const double, -1, 4> planes);
  std::vector<Vec3d> corners;
  std::vector<Plane> planes;
  Vec3d half_extents;
};

struct Shape {
  ShapeKind kind;
  Vec3d size;  // as MuJoCo has it [m]
  const Polytope* hull = nullptr;  // of a box or a mesh

  static Shape ball(double radius) { return {ShapeKind::sphere, {radius, radius, radius}}; }
};

// A surface whose neighbours are known.
struct Linked {
  Surface surface;
  const std::vector<Edges>& edges;
  // The edges that are sharper than this sine, each once: call(t, i).
  template <class F>
  void each_ridge(double sharp, F&& call) const {
    for (std::int32_t t = 0; t < std::int32_t(surface.size()); ++t)
      for (int i = 0; i < 3; ++i)
        if (edges[t].ridge[i] > sharp && edges[t].mate[i] < t) call(t, i);
  }
};

// A capsule of radius r and half length `length` along z (0: a ball) [m].
void touch_rounded(const Linked& world, double r, double length, double margin, Contacts& out);
// A cylinder about z (wheels, rotor discs): exactly round, so that a wheel rolls evenly.
void touch_cylinder(const Linked& world, double r, double length, double margin, Contacts& out);
// An ellipsoid of half axes `radii` [m].
void touch_ellipsoid(const Linked& world, const Vec3d& radii, double margin, Contacts& out);
void touch_polytope(const Linked& world, const Polytope& hull, double margin, Contacts& out);

}  // namespace volery::contact
