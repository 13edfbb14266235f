// What the grain of each kind of material looks like: its colours and its relief, from noise of three sizes.
#pragma once
#include "render/noise_volume.hpp"
#include "render/surface_table.hpp"

namespace volery {

constexpr float GRAIN_FINE = 7;         // how much finer the second layer of noise is
constexpr float GRAIN_ALONG = 0.125f;   // how much longer the grain of wood is than wide
constexpr float GRAIN_ACROSS = 0.125f;  // likewise of layered rock, which lies

// Texels of noise per metre, level and upright, and level for finer layers; and how many texels noise over many metres
// moves them.
struct GrainScale {
  float flat, upright, flat_fine, warp;
};
GrainScale grain_scale(Texture kind, float frequency);

// A place on a surface. Layers fade where pixels are larger than what they show.
struct GrainPlace {
  Vec3d p;  // [m], on what moves in its own frame
  Vec3f normal, colour;
  float pixel;         // what a pixel sees of the surface [m]
  float coarse, fine;  // how much of the layers is left, 0 to 1
  NoiseSample a, c;    // the coarse layer, and both finer ones, already faded
  float big;           // noise over many metres
  std::uint32_t piece;  // number of the leaf or blade
};

struct GrainPaint {
  Vec3f colour;
  Vec3f slope;  // of the relief, per texel of noise
};

GrainPaint paint_pattern(const MaterialRow& material, const GrainPlace& at);

}  // namespace volery
