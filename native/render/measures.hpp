// What a camera measures apart from colour: depth, labels, instances, normals, flow, heat.
#pragma once
#include <cstdint>

#include "core/arrays.hpp"
#include "render/surface_table.hpp"
#include "render/traced_rays.hpp"

namespace volery {

// A projection. Pixel (u, v): u to the right, v down, the middle of the first pixel at (0.5, 0.5).
struct Lens {
  bool fisheye;  // equidistant: the distance from the middle is focal · angle; else a pinhole: focal · tan(angle)
  double focal;  // [pixels]
  std::int64_t width, height;

  struct Pixel {
    double u, v;
  };
  Pixel project(const Vec3d& p_C) const;  // of a point or direction; NaN behind a pinhole
};

// Where camera and things were at the reading before.
struct Motion {
  bool known;
  Mat3d R_before;
  Vec3d p_before;
  Array<const std::int32_t, -1> row_motion;  // of each instance; −1: it stood
  Array<const double, -1, 3, 4> motions;     // from where a point is now to where it was, in W
};

// Where answers go, by pixel; those not wanted are empty.
struct MeasureArrays {
  Array<float, -1> depth, depth_planar;
  Array<std::int32_t, -1> labels, instances;
  Array<float, -1, 3> normals;
  Array<float, -1, 2> flow;
  Array<float, -1> infrared;

  void check_sizes(std::int64_t pixels) const;
};

constexpr float SKY_TEMPERATURE = 253.15f;  // what a thermal camera sees of the sky [K]

// far: reach of each ray [m], 0 where the lens shows nothing; pixel: place of each ray in the picture.
void measure(const SurfaceTable& surfaces, const TracedRays& rays, const Lens& lens, const Motion& motion,
             Array<const float, -1> far, Array<const std::int32_t, -1> pixel, const MeasureArrays& out);

}  // namespace volery
