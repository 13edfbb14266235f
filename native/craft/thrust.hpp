// From thrusts, angles of vanes and tilts of discs to the force and torque on a craft: the same for all prototypes.
#pragma once
#include <vector>

#include "core/arrays.hpp"
#include "craft/tables.hpp"

namespace volery::craft {

constexpr int most_fans = 8, most_vanes = 128;

struct Wrench {
  Vec3d force, torque;
};

struct Craft {
  Gains gains;
  std::vector<Fan> fans;
  std::vector<Vane> vanes;

  Craft(const Gains& gains, std::vector<Fan> fans, std::vector<Vane> vanes);
  int fan_count() const { return int(fans.size()); }
  int vane_count() const { return int(vanes.size()); }
};

// What actuators do or are told: of each fan and each vane.
struct Efforts {
  double thrust[most_fans], tilt[most_fans][2], angle[most_vanes];
};

// The air round a craft: density [kg/m³], and the speed of each fan along its axis through it [m/s].
struct Flow {
  double density;
  double climb[most_fans];
};

// Speed of a duct's outflow by momentum theory [m/s], from thrust = density · area · v · (v − climb).
double outflow(double thrust, double area, double density, double climb);

// In B, about the root's origin. gain: of each fan's thrust, by what is near; null: nothing is.
Wrench wrench(const Craft& craft, const Efforts& efforts, const Flow& flow, const double* gain = nullptr);

// Motors, servos and discs come nearer to what they were told, within their limits, for dt [s].
void follow(const Craft& craft, const Efforts& told, double dt, Efforts& now);

// Ideal power of all fans at rest in the air, by momentum theory [W].
double ideal_power(const Craft& craft, const FanState* fans, double density);

}  // namespace volery::craft
