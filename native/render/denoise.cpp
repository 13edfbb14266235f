#include "render/denoise.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/pool.hpp"
#include "render/exponential.hpp"

namespace volery {
namespace {

constexpr float FLOOR = 0.01f;  // added to colours that light is divided by
constexpr float KERNEL[5] = {1 / 16.0f, 1 / 4.0f, 3 / 8.0f, 1 / 4.0f, 1 / 16.0f};
constexpr int PART = 256;  // columns at a time
constexpr std::int64_t ROWS_AT_ONCE = 4;

// Three colours or coordinates of a picture, each by itself.
struct Planes {
  std::vector<float> x, y, z;
  explicit Planes(std::int64_t count) : x(count), y(count), z(count) {}
  explicit Planes(const Array<const float, -1, -1, 3>& from) : Planes(from.count() / 3) {
    for (std::size_t n = 0; n < x.size(); ++n)
      x[n] = from.data[3 * n], y[n] = from.data[3 * n + 1], z[n] = from.data[3 * n + 2];
  }
};

struct Round {
  const Planes &light, &albedo, &normal;
  std::int64_t height, width, step;
  float tolerance;
};

struct Sums {
  alignas(32) float weight[PART], x[PART], y[PART], z[PART];
};

// Add a neighbour of each of the pixels at … at + count − 1, `shift` places from it.
void add_neighbour(const Round& r, std::int64_t at, std::int64_t shift, int first, int last, float share, Sums& sums) {
  const float *lx = &r.light.x[at], *ly = &r.light.y[at], *lz = &r.light.z[at];
  const float *ax = &r.albedo.x[at], *ay = &r.albedo.y[at], *az = &r.albedo.z[at];
  const float *nx = &r.normal.x[at], *ny = &r.normal.y[at], *nz = &r.normal.z[at];
  for (int n = first; n < last; ++n) {
    const std::int64_t o = n + shift;
    const float ex = nx[o] - nx[n], ey = ny[o] - ny[n], ez = nz[o] - nz[n];
    const float er = ax[o] - ax[n], eg = ay[o] - ay[n], eb = az[o] - az[n];
    const float own = lx[n] + ly[n] + lz[n], other = lx[o] + ly[o] + lz[o];
    float apart = 3.0f * (ex * ex + ey * ey + ez * ez);
    apart += 60.0f * (er * er + eg * eg + eb * eb) / (ax[n] * ax[n] + ay[n] * ay[n] + az[n] * az[n] + 0.01f);
    apart += std::abs(other - own) / (r.tolerance * (other + own) + 1e-4f);
    const float w = share * exp_minus(apart);
    sums.weight[n] += w;
    sums.x[n] += w * lx[o], sums.y[n] += w * ly[o], sums.z[n] += w * lz[o];
  }
}

// A weighted mean over 5×5 neighbours of some pixels of a row.
void mean_part(const Round& r, std::int64_t row, std::int64_t column, int count, Planes& out) {
  Sums sums{};
  const std::int64_t at = row * r.width + column;
  for (int a = -2; a <= 2; ++a) {
    if (row + a * r.step < 0 || row + a * r.step >= r.height) continue;
    for (int c = -2; c <= 2; ++c) {
      const std::int64_t aside = c * r.step;
      const int first = int(std::clamp<std::int64_t>(-aside - column, 0, count));
      const int last = int(std::clamp<std::int64_t>(r.width - aside - column, 0, count));
      add_neighbour(r, at, a * r.step * r.width + aside, first, last, KERNEL[a + 2] * KERNEL[c + 2], sums);
    }
  }
  for (int n = 0; n < count; ++n) {
    out.x[at + n] = sums.x[n] / sums.weight[n];
    out.y[at + n] = sums.y[n] / sums.weight[n];
    out.z[at + n] = sums.z[n] / sums.weight[n];
  }
}

}  // namespace

void smooth_light(Array<const float, -1, -1, 3> light, Array<const float, -1, -1, 3> albedo,
                  Array<const float, -1, -1, 3> normal, int rounds, Array<float, -1, -1, 3> out) {
  const auto same = [&](const auto& array) {
    return array.shape[0] == light.shape[0] && array.shape[1] == light.shape[1];
  };
  need(same(albedo), "albedo: must be as large as the light");
  need(same(normal), "normal: must be as large as the light");
  need(same(out), "out: must be as large as the light");
  need(rounds >= 0 && rounds < 20, "rounds: must be 0 to 19");
  const std::int64_t height = light.shape[0], width = light.shape[1], count = height * width;
  const Planes colour(albedo), normals(normal);
  Planes now(light), other(count);
  for (std::int64_t n = 0; n < count; ++n)
    now.x[n] /= colour.x[n] + FLOOR, now.y[n] /= colour.y[n] + FLOOR, now.z[n] /= colour.z[n] + FLOOR;
  for (int k = 0; k < rounds; ++k) {
    const Round round{now, colour, normals, height, width, std::int64_t(1) << k, 4.0f * std::ldexp(1.0f, -k)};
    parallel_ranges(height, ROWS_AT_ONCE, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t row = from; row < to; ++row)
        for (std::int64_t column = 0; column < width; column += PART)
          mean_part(round, row, column, int(std::min<std::int64_t>(PART, width - column)), other);
    });
    std::swap(now, other);
  }
  for (std::int64_t n = 0; n < count; ++n) {
    float* to = out.data + 3 * n;
    to[0] = now.x[n] * (colour.x[n] + FLOOR);
    to[1] = now.y[n] * (colour.y[n] + FLOOR);
    to[2] = now.z[n] * (colour.z[n] + FLOOR);
  }
}

}  // namespace volery
