#include "multirotor/bump.hpp"

#include "contact/collide.hpp"
#include "multirotor/body.hpp"
#include "multirotor/flight.hpp"
#include "multirotor/impulses.hpp"

namespace volery {
namespace {

constexpr double rebound = 0.3;                 // slower than this nothing rebounds [m/s]
constexpr double still = 3e-4, unturned = 3e-3;  // a drone that touches with standing rotors is at rest below these
constexpr double standing = 10.0;               // sum of the speeds of rotors that stand [rpm]
constexpr double slack = 5e-4;                  // overlap that is left alone, so that a contact at rest lasts [m]
constexpr double taken_back = 0.3;              // share of the overlap beyond it that is taken back in a step

// Where a near drone was when the step began, and by how much it was pushed out of things since.
struct Began {
  Vec3d p_W;
  Quatd q_WB;
  bool retraced;
  Vec3d moved;
};

class Bumping {
 public:
  Bumping(const contact::ContactWorld& world, Array<const std::int64_t, -1> near,
          Array<const std::int64_t, -1, 2> pairs, Bodies bodies, Table<Reference> reference,
          Table<const Bumper> bumpers, const BumpRules& rules, Table<Touch> log)
      : world_(world), near_(near), pairs_(pairs), on_(bodies), reference_(reference), bumpers_(bumpers), rules_(rules),
        log_(log), began_(near.size()), slot_(bodies.state.size(), -1),
        room_(near.size() * 24 + 8 * pairs.size()) {
    for (std::int64_t j = 0; j < near.size(); ++j) slot_[near[j]] = std::int32_t(j);
    for (std::int64_t drone : pairs_)
      need(drone >= 0 && drone < bodies.state.size() && slot_[drone] >= 0, "pairs: a drone that is not near");
  }

  void begin() {
    for (std::int64_t j = 0; j < near_.size(); ++j) {
      const DroneState& s = on_.state[near_[j]];
      began_[j] = {s.p_W, s.q_WB, false, {}};
    }
  }

  void answer(double dt) {
    contacts_.clear();
    for (std::int64_t drone : near_) meet_world(drone);
    for (std::int64_t j = 0; j < pairs_.size(); ++j) meet_drone(pairs_[j][0], pairs_[j][1]);
    if (contacts_.empty()) return;
    for (Bump& c : contacts_) part(c);
    solve(contacts_, on_);
    for (const Bump& c : contacts_) {
      retrace(c.a, dt);
      if (c.b >= 0) retrace(c.b, dt);
    }
    for (const Bump& c : contacts_) push_apart(c);
    for (const Bump& c : contacts_) note(c);
  }

  std::int64_t noted() const { return noted_; }

 private:
  Vec3d& moved(std::int64_t drone) { return began_[slot_[drone]].moved; }
  bool full() const { return std::int64_t(contacts_.size()) == room_; }

  // The deepest contact of each bumper with the world.
  void meet_world(std::int64_t drone) {
    const DroneState& s = on_.state[drone];
    const DroneParameters& p = on_.of(drone);
    const Mat3d R_WB = rotation(s.q_WB);
    for (std::int64_t b = p.first_bumper; b < p.first_bumper + p.bumpers; ++b) {
      const Vec3d arm = R_WB * bumpers_[b].p_B;
      const int found = contact::collide_ball(world_, scratch_, s.p_W + arm, bumpers_[b].radius);
      const contact::Contact* deepest = nullptr;
      for (int k = 0; k < found; ++k) {
        const contact::Contact& c = scratch_.contacts[k];
        if (c.dist < 0.0 && (!deepest || c.dist < deepest->dist)) deepest = &c;
      }
      if (!deepest || full()) continue;
      const contact::Triangle& t = scratch_.triangles[deepest->triangle];
      const Vec3d& n = deepest->normal_G;
      contacts_.push_back({.a = drone, .b = -1, .arm_a = arm - bumpers_[b].radius * n, .arm_b = {}, .normal = n,
                           .depth = -deepest->dist, .friction = t.friction, .bumper_a = b, .bumper_b = -1,
                           .row = t.row});
    }
  }

  // Bumpers of two drones that are near each other.
  void meet_drone(std::int64_t a, std::int64_t b) {
    const DroneState &s = on_.state[a], &t = on_.state[b];
    const DroneParameters &p = on_.of(a), &q = on_.of(b);
    const Mat3d R_WA = rotation(s.q_WB), R_WB = rotation(t.q_WB);
    for (std::int64_t i = p.first_bumper; i < p.first_bumper + p.bumpers; ++i) {
      const Vec3d u = R_WA * bumpers_[i].p_B;
      for (std::int64_t k = q.first_bumper; k < q.first_bumper + q.bumpers; ++k) {
        const Vec3d v = R_WB * bumpers_[k].p_B, way = s.p_W + u - t.p_W - v;
        const double both = bumpers_[i].radius + bumpers_[k].radius, gap = norm(way), depth = both - gap;
        if (gap >= both || gap < 1e-9 || full()) continue;
        const Vec3d n = way / gap;
        contacts_.push_back({.a = a, .b = b, .arm_a = u - (bumpers_[i].radius - 0.5 * depth) * n,
                             .arm_b = v + (bumpers_[k].radius - 0.5 * depth) * n, .normal = n, .depth = depth,
                             .friction = 1.0, .bumper_a = i, .bumper_b = k, .row = -1});
      }
    }
  }

