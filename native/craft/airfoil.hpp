// Lift and drag of a thin symmetric vane by its angle to the flow, beyond stall too.
#pragma once

namespace volery::craft {

struct Coefficients {
  double lift, drag;
};

// At an angle of −π to π [rad]. Flow from behind is taken as from the front: a thin vane hardly knows the difference
// beyond stall.
Coefficients coefficients(double angle);

}  // namespace volery::craft
