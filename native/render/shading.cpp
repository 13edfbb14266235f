#include "render/shading.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/pool.hpp"
#include "render/exponential.hpp"
#include "render/grain.hpp"
#include "render/light_sharing.hpp"

namespace volery {
namespace {

constexpr float FAINTEST_LAMP = 1.0f;  // emission of what lights others, as in render/lamps.py
constexpr float NEIGHBOURS = 0.2f;  // what surfaces round about send on of the light on them, where no ray asks them

// What the light on the surfaces of a block is made of.
struct Light {
  alignas(32) float sun[BLOCK], horizon[BLOCK], zenith[BLOCK];  // shares
  alignas(32) float own[BLOCK];                                 // headlight and emission
  alignas(32) float shine[BLOCK];                               // highlight of the sun
  alignas(32) float keep[BLOCK], mist[BLOCK], veil[BLOCK];  // of the air: what passes, what it adds of horizon and sun
  alignas(32) float free[BLOCK], direct[BLOCK], gloss[BLOCK];
  alignas(32) float colour[BLOCK];
};

// A highlight where half-way between eye and sun is along the normal.
float shine_of(float gloss, const Vec3f& n, const Vec3f& half) {
  float share = std::max(dot(n, half) / std::sqrt(dot(half, half) + 1e-9f), 0.0f);
  for (int k = 0; k < 3 + int(4.0f * gloss); ++k) share *= share;
  return 0.8f * gloss * gloss * share;
}

void gather_materials(const SurfaceTable& surfaces, const GivenLight& given, const SurfaceBlock& b, Light& light) {
  for (int n = 0; n < b.count; ++n) {
    const MaterialRow& m = surfaces.material(b.material[n]);
    // Lamps light by themselves: a ray that only brings light and chances on one would make a spot.
    light.own[n] = given.sky_seen || m.emission < FAINTEST_LAMP ? m.emission : 0.0f;
    light.gloss[n] = std::max(m.gloss, b.thin[n] > 0 ? 0.35f : 0.0f);
    light.free[n] = b.sun[n];
  }
  if (given.sun.empty()) return;
  for (int n = 0; n < b.count; ++n) light.free[n] *= given.sun[b.ray[n]];
}

void find_shares(const Air& air, const SurfaceBlock& b, Light& light) {
  const Vec3f s = as<float>(air.sun_W);
  const float headlight = float(air.headlight), extinction = float(air.extinction), sun_up = std::max(s.z, 0.0f);
  const SkyShares lying = open_sky(1.0f);
  for (int n = 0; n < b.count; ++n) {
    const float nx = b.nx[n], ny = b.ny[n], nz = b.nz[n], dx = b.dx[n], dy = b.dy[n], dz = b.dz[n], thin = b.thin[n];
    const float facing = nx * s.x + ny * s.y + nz * s.z;
    // A leaf is lit from both sides, from behind by what passes.
    const float direct = light.free[n] * (std::max(facing, 0.0f) + thin * std::max(-facing, 0.0f));
    const float toward = std::max(-(nx * dx + ny * dy + nz * dz), 0.0f);
    light.own[n] += headlight * toward / std::max(b.away[n] * b.away[n], NEAREST_HEADLIGHT);
    const float keep = exp_minus(extinction * b.path[n]);
    // Air in the dark does not shine.
    const float near = std::sqrt(b.around[n]), mist = (1.0f - keep) * near;
    const SkyShares front = open_sky(nz), back = open_sky(-nz);
    // What is not sky is neighbours, lit by what light there is around.
    const float open = (0.5f * (1.0f + nz) + thin * 0.5f * (1.0f - nz)) * b.sky[n];
    const float other = NEIGHBOURS * near * (1.0f + thin - open);
    light.keep[n] = keep, light.mist[n] = mist, light.direct[n] = direct;
    light.veil[n] = mist * glow(s.x * dx + s.y * dy + s.z * dz);
    light.horizon[n] = b.sky[n] * (front.horizon + thin * back.horizon) + other * lying.horizon;
    light.zenith[n] = b.sky[n] * (front.zenith + thin * back.zenith) + other * lying.zenith;
    light.sun[n] = direct + other * sun_up;
  }
}

void find_shine(const Air& air, const SurfaceBlock& b, Light& light) {
  const Vec3f sun = as<float>(air.sun_W);
  for (int n = 0; n < b.count; ++n) {
    light.shine[n] = 0;
    if (!(light.free[n] > 0) || !(light.gloss[n] > 0.15f)) continue;
    const Vec3f normal{b.nx[n], b.ny[n], b.nz[n]}, half = sun - Vec3f{b.dx[n], b.dy[n], b.dz[n]};
    light.shine[n] = shine_of(light.gloss[n], normal, half) * light.free[n];
  }
}

// One colour of the light that reaches the eye. own: colour of the surfaces; lamps, glint: light of lamps.
void mix(const Air& air, int c, const GivenLight& given, const ShadedArrays& out, const float* own, const float* lamps,
         const float* glint, const SurfaceBlock& b, Light& light) {
  const float sun = float(air.sun[c]), horizon = float(air.horizon[c]), zenith = float(air.zenith[c]);
  alignas(32) float lamp[BLOCK];
  for (int n = 0; n < b.count; ++n) lamp[n] = lamps[n];
  if (!given.lamps.empty())
    for (int n = 0; n < b.count; ++n) lamp[n] += given.lamps(b.ray[n], c);
  for (int n = 0; n < b.count; ++n) {
    const float total =
        light.sun[n] * sun + light.horizon[n] * horizon + light.zenith[n] * zenith + light.own[n] + lamp[n];
    const float sent = own[n] * total + light.shine[n] * sun + glint[n];
    light.colour[n] = sent * light.keep[n] + light.mist[n] * horizon + light.veil[n] * sun;
  }
  for (int n = 0; n < b.count; ++n) out.colour(b.ray[n], c) = light.colour[n];
  if (!out.albedo.empty())
    for (int n = 0; n < b.count; ++n) out.albedo(b.ray[n], c) = own[n] * light.keep[n];
}

void light_block(const SurfaceTable& surfaces, const Air& air, const GivenLight& given, const ShadedArrays& out,
                 const SurfaceBlock& b) {
  Light light;
  gather_materials(surfaces, given, b, light);
  find_shares(air, b, light);
  find_shine(air, b, light);
  if (!out.albedo.empty()) {
    for (int n = 0; n < b.count; ++n) {
      light.sun[n] = light.horizon[n] = light.zenith[n] = 0;
      vec3(out.normal[b.ray[n]]) = {b.nx[n], b.ny[n], b.nz[n]};
      out.lit[b.ray[n]] = light.direct[n];
    }
  }
  mix(air, 0, given, out, b.r, b.lamp_r, b.glint_r, b, light);
  mix(air, 1, given, out, b.g, b.lamp_g, b.glint_g, b, light);
  mix(air, 2, given, out, b.b, b.lamp_b, b.glint_b, b, light);
}

void shade_sky(const TracedRays& rays, const Air& air, const NoiseVolume& noise, bool seen, std::int64_t first,
               std::int64_t last, const ShadedArrays& out) {
  for (std::int64_t i = first; i < last; ++i) {
    if (rays.row(i) >= 0) continue;
    vec3(out.colour[i]) = sky_colour(air, noise, rays.direction_W(i), seen);
    if (!out.albedo.empty()) vec3(out.albedo[i]) = vec3(out.normal[i]) = {}, out.lit[i] = 0;
  }
}

void check(const TracedRays& rays, const ShadowMapWindow& maps, const LampMapWindow& lamps, const GivenLight& given,
           const ShadedArrays& out, const ShadingNeeds& needs) {
  const std::int64_t n = rays.count();
  need(given.sun.empty() || given.sun.size() == n, "sun: one for each ray, or none");
  need(given.lamps.empty() || given.lamps.size() == n, "lamps: one for each ray, or none");
  need(given.hidden.empty() || given.hidden.size() == n, "hidden: one for each ray, or none");
  need_size(out.colour, n, "colour"), need_size(out.material, n, "material");
  const std::int64_t apart = out.albedo.empty() ? 0 : n;
  need_size(out.albedo, apart, "albedo"), need_size(out.lit, apart, "lit"), need_size(out.normal, apart, "normal");
  need_size(needs.todo, (n + BLOCK - 1) / BLOCK, "todo");
  maps.check(needs.marks), lamps.check(needs.lamp_marks);
}

}  // namespace

void shade(const SurfaceTable& surfaces, const TracedRays& rays, const ShadowMapWindow& maps, const LampMapWindow& lamps,
           const Air& air, const NoiseVolume& noise, const GivenLight& given, const ShadedArrays& out,
           const ShadingNeeds& needs) {
  check(rays, maps, lamps, given, out, needs);
  const float angle = given.shared ? float(air.pixel_angle) : 0.0f;
  const bool by_map = air.sun.y > DARK_SUN && given.sun_by_map, sky = air.zenith.y > 0 || air.horizon.y > 0;
  parallel_ranges(needs.todo.size(), BLOCKS_AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    const auto b = std::make_unique<SurfaceBlock>(), few = std::make_unique<SurfaceBlock>();
    const auto free = std::make_unique_for_overwrite<float[][BLOCK]>(lamps.count());
    alignas(32) std::int32_t member[BLOCK];
    for (std::int64_t k = from; k < to; ++k) {
      if (!needs.todo[k]) continue;
      const std::int64_t first = k * BLOCK, last = std::min(rays.count(), first + BLOCK);
      b->load(surfaces, rays, first, last, given.coarse);
      std::fill_n(&out.material[first], last - first, -1);
      for (int n = 0; n < b->count; ++n) out.material[b->ray[n]] = b->material[n];
      std::fill_n(b->sun, b->count, 1.0f);
      if (b->count < last - first) shade_sky(rays, air, noise, given.sky_seen, first, last, out);
      bool missing = by_map && maps.find_sun(needs.marks, *b);
      choose_leaders(*b, first, angle, *few, member);
      if (sky) missing |= maps.find_sky(needs.marks, *few);
      else std::fill_n(few->sky, few->count, 0.0f), std::fill_n(few->around, few->count, 0.0f);
      missing |= lamps.find(given.hidden.empty() ? nullptr : given.hidden.data, needs.lamp_marks, *few, free.get());
      spread_sky(*few, member, *b);
      lamps.light(free.get(), member, *b);
      lamps.glint(free.get(), member, *b);
      needs.todo[k] = missing;
      paint_grain(surfaces, noise, rays.origin_W(), float(air.pixel_angle), *b);
      light_block(surfaces, air, given, out, *b);
    }
  });
}

}  // namespace volery
