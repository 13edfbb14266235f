#include "render/grain.hpp"

#include <algorithm>
#include <cmath>

#include "render/grain_patterns.hpp"

namespace volery {
namespace {

constexpr float BUMP = 0.5f;
constexpr double BIG = 0.11;                                // texels per metre of the noise over many metres
constexpr float LEAST_LEFT = 0.02f, LEAST_FINE = 0.1f;      // of a layer, below which it is left out
constexpr float LEAST_FINEST = 0.25f, FINEST = 0.7f;        // of the finest layer, and its weight
constexpr float WEAK = 0.1f;                                // grain without noise over metres, and without the finest

// Of grain that is alike all round: turned against the axes by angles that no whole numbers fit, so that flat ground cuts
// the periodic noise where it never repeats.
constexpr double TURN[3][3] = {
    {0.6133389, -0.2221068, 0.7579472}, {0.7502597, 0.463744, -0.4712238}, {-0.2468315, 0.8576771, 0.45107}};

Vec3d turned(const Vec3d& p) {
  return {TURN[0][0] * p.x + TURN[0][1] * p.y + TURN[0][2] * p.z, TURN[1][0] * p.x + TURN[1][1] * p.y + TURN[1][2] * p.z,
          TURN[2][0] * p.x + TURN[2][1] * p.y + TURN[2][2] * p.z};
}

Vec3f slope_turned_back(const Vec3f& v) {
  const auto of = [&v](int k) { return float(TURN[0][k]) * v.x + float(TURN[1][k]) * v.y + float(TURN[2][k]) * v.z; };
  return {of(0), of(1), of(2)};
}

// How much of a layer is left where a pixel is so many of its texels wide.
float fading(float size) { return 1.0f / (1.0f + size * size); }

NoiseSample faded(const NoiseSample& s, float left) { return {s.value * left, s.slope * left}; }

// Places of a block that have grain, a layer of noise at a time.
class GrainBlock {
 public:
  GrainBlock(const SurfaceTable& surfaces, const NoiseVolume& noise, float pixel_angle)
      : surfaces_(surfaces), noise_(noise), angle_(pixel_angle) {}

  void find_places(const Vec3d& origin_W, const SurfaceBlock& b) {
    count_ = 0;
    for (int n = 0; n < b.count; ++n) {
      const MaterialRow& m = surfaces_.material(b.material[n]);
      if (m.grain == 0) continue;
      GrainPlace& at = at_[count_];
      at.pixel = b.away[n] * angle_;
      at.scale = grain_scale(m.kind(), m.frequency);
      const float size = at.pixel * std::max(at.scale.flat, at.scale.upright);
      at.coarse = fading(0.35f * size);
      if (at.coarse < LEAST_LEFT && m.kind() != Texture::ground && m.kind() != Texture::rock) continue;
      const bool leaf = m.kind() == Texture::leaf;
      at.fine = leaf ? 0.0f : fading(2.5f * size), at.finest = m.grain < WEAK ? 0.0f : fading(17.5f * size);
      at.wide = !leaf && m.grain >= WEAK;
      at.p = place_of(origin_W, b, n), at.a = at.c = {0, {0, 0, 0}}, at.big = 0;
      at.all_round = at.scale.flat == at.scale.upright && at.scale.flat == at.scale.flat_fine;
      at.q = at.all_round ? turned(at.p) : at.p;
      at.piece = std::uint32_t(b.primitive[n] / 2 + 7919 * b.row[n]);
      material_[count_] = &m, surface_[count_++] = n;
    }
  }

  // Turned against the axes, so that its period does not show along them.
  void add_noise_over_metres() {
    look_up([](const GrainPlace& at) { return at.wide; },
            [](const GrainPlace& at) {
              const Vec3d& p = at.p;
              const double x = 0.8 * p.x - 0.6 * p.y + 0.3 * p.z, y = 0.6 * p.x + 0.8 * p.y;
              return NoiseVolume::cell(x * BIG, y * BIG, p.z * BIG + 17.0);
            },
            [](GrainPlace& at, const NoiseSample& s) { at.big = s.value; });
  }

  void add_coarse() {
    look_up([](const GrainPlace& at) { return at.coarse >= LEAST_LEFT; },
            [](const GrainPlace& at) {
              return cell(at, at.scale.flat, at.scale.upright, at.scale.warp * at.big);
            },
            [](GrainPlace& at, const NoiseSample& s) { at.a = faded(turned_back(at, s), at.coarse); });
  }

