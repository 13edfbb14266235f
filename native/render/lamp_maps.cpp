#include "render/lamp_maps.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace volery {

using namespace lamp_map;

namespace {

constexpr float LEAST = 1e-3f;  // nearest a surface can be to a lamp [m]
bool any_positive(const float* values, int count) {
  std::int32_t found = 0;
  for (int n = 0; n < count; ++n) found |= values[n] > 0 ? 1 : 0;
  return found != 0;
}

constexpr float REACH_SQUARE = float(REACH * REACH), HALF = FACE / 2.0f, TEXEL = 2.0f / FACE;

}  // namespace

struct LampMapWindow::Places {
  alignas(32) std::int32_t tile[BLOCK];  // of the cube
  alignas(32) std::int32_t at[BLOCK];    // texel on the tile, then in the pool, −1: not there
  alignas(32) float p[BLOCK], q[BLOCK];  // from there to the next ones, 0 to 1
  alignas(32) float depth[BLOCK];        // along the axis of the face [m]
  alignas(32) float direct[BLOCK];       // what would come unhindered, 0 where the lamp cannot be seen
};

LampMapWindow::LampMapWindow(Table<const Lamp> lamps, Array<const double, 3> origin_W,
                             Array<const std::int32_t, -1, TILES> index, Array<const float, -1, SIDE, SIDE> depth)
    : index_(index), depth_(depth.data) {
  need(lamps.size() <= MOST, "lamps: there are too many");
  need_size(index, lamps.size(), "index");
  for (const std::int32_t tile : index) need(tile < depth.size(), "index: there is no such tile");
  for (const Lamp& lamp : lamps) {
    place_L_.push_back(as<float>(lamp.p_W - vec3(origin_W.data)));
    power_.push_back(as<float>(lamp.power));
  }
}

bool LampMapWindow::find(const std::uint16_t* hidden, const Marks& marks, const SurfaceBlock& b, Shares free) const {
  bool missing = false;
  Places places;
  for (int k = 0; k < count(); ++k) {
    if (aim(place_L_[k], b, places)) {
      missing |= find_tiles(k, marks, b, places);
      compare(b, places, free[k]);
    } else {
      std::fill_n(free[k], b.count, 0.0f);
    }
    if (!hidden) continue;
    // Nothing of a lamp comes past things that move before it.
    for (int n = 0; n < b.count; ++n)
      if (hidden[b.ray[n]] >> k & 1) free[k][n] = 0;
  }
  return missing;
}

void LampMapWindow::light(Shares free, const std::int32_t* member, SurfaceBlock& b) const {
  std::fill_n(b.lamp_r, b.count, 0.0f), std::fill_n(b.lamp_g, b.count, 0.0f), std::fill_n(b.lamp_b, b.count, 0.0f);
  alignas(32) float share[BLOCK];
  for (int k = 0; k < count(); ++k) {
    const Vec3f place = place_L_[k], power = power_[k];
    const float* own = free[k];
    for (int n = 0; n < b.count; ++n) share[n] = own[member[n]];
    for (int n = 0; n < b.count; ++n) {
      const float x = b.x[n] - place.x, y = b.y[n] - place.y, z = b.z[n] - place.z;
      const float square = std::max(x * x + y * y + z * z, LEAST * LEAST);
      const float direct = lamp_direct(square, -(b.nx[n] * x + b.ny[n] * y + b.nz[n] * z));
      share[n] = lamp_around(square) + (square < REACH_SQUARE ? direct * share[n] : 0.0f);
    }
    for (int n = 0; n < b.count; ++n) {
      b.lamp_r[n] += power.x * share[n], b.lamp_g[n] += power.y * share[n], b.lamp_b[n] += power.z * share[n];
    }
  }
}

void LampMapWindow::glint(Shares free, const std::int32_t* member, SurfaceBlock& b) const {
  std::fill_n(b.glint_r, b.count, 0.0f), std::fill_n(b.glint_g, b.count, 0.0f), std::fill_n(b.glint_b, b.count, 0.0f);
  alignas(32) float share[BLOCK], glossy[BLOCK];  // 1: it mirrors lamps
  for (int n = 0; n < b.count; ++n) glossy[n] = b.gloss[n] < LEAST_GLOSS ? 0.0f : 1.0f;
  if (!any_positive(glossy, b.count)) return;
  for (int k = 0; k < count(); ++k) {
    const Vec3f place = place_L_[k], power = power_[k];
    const float* own = free[k];
    for (int n = 0; n < b.count; ++n) share[n] = glossy[n] * own[member[n]];
    if (!any_positive(share, b.count)) continue;
    for (int n = 0; n < b.count; ++n) {
      const float x = place.x - b.x[n], y = place.y - b.y[n], z = place.z - b.z[n];
      const Vec3f normal{b.nx[n], b.ny[n], b.nz[n]}, ray{b.dx[n], b.dy[n], b.dz[n]};
      const float mirrored = lamp_glint(b.gloss[n], x, y, z, normal, ray);
      share[n] *= x * x + y * y + z * z < REACH_SQUARE ? mirrored : 0.0f;
    }
    for (int n = 0; n < b.count; ++n) {
      b.glint_r[n] += power.x * share[n], b.glint_g[n] += power.y * share[n], b.glint_b[n] += power.z * share[n];
    }
  }
}

