#include "craft/airfoil.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace volery::craft {
namespace {

constexpr double pi = std::numbers::pi;

// A section like NACA 0012 at a Reynolds number of about 10⁵: slope 2π below 8°, cut by a span of three chords to 4.3
// per radian, stall at 15°; beyond 30° that of a flat plate, sin 2α, cut the same. Drag with that of the lift's making.
constexpr double degrees[] = {0, 2, 4, 6, 8, 10, 12, 14, 15, 17, 20, 25, 30, 40, 45, 50, 60, 70, 80, 90};
constexpr double lift[] = {0.0,  0.15, 0.30, 0.45, 0.60, 0.74, 0.86, 0.95, 0.97, 0.90,
                           0.80, 0.75, 0.80, 0.90, 0.92, 0.90, 0.78, 0.57, 0.30, 0.0};
constexpr double drag[] = {0.015, 0.0155, 0.017, 0.020, 0.024, 0.031, 0.041, 0.056, 0.070, 0.13,
                           0.20,  0.32,   0.45,  0.75,  0.90,  1.05,  1.30,  1.50,  1.62,  1.66};
constexpr int count = sizeof(lift) / sizeof(double);
constexpr auto angles = [] {
  std::array<double, count> radians{};
  for (int i = 0; i < count; ++i) radians[i] = degrees[i] * (pi / 180);
  return radians;
}();

}  // namespace

Coefficients coefficients(double angle) {
  double a = std::abs(angle), sign = angle >= 0.0 ? 1.0 : -1.0;
  if (a > 0.5 * pi) {
    a = pi - a;
    sign = -sign;
  }
  for (int i = 1; i < count; ++i) {
    if (!(a <= angles[i])) continue;
    const double f = (a - angles[i - 1]) / (angles[i] - angles[i - 1]);
    return {sign * (lift[i - 1] + f * (lift[i] - lift[i - 1])), drag[i - 1] + f * (drag[i] - drag[i - 1])};
  }
  return {0.0, drag[count - 1]};
}

}  // namespace volery::craft
