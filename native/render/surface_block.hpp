// A block of surfaces that rays met: structures of arrays, so that several are worked on at once, small enough for a
// core's cache.
#pragma once
#include <cstdint>

#include "render/surface_table.hpp"
#include "render/traced_rays.hpp"

namespace volery {

constexpr int BLOCK = 256;         // rays
constexpr int BLOCKS_AT_ONCE = 8;  // that a thread takes

struct SurfaceBlock {
  alignas(32) std::int32_t ray[BLOCK], slot[BLOCK];  // of the picture, and in the block
  alignas(32) std::int32_t row[BLOCK], mesh[BLOCK], primitive[BLOCK], material[BLOCK];
  alignas(32) float dx[BLOCK], dy[BLOCK], dz[BLOCK];  // direction of the ray
  alignas(32) float x[BLOCK], y[BLOCK], z[BLOCK];     // where it ends, in L [m]
  alignas(32) float nx[BLOCK], ny[BLOCK], nz[BLOCK];  // normal towards the eye
  alignas(32) float away[BLOCK];                      // from the eye [m]
  alignas(32) float path[BLOCK];    // length of the ray [m]; as `away`, unless it comes by way of a mirror
  alignas(32) float detail[BLOCK];  // distance by which maps choose their texels [m]
  alignas(32) float thin[BLOCK];    // light that passes, of leaves
  alignas(32) float r[BLOCK], g[BLOCK], b[BLOCK];
  alignas(32) float sun[BLOCK];                                   // share that comes down here
  alignas(32) float sky[BLOCK], around[BLOCK];                    // shares of the sky: by the normal, and all round
  alignas(32) float lamp_r[BLOCK], lamp_g[BLOCK], lamp_b[BLOCK];  // light of lamps
  alignas(32) float glint_r[BLOCK], glint_g[BLOCK], glint_b[BLOCK];  // lamps as a glossy surface mirrors them
  alignas(32) float gloss[BLOCK];
  int count = 0;

  // The surfaces that rays first … last − 1 met; sky is left out. coarse: how much coarser maps may be.
  void load(const SurfaceTable& surfaces, const TracedRays& rays, std::int64_t first, std::int64_t last, float coarse);
  void load(const SurfaceTable& surfaces, const TracedRays& rays, const std::int64_t* chosen, int number);

 private:
  void add(const TracedRays& rays, std::int64_t i, int place, float coarse);
  void finish(const SurfaceTable& surfaces, const TracedRays& rays);
};

// Blend the corners' normals, and colours if they have some, for surfaces first … last − 1 of one triangle of a smooth
// mesh at origin_W.
void smooth_triangle(const SurfaceTable& surfaces, const Vec3d& origin_W, std::int32_t row, std::int32_t face,
                     int first, int last, SurfaceBlock& b);

}  // namespace volery
