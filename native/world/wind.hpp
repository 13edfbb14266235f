// The wind as a field: one pure function of place, time and seed (see volery/world/wind.py).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "core/table.hpp"

namespace volery {

constexpr double WIND_LOWEST = 3.048;     // below 10 ft turbulence stays as it is at 10 ft [m]
constexpr double WIND_HIGHEST = 25000.0;  // the last knot [m]
constexpr double WIND_LEVEL_SPAN = 200.0;  // the highest level over the lowest
constexpr int WIND_LEVELS = 9, WIND_KNOTS = 64;
constexpr int MODES_ALONG = 32, MODES_UP = 16, MODES = MODES_ALONG + MODES_UP;  // per level; whole vector lanes

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

struct WindLevel {                 // frozen waves of one height: modes along the ground, then modes upwards
  double wave[3][MODES];           // [1/m], in W
  double phase[MODES];             // at time 0 [1]
  double rate[MODES];              // [1/s]
  double east[MODES_ALONG], north[MODES_ALONG], up[MODES_UP];  // amplitudes; each component has unit variance
};
VOLERY_TABLE(WindLevel, wave, phase, rate, east, north, up)

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
  WindField(const WindShape& shape, Array<const double, WIND_KNOTS, 2> sigma, Table<const WindLevel> levels,
            Table<const WindGust> gusts, Table<const WindThermal> thermals);
  // At points [m] over the ground (none: as the shape says), at time t [s], into out [m/s].
  void velocity(Array<const double, -1, 3> p_W, Array<const double, -1> ground, double t,
                Array<double, -1, 3> out) const;

 private:
  struct Blend {
    int level;  // the lower of two
    double along[2], up[2];  // weights of the lower and the upper [m/s]
  };
  using Phases = std::array<std::array<double, MODES>, WIND_LEVELS>;

  Vec3d smooth(const Vec3d& p, double h, double t) const;
  double strewn(double x, double y, double h) const;
  Blend blend(double h) const;
  void phases_at(double t, int level, Phases& phases, unsigned& known) const;

  WindShape shape_;
  double log_scale_;
  std::array<std::array<double, 2>, WIND_KNOTS> sigma_;  // along and up [m/s]
  std::vector<WindLevel> levels_;                        // none: no turbulence
  std::vector<WindGust> gusts_;
  std::vector<WindThermal> thermals_;
};

// Mean wind at height h [m] as a multiple of that at the reference height.
double mean_factor(const WindShape& shape, double log_scale, double h);
double log_scale(const WindShape& shape);

}  // namespace volery
