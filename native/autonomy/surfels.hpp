#pragma once
#include <cstdint>
#include <mutex>
#include <tuple>
#include <vector>

#include "autonomy/cells.hpp"
#include "core/arrays.hpp"

namespace volery {

struct Symmetric3 {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  friend Vec3d operator*(const Symmetric3& m, const Vec3d& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
  }
};

// The mean and spread of the points in each cell of a grid.
class SurfelMap {
 public:
  explicit SurfelMap(double cell) : cell_(cell) { need(cell > 0, "cell: must be positive"); }
  void add(Array<const double, -1, 3> points);
  // Lets go of what is out of reach of a place, if something is far beyond [m].
  void forget(const Vec3d& here, double reach);
  // The pose from which points are seen as they are here, near a guess that weighs `prior` [1/rad², 1/m²], and the
  // share of points that found their place.
  double fit(Array<const double, -1, 3> points, Array<const double, 6> prior, Mat3d& R, Vec3d& t) const;

 private:
  struct Surfel {
    Cell place{};
    double count = 0;
    Vec3d sum;          // of points, from the cell's corner [m]
    Symmetric3 square;  // sum of p pᵀ [m²]
    bool touched = false;
  };
  struct Shape {
    Vec3d mean;         // [m]
    Symmetric3 weight;  // inverse of the spread, of cells with enough points; else null [1/m²]
  };
  void take(Surfel& s, const Vec3d& p) const;
  Shape shape(const Surfel& s) const;
  std::tuple<const Shape*, double> nearest(const Vec3d& p) const;
  Vec3d corner(const Cell& place) const { return Vec3d{double(place[0]), double(place[1]), double(place[2])} * cell_; }

  mutable std::mutex using_;  // Python threads may ask while another adds
  const double cell_;         // edge [m]
  CellTable table_;
  std::vector<Surfel> surfels_;
  std::vector<Shape> shapes_;  // of each, apart since fits look at nothing else
};

}  // namespace volery
