#include "multirotor/survey.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "contact/gather.hpp"
#include "core/pool.hpp"
#include "multirotor/flight.hpp"
#include "multirotor/near.hpp"

namespace volery {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
constexpr std::int64_t at_once = 128;  // drones that one thread looks round for

std::int64_t gather_round(const contact::ContactWorld& world, contact::Scratch& scratch, const Vec3d& p_W, double way) {
  return contact::gather(world, scratch, p_W, Mat3d::identity(), {way, way, way}, 0.0);
}

// Height of the highest triangle that the vertical through the origin meets below `top`.
double below(const std::vector<contact::Triangle>& triangles, std::int64_t count, double top) {
  double best = none;
  for (std::int64_t t = 0; t < count; ++t) {
    const auto& [A, B, C] = triangles[t].corner;
    const double a = B.x * C.y - B.y * C.x, b = C.x * A.y - C.y * A.x, c = A.x * B.y - A.y * B.x, total = a + b + c;
    if (total == 0.0 || std::min({a * total, b * total, c * total}) < 0.0) continue;
    const double z = (a * A.z + b * B.z + c * C.z) / total;
    if (best < z && z < top) best = z;
  }
  return best;
}

bool look_round(const contact::ContactWorld& world, contact::Scratch& scratch, const DroneState& s,
                const DroneParameters& p, double span, double& ground) {
  const double reach = reach_of(s, p, span), felt = felt_within(p), way = std::max(reach, felt);
  ground = none;
  if (way == 0.0) return false;
  const std::int64_t count = gather_round(world, scratch, s.p_W, way);
  if (count == 0) return false;
  if (felt > 0.0) ground = s.p_W.z + below(scratch.triangles, count, p.hub);
  return std::any_of(scratch.triangles.begin(), scratch.triangles.begin() + count,
                     [&](const contact::Triangle& t) { return t.near2 < reach * reach; });
}

}  // namespace

std::int64_t survey(const contact::ContactWorld& world, Table<const DroneState> state,
                    Table<const DroneParameters> parameters, double span, Array<bool, -1> near, Table<Air> air) {
  need_kinds(state, near.size(), parameters);
  need_size(air, near.size(), "air");
  parallel_ranges(near.size(), at_once, [&](std::int64_t first, std::int64_t end) {
    contact::Scratch scratch;
    for (std::int64_t i = first; i < end; ++i)
      near[i] = look_round(world, scratch, state[i], parameters[state[i].kind], span, air[i].ground);
  });
  return std::count(near.begin(), near.end(), true);
}

bool alone(const contact::ContactWorld& world, Table<const DroneState> state, Table<const DroneParameters> parameters,
           std::int64_t count, double span, double free, bool meet) {
  need_kinds(state, count, parameters);
  contact::Scratch scratch;
  for (std::int64_t i = 0; i < count; ++i) {
    const DroneParameters& p = parameters[state[i].kind];
    const double way = std::max(reach_of(state[i], p, span), felt_within(p)) + free;
    if (gather_round(world, scratch, state[i].p_W, way) > 0) return false;
  }
  return !meet || pairs_of(state, parameters, count, span, free).empty();
}

}  // namespace volery
