#include "multirotor/near.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "multirotor/flight.hpp"

namespace volery {
namespace {

constexpr double margin = 0.05;       // for what a drone gains in speed within a step
constexpr double ground_radii = 6.0;  // the ground is felt up to so many radii of a rotor: a gain of 0.2 % there

struct Cell {
  std::int64_t i, j, k;
  friend bool operator==(const Cell&, const Cell&) = default;
};

std::int64_t whole(double a) {  // rounded down; what no cell can have counts as far away
  constexpr double far = 1e15;
  return a == a ? std::int64_t(std::floor(std::clamp(a, -far, far))) : std::int64_t(far);
}

Cell cell_of(const Vec3d& p, double size) { return {whole(p.x / size), whole(p.y / size), whole(p.z / size)}; }

// A table of at least twice as many places as there are things.
struct Hash {
  std::uint64_t mask = 1;
  explicit Hash(std::int64_t count) {
    while (mask < 2 * std::uint64_t(count)) mask *= 2;
    --mask;
  }
  std::uint64_t operator()(const Cell& c) const {
    return (std::uint64_t(c.i) * 73856093u ^ std::uint64_t(c.j) * 19349663u ^ std::uint64_t(c.k) * 83492791u) & mask;
  }
};

// Drones by the cells they are in.
struct Grid {
  double size;
  Hash hash;
  std::vector<std::int64_t> head, after;
  std::vector<Cell> cell;

  Grid(Table<const DroneState> state, std::int64_t count, double size_)
      : size(size_), hash(count), head(hash.mask + 1, -1), after(count, -1), cell(count) {
    // Backwards, so that a bucket lists drones in the order of their rows
    for (std::int64_t i = count - 1; i >= 0; --i) {
      cell[i] = cell_of(state[i].p_W, size);
      std::int64_t& first = head[hash(cell[i])];
      after[i] = first;
      first = i;
    }
  }

  // call(j) for all drones in the cells round that of i that come after it.
  template <class F>
  void each_later(std::int64_t i, F&& call) const {
    for (int code = 0; code < 27; ++code) {
      const Cell c{cell[i].i + code / 9 - 1, cell[i].j + code / 3 % 3 - 1, cell[i].k + code % 3 - 1};
      for (std::int64_t j = head[hash(c)]; j >= 0; j = after[j])
        if (j > i && cell[j] == c) call(j);
    }
  }
};

}  // namespace

// How far from its centre of mass a drone may touch something within a time; 0: it touches nothing.
double reach_of(const DroneState& s, const DroneParameters& p, double span) {
  return p.reach > 0.0 ? p.reach + (norm(s.v_W) * span + margin) : 0.0;
}

// From which height on a drone feels the ground.
double felt_within(const DroneParameters& p) { return 4.0 * ground_radii * std::sqrt(p.near_ground); }

// Cells are as large as the widest reach, so each drone looks into 27.
std::vector<std::int64_t> pairs_of(Table<const DroneState> state, Table<const DroneParameters> parameters,
                                   std::int64_t count, double span, double more) {
  std::vector<double> reach(count);
  double widest = 0.0;
  for (std::int64_t i = 0; i < count; ++i) {
    const DroneParameters& p = parameters[state[i].kind];
    if (p.reach > 0.0) reach[i] = reach_of(state[i], p, span) + more;
    widest = std::max(widest, reach[i]);
  }
  const Grid grid(state, count, std::max(2.0 * widest, 1e-3));
  std::vector<std::int64_t> pairs;
  for (std::int64_t i = 0; i < count; ++i) {
    if (reach[i] == 0.0) continue;
    grid.each_later(i, [&](std::int64_t j) {
      const double both = reach[i] + reach[j];
      if (reach[j] > 0.0 && norm2(state[i].p_W - state[j].p_W) < both * both) pairs.insert(pairs.end(), {i, j});
    });
  }
  return pairs;
}

Made<std::int64_t, 2> find_pairs(Table<const DroneState> state, Table<const DroneParameters> parameters,
                                 std::int64_t count, double span) {
  need_kinds(state, count, parameters);
  auto pairs = pairs_of(state, parameters, count, span, 0.0);
  const std::size_t found = pairs.size() / 2;
  return {std::move(pairs), {found, 2}};
}

Made<double, 2> one_of_each_part(Array<const double, -1, 3> places, double size) {
  const Hash hash(places.size());
  std::vector<std::int64_t> table(hash.mask + 1, -1);
  std::vector<double> chosen;
  for (std::int64_t i = 0; i < places.size(); ++i) {
    const Cell c = cell_of(vec3(places[i]), size);
    std::uint64_t b = hash(c);
    while (table[b] >= 0 && cell_of(vec3(places[table[b]]), size) != c) b = (b + 1) & hash.mask;
    if (table[b] >= 0) continue;
    table[b] = i;
    chosen.insert(chosen.end(), places[i], places[i] + 3);
  }
  const std::size_t found = chosen.size() / 3;
  return {std::move(chosen), {found, 3}};
}

// How far from where it was seen a drone may be after the next `span` [s], the most of all.
double farthest(Table<const DroneState> state, Array<const double, -1, 3> seen, double span) {
  need(state.size() >= seen.size(), "state: has fewer rows than there are drones");
  double most = 0.0;
  for (std::int64_t i = 0; i < seen.size(); ++i) {
    const double way = norm(state[i].p_W - vec3(seen[i])) + span * norm(state[i].v_W);
    // NaN counts as far
    most = way == way ? std::max(most, way) : std::numeric_limits<double>::infinity();
  }
  return most;
}

// Density of the air where drones are, over that at which their thrust holds; linear between heights `apart` [m].
void thin_air(Table<const DroneState> state, Table<const DroneParameters> parameters, double lowest, double apart,
              Array<const double, -1> densities, Table<Air> air) {
  need_kinds(state, air.size(), parameters);
  need(densities.size() >= 2, "densities: must be two or more");
  for (std::int64_t i = 0; i < air.size(); ++i) {
    const double x = std::min(std::max((state[i].p_W.z - lowest) / apart, 0.0), double(densities.size()) - 1.000001);
    const std::int64_t k = x == x ? std::int64_t(x) : 0;
    const double density = densities[k] + (densities[k + 1] - densities[k]) * (x - double(k));
    air[i].share = density / parameters[state[i].kind].air_density;
  }
}

}  // namespace volery
