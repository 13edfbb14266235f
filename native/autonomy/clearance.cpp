#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "autonomy/kernels.hpp"

namespace volery {
namespace {

constexpr std::uint8_t FAR = 60, OUTSIDE = 200;  // distances end at FAR; nothing comes from outside [thirds of a cell]
constexpr double NO_FLOOR = -1e8;

// A window with a rim round it, so that every cell has all its neighbours.
struct Rimmed {
  std::int64_t nx, ny, nz;
  std::vector<std::uint8_t> values;

  explicit Rimmed(Evidence e)
      : nx(e.shape[0]), ny(e.shape[1]), nz(e.shape[2]), values((nx + 2) * (ny + 2) * (nz + 2), OUTSIDE) {
    for (std::int64_t i = 0; i < nx; ++i)
      for (std::int64_t j = 0; j < ny; ++j)
        std::transform(&e(i, j, 0), &e(i, j, 0) + nz, row(i, j), [](std::int8_t v) { return v > 0 ? 0 : FAR; });
  }
  std::uint8_t* row(std::int64_t i, std::int64_t j) { return &values[((i + 1) * (ny + 2) + j + 1) * (nz + 2) + 1]; }
};

// What a row of neighbours says: itself `near`, the cells before and after one more.
void relax(const std::uint8_t* other, std::uint8_t near, std::int64_t count, std::uint8_t* out) {
  for (std::int64_t k = 0; k < count; ++k) {
    const std::uint8_t straight = other[k] + near, aslant = std::min(other[k - 1], other[k + 1]) + near + 1;
    out[k] = std::min(out[k], std::min(straight, aslant));
  }
}

// One way through the window: from the neighbours that come before each cell.
void sweep(Rimmed& window, int s) {
  const auto [nx, ny, nz] = std::tuple(window.nx, window.ny, window.nz);
  for (std::int64_t a = 0; a < nx; ++a)
    for (std::int64_t b = 0; b < ny; ++b) {
      const std::int64_t i = s > 0 ? a : nx - 1 - a, j = s > 0 ? b : ny - 1 - b;
      std::uint8_t* own = window.row(i, j);
      for (int n = -1; n <= 1; ++n) relax(window.row(i - s, j + n), n == 0 ? 3 : 4, nz, own);
      relax(window.row(i, j - s), 3, nz, own);
      int before = OUTSIDE;
      for (std::int64_t c = 0; c < nz; ++c) {
        std::uint8_t& v = own[s > 0 ? c : nz - 1 - c];
        v = std::uint8_t(std::min<int>(v, before + 3));
        before = v;
      }
    }
}

std::int64_t lowest_taken(Evidence evidence, std::int64_t i, std::int64_t j, std::int64_t below) {
  for (std::int64_t k = 0; k < below; ++k)
    if (evidence(i, j, k) > 0) return k;
  return -1;
}

// The ground below a robot, from the nearest columns that show some [cells].
double base_below(Evidence evidence, const std::int64_t* at) {
  const auto [nx, ny, nz] = evidence.shape;
  const std::int64_t below = std::clamp<std::int64_t>(at[2], 0, nz);
  for (std::int64_t reach = 0; reach < 12; ++reach) {
    double base = -1e9;
    for (auto i = std::max<std::int64_t>(at[0] - reach, 0); i < std::min(at[0] + reach + 1, nx); ++i)
      for (auto j = std::max<std::int64_t>(at[1] - reach, 0); j < std::min(at[1] + reach + 1, ny); ++j)
        if (const auto k = lowest_taken(evidence, i, j, below); k >= 0) base = std::max(base, double(k));
    if (base > NO_FLOOR) return base;
  }
  return double(at[2]) - 5.0;
}

// Columns nobody has seen get the floor of those beside them, one way through.
void spread(Array<float, -1, -1> floor, int s) {
  const auto [nx, ny] = floor.shape;
  for (std::int64_t a = 0; a < nx; ++a)
    for (std::int64_t b = 0; b < ny; ++b) {
      const std::int64_t i = s > 0 ? a : nx - 1 - a, j = s > 0 ? b : ny - 1 - b;
      if (floor(i, j) > NO_FLOOR) continue;
      if (0 <= i - s && i - s < nx && floor(i - s, j) > NO_FLOOR) floor(i, j) = floor(i - s, j);
      else if (0 <= j - s && j - s < ny && floor(i, j - s) > NO_FLOOR) floor(i, j) = floor(i, j - s);
    }
}

double price_of(std::uint8_t clear, std::int8_t evidence, double above, const PriceTerms& t) {
  const double d = clear;
  if (d < t.clear) return 0.0;
  double cost = 1.0;
  if (d < t.comfort) {
    const double short_by = (t.comfort - d) / t.comfort;
    cost += 3.0 * (short_by * short_by);
  }
  if (evidence == 0) cost += t.unknown;
  return cost + 1.5 * (std::max({t.low - above, above - t.high, 0.0}) * t.cell);
}

}  // namespace

// Chamfer distances with steps of 3, 4 and 5, forth and back.
void clearances(Evidence evidence, Array<std::uint8_t, -1, -1, -1> out) {
  need_alike(evidence, out, "out: does not have the window's shape");
  if (out.empty()) return;
  Rimmed window(evidence);
  sweep(window, 1);
  sweep(window, -1);
  for (std::int64_t i = 0; i < window.nx; ++i)
    for (std::int64_t j = 0; j < window.ny; ++j)
      std::copy(window.row(i, j), window.row(i, j) + window.nz, &out(i, j, 0));
}

// The lowest taken cell of each column; it rises no steeper than one in two from below the robot, since crowns are seen
// where the ground is not.
void floors(Evidence evidence, Array<const std::int64_t, 3> start, Array<float, -1, -1> out) {
  const auto [nx, ny, nz] = evidence.shape;
  need(out.shape[0] == nx && out.shape[1] == ny, "out: does not have the window's shape");
  for (std::int64_t n : start) need(std::abs(n) < (1ll << 40), "start: too far away");
  const double base = base_below(evidence, start.data);
  for (std::int64_t i = 0; i < nx; ++i)
    for (std::int64_t j = 0; j < ny; ++j) {
      const double x = double(i - start[0]), y = double(j - start[1]);
      const double most = base + 3.0 + 0.5 * std::sqrt(x * x + y * y);
      const std::int64_t k = lowest_taken(evidence, i, j, nz);
      out(i, j) = k >= 0 && double(k) <= most ? float(k) : -1e9f;
    }
  spread(out, 1);
  spread(out, -1);
  for (float& f : out)
    if (f < NO_FLOOR) f = float(base);
}

void prices(Evidence evidence, Clearance clear, Array<const float, -1, -1> floor, Table<const PriceTerms> terms,
            Array<float, -1, -1, -1> out) {
  const auto [nx, ny, nz] = evidence.shape;
  need_alike(evidence, clear, "clear: does not have the window's shape");
  need_alike(evidence, out, "out: does not have the window's shape");
  need(floor.shape[0] == nx && floor.shape[1] == ny, "floor: does not have the window's shape");
  need_size(terms, 1, "terms");
  const PriceTerms t = terms[0];
  for (std::int64_t i = 0; i < nx; ++i)
    for (std::int64_t j = 0; j < ny; ++j)
      for (std::int64_t k = 0; k < nz; ++k)
        out(i, j, k) = float(price_of(clear(i, j, k), evidence(i, j, k), double(k) - double(floor(i, j)), t));
}

}  // namespace volery
