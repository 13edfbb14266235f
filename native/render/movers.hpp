// Where what moves may stand in the way of light: there rays ask, since shadow maps know only what stands.
#pragma once
#include "core/arrays.hpp"
#include "core/table.hpp"
#include "render/lamp_maps.hpp"
#include "render/traced_rays.hpp"

namespace volery {

// A sphere round a thing that moves.
struct Mover {
  Vec3d p_W;
  double radius;
};
VOLERY_TABLE(Mover, p_W, radius)

constexpr std::uint16_t BY_SUN = 1 << 15;  // bit of the sun; bit k is that of lamp k
static_assert(lamp_map::MOST <= 15);

// Lights whose way to what a ray met passes through one of the movers' spheres, as bits; sun: whether it counts.
void near_movers(const TracedRays& rays, Table<const Mover> movers, bool sun, Array<const double, 3> sun_W,
                 Table<const Lamp> lamps, Array<std::uint16_t, -1> bits);

}  // namespace volery
