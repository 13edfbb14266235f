// Propellers as actuator discs: thrust from shaft power, air density and the speed along the axis.
#pragma once
#include <algorithm>
#include <cmath>

namespace volery::elastic {

// Thrust [N] of a disc [m²] that puts a power [W] into air of a density [kg/m³] that comes at a speed [m/s]:
// power = 2ρA·v·(speed + v)², v the speed that the disc adds, solved by Newton from above, where it converges.
inline double disc_thrust(double power, double speed, double rho, double area) {
  if (power <= 0.0 || rho <= 0.0 || area <= 0.0) return 0.0;
  speed = std::max(speed, 0.0);
  const double wanted = power / (2.0 * rho * area);
  double v = std::pow(wanted, 1.0 / 3.0);
  for (int round = 0; round < 8; ++round) {
    const double total = speed + v;
    v -= (v * total * total - wanted) / (total * (total + 2.0 * v));
  }
  return 2.0 * rho * area * v * (speed + v);
}

// Power [W] into the air for a thrust [N] at a speed [m/s].
inline double disc_power(double thrust, double speed, double rho, double area) {
  if (thrust <= 0.0 || rho <= 0.0 || area <= 0.0) return 0.0;
  speed = std::max(speed, 0.0);
  return thrust * (0.5 * speed + std::sqrt(0.25 * speed * speed + thrust / (2.0 * rho * area)));
}

}  // namespace volery::elastic
