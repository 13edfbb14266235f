#include "autonomy/pose_fit.hpp"

#include <algorithm>
#include <cmath>

namespace volery {

void NormalEquations::add(const Vec3d& q, const Vec3d& r, const Symmetric3& weight, double robust) {
  const Vec3d rows[3] = {{weight.xx, weight.xy, weight.xz}, {weight.xy, weight.yy, weight.yz},
                         {weight.xz, weight.yz, weight.zz}};
  const Vec3d axes[3] = {{0, -q.z, q.y}, {q.z, 0, -q.x}, {-q.y, q.x, 0}};  // how the point moves when it is turned
  const Vec3d pull = weight * r, twist = cross(q, pull);
  for (int i = 0; i < 3; ++i) {
    const Vec3d own = weight * axes[i], turn = cross(q, own);
    g_[i] += robust * twist[i];
    g_[3 + i] += robust * pull[i];
    for (int j = i; j < 3; ++j) {
      H_[i][j] += robust * turn[j];
      H_[3 + i][3 + j] += robust * rows[i][j];
    }
    for (int j = 0; j < 3; ++j) H_[i][3 + j] += robust * own[j];
  }
}

void NormalEquations::hold(const Mat3d& R, const Vec3d& t, const Mat3d& R0, const Vec3d& t0, const double* prior) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    double away = 0;  // of R R0ᵀ − 1, for small angles
    for (int m = 0; m < 3; ++m) away += 0.5 * (R(j, m) * R0(i, m) - R(i, m) * R0(j, m));
    H_[k][k] += prior[k];
    g_[k] += prior[k] * away;
    H_[3 + k][3 + k] += prior[3 + k];
    g_[3 + k] += prior[3 + k] * (t[k] - t0[k]);
  }
}

PoseStep NormalEquations::solved() const {
  double L[6][6] = {}, x[6];
  for (int i = 0; i < 6; ++i) {
    x[i] = -g_[i];
    for (int j = 0; j <= i; ++j) {
      double s = H_[j][i];
      for (int k = 0; k < j; ++k) s -= L[i][k] * L[j][k];
      L[i][j] = i == j ? std::sqrt(std::max(s, 1e-12)) : s / L[j][j];
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[i][k] * x[k];
    x[i] /= L[i][i];
  }
  for (int i = 5; i >= 0; --i) {
    for (int k = i + 1; k < 6; ++k) x[i] -= L[k][i] * x[k];
    x[i] /= L[i][i];
  }
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

Mat3d turned(const Mat3d& R, const Vec3d& w) {
  const double angle = norm(w);
  if (angle < 1e-12) return R;
  const auto [x, y, z] = w / angle;
  const double s = std::sin(angle), c = 1.0 - std::cos(angle);
  const Mat3d E{{{1.0 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y},
                 {c * x * y + s * z, 1.0 - c * (x * x + z * z), c * y * z - s * x},
                 {c * x * z - s * y, c * y * z + s * x, 1.0 - c * (x * x + y * y)}}};
  return E * R;
}

}  // namespace volery
