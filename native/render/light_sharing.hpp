// Light that changes slowly from pixel to pixel, of the sky and of lamps, is found once for up to four of them.
//
// Rays come in tiles of 4×4 pixels (render/lens.py), of which each quarter may share, as far as its surfaces lie on the
// same thing, near to each other and the same way.
#pragma once
#include <cstdint>

#include "render/surface_block.hpp"

namespace volery {

// Choose surfaces of a block that stand for others, into `few`, and for each which of those it is, into member [BLOCK].
// first: number of the block's first ray; angle: what a pixel sees [rad], 0 if each is to stand for itself.
void choose_leaders(const SurfaceBlock& b, std::int64_t first, float angle, SurfaceBlock& few, std::int32_t* member);

// Give all surfaces of a block the shares of the sky that were found for those which stand for them.
void spread_sky(const SurfaceBlock& few, const std::int32_t* member, SurfaceBlock& b);

}  // namespace volery
