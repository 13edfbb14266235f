// The cave's rock: a density carved by capsules and roughened by noise, about the distance to the rock, positive in
// free space [m]. A capsule acts only as far as BAND beyond its wall, and capsules are always joined in the same order,
// so a point gets the same value, to the bit, from every box that knows the capsules near it.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "core/arrays.hpp"
#include "core/table.hpp"
#include "core/vec.hpp"

namespace volery {

constexpr double BAND = 1.8;    // density is known this far from the surface; deeper in the rock it is −BAND [m]
constexpr double FLOOR = 0.65;  // the sediment floor lies this many radii below the axis
constexpr double SIGHT = 15.0;  // longest ray [m]

struct CaveCapsule {
  Vec3d a, b;       // ends of the axis [m]
  double r_a, r_b;  // half heights there [m]
  double width;     // half width over half height
};
VOLERY_TABLE(CaveCapsule, a, b, r_a, r_b, width)

class CaveField {
 public:
  CaveField(Table<const CaveCapsule> capsules, const Vec3d& low, const Vec3d& high, std::int64_t seed);

  double density(const Vec3d& p) const;
  Vec3d gradient(const Vec3d& p) const;  // on the rock about its normal
  // Distance from p along the unit vector d to the rock [m]; far if there is none nearer.
  double cast(const Vec3d& p, const Vec3d& d, double far = SIGHT) const;
  // Densities up a column of ascending heights z, exact within the window around the surface [m].
  void column(double x, double y, const double* z, std::int64_t count, double window, double* out) const;

 private:
  struct Carver {
    CaveCapsule capsule;
    double inverse_square;        // of the axis' length [1/m²]
    double inverse_square_width;  // of the width
  };
  struct Nearest {
    double r;      // half height at the axis' nearest point [m]
    double square;  // of the distance to it, with the width scaled to the height [m²]
    double above;  // height above it [m]
  };
  struct Room {
    double s = -BAND;                                      // the union of the capsules [m]
    double rough = 0;                                      // amplitude of noise [m]
    double away = std::numeric_limits<double>::infinity();  // from the nearest axis [m]
  };
  struct Box {
    std::int64_t first[3], end[3];
  };

  static Nearest nearest(const Carver& c, double x, double y, double z);
  static void carve(const Carver& c, double x, double y, double z, Room& room);
  double rock(double x, double y, double z, const Room& room, double window) const;
  Box reached(const Carver& c) const;
  template <class F>
  void each_block(const F& note) const;
  std::int64_t block(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (i * shape_[1] + j) * shape_[2] + k;
  }

  std::vector<Carver> carvers_;
  std::vector<std::int32_t> items_, starts_;  // the carvers of block n are items_[starts_[n]] … items_[starts_[n + 1]]
  std::int64_t shape_[3];
  Vec3d low_;
  std::int64_t seed_;
};

}  // namespace volery
