// Strips of an aircraft, the air at them and their propellers, as Python has them too.
#pragma once
#include "core/table.hpp"

namespace volery::elastic {

// A strip S of a wing or surface on its body B: x of S to the leading edge, y along the span, z to the suction side.
struct Strip {
  Vec3d p_B;        // middle, at mid-chord [m]
  Mat3d R_BS;       //
  Vec3d ends_B[2];  // of its bound vortex at the quarter chord, right to left [m]
  double half_chord, length;
  double slope, zero_lift;           // of lift [1/rad]; angle without lift [rad]
  double moment, drag, stall;        // coefficients about the quarter chord; [rad]
  double flap_lift, flap_moment;     // what a flap adds by its angle: angle of attack, moment coefficient [1/rad]
  std::int64_t body, control, part;  // control: −1 for none; part: of those that fly by themselves
};

// The air at a strip, and the wake that it leaves.
struct StripAir {
  Vec3d wind_W;
  double rho;
  double lag[2];  // upwash that has become circulation, by term of Wagner's function [m/s]
  Vec3d gust[4];  // wind that has, by the terms of Wagner's and of Küssner's function
  double induced;      // downwash at three quarters of the chord, beyond that of an endless wing [m/s]
  double tilt;         // of the wake alone, at the quarter chord, by which the lift leans back [m/s]
  double circulation;  // [m²/s]
};

struct Disc {
  Vec3d p_B;
  double area;
  double most;  // power that reaches the air at full throttle [W]
  double lag;   // [s]
  double throttle, share;  // what it is told and what it does, 0 to 1
  double thrust;           // [N]
  std::int64_t body;
};

}  // namespace volery::elastic

namespace volery {
VOLERY_TABLE(elastic::Strip, p_B, R_BS, ends_B, half_chord, length, slope, zero_lift, moment, drag, stall, flap_lift,
             flap_moment, body, control, part)
VOLERY_TABLE(elastic::StripAir, wind_W, rho, lag, gust, induced, tilt, circulation)
VOLERY_TABLE(elastic::Disc, p_B, area, most, lag, throttle, share, thrust, body)
}  // namespace volery
