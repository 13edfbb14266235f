#include "sensors/beams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/pool.hpp"

namespace volery {
namespace {

constexpr std::int64_t BEAMS = 1024;       // in a block of work
constexpr double HAZE_REFLECTIVITY = 0.05;  // what a drop or flake near the sensor sends back; a choice
constexpr double STEP_ON = 2e-4;            // how far behind a surface the beam goes on [m]; more with distance, for float32
constexpr double NOISE_MARGIN = 5.0;        // receiver's threshold to its noise: the fade-out takes a fifth either way
enum Purpose : std::int64_t { FADING = 0, LOST = 1, FALSE_RETURN = 2, SURFACE = 3 };  // SURFACE + k: of the k-th surface
enum class Fate { ends, passes, mirrored };

// An even number of [0, 1) by splitmix64.
double chance(std::uint64_t key, std::int64_t beam, std::int64_t purpose) {
  std::uint64_t z = key + (std::uint64_t(beam) * 16 + std::uint64_t(purpose + 1)) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

Fate fate_at(const Optics& optics, Glass glass, bool leaves_pane, std::uint64_t key, std::int64_t beam,
             std::int64_t surface) {
  if (glass == Glass::stop || (optics.transparency <= 0 && optics.mirror <= 0)) return Fate::ends;
  // Out of the pane it went into: the pane has had its share.
  if (leaves_pane) return Fate::passes;
  const float drawn = float(glass == Glass::share ? chance(key, beam, SURFACE + surface) : 0.5);
  if (drawn < optics.mirror) return Fate::mirrored;
  return drawn < optics.mirror + optics.transparency ? Fate::passes : Fate::ends;
}

bool noticed(const Receiver& receiver, double power, double range, std::uint64_t key, std::int64_t beam) {
  const double ratio = receiver.max_range / range, margin = power * ratio * ratio / receiver.sensitivity;
  if (margin >= 2.0) return true;
  const double share = 0.5 * std::erfc(NOISE_MARGIN * (1.0 - margin) / std::numbers::sqrt2);
  return chance(key, beam, FADING) < share;
}

}  // namespace

namespace {

// What beams meet at one surface. Beams that go on are written to `which` and `next_*` from `first` on, in their order.
struct Surface {
  const SceneTables& tables;
  Table<const Optics> optics;
  std::int64_t number;
  bool last;
  Array<const float, -1, 3> origins_S, directions_S;
  Mat3d R_WS;
  double max_range;
  Glass glass;
  std::uint64_t key;
  const HitArrays& hits;
  Table<BeamEnd> ends;
  Array<std::int32_t, -1> which;
  Array<float, -1, 3> next_origins, next_directions;
  Array<float, -1> next_far;

