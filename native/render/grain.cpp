#include "render/grain.hpp"

#include <algorithm>
#include <cmath>

#include "render/grain_patterns.hpp"

namespace volery {
namespace {

static_assert(NoiseBlock::SIZE == BLOCK);

constexpr float BUMP = 0.5f;
constexpr double BIG = 0.11;                            // texels per metre of the noise over many metres
constexpr float LEAST_LEFT = 0.02f, LEAST_FINE = 0.1f;  // of a layer, below which it is left out
constexpr float LEAST_FINEST = 0.25f, FINEST = 0.7f;    // of the finest layer, and its weight
constexpr float WEAK = 0.1f;                            // grain without noise over metres, and without the finest
constexpr float COARSE = 0.35f, FINE = 2.5f, FINEST_SIZE = 17.5f;  // how soon layers fade with the size of a pixel
constexpr float FADED = 7.0f / COARSE;                              // size at which LEAST_LEFT of the coarse layer is left

// Of grain that is alike all round: turned against the axes by angles that no whole numbers fit, so that flat ground cuts
// the periodic noise where it never repeats.
constexpr double TURN[3][3] = {
    {0.6133389, -0.2221068, 0.7579472}, {0.7502597, 0.463744, -0.4712238}, {-0.2468315, 0.8576771, 0.45107}};

// How much of a layer is left where a pixel is so many of its texels wide.
float fading(float size) { return 1.0f / (1.0f + size * size); }

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
      const Texture kind = m.kind();
      const GrainScale scale = grain_scale(kind, m.frequency);
      const float pixel = b.away[n] * angle_, size = pixel * std::max(scale.flat, scale.upright);
      if (size > FADED && kind != Texture::ground && kind != Texture::rock) continue;
      const int k = count_++;
      const bool leaf = kind == Texture::leaf, weak = m.grain < WEAK;
      const Vec3d p = place_of(origin_W, b, n);
      material_[k] = &m, surface_[k] = n, pixel_[k] = pixel, size_[k] = size;
      flat_[k] = scale.flat, upright_[k] = scale.upright, flat_fine_[k] = scale.flat_fine, warp_[k] = scale.warp;
      has_fine_[k] = leaf ? 0.0f : 1.0f, has_finest_[k] = weak ? 0.0f : 1.0f, wide_[k] = leaf || weak ? 0.0f : 1.0f;
      turns_[k] = scale.flat == scale.upright && scale.flat == scale.flat_fine ? 1.0 : 0.0;
      px_[k] = p.x, py_[k] = p.y, pz_[k] = p.z;
      nx_[k] = b.nx[n], ny_[k] = b.ny[n], nz_[k] = b.nz[n], dx_[k] = b.dx[n], dy_[k] = b.dy[n], dz_[k] = b.dz[n];
    }
  }

  void find_layers() {
    for (int k = 0; k < count_; ++k) {
      coarse_[k] = fading(COARSE * size_[k]), fine_[k] = has_fine_[k] * fading(FINE * size_[k]);
      coarse_left_[k] = coarse_[k] >= LEAST_LEFT ? coarse_[k] : 0.0f;
      fine_left_[k] = fine_[k] >= LEAST_FINE ? fine_[k] : 0.0f;
      const float finest = has_finest_[k] * fading(FINEST_SIZE * size_[k]);
      finest_left_[k] = finest >= LEAST_FINEST ? FINEST * finest : 0.0f;
    }
    for (int k = 0; k < count_; ++k) {
      const double x = px_[k], y = py_[k], z = pz_[k];
      const double u = TURN[0][0] * x + TURN[0][1] * y + TURN[0][2] * z;
      const double v = TURN[1][0] * x + TURN[1][1] * y + TURN[1][2] * z;
      const double w = TURN[2][0] * x + TURN[2][1] * y + TURN[2][2] * z;
      qx_[k] = turns_[k] != 0 ? u : x, qy_[k] = turns_[k] != 0 ? v : y, qz_[k] = turns_[k] != 0 ? w : z;
    }
  }

  // Turned against the axes, so that its period does not show along them.
  void add_noise_over_metres() {
    std::fill_n(big_, count_, 0.0f);
    if (!any(wide_)) return;
    for (int k = 0; k < count_; ++k) {
      const double x = px_[k], y = py_[k], z = pz_[k];
      x_[k] = (0.8 * x - 0.6 * y + 0.3 * z) * BIG, y_[k] = (0.6 * x + 0.8 * y) * BIG, z_[k] = z * BIG + 17.0;
    }
    noise_.look_up(x_, y_, z_, count_, found_);
    for (int k = 0; k < count_; ++k) big_[k] = wide_[k] * found_.value[k];
  }

  void add_coarse() {
    clear(a_);
    if (!any(coarse_left_)) return;
    for (int k = 0; k < count_; ++k) shift_[k] = warp_[k] * big_[k];
    look_up(flat_, 1.0);
    add(coarse_left_, a_);
  }

  // Two layers, each finer than the one before, which moves it about: else it would repeat every few steps.
  void add_fine() {
    clear(c_);
    if (!any(fine_left_)) return;
    for (int k = 0; k < count_; ++k) shift_[k] = 4.0f * a_.value[k];
    look_up(flat_fine_, GRAIN_FINE);
    add(fine_left_, c_);
    if (!any(finest_left_)) return;
    for (int k = 0; k < count_; ++k) shift_[k] = 4.0f * c_.value[k];
    look_up(flat_fine_, GRAIN_FINE * GRAIN_FINE);
    add(finest_left_, c_);
  }

  void paint(SurfaceBlock& b) {
    for (int k = 0; k < count_; ++k) {
      const int n = surface_[k];
      const MaterialRow& m = *material_[k];
      const GrainPaint paint = paint_pattern(m, place(b, k));
      const float bump = BUMP * m.grain;
      b.r[n] = paint.colour.x, b.g[n] = paint.colour.y, b.b[n] = paint.colour.z;
      slope_x_[k] = paint.slope.x * bump, slope_y_[k] = paint.slope.y * bump, slope_z_[k] = paint.slope.z * bump;
    }
    tilt();
    for (int k = 0; k < count_; ++k) {
      const int n = surface_[k];
      b.nx[n] = nx_[k], b.ny[n] = ny_[k], b.nz[n] = nz_[k];
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

  bool any(const float* share) const {
    std::int32_t found = 0;
    for (int k = 0; k < count_; ++k) found |= share[k] > 0 ? 1 : 0;
    return found != 0;
  }

  void clear(NoiseBlock& layer) {
    for (float* values : {layer.value, layer.x, layer.y, layer.z}) std::fill_n(values, count_, 0.0f);
  }

  // A layer of noise, so many times finer than the grain and moved about.
  void look_up(const float* flat, double times) {
    for (int k = 0; k < count_; ++k) {
      const double level = times * flat[k], up = times * upright_[k], shift = shift_[k];
      x_[k] = qx_[k] * level + shift, y_[k] = qy_[k] * level - shift, z_[k] = qz_[k] * up + shift;
    }
    noise_.look_up(x_, y_, z_, count_, found_);
  }

  // What was found, in the axes of the surface and as much of it as is left.
  void add(const float* left, NoiseBlock& layer) {
    for (int k = 0; k < count_; ++k) {
      const float x = found_.x[k], y = found_.y[k], z = found_.z[k];
      const float u = float(TURN[0][0]) * x + float(TURN[1][0]) * y + float(TURN[2][0]) * z;
      const float v = float(TURN[0][1]) * x + float(TURN[1][1]) * y + float(TURN[2][1]) * z;
      const float w = float(TURN[0][2]) * x + float(TURN[1][2]) * y + float(TURN[2][2]) * z;
      const float turned = float(turns_[k]), as_found = 1.0f - turned;
      layer.value[k] += left[k] * found_.value[k];
      layer.x[k] += left[k] * (turned * u + as_found * x), layer.y[k] += left[k] * (turned * v + as_found * y);
      layer.z[k] += left[k] * (turned * w + as_found * z);
    }
  }

  GrainPlace place(const SurfaceBlock& b, int k) const {
    const int n = surface_[k];
    return {{px_[k], py_[k], pz_[k]},
            {nx_[k], ny_[k], nz_[k]},
            {b.r[n], b.g[n], b.b[n]},
            pixel_[k],
            coarse_[k],
            fine_[k],
            {a_.value[k], {a_.x[k], a_.y[k], a_.z[k]}},
            {c_.value[k], {c_.x[k], c_.y[k], c_.z[k]}},
            big_[k],
            std::uint32_t(b.primitive[n] / 2 + 7919 * b.row[n])};
  }

  // Turn normals down the slopes of the relief, never beyond what the eye can see.
  void tilt() {
    for (int k = 0; k < count_; ++k) {
      const float nx = nx_[k], ny = ny_[k], nz = nz_[k], sx = slope_x_[k], sy = slope_y_[k], sz = slope_z_[k];
      const float along = 1.0f + (sx * nx + sy * ny + sz * nz);
      const float x = nx * along - sx, y = ny * along - sy, z = nz * along - sz;
      const bool seen = x * dx_[k] + y * dy_[k] + z * dz_[k] < 0;
      const float scale = 1.0f / std::sqrt(x * x + y * y + z * z);
      nx_[k] = seen ? x * scale : nx, ny_[k] = seen ? y * scale : ny, nz_[k] = seen ? z * scale : nz;
    }
  }

  const SurfaceTable& surfaces_;
  const NoiseVolume& noise_;
  float angle_;
  int count_ = 0;
  const MaterialRow* material_[BLOCK];
  std::int32_t surface_[BLOCK];
  alignas(32) double px_[BLOCK], py_[BLOCK], pz_[BLOCK];  // [m], on what moves in its own frame
  alignas(32) double qx_[BLOCK], qy_[BLOCK], qz_[BLOCK];  // the same where noise is looked up [m]
  alignas(32) double turns_[BLOCK];                       // 1: the grain is alike all round
  alignas(32) double x_[BLOCK], y_[BLOCK], z_[BLOCK];     // [texels]
  alignas(32) float pixel_[BLOCK], size_[BLOCK];          // of a pixel [m], [texels]
  alignas(32) float flat_[BLOCK], upright_[BLOCK], flat_fine_[BLOCK], warp_[BLOCK];        // see GrainScale
  alignas(32) float wide_[BLOCK], has_fine_[BLOCK], has_finest_[BLOCK];                    // 0 or 1
  alignas(32) float coarse_[BLOCK], fine_[BLOCK];                                          // how much of layers is left
  alignas(32) float coarse_left_[BLOCK], fine_left_[BLOCK], finest_left_[BLOCK];           // 0: not looked up
  alignas(32) float big_[BLOCK], shift_[BLOCK];
  alignas(32) float nx_[BLOCK], ny_[BLOCK], nz_[BLOCK], dx_[BLOCK], dy_[BLOCK], dz_[BLOCK];
  alignas(32) float slope_x_[BLOCK], slope_y_[BLOCK], slope_z_[BLOCK];
  NoiseBlock a_, c_, found_;  // the coarse layer, both finer ones, and what was looked up last
};

}  // namespace

void paint_grain(const SurfaceTable& surfaces, const NoiseVolume& noise, const Vec3d& origin_W, float pixel_angle,
                 SurfaceBlock& b) {
  GrainBlock grain(surfaces, noise, pixel_angle);
  grain.find_places(origin_W, b);
  grain.find_layers();
  grain.add_noise_over_metres();
  grain.add_coarse();
  grain.add_fine();
  grain.paint(b);
}

}  // namespace volery
