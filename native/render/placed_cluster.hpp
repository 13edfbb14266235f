// The triangles of a cluster in a picture or a map: where their corners are, which pixels each may cover, and the drawing
// of small ones.
//
// What is drawn is a value that is linear in the picture: 1/depth in a camera's, height along the light in a map. Of all
// that cover a pixel the greatest counts.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "render/clusters.hpp"

namespace volery {

// What was drawn: values, and names of what is seen there. Of two at one value, that of the lower name is seen,
// whoever came first. Behind the last pixel there is room for MARGIN more, which are read and written back unchanged.
struct RasterTarget {
  static constexpr int MARGIN = 8;
  float* value;
  std::uint32_t* name;

  void put(std::int64_t pixel, float own, std::uint32_t own_name) const {
    const float before = value[pixel];
    if (own > before || (own == before && own_name < name[pixel])) value[pixel] = own, name[pixel] = own_name;
  }
};

// Pixels of a picture, or of a band of its rows.
struct RasterExtent {
  std::int64_t width, top, bottom;  // columns, first row, one past the last
};

// By value: std::min would choose between addresses, which keeps the compiler from taking several at once.
inline float least_of(float a, float b) { return a < b ? a : b; }
inline float most_of(float a, float b) { return a > b ? a : b; }
inline float least_of(float a, float b, float c) { return least_of(least_of(a, b), c); }
inline float most_of(float a, float b, float c) { return most_of(most_of(a, b), c); }

struct PlacedCluster {
  enum State : std::int32_t { OUT, CUT, LARGE, FEW, ONE };  // CUT: a part of it is behind the eye; ONE: one pixel
  static constexpr float SMALL = 8;                         // pixels along the edge of a small triangle's box
  static constexpr float WIDER = 3e-4f;  // what a small triangle's edges are moved out by [pixels], to leave no gap

  explicit PlacedCluster(int count) : lanes((count + 7) / 8 * 8) {}
  const int lanes;  // triangles, and some more to make whole vectors of them

  alignas(32) float u[3][CLUSTER], w[3][CLUSTER];  // column and row of each corner
  alignas(32) float value[3][CLUSTER];
  alignas(32) float left[CLUSTER], right[CLUSTER], up[CLUSTER], down[CLUSTER];
  alignas(32) float slack[CLUSTER];      // WIDER times what its edges are at most long
  alignas(32) float value_one[CLUSTER];  // at the pixel of ONE
  alignas(32) std::int32_t state[CLUSTER];

  // A corner of all triangles, as LevelClusters has it, by a pose.
  void move(const float* corner, const Posed& X, float* const to[3]) const {
    const float *x = corner, *y = x + CLUSTER, *z = y + CLUSTER;
    for (int k = 0; k < 3; ++k) {
      const auto a = float(X.m[k][0]), b = float(X.m[k][1]), c = float(X.m[k][2]), p = float(X.m[k][3]);
      for (int t = 0; t < lanes; ++t) to[k][t] = a * x[t] + b * y[t] + c * z[t] + p;
    }
  }

  // Written without branches, for the compiler to take several at once.
  void find_bounds(const RasterExtent& extent) {
    constexpr float MARGIN = 0.01f;  // a little wider: what is inside is said by the edges alone
    const auto most = float(extent.width - 1), top = float(extent.top), bottom = float(extent.bottom - 1);
    for (int t = 0; t < lanes; ++t) {
      const float least_u = least_of(u[0][t], u[1][t], u[2][t]), most_u = most_of(u[0][t], u[1][t], u[2][t]);
      const float least_w = least_of(w[0][t], w[1][t], w[2][t]), most_w = most_of(w[0][t], w[1][t], w[2][t]);
      const float l = most_of(std::ceil(least_u - MARGIN), 0.0f), r = least_of(std::floor(most_u + MARGIN), most);
      const float a = most_of(std::ceil(least_w - MARGIN), top), b = least_of(std::floor(most_w + MARGIN), bottom);
      left[t] = l, right[t] = r, up[t] = a, down[t] = b;
      slack[t] = WIDER * (most_u - least_u + most_w - least_w);
      const bool in = (l <= r) & (a <= b), small = most_of(r - l, b - a) < SMALL;
      state[t] = in ? (small ? FEW : LARGE) : OUT;
    }
  }

