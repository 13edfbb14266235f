#include "contact/collide.hpp"

#include <algorithm>
#include <cmath>

#include "contact/gather.hpp"

namespace volery::contact {
namespace {

constexpr int CARRIERS = 4;  // contacts of one direction that are kept: more only cost time, and sliding

// How far a shape reaches from its centre against the unit vector n [m].
double reach(const Shape& shape, const Vec3d& n) {
  const Vec3d& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere: return size.x;
    case ShapeKind::capsule: return size.x + size.y * std::abs(n.z);
    case ShapeKind::cylinder: return size.x * std::hypot(n.x, n.y) + size.y * std::abs(n.z);
    case ShapeKind::ellipsoid: return norm(Vec3d{size.x * n.x, size.y * n.y, size.z * n.z});
    case ShapeKind::box: return size.x * std::abs(n.x) + size.y * std::abs(n.y) + size.z * std::abs(n.z);
    default: break;
  }
  double lowest = 0;
  for (const Vec3d& corner : shape.hull->corners) lowest = std::min(lowest, dot(corner, n));
  return -lowest;
}

// The one contact of a shape whose centre is inside a solid: straight out.
Contact come_out(const Triangle& T, std::int32_t t, const Shape& shape) {
  auto [depth, n] = direction_of(nearest(T));
  if (depth == 0) n = T.normal;
  return {-depth - reach(shape, n), {}, n, t};
}

void touch_shape(const Linked& world, const Shape& shape, double margin, Contacts& out) {
  switch (shape.kind) {
    case ShapeKind::sphere: return touch_rounded(world, shape.size.x, 0, margin, out);
    case ShapeKind::capsule: return touch_rounded(world, shape.size.x, shape.size.y, margin, out);
    case ShapeKind::cylinder: return touch_cylinder(world, shape.size.x, shape.size.y, margin, out);
    case ShapeKind::ellipsoid: return touch_ellipsoid(world, shape.size, margin, out);
    default: return touch_polytope(world, *shape.hull, margin, out);
  }
}

// The deepest contact; of such as are nearly as deep the first, so that it stays the same while a body rests.
int deepest(const Contacts& out, int start, int n) {
  int best = start;
  for (int k = start + 1; k < n; ++k)
    if (out[k].dist < 1.1 * out[best].dist - 1e-6) best = k;
  return best;
}

// What a contact adds to those of its direction chosen from `first` on: distance from the first squared, area over the
// first two squared, or the same on the other side of them than the third.
double span(const Contacts& out, int k, int first, int chosen) {
  const Vec3d p = out[k].p_G - out[first].p_G;
  if (chosen == first + 1) return norm2(p);
  const Vec3d u = out[first + 1].p_G - out[first].p_G, area = cross(u, p);
  if (chosen == first + 2) return norm2(area);
  return -dot(area, cross(u, out[first + 2].p_G - out[first].p_G));
}

// Behind contact `first` bring up to three more out of those before `end` that span the widest patch; returns the end.
int widen(Contacts& out, int first, int end) {
  int kept = first + 1;
  for (int turn = 0; turn < CARRIERS - 1; ++turn) {
    double widest = 1e-12;
    int best = -1;
    for (int k = kept; k < end; ++k) {
      const double wide = span(out, k, first, kept);
      if (wide > 1.001 * widest) widest = wide, best = k;
    }
    if (best < 0) break;
    std::swap(out[kept++], out[best]);
  }
  return kept;
}

// Bring the contacts to keep to the front: for each direction, the deepest first, at most four that span the widest
// patch; returns how many.
int spread(Contacts& out) {
  int n = int(out.size()), kept = 0;
  while (kept < std::min(n, KEPT)) {
    std::swap(out[kept], out[deepest(out, kept, n)]);
    const int first = kept;
    int end = first + 1;
    for (int k = end; k < n; ++k)
      if (dot(out[k].normal_G, out[first].normal_G) > 0.99) std::swap(out[end++], out[k]);
    kept = widen(out, first, end);
    // The rest of this direction goes.
    std::copy(out.begin() + end, out.begin() + n, out.begin() + kept);
    n -= end - kept;
  }
  return std::min(kept, KEPT);
}

}  // namespace

Vec3d half_extents(const Shape& shape) {
  const Vec3d& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere: return {size.x, size.x, size.x};
    case ShapeKind::capsule: return {size.x, size.x, size.x + size.y};
    case ShapeKind::cylinder: return {size.x, size.x, size.y};
    case ShapeKind::mesh: return shape.hull->half_extents;
    default: return size;
  }
}

int collide(const ContactWorld& world, Scratch& scratch, const Shape& shape, const Vec3d& p_W, const Mat3d& R_WG,
            double margin, Nearby* nearby) {
  Contacts& out = scratch.contacts;
  out.clear();
  if (gather(world, scratch, p_W, R_WG, half_extents(shape), margin, nearby) == 0) return 0;
  const Surface surface = scratch.triangles;
  if (const int t = inside(surface); t >= 0) {
    out.push_back(come_out(surface[t], t, shape));
    return 1;
  }
  link(surface, scratch.edges, scratch.hash);
  touch_shape({surface, scratch.edges}, shape, margin, out);
  if (out.size() >= MOST_CONTACTS) world.counts().lost_contacts.fetch_add(1, std::memory_order_relaxed);
  return int(out.size()) > CARRIERS ? spread(out) : int(out.size());
}

}  // namespace volery::contact
