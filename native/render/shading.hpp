// How sun, sky, lamps and air show what rays met.
//
// A surface of colour ρ sends back ρ times the light on it, and the light of a sky of even brightness L is L. What
// leaves the eye's way in the air is exp(−β·r).
#pragma once
#include <cstdint>

#include "core/arrays.hpp"
#include "render/air.hpp"
#include "render/lamp_maps.hpp"
#include "render/shadow_maps.hpp"
#include "render/surface_block.hpp"
#include "render/measures.hpp"
#include "render/visibility_buffer.hpp"

namespace volery {

// Light that was found before a picture is shaded, by ray; arrays may be empty.
struct GivenLight {
  Array<const float, -1> sun;  // share of the sun that is free: past what moves, if the sun's map is to say the rest
  Array<const float, -1, 3> lamps;        // light of lamps that have no maps
  Array<const std::uint16_t, -1> hidden;  // bits of the lamps with maps that moving things hide
  bool sun_by_map;                        // whether the sun's map counts
  bool sky_seen;                          // whether the sky is seen with its clouds, or is a light
  bool shared;                            // whether neighbours share light of sky and lamps
  float coarse;                           // how much coarser maps may be
};

// Where colours go, by ray; albedo, lit and normal may be empty. With albedo, light of the sun and from all round is
// left out of the colour, and albedo is what it is to be multiplied by.
struct ShadedArrays {
  Array<float, -1, 3> colour, albedo;
  Array<float, -1> lit;  // share of the sun
  Array<float, -1, 3> normal;
  Array<std::int32_t, -1> material;  // −1 for the sky
};

// Tiles of maps that were needed, and which blocks are to be shaded: those stay true that miss a tile.
struct ShadingNeeds {
  ShadowMapWindow::Marks marks;
  LampMapWindow::Marks lamp_marks;
  Array<bool, -1> todo;
};

void shade(const SurfaceTable& surfaces, const TracedRays& rays, const ShadowMapWindow& maps, const LampMapWindow& lamps,
           const Air& air, const NoiseVolume& noise, const GivenLight& given, const ShadedArrays& out,
           const ShadingNeeds& needs);

// Plain pictures, as most simulators draw them: colours of materials in the light of an open sky, without shadows.
void shade_plain(const SurfaceTable& surfaces, const TracedRays& rays, const Air& air, const NoiseVolume& noise,
                 Array<float, -1, 3> colour);

// The same straight from a drawn picture into its pixels. origin_W: of the scene's cell; far: reach [m].
void shade_drawn(const VisibilityBuffer& drawn, const SurfaceTable& surfaces, const Air& air, const NoiseVolume& noise,
                 Array<const double, 3> origin_W, float far, Array<float, -1, 3> linear, const MeasureArrays& out);

}  // namespace volery
