// One craft in flight: autopilot and actuators for a step.
#pragma once
#include "craft/autopilot.hpp"
#include "craft/thrust.hpp"

namespace volery::craft {

struct Flight {
  Level level;
  Reference& reference;
  Memory& memory;
  FanState* fans;   // one for each fan of the craft
  double* angles;   // one for each vane [rad]
};

// Advance by dt [s]; what fans, vanes and walls near do to the craft. felt_W: force on the tool.
Wrench fly(const Craft& craft, const Flight& flight, const Motion& motion, const Vec3d& felt_W, double dt);

}  // namespace volery::craft
