// Ways to rest when something has come up: straight on or aside while braking.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "autonomy/kernels.hpp"
#include "core/vec.hpp"

namespace volery {
namespace {

constexpr double LAG = 0.1;                     // a robot must tilt before it slows down: so long it flies on [s]
constexpr double ASIDE[] = {0.2, 0.4, 0.6};     // how long it may push aside before it brakes with all its might [s]
constexpr double SHARE = 0.8;                   // of the acceleration that pushes aside meanwhile; the rest brakes
constexpr int SIDES = 8, MOST = 400;            // directions to go aside to; places of a manoeuvre

// Aside for so long while braking a little, then to rest; places at even times.
std::vector<Vec3d> fly(const Vec3d& p, const Vec3d& v, const Vec3d& aside, double seconds, double a, double dt) {
  const Vec3d ahead = unit(v);
  const double brake = std::sqrt(1.0 - SHARE * SHARE);
  Vec3d here = p, now = v;
  std::vector<Vec3d> path;
  for (int i = 0; i < MOST; ++i) {
    path.push_back(here);
    const double t = i * dt, speed = norm(now);
    const bool brakes = t >= LAG + seconds;
    if (brakes && speed <= a * dt) break;
    const Vec3d push = brakes ? -now / speed : t >= LAG ? SHARE * aside - brake * ahead : Vec3d{};
    now += a * push * dt;
    here += now * dt;
  }
  return path;
}

double gap(const Vec3d* path, std::int64_t count, Points taken) {
  double least = 1e18;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t j = 0; j < taken.size(); ++j) least = std::min(least, norm2(path[i] - vec3(taken[j])));
  return std::sqrt(least);
}

}  // namespace

// Of all manoeuvres the one with most room, up to `clear` [m]; the earlier of two that are as good.
Made<double, 2> best_escape(Point p, Point v, Points taken, double clear, double acceleration, double dt) {
  const Vec3d velocity = vec3(v.data), ahead = unit(velocity);
  const double flat = std::sqrt(ahead.x * ahead.x + ahead.y * ahead.y);
  const Vec3d left = flat > 1e-6 ? Vec3d{-ahead.y / flat, ahead.x / flat, 0.0} : Vec3d{0.0, 1.0, 0.0};
  const Vec3d up = cross(ahead, left);
  std::vector<Vec3d> best;
  double room = -1.0;
  for (int turn = 0; turn < 1 + int(std::size(ASIDE)) * SIDES; ++turn) {
    const double angle = 2.0 * std::numbers::pi * ((turn + SIDES - 1) % SIDES) / SIDES;
    const double seconds = turn == 0 ? 0.0 : ASIDE[(turn - 1) / SIDES];
    std::vector<Vec3d> path =
        fly(vec3(p.data), velocity, std::cos(angle) * left + std::sin(angle) * up, seconds, acceleration, dt);
    const double found = std::min(gap(path.data(), std::int64_t(path.size()), taken), clear);
    if (found > room + 1e-3) room = found, best = std::move(path);
  }
  std::vector<double> flat_path;
  for (const Vec3d& q : best) flat_path.insert(flat_path.end(), {q.x, q.y, q.z});
  return {std::move(flat_path), {best.size(), 3}};
}

double path_gap(Points path, Points taken) {
  return path.empty() ? 1e9 : gap(&vec3(path[0]), path.size(), taken);
}

}  // namespace volery