  std::int64_t follow(std::int64_t first, std::int64_t end) const;
  bool meet(std::int64_t k, std::int64_t beam, std::int64_t next) const;
  void move(std::int64_t from, std::int64_t to) const;
};

// One beam; whether it goes on, as number `next`.
bool Surface::meet(std::int64_t k, std::int64_t beam, std::int64_t next) const {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  BeamEnd& end = ends[beam];
  if (number == 0) end.path = 0, end.entered = -1;
  end.material = NOTHING;
  end.row = hits.row[k];
  if (end.row < 0) {
    end.path = infinity;
    return false;
  }
  const std::int32_t row = end.row, material = tables.mesh(row).material(hits.primitive[k]);
  need(material < optics.size(), "optics: a material is missing");
  const Fate fate = fate_at(optics[material], glass, hits.back[k] && end.entered == row, key, beam, number);
  // Both in S.
  const Vec3d d = as<double>(vec3(directions_S[k])), n = transposed_times(R_WS, as<double>(hits.normal[k]));
  const double along = dot(d, n);
  if (fate == Fate::ends) {
    end.path += hits.distance[k];
    end.material = material;
    end.cosine = float(std::min(std::abs(along), 1.0));
    return false;
  }
  const double margin = STEP_ON + 2e-6 * hits.distance[k];
  const double t = hits.distance[k] + (fate == Fate::passes ? margin : -margin);
  end.path = float(end.path + t);
  end.row = -1;
  if (last || end.path >= max_range) {
    end.path = infinity;
    return false;
  }
  const Vec3d o = as<double>(vec3(origins_S[origins_S.size() > 1 ? k : 0])) + d * t;
  which[next] = std::int32_t(beam);
  next_far[next] = float(max_range - end.path);
  vec3(next_origins[next]) = as<float>(o);
  vec3(next_directions[next]) = as<float>(fate == Fate::mirrored ? d - 2.0 * along * n : d);
  end.entered = fate == Fate::passes && !hits.back[k] ? row : -1;
  return true;
}

// In place: what goes on never stands before what it came from.
std::int64_t Surface::follow(std::int64_t first, std::int64_t end) const {
  std::int64_t next = first;
  for (std::int64_t k = first; k < end; ++k) next += meet(k, number == 0 ? k : which[k], next);
  return next - first;
}

void Surface::move(std::int64_t from, std::int64_t to) const {
  which[to] = which[from];
  next_far[to] = next_far[from];
  vec3(next_origins[to]) = vec3(next_origins[from]);
  vec3(next_directions[to]) = vec3(next_directions[from]);
}

}  // namespace

std::int64_t follow_beams(const SceneTables& tables, Table<const Optics> optics, std::int64_t surface, bool last,
                          std::int64_t count, Array<const float, -1, 3> origins_S, Array<const float, -1, 3> directions_S,
                          Array<const double, 3, 3> R_WS, double max_range, int glass, std::uint64_t key,
                          const HitArrays& hits, Table<BeamEnd> ends, Array<std::int32_t, -1> which,
                          Array<float, -1, 3> next_origins, Array<float, -1, 3> next_directions,
                          Array<float, -1> next_far) {
  need(directions_S.size() >= count && (origins_S.size() == 1 || origins_S.size() >= count), "directions_S: too few");
  need(count <= hits.count && hits.normal, "hits: have no room for as many beams, or no normals");
  need(ends.size() >= count && which.size() >= count && next_far.size() >= count, "ends, which, next_far: too few");
  need(next_origins.size() >= count && next_directions.size() >= count, "next_origins, next_directions: too few");
  if (surface > 0)
    for (std::int64_t k = 0; k < count; ++k) need(which[k] >= 0 && which[k] < ends.size(), "which: there is no such beam");
  const Surface at{tables,     optics,       surface,         last,     origins_S, directions_S, mat3(R_WS.data),
                   max_range,  Glass(glass), key,             hits,     ends,      which,        next_origins,
                   next_directions, next_far};
  std::vector<std::int64_t> going((count + BEAMS - 1) / BEAMS);
  parallel_ranges(count, BEAMS, [&](std::int64_t first, std::int64_t end) { going[first / BEAMS] = at.follow(first, end); });
  std::int64_t total = 0;
  for (std::size_t block = 0; block < going.size(); ++block)
    for (std::int64_t k = 0; k < going[block]; ++k, ++total) at.move(std::int64_t(block) * BEAMS + k, total);
  return total;
}

void receive_echoes(const SceneTables& tables, Table<const Optics> optics, Table<const BeamEnd> ends,
                    Table<const Receiver> receiver, std::uint64_t key, Array<float, -1> range, Array<float, -1> intensity,
                    Array<std::int32_t, -1> label, Array<std::int32_t, -1> object) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  need_size(receiver, 1, "receiver");
  need_size(range, ends.size(), "range");
  need_size(intensity, ends.size(), "intensity");
  need_size(label, ends.size(), "label");
  need_size(object, ends.size(), "object");
  const Receiver& c = receiver[0];
  const auto receive = [&](std::int64_t i) {
    const BeamEnd& end = ends[i];
    const double r = end.path;
    range[i] = intensity[i] = nan, label[i] = 0, object[i] = -1;
    if (end.material == NOTHING || !(c.min_range <= r && r <= c.max_range)) return;
    if (c.dropout > 0 && chance(key, i, LOST) < c.dropout) return;
    const bool haze = end.material == HAZE;
    need(haze || (end.material >= 0 && end.material < optics.size()), "optics: a material is missing");
    need(haze || (end.row >= 0 && end.row < tables.row_count()), "ends: there is no such row");
    double power = haze ? HAZE_REFLECTIVITY : double(optics[end.material].reflectivity * end.cosine);
    if (c.extinction > 0) power *= std::exp(-2.0 * c.extinction * r);
    if (c.sensitivity > 0 && !haze && !noticed(c, power, r, key, i)) return;
    if (c.range_exponent > 0 && r > c.full_power_range) power *= std::pow(c.full_power_range / r, c.range_exponent);
    range[i] = end.path, intensity[i] = float(power);
    if (!haze) label[i] = optics[end.material].label, object[i] = tables.object(end.row);
  };
  parallel_ranges(ends.size(), BEAMS, [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) receive(i);
  });
}

