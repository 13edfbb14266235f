#include "elastic/wake.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace volery::elastic {
namespace {

constexpr double core_share = 0.05;  // vortices have cores of so many half chords
constexpr double growth = 4.0;       // half chords travelled until the wake has followed, but for 1/e

// Downwash at a place against a normal, of a half-infinite vortex from `end` along the unit vector d, per circulation.
double half_line(const Vec3d& place, const Vec3d& normal, const Vec3d& end, const Vec3d& d, double core) {
  const Vec3d to = place - end;
  const double along = dot(to, d);
  const Vec3d r = to - along * d;
  const double r2 = norm2(r) + core;
  return (1.0 + along / std::sqrt(along * along + r2)) / (4.0 * std::numbers::pi * r2) * dot(cross(d, r), normal);
}

// The same of a vortex from one end to the other.
double segment(const Vec3d& place, const Vec3d& normal, const Vec3d (&ends)[2], double core) {
  const Vec3d from = place - ends[0], to = place - ends[1], along = ends[1] - ends[0];
  const Vec3d round = cross(along, from);
  const double r2 = norm2(round) + core * norm2(along);
  const double angles = dot(along, from) / norm(from) - dot(along, to) / norm(to);
  return angles / (4.0 * std::numbers::pi * r2) * dot(round, normal);
}

}  // namespace

void Wake::lay(const Bodies& bodies, const std::vector<Strip>& strips, const std::vector<Vec3d>& flow) {
  const std::size_t count = strips.size();
  placed_.resize(count);
  influence_.resize(count * count);
  trailing_.resize(count * count);
  for (std::size_t s = 0; s < count; ++s) {
    const Strip& strip = strips[s];
    const Mat3d& R_WB = bodies.R_WB(strip.body);
    const Vec3d aft_B = 0.5 * strip.half_chord * strip.R_BS.column(0);
    placed_[s] = {bodies.at(strip.body, strip.p_B - aft_B), bodies.at(strip.body, strip.p_B + aft_B),
                  R_WB * strip.R_BS.column(2),
                  {bodies.at(strip.body, strip.ends_B[0]), bodies.at(strip.body, strip.ends_B[1])}};
  }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      double &downwash = influence_[i * count + j], &tilting = trailing_[i * count + j];
      downwash = tilting = 0.0;
      const Vec3d& d = flow[strips[j].part];
      if (strips[i].part != strips[j].part || norm2(d) == 0.0) continue;
      const Placed &at = placed_[i], &from = placed_[j];
      const double b = strips[j].half_chord, core = (core_share * b) * (core_share * b);
      // Lift needs a bound vortex from left to right: one comes in at the second end and leaves from the first.
      tilting = half_line(at.bound, at.normal, from.ends[1], d, core) -
                half_line(at.bound, at.normal, from.ends[0], d, core);
      downwash = half_line(at.place, at.normal, from.ends[1], d, core) -
                 half_line(at.place, at.normal, from.ends[0], d, core) + segment(at.place, at.normal, from.ends, core);
      // What an endless wing does to itself is in the section's own lift.
      if (i == j) downwash -= 1.0 / (2.0 * std::numbers::pi * b);
    }
}

double Wake::sum(const double* influence, Table<const StripAir> air) const {
  double downwash = 0.0;
  for (std::size_t j = 0; j < placed_.size(); ++j) downwash += influence[j] * air[j].circulation;
  return downwash;
}

double Wake::rate(std::size_t i, const Strip& strip, Table<const StripAir> air, double speed) const {
  return (sum(&influence_[i * placed_.size()], air) - air[i].induced) * speed / strip.half_chord / growth;
}

double Wake::follow(const std::vector<Strip>& strips, Table<StripAir> air, double travelled) const {
  const std::size_t count = strips.size();
  const Table<const StripAir> now{air.data, {air.size()}};
  double most = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = -std::expm1(-travelled / strips[i].half_chord / growth);
    const double answer = std::max(influence_[i * count + i], 0.0) * strips[i].half_chord * strips[i].slope;
    const double change = (sum(&influence_[i * count], now) - air[i].induced) * share / (1.0 + share * answer);
    air[i].induced += change;
    air[i].tilt += (sum(&trailing_[i * count], now) - air[i].tilt) * share;
    most = std::max(most, std::abs(change));
  }
  return most;
}

}  // namespace volery::elastic
