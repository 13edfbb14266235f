// From a wanted lift and torque to thrusts, angles and tilts: the least effort that gives them, for any prototype.
#pragma once
#include "craft/thrust.hpp"

namespace volery::craft {

// Lift along z of B [N], and torque about the centre of mass [N m].
struct Wanted {
  double lift;
  Vec3d torque;
};

// Efforts count by their shares of their ranges. Where not all can be had, lift, roll and pitch come before yaw.
Efforts allocate(const Craft& craft, const Vec3d& centre_B, const Wanted& wanted, const Flow& flow);

}  // namespace volery::craft
