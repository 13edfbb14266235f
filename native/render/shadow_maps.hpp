// Looking shadow maps up: how far light from the sun, and from a few parts of the sky, comes down at a place.
//
// A map is cut into tiles (render/shadow_maps) whose texels grow with the distance from the camera. Coordinates are
// those of the scene's cell.
#pragma once
#include <cstdint>

#include "core/arrays.hpp"
#include "render/surface_block.hpp"

namespace volery {

namespace shadow_map {
constexpr int LEVELS = 8;    // sizes of texels, each twice the one before
constexpr int WINDOW = 9;    // tiles along an edge of what a camera can see of a level
constexpr int TEXELS = 128;  // along a tile
constexpr int BORDER = 8;    // texels of the rim that a tile shares with its neighbours
constexpr int EDGE = TEXELS + 2 * BORDER;
constexpr int BLUR = 2;                               // texels to each side over which the sky's maps are averaged
constexpr double NO_ROOF = -1e9;                      // height [m] of what keeps no light out
constexpr double SUN_TEXEL = 0.04, SUN_REACH = 16.0;  // finest texel [m], and up to which distance it is used [m]
constexpr double SKY_TEXEL = 0.3, SKY_REACH = 64.0;
}  // namespace shadow_map

// A sky texel: mean of the heights in a square of neighbours [m], their variance [m²], and the lowest of them [m].
constexpr int SKY_CHANNELS = 3;

// The maps round a camera; direction 0 is the sun. The arrays stay the caller's.
class ShadowMapWindow {
 public:
  // basis [k]: two axes of the map and the direction towards the light; corner [k, level]: first tile of the window;
  // index: tile in the pool, −1: not there; sun: height of the first surface along the light [m].
  ShadowMapWindow(Array<const double, -1, 3, 3> basis, Array<const std::int64_t, -1, shadow_map::LEVELS, 2> corner,
                 Array<const std::int32_t, -1, shadow_map::LEVELS, shadow_map::WINDOW, shadow_map::WINDOW> index,
                 Array<const float, -1, shadow_map::EDGE, shadow_map::EDGE> sun,
                 Array<const float, -1, shadow_map::EDGE, shadow_map::EDGE, SKY_CHANNELS> sky);

  // Tiles that pictures need: those that are asked for become true.
  using Marks = Array<bool, -1, shadow_map::LEVELS, shadow_map::WINDOW, shadow_map::WINDOW>;
  std::int64_t directions() const { return basis_.size(); }
  void check(const Marks& marks) const;
  // Share of the sun that reaches each surface of a block, softened over four texels, into b.sun. Where a tile is
  // needed that is not there, 1; returns whether there is such a place.
  bool find_sun(const Marks& marks, SurfaceBlock& b) const;
  // Shares of the sky into b.sky and b.around; returns whether a tile is missing.
  bool find_sky(const Marks& marks, SurfaceBlock& b) const;

 private:
  struct Places;
  bool find(const Marks& marks, int k, int channels, const SurfaceBlock& b, Places& at) const;
  void project(int k, const SurfaceBlock& b, Places& at) const;
  void add_sky(const Places& at, float share, SurfaceBlock& b, float* weight) const;

  Array<const double, -1, 3, 3> basis_;
  Array<const std::int64_t, -1, shadow_map::LEVELS, 2> corner_;
  Array<const std::int32_t, -1, shadow_map::LEVELS, shadow_map::WINDOW, shadow_map::WINDOW> index_;
  const float *sun_, *sky_;
};

}  // namespace volery
