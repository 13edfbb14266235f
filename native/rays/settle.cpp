#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/arrays.hpp"
#include "core/vec.hpp"
#include "rays/settle.hpp"

namespace volery {
namespace {

double cofactor(const Posed& X, int i, int j) {
  const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
  return X.m[a][c] * X.m[b][d] - X.m[a][d] * X.m[b][c];
}

double determinant(const Posed& X) {
  return X.m[0][0] * cofactor(X, 0, 0) + X.m[0][1] * cofactor(X, 0, 1) + X.m[0][2] * cofactor(X, 0, 2);
}

bool sound(const Posed& X) {
  const double det = determinant(X);
  return std::abs(det) > 0 && std::isfinite(det) && std::isfinite(X.m[0][3] + X.m[1][3] + X.m[2][3]);
}

}  // namespace

std::tuple<double, double, double, double, double> settle(Array<const double, -1, 3, 4> X, Array<double, -1, 3, 4> rows_X,
                                                          Array<float, -1, 3, 3> rows_normal) {
  need_size(rows_X, X.size(), "rows_X");
  need_size(rows_normal, X.size(), "rows_normal");
  double scale = 0;
  Vec3d low{}, high{};
  for (std::int64_t n = 0; n < X.size(); ++n) {
    const Posed& X_WO = pose(X[n]);
    if (!sound(X_WO)) return {0, 0, 0, 0, 0};
    const Vec3d p = X_WO.p();
    if (n == 0) low = high = p;
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
      scale = std::max(scale, std::abs(X_WO.m[i][0]) + std::abs(X_WO.m[i][1]) + std::abs(X_WO.m[i][2]));
    }
  }
  for (std::int64_t n = 0; n < X.size(); ++n) {
    const Posed& X_WO = pose(X[n]);
    const double det = determinant(X_WO);
    std::copy_n(X[n], 12, rows_X[n]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rows_normal(n, i, j) = float(cofactor(X_WO, i, j) / det);
  }
  const Vec3d middle = (low + high) / 2.0;
  return {middle.x, middle.y, middle.z, norm((high - low) / 2.0), scale};
}

}  // namespace volery
