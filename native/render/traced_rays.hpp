// Rays of a camera and what they met, as kernels take them. Points are in the frame L of the scene's cell
// (world/scene/floating_origin.py).
#pragma once
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "core/vec.hpp"

namespace volery {

class TracedRays {
 public:
  // Unit directions in the camera's frame C, from origins in C (one, or one for each), and the answers of a cast. The
  // arrays stay the caller's.
  TracedRays(Array<const float, -1, 3> origins_C, Array<const float, -1, 3> directions_C,
             Array<const double, 3, 3> R_WC, Array<const double, 3> p_WC, Array<const double, 3> origin_W,
             Array<const float, -1> distance, Array<const std::int32_t, -1> row,
             Array<const std::int32_t, -1> primitive, Array<const float, -1, 3> normal_W, Array<const bool, -1> back);

  std::int64_t count() const { return count_; }
  const Vec3d& eye_L() const { return eye_L_; }  // of the camera
  const Vec3d& origin_W() const { return origin_W_; }
  const Mat3d& R_WC() const { return R_WC_; }
  const Vec3f& direction_C(std::int64_t i) const { return directions_C_[i]; }
  Vec3d direction_W(std::int64_t i) const { return R_WC_ * as<double>(directions_C_[i]); }
  const Vec3f& start_L(std::int64_t i) const { return start_L_[own_start_ ? i : 0]; }
  float distance(std::int64_t i) const { return distance_[i]; }
  std::int32_t row(std::int64_t i) const { return row_[i]; }  // −1: nothing
  std::int32_t primitive(std::int64_t i) const { return primitive_[i]; }
  Vec3f facing_normal_W(std::int64_t i) const { return normal_W_[i] * (back_[i] ? -1.0f : 1.0f); }

 private:
  std::int64_t count_;
  const Vec3f* directions_C_;
  Mat3d R_WC_;
  Vec3d origin_W_, eye_L_;
  std::vector<Vec3f> start_L_;
  bool own_start_;
  const float* distance_;
  const std::int32_t *row_, *primitive_;
  const Vec3f* normal_W_;
  const bool* back_;
};

}  // namespace volery
