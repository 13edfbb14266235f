#include "autonomy/surfels.hpp"

#include <algorithm>
#include <cmath>

#include "autonomy/kernels.hpp"
#include "autonomy/pose_fit.hpp"

namespace volery {
namespace {

constexpr double LEAST = 5;    // points of a cell that say something about its shape
constexpr double THIN = 0.03;  // no cell is taken to be thinner [m]: ranges are no better
constexpr double FULL = 60;    // points after which a cell learns slowly
constexpr Cell NEAR[] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

}  // namespace

void SurfelMap::take(Surfel& s, const Vec3d& p) const {
  if (s.count >= FULL) {
    constexpr double keeps = (FULL - 1.0) / FULL;
    s.count *= keeps;
    s.sum *= keeps;
    for (double* q : {&s.square.xx, &s.square.xy, &s.square.xz, &s.square.yy, &s.square.yz, &s.square.zz}) *q *= keeps;
  }
  const Vec3d d = p - corner(s.place);
  s.count += 1.0;
  s.sum += d;
  s.square.xx += d.x * d.x;
  s.square.xy += d.x * d.y;
  s.square.xz += d.x * d.z;
  s.square.yy += d.y * d.y;
  s.square.yz += d.y * d.z;
  s.square.zz += d.z * d.z;
}

// Mean and inverse spread.
SurfelMap::Shape SurfelMap::shape(const Surfel& s) const {
  const double n = s.count;
  const Vec3d m = s.sum / n, mean = corner(s.place) + m;
  if (n < LEAST) return {mean, {}};
  const double xx = s.square.xx / n - m.x * m.x + THIN * THIN, xy = s.square.xy / n - m.x * m.y;
  const double xz = s.square.xz / n - m.x * m.z, yy = s.square.yy / n - m.y * m.y + THIN * THIN;
  const double yz = s.square.yz / n - m.y * m.z, zz = s.square.zz / n - m.z * m.z + THIN * THIN;
  const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
  const double f = 1.0 / std::max(xx * a + xy * b + xz * c, 1e-18);
  return {mean, {a * f, b * f, c * f, (xx * zz - xz * xz) * f, (xy * xz - xx * yz) * f, (xx * yy - xy * xy) * f}};
}

void SurfelMap::add(Array<const double, -1, 3> points) {
  std::lock_guard lock(using_);
  std::vector<std::int64_t> touched;
  for (std::int64_t i = 0; i < points.size(); ++i) {
    const Vec3d& p = vec3(points[i]);
    const Cell place = cell_at(p, cell_);
    const auto next = std::int64_t(surfels_.size()), at = table_.insert(cell_key(place), next);
    if (at == next) surfels_.emplace_back().place = place;
    Surfel& s = surfels_[at];
    take(s, p);
    if (!s.touched) touched.push_back(at);
    s.touched = true;
  }
  shapes_.resize(surfels_.size());
  for (std::int64_t at : touched) {
    shapes_[at] = shape(surfels_[at]);
    surfels_[at].touched = false;
  }
}

void SurfelMap::forget(const Vec3d& here, double reach) {
  std::lock_guard lock(using_);
  const auto away = [&](const Surfel& s) {
    double most = 0;
    for (int k = 0; k < 3; ++k) most = std::max(most, std::abs((double(s.place[k]) + 0.5) * cell_ - here[k]));
    return most;
  };
  if (std::none_of(surfels_.begin(), surfels_.end(), [&](const Surfel& s) { return away(s) > 1.5 * reach; })) return;
  std::erase_if(surfels_, [&](const Surfel& s) { return !(away(s) <= reach); });
  table_ = CellTable();
  shapes_.clear();
  for (const Surfel& s : surfels_) {
    table_.insert(cell_key(s.place), std::int64_t(shapes_.size()));
    shapes_.push_back(shape(s));
  }
}

// The cell whose points this one is likeliest of, of its own and the six beside it, or none; and how unlikely.
std::tuple<const SurfelMap::Shape*, double> SurfelMap::nearest(const Vec3d& p) const {
  const Cell own = cell_at(p, cell_);
  const Shape* best = nullptr;
  double least = 1e9;
  for (const Cell& near : NEAR) {
    const std::int64_t at = table_.find(cell_key({own[0] + near[0], own[1] + near[1], own[2] + near[2]}));
    if (at < 0 || shapes_[at].weight.xx == 0.0) continue;
    const Vec3d d = p - shapes_[at].mean;
    const double far = dot(d, shapes_[at].weight * d);
    if (far < least) best = &shapes_[at], least = far;
  }
  return {best, least};
}

// Gauss-Newton with a robust weight; the pose is turned and moved in the world's axes.
double SurfelMap::fit(Array<const double, -1, 3> points, Array<const double, 6> prior, Mat3d& R, Vec3d& t) const {
  std::lock_guard lock(using_);
  const Mat3d R0 = R;
  const Vec3d t0 = t;
  double share = 0;
  for (int turn = 0; turn < 20; ++turn) {
    NormalEquations normal;
    std::int64_t found = 0;
    const double limit = turn < 4 ? 25.0 : 9.0;
    for (std::int64_t i = 0; i < points.size(); ++i) {
      const Vec3d q = R * vec3(points[i]), p = q + t;
      const auto [shape, far] = nearest(p);
      if (!shape) continue;
      ++found;
      const double robust = limit / (limit + far);
      normal.add(q, p - shape->mean, shape->weight, robust * robust);
    }
    share = double(found) / double(std::max<std::int64_t>(points.size(), 1));
    normal.hold(R, t, R0, t0, prior.data);
    const auto step = normal.solved();
    R = turned(R, step.turn);
    t += step.move;
    const auto most = [](const Vec3d& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); };
    if (most(step.turn) < 1e-4 && most(step.move) < 1e-3) break;
  }
  return share;
}

Made<double, 2> thinned(Points points, double cell) {
  CellTable table;
  std::vector<double> kept;
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < points.size(); ++i) {
    const Vec3d& p = vec3(points[i]);
    if (table.insert(cell_key(cell_at(p, cell)), n) != n) continue;
    kept.insert(kept.end(), {p.x, p.y, p.z});
    ++n;
  }
  return {std::move(kept), {std::size_t(n), 3}};
}

}  // namespace volery
