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

}  // namespace

Vec3f sky_colour(const Air& air, const NoiseVolume& noise, const Vec3d& direction_W, bool seen) {
  const double up = std::sqrt(std::clamp(direction_W.z, 0.0, 1.0));
  double shine = 0, veil = 0;
  if (seen) {
    const double near = dot(direction_W, air.sun_W);
    shine = glow(near) + sun_disc(near);
    veil = cloud_veil(noise, direction_W);
  }
  const Vec3d clear = air.horizon + (air.zenith - air.horizon) * up;
  const Vec3d more = veil * (0.25 * air.sun + 0.75 * air.horizon - clear) + air.sun * (shine * (1.0 - 0.7 * veil));
  return as<float>(clear + (1.0 - air.cloud) * more);
}

}  // namespace volery
