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

constexpr float LEAST_GLOSS = 0.3f;  // of what mirrors lamps
constexpr float LAMP_SIZE = 0.3f;    // half the length of a lamp [m]

// What a glossy surface of unit normal n mirrors of a lamp, as a share of its power, by the way to it [m] and the unit
// direction d of the eye's ray: a lobe (of Trowbridge and Reitz, with the shadowing of Hammon 2017) round where a mirror
// would show the lamp, as wide as the surface is rough and the lamp large, and stronger at flat angles (Schlick).
inline float lamp_glint(float gloss, float x, float y, float z, const Vec3f& n, const Vec3f& d) {
  const float square = std::max(x * x + y * y + z * z, 1e-6f), unit = 1.0f / std::sqrt(square);
  const float hx = x * unit - d.x, hy = y * unit - d.y, hz = z * unit - d.z;
  const float half = 1.0f / std::sqrt(std::max(hx * hx + hy * hy + hz * hz, 1e-6f));
  const float light = std::max((n.x * x + n.y * y + n.z * z) * unit, 0.0f);
  const float eye = std::max(-(n.x * d.x + n.y * d.y + n.z * d.z), 0.02f);
  const float up = (n.x * hx + n.y * hy + n.z * hz) * half, rest = 1.0f - (x * hx + y * hy + z * hz) * unit * half;
  const float rough = std::min((1.0f - gloss) * (1.0f - gloss) + LAMP_SIZE * unit, 1.0f), wide = rough * rough;
  const float spread = up * up * (wide - 1.0f) + 1.0f, mirror = 0.04f + 0.96f * rest * rest * rest * rest * rest;
  const float hidden = 2.0f * light * eye * (1.0f - rough) + (light + eye) * rough + 1e-3f;
  return wide / (spread * spread) * mirror * 0.5f * light / (hidden * std::max(square, 0.1f));
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
  // What glossy surfaces mirror of the lamps, likewise.
  void glint(Shares free, const std::int32_t* member, SurfaceBlock& b) const;

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
