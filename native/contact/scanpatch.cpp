#include "contact/scanpatch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace volery::contact {
namespace {

constexpr int DEEPEST = 7;     // times that a patch is split at most
constexpr double FINE = 1e-3;  // a piece is not split further if it is off by less than this part of the whole volume
constexpr double SAME = 1e-9;  // linear functions that differ by less [m] over a patch are one
constexpr double INFINITE = std::numeric_limits<double>::infinity();

// A linear function of depth.
struct Linear {
  Vec3d gradient;
  double offset;
  double operator()(const Vec3d& p) const { return dot(gradient, p) + offset; }
};

struct Functions {
  Linear items[5];
  int count = 0;
  void add_new(const Linear& f, const Quad& quad) {
    for (int i = 0; i < count; ++i) {
      double off = 0;
      for (const Vec3d& p : quad) off = std::max(off, std::abs(items[i](p) - f(p)));
      if (!(off > SAME)) return;
    }
    items[count++] = f;
  }
  double least(const Vec3d& p) const {
    double value = INFINITE;
    for (int i = 0; i < count; ++i) value = std::min(value, items[i](p));
    return value;
  }
};

struct Corner {
  Vec3d p;
  double depth;
};
// Room for a quadrangle that need not be plane, cut five times: each cut adds at most half as many corners.
struct Polygon {
  std::array<Corner, 32> corners;
  int count = 0;
};

struct Sums {
  double volume = 0, area = 0;
  Vec3d moment;

  // A triangle over which the depth is linear.
  void add(const Corner& a, const Corner& b, const Corner& c) {
    const double part = 0.5 * norm(cross(b.p - a.p, c.p - a.p)), deep = a.depth + b.depth + c.depth;
    volume += part * deep / 3;
    area += part;
    for (int k = 0; k < 3; ++k) {
      const double whole = deep * (a.p[k] + b.p[k] + c.p[k]) + a.depth * a.p[k] + b.depth * b.p[k] + c.depth * c.p[k];
      moment[k] += part * whole / 12;
    }
  }
};

// The part of a polygon where a linear function is above zero.
template <class F>
Polygon above_zero(const Polygon& polygon, F&& height) {
  Polygon out;
  for (int i = 0; i < polygon.count; ++i) {
    const Corner &a = polygon.corners[i], &b = polygon.corners[(i + 1) % polygon.count];
    const double ha = height(a), hb = height(b);
    if (ha > 0) out.corners[out.count++] = a;
    if ((ha > 0) == (hb > 0)) continue;
    const double s = ha / (ha - hb);
    out.corners[out.count++] = {a.p + s * (b.p - a.p), a.depth + s * (b.depth - a.depth)};
  }
  return out;
}

class Cutter {
 public:
  Cutter(const VoxelMap& voxels, double whole, std::vector<Piece>& pieces)
      : voxels_(voxels), whole_(whole), pieces_(pieces) {}

  // Add the pieces of a patch; false: it must be split first. last: it cannot be.
  bool cut_at_once(const Quad& quad, const Vec3d& middle, bool last) {
    double square = 0;
    for (const Vec3d& p : quad) square = std::max(square, norm2(p - middle));
    const double radius = std::sqrt(square);
    const VoxelMap::Depth deep = voxels_.depth(middle);
    if (deep.depth <= -radius) return true;
    const Functions functions = functions_of(quad, middle, deep);
    // By how much depth or volume may be off for a piece of this size.
    const double fine = FINE * whole_ / (2 * radius * radius);
    const double off = functions.count == 0 ? INFINITE : doubt(quad, middle, functions, radius);
    if (off <= fine && add_regions(quad, functions, fine)) return true;
    if (last) add_regions(quad, functions, INFINITE);
    return last;
  }

 private:
  // The linear functions that middle and corners tell, each once.
  Functions functions_of(const Quad& quad, const Vec3d& middle, const VoxelMap::Depth& deep) const {
    Functions found;
    for (int s = 0; s < 5; ++s) {
      const Vec3d& p = s > 0 ? quad[s - 1] : middle;
      const auto [depth, rise] = s > 0 ? voxels_.depth(p) : deep;
      // Beyond the map nothing is known of the robot's faces.
      if (!(rise == Vec3d{})) found.add_new({rise, depth - rise.x * p.x - rise.y * p.y - rise.z * p.z}, quad);
    }
    return found;
  }

  // How far the least of the functions is from the depth, half-way between middle and corners [m]; well outside of the
  // robot it may be off.
  double doubt(const Quad& quad, const Vec3d& middle, const Functions& functions, double radius) const {
    double worst = 0;
    const double floor = -0.125 * radius;
    for (const Vec3d& corner : quad) {
      const Vec3d p = 0.5 * (corner + middle);
      worst = std::max(worst, std::abs(std::max(functions.least(p), floor) - std::max(voxels_.depth(p).depth, floor)));
    }
    return worst;
  }

  // Integrate where one function is above zero and below all others.
  static Sums region(const Quad& quad, const Functions& functions, int which) {
    Polygon polygon;
    for (const Vec3d& p : quad) polygon.corners[polygon.count++] = {p, functions.items[which](p)};
    for (int j = 0; j < functions.count; ++j) {
      const Linear& other = functions.items[j];
      polygon = above_zero(polygon, [&](const Corner& c) { return j == which ? c.depth : other(c.p) - c.depth; });
      if (polygon.count < 3) return {};
    }
    Sums sums;
    for (int c = 1; c < polygon.count - 1; ++c)
      sums.add(polygon.corners[0], polygon.corners[c], polygon.corners[c + 1]);
    return sums;
  }

  // Add the region of each function; false, and nothing added, if in the middle of one the depth is another by more
  // than `fine` [m].
  bool add_regions(const Quad& quad, const Functions& functions, double fine) {
    const std::size_t before = pieces_.size();
    for (int i = 0; i < functions.count; ++i) {
      const Sums sums = region(quad, functions, i);
      if (sums.volume <= 0) continue;
      const Piece piece{sums.volume, sums.area, sums.moment / sums.volume, functions.items[i].gradient};
      if (std::abs(voxels_.depth(piece.place).depth - functions.items[i](piece.place)) > fine) {
        pieces_.resize(before);
        return false;
      }
      pieces_.push_back(piece);
    }
    return true;
  }

  const VoxelMap& voxels_;
  double whole_;
  std::vector<Piece>& pieces_;
};

}  // namespace

void cut(const VoxelMap& voxels, const Quad& corners, double whole, std::vector<Piece>& pieces) {
  struct Part {
    Quad quad;
    int level;
  };
  std::array<Part, 3 * DEEPEST + 1> stack;
  std::copy(std::begin(corners), std::end(corners), stack[0].quad);
  stack[0].level = 0;
  Cutter cutter(voxels, whole, pieces);
  for (int top = 1; top > 0;) {
    const auto [quad, level] = stack[--top];
    const Vec3d middle = 0.25 * (quad[0] + quad[1] + quad[2] + quad[3]);
    if (cutter.cut_at_once(quad, middle, level == DEEPEST)) continue;
    for (int i = 0; i < 4; ++i) {
      const Vec3d &p = quad[i], &next = quad[(i + 1) % 4], &last = quad[(i + 3) % 4];
      stack[top++] = {{p, 0.5 * (p + next), middle, 0.5 * (p + last)}, level + 1};
    }
  }
}

}  // namespace volery::contact