void false_return_chances(std::uint64_t key, Array<double, -1> drawn) {
  for (std::int64_t i = 0; i < drawn.size(); ++i) drawn[i] = chance(key, i, FALSE_RETURN);
}

void move_beams(Array<const float, -1, 3> directions, Array<const std::int32_t, -1> firing, Array<const double, -1> time,
                Array<const double, 3> v_S, Array<const double, 3> w_S, Array<const double, 3> lever_S,
                Array<float, -1, 3> moved_origins, Array<float, -1, 3> moved_directions) {
  need_size(firing, directions.size(), "firing");
  need_size(moved_origins, directions.size(), "moved_origins");
  need_size(moved_directions, directions.size(), "moved_directions");
  const Vec3d v = vec3(v_S.data), w = vec3(w_S.data), lever = vec3(lever_S.data);
  const double rate = norm(w);
  const Vec3d a = rate > 0 ? w / rate : Vec3d{0, 0, 1};
  struct FiringPose {
    Mat3d R;
    Vec3f p;
  };
  std::vector<FiringPose> poses(time.size());
  for (std::int64_t g = 0; g < time.size(); ++g) {
    const double s = std::sin(rate * time[g]), c = 1.0 - std::cos(rate * time[g]);
    poses[g].R = {{{1 - c * (a.y * a.y + a.z * a.z), c * a.x * a.y - s * a.z, c * a.x * a.z + s * a.y},
                   {c * a.x * a.y + s * a.z, 1 - c * (a.x * a.x + a.z * a.z), c * a.y * a.z - s * a.x},
                   {c * a.x * a.z - s * a.y, c * a.y * a.z + s * a.x, 1 - c * (a.x * a.x + a.y * a.y)}}};
    poses[g].p = as<float>(v * time[g] + poses[g].R * lever - lever);
  }
  parallel_ranges(directions.size(), 2 * BEAMS, [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      need(firing[i] >= 0 && firing[i] < time.size(), "firing: there is no such time");
      const FiringPose& pose = poses[firing[i]];
      vec3(moved_origins[i]) = pose.p;
      vec3(moved_directions[i]) = as<float>(pose.R * as<double>(vec3(directions[i])));
    }
  });
}

template <class T>
void place_points(Array<const float, -1> range, Array<const float, -1, 3> origins, Array<const float, -1, 3> directions,
                  Array<const double, 3, 3> R, Array<const double, 3> p, Array<T, -1, 3> points) {
  need(origins.size() == 1 || origins.size() == range.size(), "origins: give one, or one for each range");
  need_size(directions, range.size(), "directions");
  need_size(points, range.size(), "points");
  const Mat3d axes = mat3(R.data);
  const Vec3d shift = vec3(p.data);
  parallel_ranges(range.size(), 4 * BEAMS, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const Vec3f end = vec3(origins[origins.size() > 1 ? i : 0]) + vec3(directions[i]) * range[i];
      vec3(points[i]) = as<T>(axes * as<double>(end) + shift);
    }
  });
}
template void place_points(Array<const float, -1>, Array<const float, -1, 3>, Array<const float, -1, 3>,
                           Array<const double, 3, 3>, Array<const double, 3>, Array<float, -1, 3>);
template void place_points(Array<const float, -1>, Array<const float, -1, 3>, Array<const float, -1, 3>,
                           Array<const double, 3, 3>, Array<const double, 3>, Array<double, -1, 3>);

}  // namespace volery
