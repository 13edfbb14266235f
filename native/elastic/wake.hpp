// The wake of a lifting line that may have any shape: downwash at each strip per circulation of each strip.
//
// Every strip sheds two straight vortices from the ends of its quarter-chord line, along the flow. What is far behind
// feels twice of what is beside, so the tail flies in the wing's downwash.
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
  void follow(const std::vector<Strip>& strips, Table<StripAir> air, double travelled) const;
  // How fast the downwash of strip i follows at a speed [m/s²].
  double rate(std::size_t i, const Strip& strip, Table<const StripAir> air, double speed) const;

 private:
  struct Placed {
    Vec3d place, normal, ends[2];
  };
  double target(std::size_t i, Table<const StripAir> air) const;

  std::vector<Placed> placed_;
  std::vector<double> influence_;  // [s, s]: downwash at i, against its suction side, per circulation of j [1/m]
};

}  // namespace volery::elastic
