#include "render/measures.hpp"

#include <cmath>
#include <limits>

#include "core/pool.hpp"

namespace volery {
namespace {

constexpr float INF = std::numeric_limits<float>::infinity();
constexpr double NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();

// How far the thing on a pixel moved over the picture since the reading before; the sky is infinitely far.
void measure_flow(const TracedRays& rays, const Lens& lens, const Motion& motion, std::int64_t i, std::int64_t pixel,
                  float* out) {
  Vec3d p = rays.direction_W(i);
  const std::int32_t row = rays.row(i);
  if (row >= 0) {
    p = p * double(rays.distance(i)) + (rays.eye_L() + rays.origin_W());
    const std::int32_t number = motion.row_motion[row];
    if (number >= 0) p = pose(motion.motions[number]) * p;
    p = p - motion.p_before;
  }
  const Lens::Pixel before = lens.project(transposed_times(motion.R_before, p));
  out[0] = float(double(pixel % lens.width) + 0.5 - before.u);
  out[1] = float(double(pixel / lens.width) + 0.5 - before.v);
}

void check(const SurfaceTable& surfaces, const TracedRays& rays, const Lens& lens, const Motion& motion,
           const MeasureArrays& out) {
  const std::int64_t pixels = lens.width * lens.height;
  out.check_sizes(pixels);
  need(motion.row_motion.size() >= surfaces.scene().row_count(), "row_motion: one for each instance");
  for (const std::int32_t m : motion.row_motion) need(m < motion.motions.size(), "row_motion: there is no such motion");
  need(rays.count() <= pixels, "pixel: there are more rays than pixels");
}

}  // namespace

void MeasureArrays::check_sizes(std::int64_t pixels) const {
  const auto fits = [&](const auto& array, const char* name) {
    if (array.size() > 0) need_size(array, pixels, name);
  };
  fits(depth, "depth"), fits(depth_planar, "depth_planar"), fits(labels, "labels");
  fits(instances, "instances"), fits(normals, "normals"), fits(flow, "flow"), fits(infrared, "infrared");
}

Lens::Pixel Lens::project(const Vec3d& p) const {
  double scale;
  if (fisheye) {
    const double side = std::sqrt(p.y * p.y + p.z * p.z);
    scale = side > 1e-12 ? std::atan2(side, p.x) / side : 1.0 / std::max(p.x, 1e-12);
  } else if (p.x > 1e-9) {
    scale = 1.0 / p.x;
  } else {
    return {NOT_A_NUMBER, NOT_A_NUMBER};
  }
  return {double(width) / 2 - focal * p.y * scale, double(height) / 2 - focal * p.z * scale};
}

void measure(const SurfaceTable& surfaces, const TracedRays& rays, const Lens& lens, const Motion& motion,
             Array<const float, -1> far, Array<const std::int32_t, -1> pixels, const MeasureArrays& out) {
  check(surfaces, rays, lens, motion, out);
  need_size(far, rays.count(), "far"), need_size(pixels, rays.count(), "pixel");
  const std::int64_t most = lens.width * lens.height;
  parallel_ranges(rays.count(), 1024, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const std::int32_t row = rays.row(i), pixel = pixels[i];
      if (pixel < 0 || pixel >= most) throw std::invalid_argument("pixel: is not in the picture");
      const bool met = row >= 0;
      const MaterialRow* m = met ? &surfaces.material(surfaces.material_of(row, rays.primitive(i))) : nullptr;
      if (out.depth.size()) out.depth[pixel] = rays.distance(i);
      if (out.depth_planar.size()) out.depth_planar[pixel] = met ? rays.distance(i) * rays.direction_C(i).x : INF;
      if (out.labels.size()) out.labels[pixel] = met ? m->label : 0;
      if (out.instances.size()) out.instances[pixel] = met ? surfaces.scene().object(row) : -1;
      if (out.normals.size()) vec3(out.normals[pixel]) = rays.facing_normal_W(i);
      if (out.infrared.size()) out.infrared[pixel] = met ? m->temperature : SKY_TEMPERATURE;
      if (!out.flow.size()) continue;
      if (motion.known && far[i] > 0)
        measure_flow(rays, lens, motion, i, pixel, out.flow[pixel]);
      else
        out.flow(pixel, 0) = out.flow(pixel, 1) = float(NOT_A_NUMBER);
    }
  });
}

}  // namespace volery
