// The surface that a box scan saw: patches between neighbouring rays, and the edges between them.
//
// Rays of a box scan are parallel and stand on one grid, so the hits along an axis are a map of heights. Four
// neighbours make a patch; flat patches are taken together. Three things are done so that no piece of surface counts
// twice, or not at all:
//
// - A slanted surface is seen along two or three axes. Each view counts by the square of the normal's share along its
//   axis, less a fifth, over the sum of these: together always one, and views so steep that they look like a jump count
//   nothing.
// - A surface that crosses the plane where rays start is seen by the rays of both senses; patches there take from both.
// - At a jump or crease (the edge of a stair) the surface goes on to where it meets what the other axis' rays saw, as
//   the riser, or what lies on the other side: edges are where they are, not at the next ray. Where nothing was seen a
//   surface goes on by half the distance of the rays.
//
// What remains: of edges oblique to the rays the steps between rows are left out, of corners the last square.
#pragma once
#include <vector>

#include "core/arrays.hpp"
#include "core/table.hpp"

namespace volery::contact {

struct Patch {
  Vec3d corner[4];  // round about [m]
  Vec3d normal;     // of either sense
  double share;     // by which it counts
};

// Patches in the scanner's frame. heights: where rays ended along their axis, by axis, sense and grid; NaN: free [m];
// h: distance of the rays [m].
std::vector<Patch> surface_of(Array<const double, 3, 2, -1, -1> heights, double h);

}  // namespace volery::contact

namespace volery {
VOLERY_TABLE(contact::Patch, corner, normal, share)
}  // namespace volery
