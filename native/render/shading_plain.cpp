#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/pool.hpp"
#include "render/shading.hpp"

namespace volery {
namespace {

// What air does between the eye and the surfaces of a block, and what shines of itself.
struct PlainLight {
  alignas(32) float keep[BLOCK], glows[BLOCK];  // what passes, and how much of the sun air sends on
  alignas(32) float own[BLOCK];                 // emission, then headlight too
  alignas(32) float sun[BLOCK], horizon[BLOCK], zenith[BLOCK];
  alignas(32) float left[BLOCK];  // 1 where a surface is still to be lit
};

struct Shares {
  float sun, horizon, zenith;
};

// Of sun, horizon and zenith on a surface. A leaf is lit from both sides, from behind by what passes.
inline Shares shares_of(float nx, float ny, float nz, const Vec3f& sun_W, float thin) {
  const float facing = nx * sun_W.x + ny * sun_W.y + nz * sun_W.z;
  const SkyShares front = open_sky(nz), back = open_sky(-nz);
  return {std::max(facing, 0.0f) + thin * std::max(-facing, 0.0f), front.horizon + thin * back.horizon,
          front.zenith + thin * back.zenith};
}

void find_haze(const Air& air, const SurfaceBlock& b, int count, PlainLight& light) {
  const Vec3f s = as<float>(air.sun_W);
  const float extinction = float(air.extinction);
  for (int n = 0; n < count; ++n) light.keep[n] = passing(extinction * b.path[n]);
  for (int n = 0; n < count; ++n) light.glows[n] = glow(b.dx[n] * s.x + b.dy[n] * s.y + b.dz[n] * s.z);
}

void mix(const Air& air, int c, int count, const PlainLight& light, float* colour) {
  const float sun = float(air.sun[c]), low = float(air.horizon[c]), high = float(air.zenith[c]);
  for (int n = 0; n < count; ++n) {
    const float total = light.sun[n] * sun + light.horizon[n] * low + light.zenith[n] * high + light.own[n];
    const float seen = colour[n] * total * light.keep[n] + (low + light.glows[n] * sun) * (1.0f - light.keep[n]);
    colour[n] = light.left[n] > 0 ? seen : colour[n];
  }
}

// Make colours of surfaces those of the light that comes from them, where they are left to be lit.
void light_surfaces(const Air& air, int count, SurfaceBlock& b, PlainLight& light) {
  const Vec3f sun_W = as<float>(air.sun_W);
  const float headlight = float(air.headlight);
  for (int n = 0; n < count; ++n) {
    const Shares share = shares_of(b.nx[n], b.ny[n], b.nz[n], sun_W, b.thin[n]);
    light.sun[n] = share.sun, light.horizon[n] = share.horizon, light.zenith[n] = share.zenith;
    const float toward = std::max(-(b.nx[n] * b.dx[n] + b.ny[n] * b.dy[n] + b.nz[n] * b.dz[n]), 0.0f);
    light.own[n] += headlight * toward / std::max(b.away[n] * b.away[n], NEAREST_HEADLIGHT);
  }
  mix(air, 0, count, light, b.r);
  mix(air, 1, count, light, b.g);
  mix(air, 2, count, light, b.b);
}

// A row of pixels of a drawn picture, a part of it at a time.
class DrawnRow {
 public:
  DrawnRow(const VisibilityBuffer& drawn, const SurfaceTable& surfaces, const Air& air, const NoiseVolume& noise,
           const Vec3d& origin_W, float far, const MeasureArrays& out)
      : drawn_(drawn), surfaces_(surfaces), air_(air), noise_(noise), origin_W_(origin_W), far_(far), out_(out) {}

  void shade(std::int64_t row, std::int64_t first, int count, Vec3f* linear) {
    count_ = count;
    pixel_ = (drawn_.view().top + row) * drawn_.view().width + first;
    drawn_.nearest(row * drawn_.view().width + first, count, nearness_, name_);
    find_points(row, first);
    measure_depth();
    drawn_.find_triangles(name_, count, seen_);
    int skies = 0, unlit = 0;
    light_flat(skies, unlit);
    if (unlit) light_others();
    for (int n = 0; n < count; ++n) linear[n] = {b_.r[n], b_.g[n], b_.b[n]};
    if (!skies) return;
    for (int n = 0; n < count; ++n)
      if (name_[n] == NO_TRIANGLE) linear[n] = sky_colour(air_, noise_, {0.0, 0.0, b_.dz[n]}, false);
  }

