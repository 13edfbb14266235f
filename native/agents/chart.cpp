// A chart of what a lidar has hit, and ways through it in the plane.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <queue>
#include <utility>

#include "agents/kernels.hpp"
#include "core/vec.hpp"

namespace volery {
namespace {

constexpr std::size_t MOST_NEAR = 4096;
constexpr double TAKEN = 1e9;
// Of a metre in a cell of a plan that is taken, and one, two, three cells away from one; 1 farther on.
constexpr double COST[] = {TAKEN, 30.0, 8.0, 2.0};
constexpr std::int64_t RINGS = std::size(COST);

using Costs = Array<const double, -1, -1>;

double clamped(double v, double most) { return std::min(std::max(0.0, v), most); }  // this way round NaN is 0

// Cells from low to high of an axis, both included.
std::pair<std::int64_t, std::int64_t> span(double low, double high, std::int64_t least, std::int64_t most) {
  const double limit = double(most) + 1;
  return {std::max(std::int64_t(clamped(low, limit)), least),
          high <= -1 ? -1 : std::min(std::int64_t(clamped(high, limit)), most)};
}

void need_square(Costs costs) { need(costs.shape[0] == costs.shape[1] && costs.size() > 0, "costs: must be square"); }

}  // namespace

std::int64_t chart_note(Array<std::uint64_t, -1, -1> columns, Point corner_W, Points points_W, Points others_W,
                        double body) {
  std::int64_t fresh = 0;
  const auto of_another = [&](const double* p) {
    for (std::int64_t j = 0; j < others_W.size(); ++j)
      if (norm2(vec3(p) - vec3(others_W[j])) <= body * body) return true;
    return false;
  };
  for (std::int64_t n = 0; n < points_W.size(); ++n) {
    if (of_another(points_W[n])) continue;
    double at[3];
    for (int k = 0; k < 3; ++k) at[k] = std::floor((points_W(n, k) - corner_W[k]) / CHART_CELL);
    const bool across = 0 <= at[0] && at[0] < double(columns.shape[0]);
    const bool along = 0 <= at[1] && at[1] < double(columns.shape[1]);
    if (!across || !along || !(1 <= at[2] && at[2] < double(CHART_LAYERS))) continue;
    std::uint64_t& word = columns(std::int64_t(at[0]), std::int64_t(at[1]));
    const std::uint64_t bit = std::uint64_t(1) << int(at[2]);
    fresh += !(word & bit);
    word |= bit;
  }
  return fresh;
}

Made<double, 2> chart_near(Columns columns, Point corner_W, Point p_W, double reach, double height) {
  const auto cell = [&](int k, double off) { return (p_W[k] + off - corner_W[k]) / CHART_CELL; };
  const auto [i0, i1] = span(cell(0, -reach), cell(0, reach), 0, columns.shape[0] - 1);
  const auto [j0, j1] = span(cell(1, -reach), cell(1, reach), 0, columns.shape[1] - 1);
  const auto [k0, k1] = span(cell(2, -height), cell(2, height), 1, CHART_LAYERS - 1);
  const std::uint64_t layers = k0 > k1 ? 0 : (~std::uint64_t(0) << k0) & (~std::uint64_t(0) >> (63 - k1));
  std::vector<double> out;
  out.reserve(3 * 256);
  for (auto i = i0; i <= i1; ++i)
    for (auto j = j0; j <= j1; ++j)
      for (std::uint64_t word = columns(i, j) & layers; word && out.size() < 3 * MOST_NEAR; word &= word - 1)
        out.insert(out.end(), {corner_W[0] + (double(i) + 0.5) * CHART_CELL,
                               corner_W[1] + (double(j) + 0.5) * CHART_CELL,
                               corner_W[2] + (double(std::countr_zero(word)) + 0.5) * CHART_CELL});
  const std::size_t count = out.size() / 3;
  return {std::move(out), {count, 3}};
}

// What a metre costs in each cell of a plan, [m, m].
Made<double, 2> chart_costs(Columns columns, std::uint64_t bits) {
  need(columns.shape[0] == columns.shape[1], "columns: must be square");
  const std::int64_t m = columns.size() / CHART_POOL;
  std::vector<std::uint8_t> taken(m * m), ring(m * m, RINGS);
  for (std::int64_t i = 0; i < m * CHART_POOL; ++i)
    for (std::int64_t j = 0; j < m * CHART_POOL; ++j)
      if (columns(i, j) & bits) taken[i / CHART_POOL * m + j / CHART_POOL] = 1;
  for (std::int64_t a = 0; a < m; ++a)
    for (std::int64_t b = 0; b < m; ++b) {
      if (!taken[a * m + b]) continue;
      for (auto x = std::max<std::int64_t>(a - RINGS + 1, 0); x < std::min(a + RINGS, m); ++x)
        for (auto y = std::max<std::int64_t>(b - RINGS + 1, 0); y < std::min(b + RINGS, m); ++y)
          ring[x * m + y] = std::min(ring[x * m + y], std::uint8_t(std::max(std::abs(x - a), std::abs(y - b))));
    }
  std::vector<double> costs(m * m);
  std::transform(ring.begin(), ring.end(), costs.begin(), [](std::uint8_t r) { return r < RINGS ? COST[r] : 1.0; });
  return {std::move(costs), {std::size_t(m), std::size_t(m)}};
}

// A*: cells of the cheapest way, first and last included; none: empty. A cell that is taken is never entered; the first
// may be one, so that a drone too near to something gets away.
Made<std::int64_t, 2> chart_search(Costs costs, Array<const double, 2> start, Array<const double, 2> goal) {
  need_square(costs);
  const std::int64_t m = costs.size();
  for (double v : {start[0], start[1], goal[0], goal[1]})
    need(v > -1 && v < double(m), "start, goal: must lie in the plan");
  const std::int64_t gi = std::int64_t(goal[0]), gj = std::int64_t(goal[1]), end = gi * m + gj;
  const std::int64_t first = std::int64_t(start[0]) * m + std::int64_t(start[1]);
  std::vector<double> best(m * m, std::numeric_limits<double>::infinity());
  std::vector<std::int64_t> came(m * m, -1);
  using Entry = std::pair<double, std::int64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  best[first] = 0.0;
  heap.emplace(0.0, first);
  while (!heap.empty()) {
    const std::int64_t here = heap.top().second, a = here / m, b = here % m;
    heap.pop();
    if (here == end) break;
    if (best[here] < 0.0) continue;
    const double reached = std::exchange(best[here], -1.0);
    for (auto x = std::max<std::int64_t>(a - 1, 0); x < std::min(a + 2, m); ++x)
      for (auto y = std::max<std::int64_t>(b - 1, 0); y < std::min(b + 2, m); ++y) {
        const std::int64_t other = x * m + y;
        if (other == here || costs(x, y) >= TAKEN) continue;
        const double cost = reached + costs(x, y) * std::sqrt(double((x != a) + (y != b)));
        if (!(cost < best[other])) continue;
        best[other] = cost, came[other] = here;
        const std::int64_t along = std::abs(x - gi), across = std::abs(y - gj);
        heap.emplace(cost + double(std::max(along, across)) + 0.41421356 * double(std::min(along, across)), other);
      }
  }
  if (came[end] < 0 && first != end) return {{}, {0, 2}};
  std::vector<std::int64_t> back;
  for (std::int64_t at = end; at >= 0; at = came[at]) back.push_back(at);
  std::vector<std::int64_t> cells;
  for (auto at = back.rbegin(); at != back.rend(); ++at) cells.insert(cells.end(), {*at / m, *at % m});
  return {std::move(cells), {back.size(), 2}};
}

// Number of the farthest cell of a way that a straight line reaches without costing more than the way does.
std::int64_t chart_ahead(Costs costs, Array<const std::int64_t, -1, 2> cells, Array<const double, 2> start) {
  need_square(costs);
  const std::int64_t m = costs.size();
  for (std::int64_t c : cells) need(0 <= c && c < m, "cells: must lie in the plan");
  need(start[0] > -1 && start[0] < double(m) && start[1] > -1 && start[1] < double(m), "start: must lie in the plan");
  std::int64_t found = 0;
  double along = 0;
  for (std::int64_t k = 1; k < cells.size(); ++k) {
    const double step = std::hypot(double(cells(k, 0) - cells(k - 1, 0)), double(cells(k, 1) - cells(k - 1, 1)));
    along += costs(cells(k, 0), cells(k, 1)) * step;
    const double dx = double(cells(k, 0)) + 0.5 - start[0], dy = double(cells(k, 1)) + 0.5 - start[1];
    const double length = std::hypot(dx, dy);
    const int pieces = std::max(int(2.0 * length), 1);
    double straight = 0;
    for (int s = 1; s <= pieces; ++s) {
      const auto x = std::int64_t(start[0] + dx * s / pieces), y = std::int64_t(start[1] + dy * s / pieces);
      straight += costs(x, y) * length / pieces;
    }
    if (straight <= along * 1.02 + 0.5) found = k;
    else if (k > found + 30) break;
  }
  return found;
}

}  // namespace volery
