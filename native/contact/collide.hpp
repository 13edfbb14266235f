// A shape against the world: gather the triangles near it, find its contacts, keep the few that matter.
#pragma once
#include "contact/world.hpp"

namespace volery::contact {

Vec3d half_extents(const Shape& shape);  // in its frame G [m]

// Contacts of a shape at p_W with the axes R_WG, in its frame G, at the front of scratch.contacts; returns how many, at
// most KEPT. What is nearer than `margin` [m] counts as a contact. Boxes and meshes need a hull. nearby: see gather.hpp.
int collide(const ContactWorld& world, Scratch& scratch, const Shape& shape, const Vec3d& p_W, const Mat3d& R_WG,
            double margin, Nearby* nearby = nullptr);

// A ball, with the axes of W.
inline int collide_ball(const ContactWorld& world, Scratch& scratch, const Vec3d& p_W, double radius) {
  return collide(world, scratch, Shape::ball(radius), p_W, Mat3d::identity(), 0);
}

}  // namespace volery::contact