 private:
  // Directions and ends of the rays, and what the air does; what is beyond reach loses its name.
  void find_points(std::int64_t row, std::int64_t first) {
    const Mat3d& R = drawn_.view().R_WC;
    const double up = drawn_.raster().row_z()[row];
    const double* left = &drawn_.raster().column_y()[first];
    const Vec3f middle = as<float>(R.column(0) + R.column(2) * up), side = as<float>(R.column(1));
    const Vec3f eye = as<float>(drawn_.view().p_WC - origin_W_);
    const float own = float(1.0 + up * up);
    for (int n = 0; n < count_; ++n) {
      const float y = float(left[n]), length = std::sqrt(own + y * y), deep = 1.0f / nearness_[n];
      const float u = middle.x + side.x * y, v = middle.y + side.y * y, w = middle.z + side.z * y;
      b_.x[n] = eye.x + u * deep, b_.y[n] = eye.y + v * deep, b_.z[n] = eye.z + w * deep;
      const float unit = 1.0f / length;
      b_.dx[n] = u * unit, b_.dy[n] = v * unit, b_.dz[n] = w * unit;
      b_.path[n] = b_.away[n] = length * deep;
    }
    for (int n = 0; n < count_; ++n) name_[n] = b_.path[n] <= far_ ? name_[n] : NO_TRIANGLE;
    find_haze(air_, b_, count_, light_);
  }

  void measure_depth() {
    constexpr float INF = std::numeric_limits<float>::infinity();
    if (out_.depth.size())
      for (int n = 0; n < count_; ++n) out_.depth[pixel_ + n] = name_[n] == NO_TRIANGLE ? INF : b_.path[n];
    if (out_.depth_planar.size())
      for (int n = 0; n < count_; ++n)
        out_.depth_planar[pixel_ + n] = name_[n] == NO_TRIANGLE ? INF : 1.0f / nearness_[n];
  }

  void measure_thing(int first, int last, std::int32_t label, std::int32_t object, float temperature) {
    const std::int64_t from = pixel_ + first, count = last - first;
    if (out_.labels.size()) std::fill_n(&out_.labels[from], count, label);
    if (out_.instances.size()) std::fill_n(&out_.instances[from], count, object);
    if (out_.infrared.size()) std::fill_n(&out_.infrared[from], count, temperature);
  }

  int run_end(int first) const {  // one past the last of the pixels from `first` on that see the same triangle
    int last = first + 1;
    while (last < count_ && name_[last] == name_[first]) ++last;
    return last;
  }

  bool is_smooth(std::int32_t row, const MaterialRow& material) const {
    return material.thin <= 0 && surfaces_.corner_normals(surfaces_.scene().mesh_number(row));
  }

  const MaterialRow& material_at(int n) const {
    const int k = seen_.of[n];
    return surfaces_.material(surfaces_.material_of(*seen_.mesh[k], seen_.triangle[k].face));
  }

  Vec3f facing_normal(int n) const {  // on the side that pixel n sees
    const Vec3f normal = seen_.normal[seen_.of[n]];
    return b_.dx[n] * normal.x + b_.dy[n] * normal.y + b_.dz[n] * normal.z > 0 ? -normal : normal;
  }

  // Colours a flat triangle at a time; counts pixels of the sky, and those that are left: on smooth triangles, or lit
  // by the camera itself.
  void light_flat(int& skies, int& unlit) {
    for (int first = 0, last; first < count_; first = last) {
      last = run_end(first);
      if (name_[first] == NO_TRIANGLE) {
        skies += last - first;
        measure_thing(first, last, 0, -1, SKY_TEMPERATURE);
        continue;
      }
      const Triangle t = seen_.triangle[seen_.of[first]];
      const MaterialRow& m = material_at(first);
      measure_thing(first, last, m.label, surfaces_.scene().object(t.row), m.temperature);
      if (air_.headlight > 0 || is_smooth(t.row, m))
        unlit += last - first;
      else
        light_triangle(m, facing_normal(first), first, last);
    }
  }

  void light_triangle(const MaterialRow& m, const Vec3f& normal, int first, int last) {
    const Shares share = shares_of(normal.x, normal.y, normal.z, as<float>(air_.sun_W), m.thin);
    float* out[] = {b_.r, b_.g, b_.b};
    for (int c = 0; c < 3; ++c) {
      const float sun = float(air_.sun[c]), low = float(air_.horizon[c]), high = float(air_.zenith[c]);
      const float own = m.colour[c] * (share.sun * sun + share.horizon * low + share.zenith * high + m.emission);
      float* __restrict to = out[c];
      for (int n = first; n < last; ++n)
        to[n] = own * light_.keep[n] + (low + light_.glows[n] * sun) * (1.0f - light_.keep[n]);
    }
  }

