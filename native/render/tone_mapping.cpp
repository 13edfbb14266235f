#include "render/tone_mapping.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/pool.hpp"

namespace volery {
namespace {

constexpr std::int64_t ROWS_AT_ONCE = 64;

// Sum of the logarithms of green in every second pixel of a row.
double log_sum(const float* row, std::int64_t width) {
  double total = 0, product = 1;
  for (std::int64_t x = 0; x < width; x += 2) {
    product *= row[3 * x + 1] + 1e-5;
    // One logarithm for several pixels.
    if (product < 1e-100 || product > 1e100) total += std::log(product), product = 1;
  }
  return total + std::log(product);
}

}  // namespace

void gather_rays(Array<const float, -1, 3> colour, Array<const std::int32_t, -1> rays, std::int64_t width,
                 std::int64_t over, float weight, std::int64_t first, Array<float, -1, 3> linear) {
  need(width > 0 && over > 0 && rays.size() % (width * over * over) == 0, "rays: must be whole rows of pixels");
  const std::int64_t rows = rays.size() / (width * over * over);
  need(first >= 0 && (first + rows) * width <= linear.size(), "linear: has room for fewer rows");
  for (const std::int32_t i : rays) need(i >= 0 && i < colour.size(), "rays: there is no such ray");
  const float share = weight / float(over * over);
  parallel_ranges(rows, ROWS_AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t row = from; row < to; ++row) {
      for (std::int64_t column = 0; column < width; ++column) {
        float* pixel = linear[(first + row) * width + column];
        for (std::int64_t a = 0; a < over; ++a) {
          const std::int32_t* fine = &rays[((row * over + a) * width + column) * over];
          for (std::int64_t b = 0; b < over; ++b)
            for (int c = 0; c < 3; ++c) pixel[c] += share * colour(fine[b], c);
        }
      }
    }
  });
}

double mean_brightness(Array<const float, -1, -1, 3> linear) {
  const std::int64_t rows = (linear.size() + 1) / 2, width = linear.shape[1];
  need(linear.count() > 0, "linear: there are no pixels");
  std::vector<double> sums(rows);
  parallel_ranges(rows, ROWS_AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t row = from; row < to; ++row) sums[row] = log_sum(linear[2 * row], width);
  });
  return std::exp(std::accumulate(sums.begin(), sums.end(), 0.0) / double(rows * ((width + 1) / 2)));
}

void expose(Array<const float, -1, -1, 3> linear, float gain, Array<const std::uint8_t, -1> table,
            std::int64_t first_bits, int dropped, Array<std::uint8_t, -1, -1, 3> rgb) {
  need(rgb.shape[0] == linear.shape[0] && rgb.shape[1] == linear.shape[1], "rgb: must be as large as the picture");
  need(!table.empty() && dropped >= 0 && dropped < 32, "table: there is none");
  const std::int64_t width = 3 * linear.shape[1];
  const auto first = std::int32_t(first_bits), last = std::int32_t(table.size() - 1);
  parallel_ranges(linear.size(), ROWS_AT_ONCE, [&](std::int64_t from, std::int64_t to) {
    std::int32_t entry[512];
    const float* light = linear[from];
    std::uint8_t* out = rgb[from];
    const std::int64_t count = (to - from) * width;
    for (std::int64_t start = 0; start < count; start += 512) {
      const std::int64_t some = std::min<std::int64_t>(512, count - start);
      for (std::int64_t k = 0; k < some; ++k) {
        const float bright = std::max(light[start + k] * gain, 0.0f);
        entry[k] = std::clamp(std::int32_t(std::bit_cast<std::uint32_t>(bright) >> dropped) - first, 0, last);
      }
      for (std::int64_t k = 0; k < some; ++k) out[start + k] = table[entry[k]];
    }
  });
}

}  // namespace volery
