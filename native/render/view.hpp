// A pinhole camera's view, and what of the world lies in it. Camera frame C: x along the optical axis, y left, z up.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/vec.hpp"

namespace volery {

// What is nearer to the eye's plane is cut off when the place of something in the picture is sought [m].
constexpr double NEAR = 1e-4;

// Some rows of a picture, from a pose.
struct View {
  Mat3d R_WC;
  Vec3d p_WC;
  double focal;  // [pixels]
  std::int64_t width, height;
  std::int64_t top, bottom;  // first of the rows, and one past the last

  std::int64_t rows() const { return bottom - top; }
  std::int64_t pixels() const { return rows() * width; }
  // Where columns and rows of pixels are on the plane at x = 1 in C.
  double column_y(std::int64_t column) const { return (0.5 * double(width) - 0.5 - double(column)) / focal; }
  double row_z(std::int64_t row) const { return (0.5 * double(height) - 0.5 - double(row)) / focal; }
};

struct Sphere {
  Vec3d middle;
  double radius;
};

// Pose of an instance in C: differences in float64, as the world is wide.
inline Posed pose_in_camera(const View& view, const Posed& X_W) {
  Posed M;
  const Vec3d p = transposed_times(view.R_WC, X_W.p() - view.p_WC);
  const Mat3d R = transpose(view.R_WC) * X_W.R();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) M.m[i][j] = R(i, j);
    M.m[i][3] = p[i];
  }
  return M;
}

// No vector gets longer by more than this.
inline double largest_scale(const Posed& M) {
  double most = 0;
  for (int j = 0; j < 3; ++j) most = std::max(most, std::abs(M.m[0][j]) + std::abs(M.m[1][j]) + std::abs(M.m[2][j]));
  return most * 1.7321;
}

// What a view can see up to a distance: its sides are planes through the eye.
class Frustum {
 public:
  Frustum(const View& view, double far)
      : far_(far),
        right_(-0.5 * double(view.width) / view.focal),
        left_(0.5 * double(view.width) / view.focal),
        low_(-(double(view.bottom) - 0.5 * double(view.height)) / view.focal),
        high_(-(double(view.top) - 0.5 * double(view.height)) / view.focal),
        right_length_(std::sqrt(1 + right_ * right_)),
        left_length_(std::sqrt(1 + left_ * left_)),
        low_length_(std::sqrt(1 + low_ * low_)),
        high_length_(std::sqrt(1 + high_ * high_)) {}

  bool misses(const Sphere& s) const {  // a sphere in C
    const auto [x, y, z] = s.middle;
    if (x + s.radius < 0 || x - s.radius > far_) return true;
    if (right_ * x - y > s.radius * right_length_ || y - left_ * x > s.radius * left_length_) return true;
    return low_ * x - z > s.radius * low_length_ || z - high_ * x > s.radius * high_length_;
  }

 private:
  double far_, right_, left_, low_, high_;  // slopes y/x and z/x
  double right_length_, left_length_, low_length_, high_length_;
};

}  // namespace volery