  void light_others() {  // what `light_flat` left
    std::fill_n(light_.left, count_, 0.0f);
    for (int first = 0, last; first < count_; first = last) {
      last = run_end(first);
      if (name_[first] == NO_TRIANGLE) continue;
      const Triangle t = seen_.triangle[seen_.of[first]];
      const MaterialRow& m = material_at(first);
      const bool smooth = is_smooth(t.row, m);
      if (!smooth && !(air_.headlight > 0)) continue;
      set_flat(m, facing_normal(first), first, last);
      if (smooth) smooth_triangle(surfaces_, origin_W_, t.row, t.face, first, last, b_);
    }
    light_surfaces(air_, count_, b_, light_);
  }

  void set_flat(const MaterialRow& m, const Vec3f& normal, int first, int last) {
    for (int n = first; n < last; ++n) {
      light_.left[n] = 1, light_.own[n] = m.emission, b_.thin[n] = m.thin;
      b_.nx[n] = normal.x, b_.ny[n] = normal.y, b_.nz[n] = normal.z;
      b_.r[n] = m.colour.x, b_.g[n] = m.colour.y, b_.b[n] = m.colour.z;
    }
  }

  const VisibilityBuffer& drawn_;
  const SurfaceTable& surfaces_;
  const Air& air_;
  const NoiseVolume& noise_;
  Vec3d origin_W_;
  float far_;
  const MeasureArrays& out_;
  std::int64_t pixel_ = 0;  // the first, in the whole picture
  int count_ = 0;
  SurfaceBlock b_{};
  PlainLight light_{};
  alignas(32) float nearness_[BLOCK];
  alignas(32) std::uint32_t name_[BLOCK];
  SeenTriangles seen_;
};

constexpr std::int64_t ROWS_AT_ONCE = 16;

}  // namespace

void shade_plain(const SurfaceTable& surfaces, const TracedRays& rays, const Air& air, const NoiseVolume& noise,
                 Array<float, -1, 3> colour) {
  need_size(colour, rays.count(), "colour");
  parallel_ranges(rays.count(), BLOCK * BLOCKS_AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    const auto b = std::make_unique<SurfaceBlock>();
    PlainLight light;
    for (std::int64_t first = from; first < to; first += BLOCK) {
      const std::int64_t last = std::min(first + BLOCK, to);
      b->load(surfaces, rays, first, last, 1.0f);
      for (std::int64_t i = first; i < last && b->count < last - first; ++i)
        if (rays.row(i) < 0) vec3(colour[i]) = sky_colour(air, noise, {0.0, 0.0, rays.direction_W(i).z}, false);
      for (int n = 0; n < b->count; ++n) light.own[n] = surfaces.material(b->material[n]).emission, light.left[n] = 1;
      find_haze(air, *b, b->count, light);
      light_surfaces(air, b->count, *b, light);
      for (int n = 0; n < b->count; ++n) vec3(colour[b->ray[n]]) = {b->r[n], b->g[n], b->b[n]};
    }
  });
}

void shade_drawn(const VisibilityBuffer& drawn, const SurfaceTable& surfaces, const Air& air, const NoiseVolume& noise,
                 Array<const double, 3> origin_W, float far, Array<float, -1, 3> linear, const MeasureArrays& out) {
  need(drawn.is_drawn(), "drawn: nothing was drawn");
  const View& view = drawn.view();
  need_size(linear, view.pixels(), "linear");
  need(out.normals.size() == 0 && out.flow.size() == 0, "out: normals and flow need rays");
  out.check_sizes(view.width * view.height);
  // Equal parts of a row, none larger than a block.
  const std::int64_t parts = (view.width + BLOCK - 1) / BLOCK, part = (view.width + parts - 1) / parts;
  parallel_ranges(view.rows(), ROWS_AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    const auto rows = std::make_unique<DrawnRow>(drawn, surfaces, air, noise, vec3(origin_W.data), far, out);
    for (std::int64_t row = from; row < to; ++row)
      for (std::int64_t first = 0; first < view.width; first += part)
        rows->shade(row, first, int(std::min(part, view.width - first)), &vec3(linear[row * view.width + first]));
  });
}

}  // namespace volery
