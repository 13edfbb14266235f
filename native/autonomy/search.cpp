// Cheapest ways through a grid of prices.
#include <algorithm>
#include <cmath>

#include "autonomy/heap.hpp"
#include "autonomy/kernels.hpp"
#include "core/vec.hpp"

namespace volery {
namespace {

constexpr std::int64_t MOST = 400'000;         // cells that are looked at before the best way so far is taken
constexpr float UNREACHED = 1e30f, OUT = 10.0f;  // OUT: price of leaving what is not allowed

struct Grid {
  Prices price;
  Clearance clear;
  std::int64_t nx, ny, nz;

  Grid(Prices p, Clearance c) : price(p), clear(c), nx(p.shape[0]), ny(p.shape[1]), nz(p.shape[2]) {
    need_alike(p, c, "clear: does not have the prices' shape");
    need(p.count() < (1ll << 31), "price: too large");
  }
  std::int64_t number(std::int64_t i, std::int64_t j, std::int64_t k) const { return (i * ny + j) * nz + k; }
  bool holds(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return 0 <= i && i < nx && 0 <= j && j < ny && 0 <= k && k < nz;
  }
  // visit(number, i, j, k, length) for the cells beside one, in order.
  template <class F>
  void beside(std::int64_t i, std::int64_t j, std::int64_t k, const F& visit) const {
    static const double LENGTHS[4] = {0.0, 1.0, std::sqrt(2.0), std::sqrt(3.0)};
    for (auto a = std::max<std::int64_t>(i - 1, 0); a < std::min(i + 2, nx); ++a)
      for (auto b = std::max<std::int64_t>(j - 1, 0); b < std::min(j + 2, ny); ++b)
        for (auto c = std::max<std::int64_t>(k - 1, 0); c < std::min(k + 2, nz); ++c)
          visit(number(a, b, c), a, b, c, LENGTHS[(a != i) + (b != j) + (c != k)]);
  }
  // What is not allowed may be left, where that leads away from what is near; 0: no step.
  float step_price(std::int64_t from, std::int64_t to) const {
    const float cost = price.data[to];
    if (cost != 0.0f) return cost;
    return price.data[from] != 0.0f || clear.data[to] < clear.data[from] ? 0.0f : OUT;
  }
};

double distance(Point goal, std::int64_t i, std::int64_t j, std::int64_t k) {
  const double x = goal[0] - double(i), y = goal[1] - double(j), z = goal[2] - double(k);
  return std::sqrt(x * x + y * y + z * z);
}

Made<double, 2> cells_to(const Grid& grid, const std::vector<std::int32_t>& parent, std::int64_t end) {
  std::vector<std::int64_t> cells;
  for (std::int64_t at = end; at >= 0; at = parent[at]) cells.push_back(at);
  std::vector<double> way;
  for (auto at = cells.rbegin(); at != cells.rend(); ++at)
    for (std::int64_t n : {*at / (grid.ny * grid.nz), *at / grid.nz % grid.ny, *at % grid.nz}) way.push_back(double(n));
  return {std::move(way), {cells.size(), 3}};
}

}  // namespace

std::tuple<Made<double, 2>, bool> search_way(Prices price, Clearance clear, Point start, Point goal, double greed) {
  const Grid grid(price, clear);
  for (double s : start) need(std::abs(s) < 1e9, "start: must lie in the window");
  const std::int64_t si = std::int64_t(start[0]), sj = std::int64_t(start[1]), sk = std::int64_t(start[2]);
  need(grid.holds(si, sj, sk), "start: must lie in the window");
  const bool inside = 0 <= goal[0] && goal[0] < double(grid.nx) && 0 <= goal[1] && goal[1] < double(grid.ny) &&
                      0 <= goal[2] && goal[2] < double(grid.nz);
  std::vector<float> known(price.count(), UNREACHED);
  std::vector<std::int32_t> parent(price.count(), -1);
  std::vector<std::uint8_t> done(price.count());
  CellHeap heap;
  std::int64_t best = grid.number(si, sj, sk), looked = 0;
  known[best] = 0;
  heap.push(best, 0);
  double least = 1e30;
  bool reached = false;
  while (heap.size() > 0 && looked < MOST && heap.size() < 4 * MOST - 30) {
    const std::int64_t cell = heap.pop();
    if (done[cell]) continue;
    done[cell] = 1;
    ++looked;
    const std::int64_t i = cell / (grid.ny * grid.nz), j = cell / grid.nz % grid.ny, k = cell % grid.nz;
    const double rest = distance(goal, i, j, k);
    if (rest < least) best = cell, least = rest;
    const bool edge = i < 2 || j < 2 || i >= grid.nx - 2 || j >= grid.ny - 2;
    if (inside ? rest < 1.8 : edge) {
      best = cell, reached = true;
      break;
    }
    grid.beside(i, j, k, [&](std::int64_t other, auto a, auto b, auto c, double length) {
      if (done[other]) return;
      const float cost = grid.step_price(cell, other);
      if (cost == 0.0f) return;
      const float now = float(known[cell] + length * cost);
      if (!(now < known[other])) return;
      known[other] = now, parent[other] = std::int32_t(cell);
      heap.push(other, float(now + greed * distance(goal, a, b, c)));
    });
  }
  return {cells_to(grid, parent, best), reached};
}

std::tuple<Made<float, 3>, Made<std::int64_t>> flood(Prices price, Clearance clear, Evidence evidence,
                                                     Array<const std::int64_t, 3> start) {
  const Grid grid(price, clear);
  need_alike(price, evidence, "evidence: does not have the prices' shape");
  need(grid.holds(start[0], start[1], start[2]), "start: must lie in the window");
  std::vector<float> known(price.count(), UNREACHED);
  std::vector<std::int64_t> parent(price.count(), -1);
  std::vector<std::uint8_t> done(price.count());
  CellHeap heap;
  const std::int64_t first = grid.number(start[0], start[1], start[2]);
  known[first] = 0;
  heap.push(first, 0);
  while (heap.size() > 0) {
    const std::int64_t cell = heap.pop();
    if (done[cell]) continue;
    done[cell] = 1;
    const std::int64_t i = cell / (grid.ny * grid.nz), j = cell / grid.nz % grid.ny, k = cell % grid.nz;
    grid.beside(i, j, k, [&](std::int64_t other, auto, auto, auto, double length) {
      if (done[other] || evidence.data[other] >= 0) return;
      const float cost = grid.step_price(cell, other);
      if (cost == 0.0f) return;
      const float now = float(known[cell] + length * cost);
      if (!(now < known[other])) return;
      known[other] = now, parent[other] = cell;
      heap.push(other, now);
    });
  }
  const std::array<std::size_t, 3> shape{std::size_t(grid.nx), std::size_t(grid.ny), std::size_t(grid.nz)};
  return {Made<float, 3>(std::move(known), shape), Made<std::int64_t>(std::move(parent))};
}

Made<std::int64_t, 2> find_ends(Evidence evidence, Array<const float, -1, -1, -1> cost,
                                Array<const std::int64_t, 3> low, Array<const std::int64_t, 3> high) {
  need_alike(evidence, cost, "cost: does not have the window's shape");
  std::int64_t first[3], end[3];
  for (int a = 0; a < 3; ++a)
    first[a] = std::max<std::int64_t>(low[a], 1), end[a] = std::min(high[a], evidence.shape[a] - 1);
  const std::int64_t steps[] = {evidence.shape[1] * evidence.shape[2], evidence.shape[2], 1};
  std::vector<std::int64_t> out;
  for (auto i = first[0]; i < end[0]; ++i)
    for (auto j = first[1]; j < end[1]; ++j)
      for (auto k = first[2]; k < end[2]; ++k) {
        if (cost(i, j, k) > 1e29f) continue;
        const std::int8_t* own = &evidence(i, j, k);
        if (std::any_of(steps, steps + 3, [&](auto step) { return own[step] == 0 || own[-step] == 0; }))
          out.insert(out.end(), {i, j, k});
      }
  const std::size_t count = out.size() / 3;
  return {std::move(out), {count, 3}};
}

}  // namespace volery
