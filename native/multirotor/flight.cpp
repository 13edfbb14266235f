#include "multirotor/flight.hpp"

#include <limits>
#include <vector>

#include "core/pool.hpp"
#include "multirotor/original.hpp"

namespace volery {
namespace {

constexpr std::int64_t many = 384;         // fewer are flown by one thread: others take long to come on a busy machine
constexpr std::int64_t blocks_at_once = 16;

template <class L>
struct Motion {
  Vec3<L> v_W;
  Quat<L> q_WB;
  Vec3<L> w_B;
};

// Time derivatives under a wrench of the rotors.
template <class L>
Motion<L> slope(const Motion<L>& y, const RotorWrench<L>& f, const Block<L>& b, const Step& s) {
  const auto [w, x, j, z] = y.q_WB;
  const Vec3<L>& o = y.w_B;
  const Mat3<L> R_WB = rotation(y.q_WB);
  const Vec3<L> drag_B = air_force(R_WB, y.v_W - b.air.wind_W, b.air.share, f.speeds, s.kind);
  const Accelerations<L> by = accelerations(R_WB, o, f.force_B + drag_B, f.torque_B, b, s);
  const L half = 0.5;
  return {by.a_W,
          {half * (-x * o.x - j * o.y - z * o.z), half * (w * o.x + j * o.z - z * o.y),
           half * (w * o.y - x * o.z + z * o.x), half * (w * o.z + x * o.y - j * o.x)},
          by.alpha_B};
}

template <class L>
Motion<L> moved(const Motion<L>& y, double h, const Motion<L>& d) {
  const Quat<L>&q = y.q_WB, &r = d.q_WB;
  const L by = h;
  return {y.v_W + by * d.v_W,
          {q.w + by * r.w, q.x + by * r.x, q.y + by * r.y, q.z + by * r.z},
          y.w_B + by * d.w_B};
}

// Runge and Kutta's mean, times six.
template <class L>
L mean(L a, L b, L c, L d) {
  return a + L(2.0) * (b + c) + d;
}
template <class L>
Vec3<L> mean(const Vec3<L>& a, const Vec3<L>& b, const Vec3<L>& c, const Vec3<L>& d) {
  return a + L(2.0) * (b + c) + d;
}
template <class L>
Motion<L> mean(const Motion<L>& a, const Motion<L>& b, const Motion<L>& c, const Motion<L>& d) {
  const Quat<L>&p = a.q_WB, &q = b.q_WB, &r = c.q_WB, &s = d.q_WB;
  return {mean(a.v_W, b.v_W, c.v_W, d.v_W),
          {mean(p.w, q.w, r.w, s.w), mean(p.x, q.x, r.x, s.x), mean(p.y, q.y, r.y, s.y), mean(p.z, q.z, r.z, s.z)},
          mean(a.w_B, b.w_B, c.w_B, d.w_B)};
}

// The classic Runge-Kutta step of the bodies, with the rotors' wrench at its begin, middle and end known.
template <class L>
void integrate(Block<L>& b, const RotorWrench<L>& middle, const RotorWrench<L>& late, const Step& s) {
  const double dt = s.dt;
  const L lift = lift_factor(b.state.p_W.z, b.air, s.kind);
  const RotorWrench<L> mid = lifted(middle, lift);
  const Motion<L> y{b.state.v_W, b.state.q_WB, b.state.w_B};
  const Motion<L> k1 = slope(y, lifted(b.early, lift), b, s), y2 = moved(y, 0.5 * dt, k1);
  const Motion<L> k2 = slope(y2, mid, b, s), y3 = moved(y, 0.5 * dt, k2);
  const Motion<L> k3 = slope(y3, mid, b, s), y4 = moved(y, dt, k3);
  const Motion<L> k4 = slope(y4, lifted(late, lift), b, s);
  b.state.p_W += L(dt / 6.0) * mean(y.v_W, y2.v_W, y3.v_W, y4.v_W);
  const Motion<L> end = moved(y, dt / 6.0, mean(k1, k2, k3, k4));
  const Quat<L>& q = end.q_WB;
  const L unit = L(1.0) / root(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  b.state.v_W = end.v_W;
  b.state.q_WB = {q.w * unit, q.x * unit, q.y * unit, q.z * unit};
  b.state.w_B = end.w_B;
}

// Drones below a plane stop dead on it, as on the ground of the MRS simulator.
template <class L>
void stop_at(Block<L>& b, L floor) {
  const auto below = (b.state.p_W.z < floor) & (b.state.v_W.z < L(0.0));
  b.state.p_W.z = select(below, floor, b.state.p_W.z);
  for (int k = 0; k < 3; ++k) {
    b.state.v_W[k] = select(below, L(0.0), b.state.v_W[k]);
    b.state.w_B[k] = select(below, L(0.0), b.state.w_B[k]);
  }
}

template <class L>
void advance(Block<L>& b, const Step& s) {
  drive_motors(b, s);
  move_on(b, s);
  if (s.kind.original) {
    original::integrate(b, s);
    spin_up(b, s);
    b.early = rotor_wrench(b, s.kind, 1.0);
  } else {
    const RotorWrench<L> late = rotor_wrench(b, s.kind, s.full);
    integrate(b, rotor_wrench(b, s.kind, s.half), late, s);
    spin_up(b, s);
    b.early = late;
  }
  if (s.kind.floor > -std::numeric_limits<double>::infinity()) stop_at(b, L(s.kind.floor));
}

struct Tables {
  Table<DroneState> state;
  Table<Reference> reference;
  Table<const DroneParameters> parameters;
  Table<const Air> air;
  double dt;
  std::int64_t steps;
};

// Drones of one kind and level; lanes without one have another first one.
template <class L, int count>
void fly_block(const std::int64_t* rows, int m, const Tables& t) {
  Block<L> b;
  for (int l = 0; l < count; ++l) {
    const std::int64_t i = rows[l < m ? l : 0];
    load(b, l, t.state[i], t.reference[i], t.air[i]);
  }
  for (L& goal : b.goal) goal = L(0.0);
  const Step s{t.parameters[t.state[rows[0]].kind], t.reference[rows[0]].level, t.dt};
  b.early = rotor_wrench(b, s.kind, 1.0);
  for (std::int64_t k = 0; k < t.steps; ++k) advance(b, s);
  for (int l = 0; l < m; ++l) store(b, l, t.state[rows[l]], t.reference[rows[l]]);
}

struct Blocks {
  std::vector<std::int64_t> order;   // drones sorted by kind and level
  std::vector<std::int64_t> starts;  // of blocks, and their end

  Blocks(Array<const std::int64_t, -1> which, const Tables& t) : order(which.size()) {
    std::vector<std::int64_t> first(t.parameters.size() * levels + 1);
    const auto key = [&](std::int64_t i) { return t.state[i].kind * levels + std::int64_t(t.reference[i].level); };
    for (std::int64_t i : which) ++first[key(i) + 1];
    for (std::size_t k = 1; k < first.size(); ++k) {
      for (std::int64_t at = 0; at < first[k]; at += Lane::count) starts.push_back(first[k - 1] + at);
      first[k] += first[k - 1];
    }
    starts.push_back(which.size());
    for (std::int64_t i : which) order[first[key(i)]++] = i;
  }
};

void fly_range(const Blocks& blocks, std::int64_t first, std::int64_t end, const Tables& t) {
  for (std::int64_t k = first; k < end; ++k) {
    const std::int64_t* rows = blocks.order.data() + blocks.starts[k];
    const int m = int(blocks.starts[k + 1] - blocks.starts[k]);
    if (m == 1) fly_block<double, 1>(rows, 1, t);
    else fly_block<Lane, Lane::count>(rows, m, t);
  }
}

}  // namespace

void need_kinds(Table<const DroneState> state, std::int64_t count, Table<const DroneParameters> parameters) {
  need(state.size() >= count, "state: has fewer rows than there are drones");
  for (std::int64_t i = 0; i < count; ++i)
    need(state[i].kind >= 0 && state[i].kind < parameters.size(), "state: a drone is of a kind that is not there");
  for (const DroneParameters& p : parameters) {
    need(p.rotors >= 1 && p.rotors <= most_rotors, "parameters: rotors must be 1 to 8");
    for (std::int64_t rotor : p.shown) need(rotor >= 0 && rotor < most_rotors, "parameters: shown must be 0 to 7");
  }
}

void need_drones(Array<const std::int64_t, -1> which, Table<const DroneState> state, Table<const Reference> reference,
                 Table<const DroneParameters> parameters) {
  for (std::int64_t i : which) {
    need(i >= 0 && i < state.size() && i < reference.size(), "which: a row that is not there");
    const std::int64_t kind = state[i].kind, level = std::int64_t(reference[i].level);
    need(kind >= 0 && kind < parameters.size(), "state: a drone is of a kind that is not there");
    need(level >= 0 && level < levels, "reference: a level that is not there");
  }
  need_kinds(state, 0, parameters);
}

void fly(Array<const std::int64_t, -1> which, Table<DroneState> state, Table<Reference> reference,
         Table<const DroneParameters> parameters, Table<const Air> air, double dt, std::int64_t steps) {
  need_drones(which, read_only(state), read_only(reference), parameters);
  for (std::int64_t i : which) need(i < air.size(), "air: has fewer rows than there are drones");
  const Tables t{state, reference, parameters, air, dt, steps};
  if (which.size() == 1) return fly_block<double, 1>(which.data, 1, t);
  const Blocks blocks(which, t);
  const std::int64_t count = std::int64_t(blocks.starts.size()) - 1;
  if (which.size() < many) return fly_range(blocks, 0, count, t);
  parallel_ranges(count, blocks_at_once,
                  [&](std::int64_t first, std::int64_t end) { fly_range(blocks, first, end, t); });
}

}  // namespace volery