// Where surfaces, a step along their normals, are on the map of a lamp; returns whether the lamp can be seen anywhere.
bool LampMapWindow::aim(const Vec3f& lamp, const SurfaceBlock& b, Places& places) const {
  std::int32_t any = 0;
  for (int n = 0; n < b.count; ++n) {
    const float x = b.x[n] - lamp.x, y = b.y[n] - lamp.y, z = b.z[n] - lamp.z;
    const float square = std::max(x * x + y * y + z * z, LEAST * LEAST);
    const float direct = lamp_direct(square, -(b.nx[n] * x + b.ny[n] * y + b.nz[n] * z));
    places.direct[n] = square < REACH_SQUARE ? direct : 0.0f;
    any |= places.direct[n] > 0 ? 1 : 0;
  }
  if (any == 0) return false;
  for (int n = 0; n < b.count; ++n) {
    const float x = b.x[n] - lamp.x, y = b.y[n] - lamp.y, z = b.z[n] - lamp.z;
    const float nx = b.nx[n], ny = b.ny[n], nz = b.nz[n];
    const float ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
    const bool first = (ax >= ay) & (ax >= az), second = ay >= az;
    const float m = first ? x : second ? y : z, nm = first ? nx : second ? ny : nz;
    const float u = first ? y : second ? z : x, nu = first ? ny : second ? nz : nx;
    const float v = first ? z : second ? x : y, nv = first ? nz : second ? nx : ny;
    const float deep = std::max(std::abs(m), LEAST);
    // A texel sees a flat surface at most this much nearer than the point between it and its neighbours.
    const float texel = deep * TEXEL, step = texel * (0.5f + std::abs(nu) + std::abs(nv));
    const float there = deep + (m > 0 ? nm : -nm) * step;
    const std::int32_t i = std::min(std::int32_t((u / deep * HALF + HALF) * (1.0f / TILE)), ACROSS - 1);
    const std::int32_t j = std::min(std::int32_t((v / deep * HALF + HALF) * (1.0f / TILE)), ACROSS - 1);
    const std::int32_t face = (first ? 0 : second ? 2 : 4) + (m > 0 ? 0 : 1);
    places.tile[n] = (face * ACROSS + i) * ACROSS + j;
    const float s = (u + nu * step) / there * HALF + HALF + (RIM - 0.5f) - float(i * TILE);
    const float t = (v + nv * step) / there * HALF + HALF + (RIM - 0.5f) - float(j * TILE);
    // On the tile also where a surface leans so much that the step would leave it.
    const float fs = std::clamp(std::floor(s), 0.0f, SIDE - 2.0f), ft = std::clamp(std::floor(t), 0.0f, SIDE - 2.0f);
    places.p[n] = s - fs, places.q[n] = t - ft, places.at[n] = std::int32_t(fs) * SIDE + std::int32_t(ft);
    places.depth[n] = there - 0.3f * texel - 0.005f;
  }
  return true;
}

bool LampMapWindow::find_tiles(int lamp, const Marks& marks, const SurfaceBlock& b, Places& places) const {
  std::int32_t last = -1, tile = -1;
  bool missing = false;
  for (int n = 0; n < b.count; ++n) {
    // Neighbours mostly share a tile.
    if (places.tile[n] != last && places.direct[n] > 0) {
      last = places.tile[n], tile = index_(lamp, last);
      std::atomic_ref<bool>(marks(lamp, last)).store(true, std::memory_order_relaxed);
      missing |= tile < 0;
    }
    places.at[n] = places.direct[n] > 0 && tile >= 0 ? tile * SIDE * SIDE + places.at[n] : -1;
  }
  return missing;
}

// What share comes past all that stands, softened over four texels.
void LampMapWindow::compare(const SurfaceBlock& b, const Places& places, float* __restrict free) const {
  const float* __restrict depth = depth_;
  for (int n = 0; n < b.count; ++n) {
    const float h = places.depth[n], p = places.p[n], q = places.q[n];
    const std::int32_t first = std::max(places.at[n], 0), next = first + SIDE;
    const float low = (depth[first] > h ? 1.0f - p : 0.0f) + (depth[next] > h ? p : 0.0f);
    const float high = (depth[first + 1] > h ? 1.0f - p : 0.0f) + (depth[next + 1] > h ? p : 0.0f);
    free[n] = places.at[n] < 0 ? 1.0f : low + (high - low) * q;
  }
}

}  // namespace volery
