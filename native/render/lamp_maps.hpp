// Light of lamps by maps: how far each lamp's light comes, seen from the lamp all round.
//
// A lamp is a point. Its map is a cube round it: six faces of FACE × FACE texels, cut into tiles that are made when a
// picture first needs them (render/shadow_maps/lamp_tiles.py). Face 2·a looks along axis a, face 2·a + 1 against it; the
// two other axes follow in the order x, y, z, x.
#pragma once
#include <cstdint>

#include "core/arrays.hpp"
#include "core/table.hpp"
#include "render/surface_block.hpp"

namespace volery {

namespace lamp_map {
constexpr double REACH = 45.0;  // how far a lamp throws shadows [m]; beyond, it only lights by what walls send on
constexpr int FACE = 256, TILE = 64, RIM = 4;  // texels along a face, along a tile, and of the rim shared by tiles
constexpr int SIDE = TILE + 2 * RIM, ACROSS = FACE / TILE;
constexpr int TILES = 6 * ACROSS * ACROSS;
constexpr int MOST = 15;  // lamps at a time: as many as there are bits beside that of the sun (movers.hpp)
}  // namespace lamp_map

struct Lamp {
  Vec3d p_W;
  Vec3d power;  // light on a surface that faces the lamp from 1 m
};
VOLERY_TABLE(Lamp, p_W, power)

// Share of a lamp's power on a surface, by the squared distance [m²] and the length of the way along the normal [m].
template <class T>
T lamp_direct(T square, T facing) {
  return std::max(facing, T(0)) / (std::sqrt(square) * std::max(square, T(0.1f)));
}
// What walls send on, which also reaches where the lamp itself is hidden.
template <class T>
T lamp_around(T square) {
  return T(0.2f) / (square + T(9));
}

class LampMapWindow {
 public:
  // index: tile in the pool, −1: not there; depth of the first thing that stands, along the axis of its face [m].
  LampMapWindow(Table<const Lamp> lamps, Array<const double, 3> origin_W,
                Array<const std::int32_t, -1, lamp_map::TILES> index,
                Array<const float, -1, lamp_map::SIDE, lamp_map::SIDE> depth);

  using Marks = Array<bool, -1, lamp_map::TILES>;  // tiles that are needed
  using Shares = float (*)[BLOCK];
  int count() const { return int(place_L_.size()); }
  void check(const Marks& marks) const { need_size(marks, count(), "lamp_marks"); }
  // Share of each lamp's light that reaches each surface of a block, 0 to 1, softened over four texels; hidden (or
  // null): by ray, bits of the lamps before which something moving stands. Returns whether a tile is missing; there the
  // light is taken as free.
  bool find(const std::uint16_t* hidden, const Marks& marks, const SurfaceBlock& b, Shares free) const;
  // Light of all lamps on the surfaces of a block; member: which of `free` is that of each surface.
  void light(Shares free, const std::int32_t* member, SurfaceBlock& b) const;

 private:
  struct Places;
  bool aim(const Vec3f& lamp, const SurfaceBlock& b, Places& places) const;
  bool find_tiles(int lamp, const Marks& marks, const SurfaceBlock& b, Places& places) const;
  void compare(const SurfaceBlock& b, const Places& places, float* free) const;

  std::vector<Vec3f> place_L_, power_;
  Array<const std::int32_t, -1, lamp_map::TILES> index_;
  const float* depth_;
};

}  // namespace volery
