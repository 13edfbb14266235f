// A periodic cloud of noise: the grain of materials and the clouds of the sky.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/arrays.hpp"
#include "core/vec.hpp"

namespace volery {

struct NoiseSample {
  float value;
  Vec3f slope;
};

// Samples at many places at once.
struct NoiseBlock {
  static constexpr int SIZE = 256;
  alignas(32) float value[SIZE], x[SIZE], y[SIZE], z[SIZE];  // and the slope
};

class NoiseVolume {
 public:
  static constexpr int EDGE = 64;
  explicit NoiseVolume(Array<const float, -1> values) : values_(values.begin(), values.end()) {
    need_size(values, EDGE * EDGE * EDGE, "values");
  }

  template <class T>
  NoiseSample at(T x, T y, T z) const {  // [texels]
    const auto& [i0, i1, j0, j1, k0, k1, a, b, c] = cell(x, y, z);
    const float* v = values_.data();
    const float v000 = v[i0 | j0 | k0], v001 = v[i0 | j0 | k1], v010 = v[i0 | j1 | k0], v011 = v[i0 | j1 | k1];
    const float d00 = v[i1 | j0 | k0] - v000, d01 = v[i1 | j0 | k1] - v001;
    const float d10 = v[i1 | j1 | k0] - v010, d11 = v[i1 | j1 | k1] - v011;
    const float p00 = v000 + d00 * a, p01 = v001 + d01 * a, p10 = v010 + d10 * a, p11 = v011 + d11 * a;
    const float q0 = p00 + (p10 - p00) * b, q1 = p01 + (p11 - p01) * b;
    const float s0 = d00 + (d10 - d00) * b, s1 = d01 + (d11 - d01) * b;
    const float t0 = p10 - p00, t1 = p11 - p01;
    return {q0 + (q1 - q0) * c, {s0 + (s1 - s0) * c, t0 + (t1 - t0) * c, q1 - q0}};
  }

  // At so many places [texels], at most NoiseBlock::SIZE.
  void look_up(const double* x, const double* y, const double* z, int count, NoiseBlock& found) const;

 private:
  // Eight neighbouring values, and where between them a place is.
  struct Cell {
    unsigned i0, i1, j0, j1, k0, k1;
    float a, b, c;
  };

  template <class T>
  static Cell cell(T x, T y, T z) {  // of a place [texels]
    const T fx = std::floor(x), fy = std::floor(y), fz = std::floor(z);
    const unsigned i = unsigned(std::int64_t(fx)), j = unsigned(std::int64_t(fy)), k = unsigned(std::int64_t(fz));
    return {(i & MASK) << 12, ((i + 1) & MASK) << 12, (j & MASK) << 6, ((j + 1) & MASK) << 6,
            k & MASK,         (k + 1) & MASK,         float(x - fx),   float(y - fy),         float(z - fz)};
  }

  static constexpr unsigned MASK = EDGE - 1;
  std::vector<float> values_;
};

}  // namespace volery