  // Those with a single pixel in their box, which are most of a forest's: whether they cover it, and with what value.
  void find_single() {
    for (int t = 0; t < lanes; ++t) {
      const float px = left[t], py = up[t];
      const float u0 = u[0][t] - px, u1 = u[1][t] - px, u2 = u[2][t] - px;
      const float w0 = w[0][t] - py, w1 = w[1][t] - py, w2 = w[2][t] - py;
      const float a = u1 * w2 - u2 * w1, b = u2 * w0 - u0 * w2, c = u0 * w1 - u1 * w0, area = a + b + c;
      const float side = area < 0 ? -1.0f : 1.0f, least = least_of(a * side, b * side, c * side);
      value_one[t] = (a * value[0][t] + b * value[1][t] + c * value[2][t]) / area;
      const bool one = (right[t] == px) & (down[t] == py) & (state[t] == FEW);
      const bool covers = (least >= -slack[t]) & (area != 0);
      state[t] = one ? (covers ? ONE : OUT) : state[t];
    }
  }

  void draw_one(int t, const RasterExtent& extent, std::uint32_t name, RasterTarget target) const {
    target.put((std::int64_t(up[t]) - extent.top) * extent.width + std::int64_t(left[t]), value_one[t], name);
  }

  // By the edges of its picture, several pixels of a row at a time.
  void draw_few(int t, const RasterExtent& extent, std::uint32_t name, RasterTarget target) const {
    constexpr int W = RasterTarget::MARGIN;
    using Pixels = float __attribute__((vector_size(W * sizeof(float))));
    using Names = std::uint32_t __attribute__((vector_size(W * sizeof(float))));
    constexpr Pixels COLUMNS = {0, 1, 2, 3, 4, 5, 6, 7};
    const float px = left[t], py = up[t];
    const float u0 = u[0][t] - px, u1 = u[1][t] - px, u2 = u[2][t] - px;
    const float w0 = w[0][t] - py, w1 = w[1][t] - py, w2 = w[2][t] - py;
    // Shares of the corners, as a + ax·column + ay·row.
    const float a = u1 * w2 - u2 * w1, b = u2 * w0 - u0 * w2, c = u0 * w1 - u1 * w0, area = a + b + c;
    if (area == 0) return;
    const float scale = 1.0f / area, least = -slack[t] * std::abs(scale);
    const float ax = (w1 - w2) * scale, bx = (w2 - w0) * scale, cx = (w0 - w1) * scale;
    const float ay = (u2 - u1) * scale, by = (u0 - u2) * scale, cy = (u1 - u0) * scale;
    const float n0 = value[0][t], n1 = value[1][t], n2 = value[2][t];
    const int columns = int(right[t] - px), rows = int(down[t] - py);
    const std::int64_t corner = (std::int64_t(py) - extent.top) * extent.width + std::int64_t(px);
    for (int j = 0; j <= rows; ++j) {
      const float p0 = a * scale + ay * float(j), q0 = b * scale + by * float(j), r0 = c * scale + cy * float(j);
      for (int first = 0; first <= columns; first += W) {
        const Pixels x = COLUMNS + float(first), p = p0 + ax * x, q = q0 + bx * x, r = r0 + cx * x;
        const Pixels own = p * n0 + q * n1 + r * n2, two = p < q ? p : q, edge = two < r ? two : r;
        const std::int64_t start = corner + j * extent.width + first;
        Pixels before;
        Names names;
        std::memcpy(&before, target.value + start, sizeof before);
        std::memcpy(&names, target.name + start, sizeof names);
        const auto inside = (edge >= least) & (x <= float(columns));
        const auto put = inside & ((own > before) | ((own == before) & (name < names)));
        before = put ? own : before, names = put ? Names{} + name : names;
        std::memcpy(target.value + start, &before, sizeof before);
        std::memcpy(target.name + start, &names, sizeof names);
      }
    }
  }
};

}  // namespace volery
