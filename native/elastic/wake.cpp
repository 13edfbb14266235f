#include "elastic/wake.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace volery::elastic {
namespace {

constexpr double core_share = 0.05;  // vortices have cores of so many half chords
constexpr double growth = 4.0;       // half chords travelled until the wake has followed, but for 1/e

// Downwash at a place against a normal, of a half-infinite vortex from `end` along the unit vector d, per circulation.
double half_line(const Vec3d& place, const Vec3d& normal, const Vec3d& end, const Vec3d& d, double half_chord) {
  const Vec3d to = place - end;
  const double along = dot(to, d), core = (core_share * half_chord) * (core_share * half_chord);
  const Vec3d r = to - along * d;
  const double r2 = norm2(r);
  // Beside the line the strip is where its own wake begins, whatever its sweep.
  const double behind =
      std::abs(along) > 2.0 * half_chord && r2 > 0 ? along / std::sqrt(along * along + r2) : 0.0;
  return (1.0 + behind) / (4.0 * std::numbers::pi * (r2 + core)) * dot(cross(d, r), normal);
}

}  // namespace

void Wake::lay(const Bodies& bodies, const std::vector<Strip>& strips, const std::vector<Vec3d>& flow) {
  const std::size_t count = strips.size();
  placed_.resize(count);
  influence_.resize(count * count);
  for (std::size_t s = 0; s < count; ++s) {
    const Strip& strip = strips[s];
    const Mat3d& R_WB = bodies.R_WB(strip.body);
    placed_[s] = {bodies.at(strip.body, strip.p_B), R_WB * strip.R_BS.column(2),
                  {bodies.at(strip.body, strip.ends_B[0]), bodies.at(strip.body, strip.ends_B[1])}};
  }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      double& downwash = influence_[i * count + j];
      downwash = 0.0;
      if (strips[i].part != strips[j].part) continue;
      const Vec3d& d = flow[strips[j].part];
      const double b = strips[j].half_chord;
      // Lift needs a bound vortex from left to right: one comes in at the second end and leaves from the first.
      downwash -= half_line(placed_[i].middle, placed_[i].normal, placed_[j].ends[0], d, b);
      downwash += half_line(placed_[i].middle, placed_[i].normal, placed_[j].ends[1], d, b);
    }
}

void Wake::follow(const std::vector<Strip>& strips, Table<StripAir> air, double travelled) const {
  const std::size_t count = strips.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double* influence = &influence_[i * count];
    double target = 0.0;
    for (std::size_t j = 0; j < count; ++j) target += influence[j] * air[j].circulation;
    const double share = -std::expm1(-travelled / strips[i].half_chord / growth);
    const double answer = std::max(influence[i], 0.0) * strips[i].half_chord * strips[i].slope;
    air[i].induced += (target - air[i].induced) * share / (1.0 + share * answer);
  }
}

}  // namespace volery::elastic
