#include "render/shadow_maps.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "render/placed_cluster.hpp"

namespace volery {

using namespace shadow_map;

// Where surfaces of a block are on a map.
struct ShadowMapWindow::Places {
  alignas(32) std::int32_t level[BLOCK];              // LEVELS: beyond all
  alignas(32) float texel[BLOCK];                     // size [m]
  alignas(32) float u[BLOCK], v[BLOCK];               // place [texels]
  alignas(32) float h[BLOCK];                         // height along the light [m]
  alignas(32) float du[BLOCK], dv[BLOCK], up[BLOCK];  // normal; then how far aside the map is looked up [texels]
  alignas(32) std::int32_t at[BLOCK];                 // texel in the pool, −1: there is none
  alignas(32) float p[BLOCK], q[BLOCK];               // how far it is from there to the next ones, 0 to 1

  void choose_levels(const SurfaceBlock& b, float finest, float reach) {
    for (int n = 0; n < b.count; ++n) {
      std::int32_t deep = 0;
      float far = reach, size = finest;
      for (int l = 0; l < LEVELS; ++l) {
        const bool beyond = b.detail[n] > far;
        deep += beyond ? 1 : 0;
        size = beyond ? size + size : size;
        far = far + far;
      }
      level[n] = deep, texel[n] = size;
    }
  }
};

ShadowMapWindow::ShadowMapWindow(Array<const double, -1, 3, 3> basis, Array<const std::int64_t, -1, LEVELS, 2> corner,
                               Array<const std::int32_t, -1, LEVELS, WINDOW, WINDOW> index,
                               Array<const float, -1, EDGE, EDGE> sun,
                               Array<const float, -1, EDGE, EDGE, SKY_CHANNELS> sky)
    : basis_(basis), corner_(corner), index_(index), sun_(sun.data), sky_(sky.data) {
  need(basis.size() > 0, "basis: there is no direction");
  need_size(corner, basis.size(), "corner");
  need_size(index, basis.size(), "index");
  for (std::int64_t k = 0; k < index.size(); ++k)
    for (std::int64_t n = 0; n < LEVELS * WINDOW * WINDOW; ++n)
      need(index[k][n] < (k == 0 ? sun.size() : sky.size()), "index: there is no such tile");
}

void ShadowMapWindow::check(const Marks& marks) const { need_size(marks, directions(), "marks"); }

void ShadowMapWindow::project(int k, const SurfaceBlock& b, Places& at) const {
  const Mat3f R = as<float>(mat3(basis_[k]));
  const Vec3f a = R.rows[0], c = R.rows[1], e = R.rows[2];
  for (int n = 0; n < b.count; ++n) {
    const float scale = 1.0f / at.texel[n];
    at.u[n] = (a.x * b.x[n] + a.y * b.y[n] + a.z * b.z[n]) * scale;
    at.v[n] = (c.x * b.x[n] + c.y * b.y[n] + c.z * b.z[n]) * scale;
    at.h[n] = e.x * b.x[n] + e.y * b.y[n] + e.z * b.z[n];
  }
  for (int n = 0; n < b.count; ++n) {
    at.du[n] = a.x * b.nx[n] + a.y * b.ny[n] + a.z * b.nz[n];
    at.dv[n] = c.x * b.nx[n] + c.y * b.ny[n] + c.z * b.nz[n];
    at.up[n] = e.x * b.nx[n] + e.y * b.ny[n] + e.z * b.nz[n];
  }
}

bool ShadowMapWindow::find(const Marks& marks, int k, int channels, const SurfaceBlock& b, Places& places) const {
  alignas(32) std::int32_t tiles[BLOCK];
  float last_u = 0, last_v = 0;
  std::int32_t last_level = -1, tile = -1;
  bool missing = false;
  for (int n = 0; n < b.count; ++n) {
    const float fu = std::floor(places.u[n] * (1.0f / TEXELS)), fv = std::floor(places.v[n] * (1.0f / TEXELS));
    // Neighbours mostly share a tile.
    if (fu != last_u || fv != last_v || places.level[n] != last_level) {
      last_u = fu, last_v = fv, last_level = places.level[n], tile = -1;
      if (last_level < LEVELS && std::abs(fu) < 1e9f && std::abs(fv) < 1e9f) {
        const std::int64_t* corner = corner_[k] + 2 * last_level;
        const std::int64_t i = std::int64_t(fu) - corner[0], j = std::int64_t(fv) - corner[1];
        if (i >= 0 && j >= 0 && i < WINDOW && j < WINDOW) {
          // Several threads may ask for the same one.
          std::atomic_ref<bool>(marks(k, last_level, i, j)).store(true, std::memory_order_relaxed);
          tile = index_(k, last_level, i, j);
          missing |= tile < 0;
        }
      }
    }
    tiles[n] = tile;
  }
  for (int n = 0; n < b.count; ++n) {
    const float u = places.u[n], v = places.v[n];
    const float fu = std::floor(u * (1.0f / TEXELS)), fv = std::floor(v * (1.0f / TEXELS));
    const float s = u - fu * TEXELS + (BORDER - 0.5f) + places.du[n];
    const float t = v - fv * TEXELS + (BORDER - 0.5f) + places.dv[n];
    const float fs = std::floor(s), ft = std::floor(t);
    places.p[n] = s - fs, places.q[n] = t - ft;
    const std::int32_t place = ((tiles[n] * EDGE + std::int32_t(fs)) * EDGE + std::int32_t(ft)) * channels;
    places.at[n] = tiles[n] >= 0 ? place : -1;
  }
  return missing;
}

bool ShadowMapWindow::find_sun(const Marks& marks, SurfaceBlock& __restrict b) const {
  const float* __restrict sun = sun_;
  Places at;
  at.choose_levels(b, float(SUN_TEXEL), float(SUN_REACH));
  project(0, b, at);
  for (int n = 0; n < b.count; ++n) {
    // The sunny side of a leaf may be its other one.
    const float side = at.up[n] > 0 ? 1.2f : -1.2f;
    at.du[n] *= side, at.dv[n] *= side;
  }
  const bool missing = find(marks, 0, 1, b, at);
  for (int n = 0; n < b.count; ++n) {
    // A step along the normal and towards the light keeps a surface from shading itself.
    const float h = at.h[n] + (0.35f + 1.2f * std::abs(at.up[n])) * at.texel[n] + 0.01f;
    const float p = at.p[n], q = at.q[n];
    const std::int32_t first = std::max(at.at[n], 0), next = first + EDGE;
    const float low = (sun[first] < h ? 1.0f - p : 0.0f) + (sun[next] < h ? p : 0.0f);
    const float high = (sun[first + 1] < h ? 1.0f - p : 0.0f) + (sun[next + 1] < h ? p : 0.0f);
    b.sun[n] = at.at[n] < 0 ? 1.0f : low + (high - low) * q;
  }
  return missing;
}

bool ShadowMapWindow::find_sky(const Marks& marks, SurfaceBlock& b) const {
  Places at;
  alignas(32) float weight[BLOCK];
  for (int n = 0; n < b.count; ++n) b.sky[n] = b.around[n] = 0, weight[n] = 1e-6f;
  at.choose_levels(b, float(SKY_TEXEL), float(SKY_REACH));
  bool missing = false;
  for (int k = 1; k < directions(); ++k) {
    project(k, b, at);
    for (int n = 0; n < b.count; ++n) {
      // A step along the normal keeps light that is averaged over neighbours from coming through walls; a leaf has no
      // inside behind it.
      const float aside = b.thin[n] > 0 ? 0.0f : BLUR + 1.0f;
      at.du[n] *= aside, at.dv[n] *= aside;
    }
    missing |= find(marks, k, SKY_CHANNELS, b, at);
    add_sky(at, float(1.0 / double(directions() - 1)), b, weight);
  }
  for (int n = 0; n < b.count; ++n) b.sky[n] /= weight[n];
  return missing;
}

// What comes from one direction of the sky: the share of a neighbourhood that lies below a surface, after Chebyshev,
// from mean and variance alone. Written without branches, for the compiler to take several at once.
void ShadowMapWindow::add_sky(const Places& __restrict at, float share, SurfaceBlock& __restrict b,
                              float* __restrict weights) const {
  alignas(32) float mean[BLOCK], spread[BLOCK], lowest[BLOCK];
  for (int n = 0; n < b.count; ++n) {
    const float p = at.p[n], q = at.q[n];
    const float f0 = (1.0f - p) * (1.0f - q), f1 = p * (1.0f - q), f2 = (1.0f - p) * q, f3 = p * q;
    const float* a0 = sky_ + std::max(at.at[n], 0);
    const float *a1 = a0 + EDGE * SKY_CHANNELS, *a2 = a0 + SKY_CHANNELS, *a3 = a1 + SKY_CHANNELS;
    mean[n] = f0 * a0[0] + f1 * a1[0] + f2 * a2[0] + f3 * a3[0];
    spread[n] = f0 * a0[1] + f1 * a1[1] + f2 * a2[1] + f3 * a3[1] + 1e-6f;
    lowest[n] = f0 * a0[2] + f1 * a1[2] + f2 * a2[2] + f3 * a3[2];
  }
  for (int n = 0; n < b.count; ++n) {
    const float up = at.up[n];
    // Each direction stands for a wide part of the sky, so it still counts a little behind the horizon.
    const float weight = share * most_of(0.25f + 0.75f * up, 0.0f);
    const float solid = b.thin[n] > 0 ? 0.0f : BLUR + 1.0f, lift = up > 0 ? 1.2f : solid;
    const float h = at.h[n] + (0.35f + lift * up) * at.texel[n] + 0.01f;
    const float above = most_of(mean[n] - h, 0.0f), open = spread[n] / (spread[n] + above * above);
    // Under a roof, below the lowest of all neighbours, nothing comes through.
    const float room = least_of(most_of(2.0f * (h - lowest[n]), 0.0f), 1.0f);
    const float roofed = most_of(1.15f * open - 0.15f, 0.0f) * room;
    const float below = lowest[n] < float(0.01 * NO_ROOF) ? open : roofed, solid_free = above == 0 ? open : below;
    const float known = b.thin[n] > 0 ? open : solid_free, free = at.at[n] < 0 ? 1.0f : known;
    weights[n] += weight;
    b.sky[n] += weight * free;
    b.around[n] += share * free;
  }
}

}  // namespace volery
