// The solid triangles near a shape, out of the scene that rays see, in the shape's own frame G.
#pragma once
#include "contact/world.hpp"

namespace volery::contact {

// Bring the triangles near a shape into scratch.triangles; returns how many.
// p_W: its centre; R_WG: its axes; half_extents: in G [m]. nearby: of this shape, to look there first within a step.
std::int64_t gather(const ContactWorld& world, Scratch& scratch, const Vec3d& p_W, const Mat3d& R_WG,
                    const Vec3d& half_extents, double margin, Nearby* nearby = nullptr);

}  // namespace volery::contact