  // How fast a contact must part, and who has crashed.
  void part(Bump& c) {
    const double speed = -dot(closing(c, on_), c.normal);
    c.part = speed > rebound ? rules_.restitution * speed : 0.0;
    c.friction *= rules_.friction;
    if (!(rules_.crash_speed > 0.0 && speed > rules_.crash_speed)) return;
    reference_[c.a].level = Level::crashed;
    if (c.b >= 0) reference_[c.b].level = Level::crashed;
  }

  // Takes a drone that touches back to where the step began, and on from there with the velocities that came out: a
  // drone held by friction then does not creep.
  void retrace(std::int64_t drone, double dt) {
    Began& from = began_[slot_[drone]];
    if (from.retraced) return;
    from.retraced = true;
    DroneState& s = on_.state[drone];
    double spinning = 0.0;
    for (double rpm : s.rpm) spinning += rpm;
    if (spinning < standing && norm2(s.v_W) < still * still && norm2(s.w_B) < unturned * unturned) s.v_W = s.w_B = {};
    s.p_W = from.p_W + dt * s.v_W;
    s.q_WB = turned(from.q_WB, dt * s.w_B);
  }

  // Takes back part of an overlap by shifting drones, the lighter one more.
  void push_apart(const Bump& c) {
    double done = dot(moved(c.a), c.normal), share = 1.0;
    if (c.b >= 0) {
      done -= dot(moved(c.b), c.normal);
      share = on_.of(c.b).mass / (on_.of(c.a).mass + on_.of(c.b).mass);
    }
    const double out = taken_back * (c.depth - slack) - done;
    if (out <= 0.0) return;
    shift(c.a, share * (out * c.normal));
    if (c.b >= 0) shift(c.b, -((1.0 - share) * (out * c.normal)));
  }

  void shift(std::int64_t drone, const Vec3d& by) {
    moved(drone) += by;
    on_.state[drone].p_W += by;
  }

  void note(const Bump& c) {
    const Vec3d impulse = c.press * c.normal + c.slip;
    note(c, {c.a, c.b >= 0 ? -1 - c.b : c.row, c.bumper_a, on_.state[c.a].p_W + c.arm_a, c.normal, c.depth, impulse});
    if (c.b >= 0)
      note(c, {c.b, -1 - c.a, c.bumper_b, on_.state[c.b].p_W + c.arm_b, -c.normal, c.depth, -impulse});
  }

  void note(const Bump& c, const Touch& touch) {
    std::int64_t i = 0;
    while (i < noted_ && (log_[i].drone != touch.drone || log_[i].other != touch.other ||
                          log_[i].bumper != touch.bumper))
      ++i;
    if (i == log_.size()) return;
    if (i == noted_) {
      ++noted_;
      log_[i] = touch;
      return;
    }
    const Vec3d impulse_W = log_[i].impulse_W + touch.impulse_W;
    if (c.depth > log_[i].depth) log_[i] = touch;
    log_[i].impulse_W = impulse_W;
  }

  const contact::ContactWorld& world_;
  Array<const std::int64_t, -1> near_;
  Array<const std::int64_t, -1, 2> pairs_;
  Bodies on_;
  Table<Reference> reference_;
  Table<const Bumper> bumpers_;
  const BumpRules& rules_;
  Table<Touch> log_;
  std::int64_t noted_ = 0;
  std::vector<Began> began_;         // of each near drone
  std::vector<std::int32_t> slot_;   // of each drone: its place among the near ones, or −1
  std::int64_t room_;                // for contacts
  Bumps contacts_;
  contact::Scratch scratch_;
};

}  // namespace

std::int64_t bump(const contact::ContactWorld& world, Array<const std::int64_t, -1> near,
                  Array<const std::int64_t, -1, 2> pairs, Table<DroneState> state, Table<Reference> reference,
                  Table<const DroneParameters> parameters, Table<const Bumper> bumpers, Table<const Air> air, double dt,
                  std::int64_t steps, const BumpRules& rules, Table<Touch> log) {
  need_drones(near, read_only(state), read_only(reference), parameters);
  for (const DroneParameters& p : parameters)
    need(p.bumpers >= 0 && p.first_bumper >= 0 && p.first_bumper <= bumpers.size() - p.bumpers,
         "parameters: bumpers that are not there");
  Bumping bumping(world, near, pairs, {state, parameters}, reference, bumpers, rules, log);
  for (std::int64_t k = 0; k < steps; ++k) {
    bumping.begin();
    fly(near, state, reference, parameters, air, dt, 1);
    bumping.answer(dt);
  }
  return bumping.noted();
}

}  // namespace volery
