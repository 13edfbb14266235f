#include "core/noise.hpp"

#include <numbers>

namespace volery {
namespace {

double fade(double t) { return t * t * t * (t * (t * 6.0 - 15.0) + 10.0); }

// Directions of the plane all round; looked up, since sines would take most of the time.
const std::array<std::array<double, 2>, 256> COMPASS = [] {
  std::array<std::array<double, 2>, 256> all;
  for (int i = 0; i < 256; ++i)
    all[i] = {std::cos(i * (std::numbers::pi / 128)), std::sin(i * (std::numbers::pi / 128))};
  return all;
}();

// The twelve edge directions of a cube, four of them twice, after Perlin 2002.
constexpr double EDGES[16][3] = {{1, 1, 0},  {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {1, 0, 1},  {-1, 0, 1},
                                 {1, 0, -1}, {-1, 0, -1}, {0, 1, 1},  {0, -1, 1},  {0, 1, -1}, {0, -1, -1},
                                 {1, 1, 0},  {0, -1, 1}, {-1, 1, 0}, {0, -1, -1}};

double gradient2(std::int64_t seed, std::int64_t i, std::int64_t j, double x, double y) {
  const auto& d = COMPASS[hash_cell(seed, i, j, 0) & 255];
  return d[0] * x + d[1] * y;
}

double gradient3(std::int64_t seed, std::int64_t i, std::int64_t j, std::int64_t k, double x, double y, double z) {
  const auto& d = EDGES[hash_cell(seed, i, j, k) & 15];
  return d[0] * x + d[1] * y + d[2] * z;
}

// The whole number below; what has none (NaN, or beyond all measure) is 0.
std::int64_t floor_index(double x) { return std::abs(x) < 9e18 ? std::int64_t(std::floor(x)) : 0; }

}  // namespace

double perlin2(double x, double y, std::int64_t seed) {
  const std::int64_t i = floor_index(x), j = floor_index(y);
  const double fx = x - double(i), fy = y - double(j), u = fade(fx), v = fade(fy);
  const double a = gradient2(seed, i, j, fx, fy), b = gradient2(seed, i + 1, j, fx - 1, fy);
  const double c = gradient2(seed, i, j + 1, fx, fy - 1), d = gradient2(seed, i + 1, j + 1, fx - 1, fy - 1);
  const double ab = a + u * (b - a), cd = c + u * (d - c);
  return ab + v * (cd - ab);
}

double perlin3(double x, double y, double z, std::int64_t seed) {
  const std::int64_t i = floor_index(x), j = floor_index(y), k = floor_index(z);
  const double fx = x - double(i), fy = y - double(j), fz = z - double(k);
  const double u = fade(fx), v = fade(fy), w = fade(fz);
  double layer[2];
  for (int dk = 0; dk < 2; ++dk) {
    const double a = gradient3(seed, i, j, k + dk, fx, fy, fz - dk);
    const double b = gradient3(seed, i + 1, j, k + dk, fx - 1, fy, fz - dk);
    const double c = gradient3(seed, i, j + 1, k + dk, fx, fy - 1, fz - dk);
    const double d = gradient3(seed, i + 1, j + 1, k + dk, fx - 1, fy - 1, fz - dk);
    const double ab = a + u * (b - a), cd = c + u * (d - c);
    layer[dk] = ab + v * (cd - ab);
  }
  return layer[0] + w * (layer[1] - layer[0]);
}

}  // namespace volery
