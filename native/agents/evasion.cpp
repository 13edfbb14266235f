// Which velocity to fly at: the one nearest to the wish after which one can still stop, and meets nobody.
#include <algorithm>
#include <cmath>
#include <limits>

#include "agents/kernels.hpp"
#include "core/vec.hpp"

namespace volery {
namespace {

constexpr double LAG = 0.4;             // time in which a drone takes up a velocity [s]
constexpr double BRAKE = 2.5;           // it brakes as hard [m/s²]
constexpr double REACT = 0.3;           // until the next decision takes effect [s]
constexpr double WALL = 0.9;            // to keep from cells in which something was seen [m]
constexpr double OTHER = 1.7;           // to keep from the others [m]
constexpr double SIGHT = 4.0, TICK = 0.2;  // how far ahead the others are thought on, and in what steps [s]
constexpr int TICKS = 20;
constexpr double UPRIGHT = 6.0;  // how much dearer it is to leave the wish up or down: two who go up meet all the same
constexpr double LEFT = 0.05;    // cost of going left of the wish, by the product of speeds across: all turn right
constexpr double HALF = 0.5 * CHART_CELL;  // of a cell [m]
constexpr int LANES = 8;
constexpr double NOWHERE = 1e150;

// Where a drone is after t [s] that has velocity v and takes up u.
struct Course {
  Vec3d p, v, u;
  Vec3d at(double t, double lag) const { return p + u * t + (v - u) * lag; }
};

double lag_of(double t) { return LAG * (1.0 - std::exp(-t / LAG)); }

class Walls {  // cells apart by axis, so that lanes run side by side
 public:
  explicit Walls(Points cells) {
    const std::int64_t padded = (cells.size() + LANES - 1) / LANES * LANES;
    for (int k = 0; k < 3; ++k) {
      axes_[k].assign(padded, NOWHERE);
      for (std::int64_t n = 0; n < cells.size(); ++n) axes_[k][n] = cells(n, k);
    }
    if (cells.empty()) nothing_ = true;
  }
  double gap(const Vec3d& p) const {  // from a point to the nearest cell [m]
    if (nothing_) return std::numeric_limits<double>::infinity();
    double nearest[LANES];
    std::fill(nearest, nearest + LANES, std::numeric_limits<double>::infinity());
    for (std::size_t n = 0; n < axes_[0].size(); n += LANES)
      for (int l = 0; l < LANES; ++l) {
        const double x = off(p.x, axes_[0][n + l]), y = off(p.y, axes_[1][n + l]), z = off(p.z, axes_[2][n + l]);
        const double square = x * x + y * y + z * z;
        nearest[l] = square < nearest[l] ? square : nearest[l];
      }
    return std::sqrt(*std::min_element(nearest, nearest + LANES));
  }

 private:
  static double off(double p, double c) {
    const double beyond = std::abs(p - c) - HALF;
    return beyond > 0.0 ? beyond : 0.0;
  }
  std::vector<double> axes_[3];
  bool nothing_ = false;
};

// Cost of coming too near to something while taking up u, going on until the next decision, and braking.
double wall_cost(const Course& course, const Walls& walls, double room, double floor_z) {
  const double time = REACT + norm(course.u) / BRAKE / 2.0 + 0.2;
  const int ticks = std::max(int(std::ceil(std::min(time, 1e3) / 0.15)), 1);
  double cost = 0, worst = 0;
  for (int s = 1; s <= ticks; ++s) {
    const double t = time * s / ticks;
    const Vec3d q = course.at(t, lag_of(t));
    if (q.z < floor_z) cost = std::max(cost, 100.0 * (floor_z - q.z));
    worst = std::max(worst, room - walls.gap(q));
  }
  return cost + (worst > 0.02 ? 1000.0 * (0.1 + worst) : 0.0);
}

struct Ahead {  // the lags of all ticks
  double lags[TICKS];
  Ahead() {
    for (int s = 0; s < TICKS; ++s) lags[s] = lag_of((s + 1) * TICK);
  }
};

// Cost of coming too near to the others, who go on as they do; sooner and nearer is worse.
double meeting_cost(const Course& course, Points others_p, Points others_v, const Ahead& ahead) {
  double cost = 0;
  for (std::int64_t j = 0; j < others_p.size(); ++j) {
    const Vec3d &p = vec3(others_p[j]), &v = vec3(others_v[j]);
    const double keep = std::min(OTHER, norm(course.p - p));
    double worst = 0;
    for (int s = 1; s <= TICKS; ++s) {
      const double t = s * TICK, square = norm2(course.at(t, ahead.lags[s - 1]) - p - v * t);
      if (square < keep * keep) worst = std::max(worst, (keep - std::sqrt(square)) / keep * (1.5 - t / SIGHT));
    }
    cost += 150.0 * worst;
  }
  return cost;
}

double wish_cost(const Vec3d& u, const Vec3d& v, const Vec3d& wish) {
  double cost = 0;
  for (int k = 0; k < 3; ++k) {
    const double missed = u[k] - wish[k], change = u[k] - v[k];
    cost += (k == 2 ? UPRIGHT : 1.0) * (missed * missed) + 0.1 * (change * change);
  }
  return cost + LEFT * std::max(wish.x * u.y - wish.y * u.x, 0.0);
}

}  // namespace

std::int64_t choose_velocity(Point p, Point v, Point wish, Points options, Points cells, Points others_p,
                             Points others_v, double floor_z) {
  need_size(others_v, others_p.size(), "others_v");
  const Walls walls(cells);
  const Ahead ahead;
  const double room = std::min(WALL, walls.gap(vec3(p.data)));
  std::int64_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < options.size(); ++i) {
    const Course course{vec3(p.data), vec3(v.data), vec3(options[i])};
    double cost = wish_cost(course.u, course.v, vec3(wish.data));
    if (cost >= least) continue;
    cost += meeting_cost(course, others_p, others_v, ahead);
    if (cost >= least) continue;
    cost += wall_cost(course, walls, room, floor_z);
    if (cost < least) best = i, least = cost;
  }
  return best;
}

}  // namespace volery
