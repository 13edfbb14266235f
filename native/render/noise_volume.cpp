#include "render/noise_volume.hpp"

namespace volery {
namespace {

constexpr std::int32_t MASK = NoiseVolume::EDGE - 1;

// Texels below places, 0 to 63, and how far beyond them the places are.
void split(const double* __restrict x, int count, std::int32_t* __restrict below, float* __restrict beyond) {
  constexpr double EDGE = NoiseVolume::EDGE;
  for (int n = 0; n < count; ++n) {
    const double low = std::floor(x[n]);
    beyond[n] = float(x[n] - low);
    below[n] = std::int32_t(low - EDGE * std::floor(low * (1.0 / EDGE))) & MASK;
  }
}

// Between the eight values round each place. Apart from `look_up`, so that the compiler knows that nothing overlaps.
struct Ways {
  const std::int32_t *i, *j, *k;
  const float *a, *b, *c;
};
void interpolate(const float* __restrict v, const Ways& at, int count, float* __restrict value, float* __restrict sx,
                 float* __restrict sy, float* __restrict sz) {
  for (int n = 0; n < count; ++n) {
    const std::int32_t i0 = at.i[n] << 12, i1 = ((at.i[n] + 1) & MASK) << 12;
    const std::int32_t j0 = at.j[n] << 6, j1 = ((at.j[n] + 1) & MASK) << 6, k0 = at.k[n], k1 = (at.k[n] + 1) & MASK;
    const float a = at.a[n], b = at.b[n], c = at.c[n];
    const float v000 = v[i0 + j0 + k0], v001 = v[i0 + j0 + k1], v010 = v[i0 + j1 + k0], v011 = v[i0 + j1 + k1];
    const float d00 = v[i1 + j0 + k0] - v000, d01 = v[i1 + j0 + k1] - v001;
    const float d10 = v[i1 + j1 + k0] - v010, d11 = v[i1 + j1 + k1] - v011;
    const float p00 = v000 + d00 * a, p01 = v001 + d01 * a, p10 = v010 + d10 * a, p11 = v011 + d11 * a;
    const float q0 = p00 + (p10 - p00) * b, q1 = p01 + (p11 - p01) * b;
    const float s0 = d00 + (d10 - d00) * b, s1 = d01 + (d11 - d01) * b, t0 = p10 - p00, t1 = p11 - p01;
    value[n] = q0 + (q1 - q0) * c;
    sx[n] = s0 + (s1 - s0) * c, sy[n] = t0 + (t1 - t0) * c, sz[n] = q1 - q0;
  }
}

}  // namespace

void NoiseVolume::look_up(const double* x, const double* y, const double* z, int count, NoiseBlock& found) const {
  constexpr int SIZE = NoiseBlock::SIZE;
  alignas(32) std::int32_t i[SIZE], j[SIZE], k[SIZE];
  alignas(32) float a[SIZE], b[SIZE], c[SIZE];
  split(x, count, i, a), split(y, count, j, b), split(z, count, k, c);
  interpolate(values_.data(), {i, j, k, a, b, c}, count, found.value, found.x, found.y, found.z);
}

}  // namespace volery
