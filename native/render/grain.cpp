#include "render/grain.hpp"

#include <algorithm>
#include <cmath>

namespace volery {
namespace {

constexpr float TEXELS = 8;      // of the noise per wave of the grain
constexpr float FINE = 7.25f;    // how much finer the second layer is
constexpr float ALONG = 0.125f;  // how much longer the grain of wood is than wide
constexpr float BUMP = 0.5f;
constexpr float LIME = 0.35f;  // colour of mortar

struct Grain {
  alignas(32) float u[BLOCK], v[BLOCK], w[BLOCK];     // place in the noise [texels]
  alignas(32) float coarse[BLOCK], fine[BLOCK];       // how much of two layers is left, 0 for none
  alignas(32) float first[BLOCK], second[BLOCK];      // what they are
  alignas(32) float ax[BLOCK], ay[BLOCK], az[BLOCK];  // slopes
};

// How much of a grain is left where a pixel is so many of its texels wide.
float fading(float size) { return 1.0f / (1.0f + size * size); }

// Where on a moving thing itself a point lies [m].
Vec3f on_thing(const SceneTables& scene, const Vec3d& origin_W, std::int32_t row, const Vec3f& p_L) {
  const Vec3d d = as<double>(p_L) + origin_W - scene.X_W(row).p();
  return as<float>(transposed_times(as<double>(scene.normal(row)), d));
}

void find_places(const SurfaceTable& surfaces, const Vec3d& origin_W, float angle, const SurfaceBlock& b, Grain& g) {
  for (int n = 0; n < b.count; ++n) {
    const MaterialRow& m = surfaces.material(b.material[n]);
    Vec3f p{b.x[n], b.y[n], b.z[n]};
    if (surfaces.moves(b.row[n])) p = on_thing(surfaces.scene(), origin_W, b.row[n], p);
    const float size = b.away[n] * angle * m.frequency, there = m.grain > 0 ? 1.0f : 0.0f;
    g.coarse[n] = there * fading(0.35f * size);
    g.fine[n] = there * fading(2.5f * size);
    if (g.fine[n] < 0.1f || m.kind() == Texture::leaf) g.fine[n] = 0;
    const float f = m.frequency * TEXELS;
    g.u[n] = p.x * f, g.v[n] = p.y * f, g.w[n] = p.z * f * (m.kind() == Texture::bark ? ALONG : 1.0f);
  }
}

void sample(const NoiseVolume& noise, int count, Grain& g) {
  for (int n = 0; n < count; ++n) {
    g.first[n] = g.second[n] = g.ax[n] = g.ay[n] = g.az[n] = 0;
    if (g.coarse[n] > 0) {
      const NoiseSample s = noise.at(g.u[n], g.v[n], g.w[n]);
      g.first[n] = s.value * g.coarse[n];
      g.ax[n] = s.slope.x * g.coarse[n], g.ay[n] = s.slope.y * g.coarse[n], g.az[n] = s.slope.z * g.coarse[n];
    }
    if (g.fine[n] > 0) {
      const NoiseSample s = noise.at(g.u[n] * FINE, g.v[n] * FINE, g.w[n] * FINE);
      g.second[n] = s.value * g.fine[n];
      g.ax[n] += s.slope.x * g.fine[n], g.ay[n] += s.slope.y * g.fine[n], g.az[n] += s.slope.z * g.fine[n];
    }
  }
}

// Factors of red, green and blue by a coarse and a fine grain.
Vec3f tint(Texture kind, float strength, float a, float c, float coarse) {
  float factor = 1.0f + strength * 0.45f * (a + c);
  Vec3f colour{1, 1, 1};
  if (kind == Texture::bark) {  // plates between dark cracks
    factor = 1.0f + strength * (1.7f * (std::min(std::abs(a + 0.5f * c), 1.0f) - 0.5f) * coarse + 0.4f * c);
  } else if (kind == Texture::leaf) {  // some are yellower than others
    colour = {1.0f + 0.2f * a * strength, 1.0f, 1.0f - 0.2f * a * strength};
  } else if (kind == Texture::soil) {  // litter is warmer and brighter than the earth
    const float litter = strength * std::clamp(0.7f * a + 0.5f * c - 0.1f, 0.0f, 1.0f);
    colour = {1.0f + 0.4f * litter, 1.0f + 0.15f * litter, 1.0f - 0.1f * litter};
  } else if (kind == Texture::turf) {  // dry blades among fresh ones
    const float dry = strength * std::clamp(1.4f * a + 0.6f * c - 0.7f, 0.0f, 1.0f);
    colour = {1.0f + 0.4f * dry, 1.0f + 0.1f * dry, 1.0f - 0.1f * dry};
  }
  return std::max(factor, 0.15f) * colour;
}

// Share of mortar at a place on a wall of bricks [m].
float mortar(double along, double z) {
  const double course = std::floor(z / 0.08), odd = course - 2.0 * std::floor(course / 2.0);
  const double shift = along / 0.25 + 0.5 * odd, u = shift - std::floor(shift), v = z / 0.08 - course;
  return u < 0.05 || v < 0.13 ? 0.7f : 0.0f;
}

void add_mortar(const Grain& g, int n, SurfaceBlock& b) {
  if (std::abs(b.nz[n]) >= 0.5f) return;
  const float share = g.coarse[n] * mortar(std::abs(b.ny[n]) > std::abs(b.nx[n]) ? b.x[n] : b.y[n], b.z[n]);
  b.r[n] += share * (LIME - b.r[n]), b.g[n] += share * (LIME - b.g[n]), b.b[n] += share * (LIME - b.b[n]);
}

// Tilt the normal down the slopes of the grain, never beyond what the eye can see.
void tilt(const MaterialRow& m, const Grain& g, int n, SurfaceBlock& b) {
  const float bump = BUMP * m.grain;
  const Vec3f a{g.ax[n] * bump, g.ay[n] * bump, g.az[n] * bump * (m.kind() == Texture::bark ? ALONG : 1.0f)};
  const Vec3f normal{b.nx[n], b.ny[n], b.nz[n]}, d{b.dx[n], b.dy[n], b.dz[n]};
  const float up = 1.0f + a.x * normal.x + a.y * normal.y + a.z * normal.z;
  const Vec3f tilted = normal * up - a;
  if (!(dot(tilted, d) < 0)) return;
  const float scale = 1.0f / norm(tilted);
  b.nx[n] = tilted.x * scale, b.ny[n] = tilted.y * scale, b.nz[n] = tilted.z * scale;
}

}  // namespace

void paint_grain(const SurfaceTable& surfaces, const NoiseVolume& noise, const Vec3d& origin_W, float pixel_angle,
                 SurfaceBlock& b) {
  Grain g;
  find_places(surfaces, origin_W, pixel_angle * TEXELS, b, g);
  sample(noise, b.count, g);
  for (int n = 0; n < b.count; ++n) {
    const MaterialRow& m = surfaces.material(b.material[n]);
    if (m.grain == 0 || g.coarse[n] < 0.02f) continue;
    const Vec3f factor = tint(m.kind(), m.grain, g.first[n], g.second[n], g.coarse[n]);
    b.r[n] *= factor.x, b.g[n] *= factor.y, b.b[n] *= factor.z;
    if (m.kind() == Texture::brick) add_mortar(g, n, b);
    tilt(m, g, n, b);
  }
}

}  // namespace volery
