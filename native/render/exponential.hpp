// exp(−x), of which the compiler takes several at once, and the same on every machine.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace volery {

// For x ≥ 0, within 2e-7 of itself; below 1e-37 it stays there.
inline float exp_minus(float x) {
  const float y = -std::min(x, 85.0f);
  const float n = std::floor(y * 1.44269504f + 0.5f);
  // y − n·ln 2 in two steps, since ln 2 is no float32.
  const float r = (y - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  return p * std::bit_cast<float>((std::int32_t(n) + 127) << 23);
}

}  // namespace volery
