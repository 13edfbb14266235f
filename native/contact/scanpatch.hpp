// The volume that a patch of surface cuts off a robot: depth below the robot's skin, integrated over the patch.
//
// Five depths and their directions of growth, at corners and middle, tell which faces of the robot are near: over the
// patch the depth is the least of these five linear functions, exactly so for faces of a convex robot. It is checked at
// four more places, and in the middle of what was found; where it does not agree the patch is split in four. The part
// above zero under each function is cut out and integrated exactly, so the result does not jump as the robot moves, and
// it has the symmetry of robot and patch.
#pragma once
#include <vector>

#include "contact/voxelmap.hpp"
#include "core/table.hpp"

namespace volery::contact {

// A piece of surface in a robot.
struct Piece {
  double volume;  // below the robot's skin [m³]
  double area;    // [m²]
  Vec3d place;    // middle of the volume [m]
  Vec3d normal;   // direction in which depth grows
};

using Quad = Vec3d[4];

// Cut a patch, its corners in the robot's frame B, by the robot, and append the pieces. whole: volume of all contact as
// far as known [m³], for the fineness.
void cut(const VoxelMap& voxels, const Quad& corners, double whole, std::vector<Piece>& pieces);

}  // namespace volery::contact

namespace volery {
VOLERY_TABLE(contact::Piece, volume, area, place, normal)
}  // namespace volery
