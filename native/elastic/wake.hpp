// The wake of a lifting surface that may have any shape, after Weissinger: downwash at each strip per circulation of
// each strip.
//
// Every strip has a bound vortex at its quarter chord and sheds two straight ones from its ends, along the flow. What
// they do at three quarters of its chord, more than an endless wing does there, lessens its lift; what the shed ones do
// at the quarter chord tilts the lift back. What is far behind feels twice of what is beside, so the tail flies in the
// wing's downwash.
#pragma once
#include <vector>

#include "elastic/bodies.hpp"
#include "elastic/tables.hpp"

namespace volery::elastic {

class Wake {
 public:
  // Lay the wakes along the flow past each part: unit vectors in W, null for a part that has no wake. Strips of parts
  // that have come apart do not feel each other.
  void lay(const Bodies& bodies, const std::vector<Strip>& strips, const std::vector<Vec3d>& flow);
  // Let the downwash follow the circulation while the flight goes on by `travelled` [m]; infinite: at once. A strip's
  // circulation answers to its own downwash; that is taken into account, so that narrow strips are stable.
  // The largest change [m/s] is returned.
  double follow(const std::vector<Strip>& strips, Table<StripAir> air, double travelled) const;
  // How fast the downwash of strip i follows at a speed [m/s²].
  double rate(std::size_t i, const Strip& strip, Table<const StripAir> air, double speed) const;

 private:
  struct Placed {
    Vec3d place, bound, normal, ends[2];  // three quarters of the chord, and a quarter
  };
  double sum(const double* influence, Table<const StripAir> air) const;

  std::vector<Placed> placed_;
  // [s, s]: downwash at i, against its suction side, per circulation of j [1/m]: all at three quarters of the chord, and
  // the wake's alone at the quarter.
  std::vector<double> influence_, trailing_;
};

}  // namespace volery::elastic
