// Light and air at an instant, and what an open sky gives to a surface. Colours are linear RGB: 1 is a white surface in
// the sun of a clear noon. The sky's light on surfaces is that of its gradient, L(z) = horizon + (zenith − horizon)·√z
// by the height z of a unit direction; glow and clouds are only seen.
#pragma once
#include <algorithm>

#include "core/vec.hpp"
#include "render/noise_volume.hpp"

namespace volery {

struct Air {
  Vec3d sun_W;  // unit, towards the sun
  Vec3d sun;    // what a white surface that faces the sun sends back
  Vec3d zenith, horizon;
  double extinction;   // of visible light [1/m]
  double cloud;        // how much of the sky is hidden by what is in the air, 0 to 1
  double headlight;    // light of the camera's own lamp at 1 m
  double pixel_angle;  // what a pixel sees of the world [rad], to blur the grain with distance
  double below;        // share of all air that is below the eye: clouds are, too, and the Earth shines up through it
};

constexpr double DARK_SUN = 1e-5;           // sunlight below which no shadow is seen
constexpr float NEAREST_HEADLIGHT = 0.05f;  // squared distance [m²] below which a headlight gets no brighter

struct SkyShares {
  float horizon, zenith;
};

// Light of an open sky on a surface whose normal has height `up`: the mean of L over directions weighted by their
// cosine, with the unit sky (1 + up)/2. The share of √z is exact for surfaces that lie (0.8), stand (B(3/4, 3/2)/π =
// 0.3051) or hang (0), and within 0.01 between.
inline SkyShares open_sky(float up) {
  const float zenith = 0.3051f + up * (0.4f + 0.0949f * up);
  return {0.5f * (1.0f + up) - zenith, zenith};
}

// exp(−depth) for a depth ≥ 0, within 1e-5: the share of light that passes through air of an optical depth. Padé's (2,
// 2) for an eighth of it, three times squared.
inline float passing(float depth) {
  const float x = std::min(depth, 16.0f) * 0.125f, square = x * x;
  float share = (12.0f - 6.0f * x + square) / (12.0f + 6.0f * x + square);
  share *= share;
  share *= share;
  return share * share;
}

// Sunlight that air sends on to an eye, by the cosine of the angle between its way and the sun's; a share of it.
template <class T>
T glow(T near) {
  near = std::max(near, T(0));
  near *= near;
  near *= near;
  const T wide = T(0.05) * near;
  near *= near;
  return wide + T(0.1) * near * near;
}

// The sky along a direction; seen: with the sun's glow and disc and thin clouds, else as a light.
Vec3f sky_colour(const Air& air, const NoiseVolume& noise, const Vec3d& direction_W, bool seen);

}  // namespace volery
