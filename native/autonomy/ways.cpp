// Ways as lines: straight pieces where they cost no more, smoothing, and how fast they can be flown. In cells.
#include <algorithm>
#include <cmath>

#include "autonomy/kernels.hpp"
#include "core/vec.hpp"

namespace volery {
namespace {

constexpr int ROUNDS = 400, SOFT = 12;  // times that a way is averaged with its neighbours, and at the end in any case

float price_at(Prices price, const Vec3d& p) {
  std::int64_t at[3];
  for (int a = 0; a < 3; ++a) {
    const double place = std::floor(p[a] + 0.5);
    if (!(0 <= place && place < double(price.shape[a]))) return 0.0f;
    at[a] = std::int64_t(place);
  }
  return price(at[0], at[1], at[2]);
}

// Of a straight line; infinite where it is not allowed.
double line_cost(Prices price, const Vec3d& a, const Vec3d& b) {
  const Vec3d d = b - a;
  const double length = norm(d);
  need(length < 1e6, "way: too long");
  const int steps = std::max(int(std::ceil(2.0 * length)), 1);
  double total = 0;
  for (int s = 0; s < steps; ++s) {
    const float cost = price_at(price, a + (s + 0.5) / steps * d);
    if (cost == 0.0f) return 1e30;
    total += cost;
  }
  return total * length / steps;
}

std::vector<Vec3d> resampled(const std::vector<Vec3d>& way, double spacing) {
  const std::size_t n = way.size();
  std::vector<double> sums(n);
  for (std::size_t i = 1; i < n; ++i) sums[i] = sums[i - 1] + norm(way[i] - way[i - 1]);
  need(sums[n - 1] / spacing < 1e7, "spacing: too small for the way");
  const int count = std::max(int(std::ceil(sums[n - 1] / spacing)), 1) + 1;
  std::vector<Vec3d> out(count);
  std::size_t at = 0;
  for (int i = 0; i < count; ++i) {
    const double s = sums[n - 1] * i / (count - 1);
    while (at + 2 < n && sums[at + 1] < s) ++at;
    const std::size_t next = std::min(at + 1, n - 1);
    const double length = n > 1 ? std::max(sums[next] - sums[at], 1e-9) : 1.0;
    const double f = std::min(std::max((s - sums[at]) / length, 0.0), 1.0);
    out[i] = way[at] + f * (way[next] - way[at]);
  }
  return out;
}

Made<double, 2> made(const std::vector<Vec3d>& line) {
  std::vector<double> flat;
  flat.reserve(3 * line.size());
  for (const Vec3d& p : line) flat.insert(flat.end(), {p.x, p.y, p.z});
  return {std::move(flat), {line.size(), 3}};
}

std::vector<Vec3d> points_of(Points way) {
  need(way.size() > 0, "way: is empty");
  return {&vec3(way[0]), &vec3(way[0]) + way.size()};
}

}  // namespace

Made<double, 2> straightened(Prices price, Points points) {
  const std::vector<Vec3d> way = points_of(points);
  const std::size_t n = way.size();
  std::vector<double> sums(n);
  for (std::size_t i = 1; i < n; ++i) sums[i] = sums[i - 1] + std::min(line_cost(price, way[i - 1], way[i]), 1e4);
  std::vector<Vec3d> kept{way[0]};
  for (std::size_t at = 0; at + 1 < n;) {
    std::size_t next = n - 1;
    while (next > at + 1 && !(line_cost(price, way[at], way[next]) <= 1.05 * (sums[next] - sums[at]))) --next;
    at = next;
    kept.push_back(way[at]);
  }
  return made(kept);
}

// The way in even steps, its corners rounded where that costs little; the first `held` points stay.
Made<double, 2> smoothed(Prices price, Points points, double spacing, std::int64_t held) {
  need(spacing > 0, "spacing: must be positive");
  std::vector<Vec3d> line = resampled(points_of(points), spacing);
  for (int round = 0; round < ROUNDS; ++round)
    for (auto i = std::size_t(std::max<std::int64_t>(held, 1)); i + 1 < line.size(); ++i) {
      const Vec3d moved = line[i] + 0.5 * (0.5 * (line[i - 1] + line[i + 1]) - line[i]);
      const float old = price_at(price, line[i]), now = price_at(price, moved);
      if (now > 0.0f && now <= std::max(1.15 * old, 1.4)) line[i] = moved;
    }
  line = resampled(line, spacing);
  // Kinks that prices forbid to round off are too sharp to fly: rounded in any case, as far as is allowed at all.
  for (int round = 0; round < SOFT; ++round) {
    Vec3d last = line[1];
    for (std::size_t i = 2; i + 1 < line.size(); ++i) {
      const Vec3d here = line[i], soft = 0.25 * last + 0.5 * here + 0.25 * line[i + 1];
      if (price_at(price, soft) > 0.0f || price_at(price, here) == 0.0f) line[i] = soft;
      last = here;
    }
  }
  return made(line);
}

// Speeds [m/s]: limited by bends and room, then by braking from behind, then by speeding up from before; and by how
// much the worst is above what it should be, since nothing slows down faster than it can.
double speed_profile(Points p, Array<const double, -1> room, double spacing, double v0, double most, double narrow,
                     double acceleration, Array<double, -1> v) {
  const std::int64_t n = p.size();
  need(n > 0 && room.size() > 0, "p, room: are empty");
  need_size(v, n, "out");
  const double gain = 2.0 * acceleration * spacing;
  for (std::int64_t i = 0; i < n; ++i) {
    v[i] = narrow + (most - narrow) * room[std::min(i, room.size() - 1)];
    if (i <= 1 || i >= n - 2) continue;
    const double bend = norm(vec3(p[i + 2]) - 2.0 * vec3(p[i]) + vec3(p[i - 2])) / (4.0 * spacing * spacing);
    v[i] = std::min(v[i], std::sqrt(acceleration / std::max(bend, 1e-6)));
  }
  v[n - 1] = 0.0;
  for (std::int64_t i = n - 2; i >= 0; --i) v[i] = std::min(v[i], std::sqrt(v[i + 1] * v[i + 1] + gain));
  double hurry = v0 / std::max(v[0], 1.0);
  v[0] = n > 1 ? std::max(v0, 0.2) : 0.0;
  for (std::int64_t i = 1; i < n; ++i) {
    v[i] = std::min(v[i], std::sqrt(v[i - 1] * v[i - 1] + gain));
    const double slowest = std::sqrt(std::max(v[i - 1] * v[i - 1] - gain, 0.0));
    if (slowest <= v[i]) continue;
    hurry = std::max(hurry, slowest / std::max(v[i], 1.0));
    v[i] = slowest;
  }
  return hurry;
}

}  // namespace volery