  // Two layers, each finer than the one before, which moves it about: else it would repeat every few steps.
  void add_fine() {
    look_up([](const GrainPlace& at) { return at.fine >= LEAST_FINE; },
            [](const GrainPlace& at) { return fine_cell(at, GRAIN_FINE, 4.0 * at.a.value); },
            [](GrainPlace& at, const NoiseSample& s) { at.c = faded(turned_back(at, s), at.fine); });
    look_up([](const GrainPlace& at) { return at.finest >= LEAST_FINEST; },
            [](const GrainPlace& at) { return fine_cell(at, GRAIN_FINE * GRAIN_FINE, 4.0 * at.c.value); },
            [](GrainPlace& at, const NoiseSample& sample) {
              const NoiseSample s = faded(turned_back(at, sample), FINEST * at.finest);
              at.c = {at.c.value + s.value, at.c.slope + s.slope};
            });
  }

  void paint(SurfaceBlock& b) {
    for (int k = 0; k < count_; ++k) {
      const int n = surface_[k];
      at_[k].normal = {b.nx[n], b.ny[n], b.nz[n]}, at_[k].colour = {b.r[n], b.g[n], b.b[n]};
      const GrainPaint paint = paint_pattern(*material_[k], at_[k]);
      b.r[n] = paint.colour.x, b.g[n] = paint.colour.y, b.b[n] = paint.colour.z;
      tilt(paint.slope * (BUMP * material_[k]->grain), b, n);
    }
  }

 private:
  // In W [m], or on a moving thing itself.
  Vec3d place_of(const Vec3d& origin_W, const SurfaceBlock& b, int n) const {
    const Vec3d p = Vec3d{b.x[n], b.y[n], b.z[n]} + origin_W;
    if (!surfaces_.moves(b.row[n])) return p;
    const SceneTables& scene = surfaces_.scene();
    return transposed_times(as<double>(scene.normal(b.row[n])), p - scene.X_W(b.row[n]).p());
  }

  // A layer of noise for all places that have it: the cache is asked for all values before the first is used.
  template <class Has, class Where, class Take>
  void look_up(Has has, Where where, Take take) {
    int found = 0;
    for (int k = 0; k < count_; ++k) {
      if (!has(at_[k])) continue;
      cell_[found] = where(at_[k]), place_[found] = k;
      noise_.fetch(cell_[found++]);
    }
    for (int n = 0; n < found; ++n) take(at_[place_[n]], noise_.at(cell_[n]));
  }

  static NoiseVolume::Cell cell(const GrainPlace& at, double flat, double upright, double shift) {
    return NoiseVolume::cell(at.q.x * flat + shift, at.q.y * flat - shift, at.q.z * upright + shift);
  }

  static NoiseVolume::Cell fine_cell(const GrainPlace& at, double times, double shift) {
    return cell(at, times * at.scale.flat_fine, times * at.scale.upright, shift);
  }

  static NoiseSample turned_back(const GrainPlace& at, const NoiseSample& s) {
    return at.all_round ? NoiseSample{s.value, slope_turned_back(s.slope)} : s;
  }

  // Turn the normal down the slopes of the relief, never beyond what the eye can see.
  static void tilt(const Vec3f& slope, SurfaceBlock& b, int n) {
    const Vec3f normal{b.nx[n], b.ny[n], b.nz[n]}, d{b.dx[n], b.dy[n], b.dz[n]};
    const Vec3f tilted = normal * (1.0f + dot(slope, normal)) - slope;
    if (!(dot(tilted, d) < 0)) return;
    const float scale = 1.0f / norm(tilted);
    b.nx[n] = tilted.x * scale, b.ny[n] = tilted.y * scale, b.nz[n] = tilted.z * scale;
  }

  const SurfaceTable& surfaces_;
  const NoiseVolume& noise_;
  float angle_;
  int count_ = 0;
  GrainPlace at_[BLOCK];
  NoiseVolume::Cell cell_[BLOCK];
  std::int32_t place_[BLOCK];
  const MaterialRow* material_[BLOCK];
  std::int32_t surface_[BLOCK];
};

}  // namespace

void paint_grain(const SurfaceTable& surfaces, const NoiseVolume& noise, const Vec3d& origin_W, float pixel_angle,
                 SurfaceBlock& b) {
  GrainBlock grain(surfaces, noise, pixel_angle);
  grain.find_places(origin_W, b);
  grain.add_noise_over_metres();
  grain.add_coarse();
  grain.add_fine();
  grain.paint(b);
}

}  // namespace volery
