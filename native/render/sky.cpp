#include "render/air.hpp"

namespace volery {
namespace {

// How much of the sky's light thin clouds are, 0 to 0.55.
double cloud_veil(const NoiseVolume& noise, const Vec3d& d) {
  if (d.z <= 0.02) return 0;
  const double s = 14.0 / (d.z + 0.12), t = s * 3.7;
  double cloud = 0.7 * noise.at(d.x * s + 7.0, d.y * s + 3.0, 11.5).value;
  cloud += 0.3 * noise.at(d.x * t, d.y * t, 40.5).value;
  return 0.55 * std::clamp(0.8 * cloud - 0.15, 0.0, 1.0) * std::min(d.z * 4.0, 1.0);
}

// The sun's disc and what is close round it.
double sun_disc(double near) {
  if (near <= 0.98) return 0;
  for (int k = 0; k < 8; ++k) near *= near;
  return 0.42 * near + (near > 0.9974 ? 10.0 : 0.0);
}

// What a height that has most of the air below it sees under the horizon: haze that thins downwards, sea and land.
Vec3d earth(const Air& air, double down) {
  const Vec3d ground{0.03, 0.06, 0.09};
  const double haze = std::exp(-6.0 * down), lit = std::max(air.sun_W.z, 0.0);
  const Vec3d sent{ground.x * air.sun.x, ground.y * air.sun.y, ground.z * air.sun.z};
  return haze * air.horizon + (1.0 - haze) * (lit * sent + 0.25 * air.horizon);
}

}  // namespace

Vec3f sky_colour(const Air& air, const NoiseVolume& noise, const Vec3d& direction_W, bool seen) {
  const double up = std::sqrt(std::clamp(direction_W.z, 0.0, 1.0));
  double shine = 0, veil = 0;
  if (seen) {
    const double near = dot(direction_W, air.sun_W);
    shine = glow(near) + sun_disc(near);
    veil = cloud_veil(noise, direction_W) * (1.0 - air.below);
  }
  // In thin air the sky is dark down to a bright band.
  const double high = air.below > 0.0 ? up + air.below * (-std::expm1(-14.0 * up * up) - up) : up;
  Vec3d clear = air.horizon + (air.zenith - air.horizon) * high;
  if (air.below > 0.0 && direction_W.z < 0.0) clear += air.below * (earth(air, -direction_W.z) - clear);
  const Vec3d more = veil * (0.25 * air.sun + 0.75 * air.horizon - clear) + air.sun * (shine * (1.0 - 0.7 * veil));
  return as<float>(clear + (1.0 - air.cloud) * more);
}

}  // namespace volery
