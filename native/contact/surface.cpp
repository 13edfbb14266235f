#include "contact/surface.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "rays/nearest.hpp"

namespace volery::contact {
namespace {

constexpr double NEAR = 1e-4;         // a triangle within this of a point meets there [m]: seams of float32 chunks
constexpr double FLAT = 1.0 - 5e-6;   // cosine between faces that make one: 3 mrad
constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr std::size_t MOST_HASH = 4096;
static_assert(MOST_HASH > 3 * MOST_TRIANGLES);

// Whether a triangle that contains the point has a corner above the plane through it across d.
bool rises(const Triangle& T, const Vec3d& p, const Vec3d& d, double slack) {
  for (const Vec3d& corner : T.corner) {
    const Vec3d w = corner - p;
    const double up = dot(w, d);
    if (up > 1e-9 && up * up > slack * slack * norm2(w)) return true;
  }
  return false;
}

// The face at a point that faces d most; −1: there is none.
int face_at(Surface surface, const Vec3d& p, const Vec3d& d) {
  double best = 0.9;
  int found = -1;
  for (std::size_t t = 0; t < surface.size(); ++t) {
    const Triangle& T = surface[t];
    const double facing = dot(d, T.normal);
    if (facing > best && std::abs(height(T, p)) < NEAR && over(T, p, EDGE_ON)) best = facing, found = int(t);
  }
  return found;
}

// Whether edge i of T and edge j of U have the same ends.
bool match(const Triangle& T, int i, const Triangle& U, int j) {
  const Vec3d &a = T.corner[i], &b = T.corner[(i + 1) % 3], &c = U.corner[(j + 1) % 3], &d = U.corner[j];
  return (a == c && b == d) || (a == d && b == c);
}

// Sine by which U falls away behind T at its edge j; 1 if they are folded; 0 if flat or hollow.
double ridge(const Triangle& T, const Triangle& U, int j) {
  const Vec3d& opposite = U.corner[(j + 2) % 3];
  const double drop = -height(T, opposite);
  const double reach = dot(U.inward[j], opposite - U.corner[j]);
  const double sine = drop / std::max(std::abs(reach), 1e-12);
  if (dot(T.normal, U.normal) < 0 && sine > -1e-6) return 1;
  return std::max(sine, 0.0);
}

std::uint64_t edge_hash(const Vec3d& a, const Vec3d& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  const auto both = [&](double x, double y) { return bits(x) + bits(y); };
  const std::uint64_t h = both(a.x, b.x) * 73856093 + both(a.y, b.y) * 19349663 + both(a.z, b.z) * 83492791;
  return (h * 0x9E3779B97F4A7C15u) >> 40;
}

void touch_face(Surface surface, int t, double h, const Vec3d& p, double r, Contacts& out) {
  const Vec3d& n = surface[t].normal;
  if (covered(surface, p - h * n, n)) return;
  add(out, {h - r, p - 0.5 * (r + h) * n, n, t});
}

}  // namespace

Direction direction_of(const Vec3d& v) {
  const double length = norm(v);
  if (length < 1e-12) return {0, {}};
  return {length, v / length};
}

bool covered(Surface surface, const Vec3d& p, const Vec3d& normal) {
  for (const Triangle& T : surface) {
    if (!T.solid || std::abs(height(T, p)) > NEAR) continue;
    if (dot(normal, T.normal) < -0.999 && over(T, p, EDGE_ON)) return true;
  }
  return false;
}

bool clear_way(Surface surface, const Vec3d& p, const Vec3d& d, double slack) {
  double best = -1;
  bool solid = false;
  for (const Triangle& T : surface) {
    const double h = height(T, p);
    if (std::abs(h) > NEAR || !over(T, p, NEAR)) continue;
    const double along = dot(d, T.normal);
    if (rises(T, p - h * T.normal, d, slack)) return false;
    if (!T.solid) continue;
    if (along < -0.999) return false;
    solid = true;
    best = std::max(best, along);
  }
  // Behind all the solid faces that meet there: from inside out, not away.
  return !solid || best > -0.02;
}

bool plateau(Surface surface, const Vec3d& p, const Vec3d& e, const Vec3d& d) {
  const Direction across = direction_of(cross(e, d));
  if (across.length == 0) return false;
  const Vec3d w = 1e-3 * across.unit;
  const int t = face_at(surface, p + w, d);
  const int u = t >= 0 ? face_at(surface, p - w, d) : -1;
  return u >= 0 && dot(surface[t].normal, surface[u].normal) > FLAT;
}

int least_behind(Surface surface, const Vec3d& p) {
  double best = -INFINITE;
  int found = -1;
  bool through = false;
  for (std::size_t t = 0; t < surface.size(); ++t) {
    const Triangle& T = surface[t];
    if (T.above < 0) continue;
    const double h = height(T, p);
    if (h >= 0) continue;
    // Where the line from the centre goes through the plane.
    const bool pierced = over(T, p * (T.above / (T.above - h)), NEAR);
    through = through || pierced;
    if (h > best && (pierced || (T.solid && over(T, p, EDGE_ON)))) best = h, found = int(t);
  }
  return through ? found : -1;
}

Vec3d nearest(const Triangle& T) { return nearest_on_triangle({}, T.corner[0], T.corner[1], T.corner[2]); }

int inside(Surface surface) {
  if (std::none_of(surface.begin(), surface.end(), [](const Triangle& T) { return T.solid && T.above < 0; })) return -1;
  double best = INFINITE, steepest = 0;
  int found = -1;
  for (std::size_t t = 0; t < surface.size(); ++t) {
    const double d2 = norm2(nearest(surface[t])), steep = std::abs(surface[t].above);
    // Faces that share the nearest edge: the one seen most from the front knows the side.
    if (d2 < best - 1e-9 || (d2 < best + 1e-9 && steep > steepest)) {
      best = std::min(d2, best), steepest = steep, found = int(t);
    }
  }
  return found >= 0 && surface[found].solid && surface[found].above < 0 ? found : -1;
}

void link(Surface surface, std::vector<Edges>& edges, std::vector<std::int32_t>& hash) {
  std::size_t size = 16;
  while (size < 6 * surface.size() && size < MOST_HASH) size *= 2;
  hash.assign(size, -1);
  edges.assign(surface.size(), Edges{{2, 2, 2}, {-1, -1, -1}});
  for (std::size_t t = 0; t < surface.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const Triangle& T = surface[t];
      std::size_t k = edge_hash(T.corner[i], T.corner[(i + 1) % 3]) & (size - 1);
      for (; hash[k] >= 0; k = (k + 1) & (size - 1)) {
        const int u = hash[k] / 3, j = hash[k] % 3;
        if (edges[u].mate[j] >= 0 || !match(T, i, surface[u], j)) continue;
        const double sine = std::max(ridge(T, surface[u], j), ridge(surface[u], T, i));
        edges[t].ridge[i] = edges[u].ridge[j] = sine;
        edges[t].mate[i] = u, edges[u].mate[j] = std::int32_t(t);
        break;
      }
      if (edges[t].mate[i] < 0) hash[k] = std::int32_t(3 * t + i);
    }
}

void add(Contacts& out, const Contact& contact) {
  std::size_t shallow = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (dot(out[k].normal_G, contact.normal_G) > 0.9 && norm2(out[k].p_G - contact.p_G) < 4e-6) {
      if (contact.dist < out[k].dist) out[k] = contact;
      return;
    }
    if (out[k].dist > out[shallow].dist) shallow = k;
  }
  if (out.size() < MOST_CONTACTS) out.push_back(contact);
  else if (contact.dist < out[shallow].dist) out[shallow] = contact;
}

void touch_point(Surface surface, const Vec3d& p, double r, double margin, Contacts& out) {
  for (std::size_t t = 0; t < surface.size(); ++t) {
    if (surface[t].above < 0) continue;
    const double h = height(surface[t], p);
    if (0 <= h && h < r + margin && over(surface[t], p, EDGE_ON)) touch_face(surface, int(t), h, p, r, out);
  }
  const int t = least_behind(surface, p);
  if (t >= 0) touch_face(surface, t, height(surface[t], p), p, r, out);
}

bool felt(Surface surface, int t, double h, const Vec3d& p) {
  if (h < 0) {
    const int u = least_behind(surface, p);
    if (u < 0 || height(surface[u], p) > h + 1e-6) return false;
  }
  return !covered(surface, p - h * surface[t].normal, surface[t].normal);
}

}  // namespace volery::contact
