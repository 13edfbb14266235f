// Drawing the tiles of shadow maps (shadow_maps.hpp): of the sun, and of parts of the sky (ambient).
//
// A tile is an orthographic picture, seen from the light, of what stands: by texel the height along the light of its
// first surface. It is a pure function of its place and of what stands there.
#pragma once
#include <cstdint>

#include "core/arrays.hpp"
#include "render/clusters.hpp"
#include "render/shadow_maps.hpp"
#include "render/surface_table.hpp"

namespace volery {

// Of one light. basis: two axes of the map and the direction towards the light, of the cell at origin_W; texel: finest [m];
// tiles: level, and two indices, of each; numbers: where each goes in the pool. detail: things so small [texels] may be
// shown roughly.
void draw_sun_tiles(ClusterTable& clusters, const SurfaceTable& surfaces, Array<const double, 3> origin_W,
                    Array<const double, 3, 3> basis, double texel, double detail, Array<const std::int64_t, -1, 3> tiles,
                    Array<const std::int64_t, -1> numbers, Array<float, -1, shadow_map::EDGE, shadow_map::EDGE> pool);

// The same, averaged over neighbours.
void draw_sky_tiles(ClusterTable& clusters, const SurfaceTable& surfaces, Array<const double, 3> origin_W,
                    Array<const double, 3, 3> basis, double texel, double detail, Array<const std::int64_t, -1, 3> tiles,
                    Array<const std::int64_t, -1> numbers,
                    Array<float, -1, shadow_map::EDGE, shadow_map::EDGE, SKY_CHANNELS> pool);

}  // namespace volery
