#include "sensors/devices.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vec.hpp"

namespace volery {
namespace {
constexpr double TURN = 2 * std::numbers::pi;
}

// Two prisms that turn against each other: the sum of two turning vectors, as an angle from the x axis.
void rosette_pattern(Array<const double, -1> time, Array<const double, 2> phase, Array<const double, 2> turns, double low,
                     double high, Array<float, -1, 3> directions) {
  need_size(directions, time.size(), "directions");
  const double reach = 0.25 * (high - low);
  for (std::int64_t i = 0; i < time.size(); ++i) {
    const double a = TURN * (phase[0] + turns[0] * time[i]), b = TURN * (phase[1] + turns[1] * time[i]);
    const double y = reach * (std::cos(a) + std::cos(b)), z = reach * (std::sin(a) + std::sin(b));
    const double off = std::sqrt(y * y + z * z), share = off > 1e-12 ? std::sin(off) / off : 1.0;
    vec3(directions[i]) = {float(std::cos(off)), float(share * y), float(share * z)};
  }
}

// A turn about z while the elevation runs up and down evenly.
void dome_pattern(Array<const double, -1> time, Array<const double, 2> phase, Array<const double, 2> turns, double low,
                  double high, Array<float, -1, 3> directions) {
  need_size(directions, time.size(), "directions");
  for (std::int64_t i = 0; i < time.size(); ++i) {
    const double azimuth = TURN * (phase[0] + turns[0] * time[i]);
    double stroke = phase[1] + turns[1] * time[i];
    stroke = 2.0 * std::abs(stroke - std::floor(stroke) - 0.5);
    const double elevation = low + (high - low) * stroke, c = std::cos(elevation);
    vec3(directions[i]) = {float(c * std::cos(azimuth)), float(c * std::sin(azimuth)), float(std::sin(elevation))};
  }
}

void scan_points(std::int64_t start, std::int64_t count, Array<const float, -1, 3> origins_S,
                 Array<const float, -1, 3> directions_S, Array<const double, 3, 3> R_WS, Array<const double, 3> p_WS,
                 float length, const HitArrays& hits, Array<double, -1, 3> points_W, Array<std::int8_t, -1> occupancy,
                 Array<bool, -1> inside) {
  const std::int64_t end = start + count;
  need(start >= 0 && count >= 0 && count <= hits.count, "count: there are fewer hits");
  need(end <= directions_S.size() && end <= origins_S.size(), "directions_S, origins_S: have too few rays");
  need(end <= points_W.size() && end <= occupancy.size() && end <= inside.size(), "points_W, occupancy, inside: too few");
  const Mat3d R = mat3(R_WS.data);
  const Vec3d p = vec3(p_WS.data);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t n = start + i;
    const Vec3f point_S = vec3(origins_S[n]) + vec3(directions_S[n]) * std::min(hits.distance[i], length);
    vec3(points_W[n]) = R * as<double>(point_S) + p;
    occupancy[n] = hits.distance[i] <= length;
    inside[n] = hits.back[i];
  }
}

void specific_force(Array<const double, 3, 3> R_before, Array<const double, 3, 3> R_after, Array<const double, 3> v_before,
                    Array<const double, 3> v_after, double dt, double gravity, Array<double, 3> force_S) {
  Vec3d u{};
  if (dt > 0) u = (vec3(v_after.data) - vec3(v_before.data)) / dt;
  u.z += gravity;
  const Mat3d R0 = mat3(R_before.data), R1 = mat3(R_after.data), M = transpose(R0) * R1;
  const Vec3d a = transposed_times(R0, u), b = transposed_times(R1, u);
  const Vec3d n = 0.5 * Vec3d{M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)};
  const double half = std::sqrt(std::max(0.25 * (1.0 + M(0, 0) + M(1, 1) + M(2, 2)), 0.0)), square = dot(n, n);
  if (square < 1e-24 || half < 1e-3) {
    vec3(force_S.data) = b;
    return;
  }
  // Along the axis of turning a and b agree; across it their middle is short by the cosine of half the angle.
  const Vec3d along = n * (dot(n, a) / square);
  vec3(force_S.data) = along + (0.5 * (a + b) - along) / half;
}

}  // namespace volery
