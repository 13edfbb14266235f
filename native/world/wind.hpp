// The wind as a field: one pure function of place, time and seed (see volery/world/wind.py).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "core/table.hpp"
#include "world/turbulence.hpp"

namespace volery {

constexpr double WIND_LOWEST = 3.048;     // below 10 ft turbulence stays as it is at 10 ft [m]
constexpr double WIND_HIGHEST = 25000.0;  // the last knot [m]
constexpr double WIND_LAYER_SPAN = 200.0;  // the highest layer over the lowest
constexpr int WIND_LAYERS = 9, WIND_KNOTS = 512;

enum class Shear : std::int32_t { none, log, power };

struct WindShape {
  Vec3d steady;  // mean velocity at the reference height, in W [m/s]
  Shear shear;   // how it grows with height
  double reference_height, roughness, exponent, gradient_height;
  double ground;  // z of the ground [m]
  double thermal_cell;  // edge of the cells with one thermal each [m]; 0: none
  double thermal_radius, thermal_strength, thermal_top;  // of those, on average
  std::int64_t seed;  // of those
};
template <>
struct Layout<Shear> : Layout<std::int32_t> {};
VOLERY_TABLE(WindShape, steady, shear, reference_height, roughness, exponent, gradient_height, ground, thermal_cell,
             thermal_radius, thermal_strength, thermal_top, seed)

struct WindLayer {  // eddies that one height carries along
  Vec3d flow;                // in W [m/s]
  double rate[EDDY_SIZES];   // at which they change by themselves: drawings per second, all 0: frozen
};
VOLERY_TABLE(WindLayer, flow, rate)

struct WindGust {
  Vec3d p_W;       // of its centre at `time` [m]
  double time;     // [s]
  Vec3d peak;      // velocity at the centre, in W [m/s]
  Vec3d way;       // unit, in W
  double speed;    // [m/s]
  double length;   // from calm to calm along its way [m]
  double width;    // half width across [m]; 0: an endless front
};
VOLERY_TABLE(WindGust, p_W, time, peak, way, speed, length, width)

struct WindThermal {
  double x, y;      // in W [m]
  double radius;    // [m]
  double strength;  // [m/s]
  double top;       // above ground [m]
};
VOLERY_TABLE(WindThermal, x, y, radius, strength, top)

class WindField {
 public:
  // Strengths of eddies at the knots [m/s]; layers: none, one for all heights, or one for each of WIND_LAYERS.
  WindField(const WindShape& shape, Array<const float, WIND_KNOTS, EDDY_AXES, EDDY_SIZES> strengths,
            Table<const WindLayer> layers, Table<const WindGust> gusts,
            Table<const WindThermal> thermals);
  // At points [m] over the ground (none: as the shape says), at time t [s], into out [m/s].
  void velocity(Array<const double, -1, 3> p_W, Array<const double, -1> ground, double t,
                Array<double, -1, 3> out) const;

 private:
  struct Layer {
    Eddies eddies;
    Vec3d flow;
    bool evolving;
    std::array<double, EDDY_SIZES> rate;
  };
  struct Carried {  // a layer at one time
    bool known = false;
    Vec3d way;  // since time 0 [m]
    Eddies::Moment moment;
  };
  using Now = std::array<Carried, WIND_LAYERS>;

  Vec3d smooth(const Vec3d& p, double h, double t) const;
  double strewn(double x, double y, double h) const;
  Vec3d turbulence(const Vec3d& p, double h, double t, Now& now) const;
  Vec3d carried(int layer, const Vec3d& p, const EddyStrengths& strengths, double t, Now& now) const;

  WindShape shape_;
  double log_scale_;
  std::array<EddyStrengths, WIND_KNOTS> strengths_;
  std::vector<Layer> layers_;  // none: no turbulence
  std::vector<WindGust> gusts_;
  std::vector<WindThermal> thermals_;
};

// Mean wind at height h [m] as a multiple of that at the reference height.
double mean_factor(const WindShape& shape, double log_scale, double h);
double log_scale(const WindShape& shape);

}  // namespace volery
