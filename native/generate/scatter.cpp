// Where things stand: steps that are pure functions of place, so that no chunk needs to know another.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/noise.hpp"
#include "generate/kernels.hpp"

namespace volery {
namespace {

enum class State : std::uint8_t { undecided, kept, dropped, kept_now };

struct Sites {
  Array<const double, -1> x, y, space, rank;
  double reach;
  std::vector<State> state;

  bool close(std::int64_t a, std::int64_t b) const {
    const double near = 0.5 * (space[a] + space[b]), dx = x[a] - x[b], dy = y[a] - y[b];
    return dx * dx + dy * dy < near * near;
  }
  // visit(a, first) for each site a and the first that may reach it; x ascends.
  template <class F>
  void sweep(const F& visit) const {
    std::int64_t first = 0;
    for (std::int64_t a = 0; a < x.size(); ++a) {
      while (x[a] - x[first] > reach) ++first;
      visit(a, first);
    }
  }
  bool best(std::int64_t a, std::int64_t first) const {
    for (std::int64_t b = first; b < x.size() && x[b] - x[a] <= reach; ++b) {
      const bool rival = state[b] == State::undecided || state[b] == State::kept_now;
      if (rival && rank[b] > rank[a] && close(a, b)) return false;
    }
    return true;
  }
  bool beside_kept(std::int64_t a, std::int64_t first) const {
    for (std::int64_t b = first; b < x.size() && x[b] - x[a] <= reach; ++b)
      if (state[b] == State::kept_now && close(a, b)) return true;
    return false;
  }
};

}  // namespace

void sample_sites(std::int64_t seed, std::int64_t layer, double cell, std::int64_t i0, std::int64_t j0,
                  std::int64_t rows, Array<double, -1> x, Array<double, -1> y, Array<double, -1, -1> draws) {
  need(rows > 0, "rows: must be positive");
  need_size(y, x.size(), "y");
  need_size(draws, x.size(), "draws");
  const std::int64_t first = layer * 16;
  for (std::int64_t n = 0; n < x.size(); ++n) {
    const std::int64_t i = i0 + n / rows, j = j0 + n % rows;
    x[n] = (double(i) + uniform_cell(seed, i, j, first)) * cell;
    y[n] = (double(j) + uniform_cell(seed, i, j, first + 1)) * cell;
    for (std::int64_t k = 0; k < draws.shape[1]; ++k) draws(n, k) = uniform_cell(seed, i, j, first + 2 + k);
  }
}

void prune_sites(Array<const double, -1> x, Array<const double, -1> y, Array<const double, -1> space,
                 Array<const double, -1> rank, std::int64_t rounds, Array<bool, -1> keep) {
  need_size(y, x.size(), "y");
  need_size(space, x.size(), "space");
  need_size(rank, x.size(), "rank");
  need_size(keep, x.size(), "keep");
  if (x.empty()) return;
  Sites s{x, y, space, rank, *std::max_element(space.begin(), space.end()), std::vector<State>(x.size())};
  need(s.reach >= 0.0, "space: must not be negative");
  for (std::int64_t round = 0; round < rounds; ++round) {
    s.sweep([&](auto a, auto first) {
      if (s.state[a] == State::undecided && s.best(a, first)) s.state[a] = State::kept_now;
    });
    s.sweep([&](auto a, auto first) {
      if (s.state[a] == State::undecided && s.beside_kept(a, first)) s.state[a] = State::dropped;
    });
    std::replace(s.state.begin(), s.state.end(), State::kept_now, State::kept);
  }
  for (std::int64_t a = 0; a < x.size(); ++a) keep[a] = s.state[a] == State::kept;
}

void nearest_sites(Array<const double, -1> x, Array<const double, -1> y, Array<const double, -1> other_x,
                   Array<const double, -1> other_y, Array<const double, -1> radius, Array<double, -1> out) {
  need_size(y, x.size(), "y");
  need_size(other_y, other_x.size(), "other_y");
  need_size(radius, other_x.size(), "radius");
  need_size(out, x.size(), "out");
  for (std::int64_t a = 0; a < x.size(); ++a) {
    double best = std::numeric_limits<double>::infinity();
    for (std::int64_t b = 0; b < other_x.size(); ++b) {
      const double dx = x[a] - other_x[b], dy = y[a] - other_y[b];
      best = std::min(best, std::sqrt(dx * dx + dy * dy) - radius[b]);
    }
    out[a] = best;
  }
}

}  // namespace volery
