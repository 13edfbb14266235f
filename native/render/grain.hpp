// The grain of materials: bark, litter, rock, brick, painted by place.
#pragma once
#include "render/noise_volume.hpp"
#include "render/surface_block.hpp"

namespace volery {

// Put grain on the colours of a block's surfaces; it also tilts their normals, and fades where pixels are larger.
// pixel_angle: what a pixel sees [rad].
void paint_grain(const SurfaceTable& surfaces, const NoiseVolume& noise, const Vec3d& origin_W, float pixel_angle,
                 SurfaceBlock& b);

}  // namespace volery
