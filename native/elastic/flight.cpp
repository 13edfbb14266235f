#include "elastic/flight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastic/aero.hpp"
#include "elastic/propulsion.hpp"

namespace volery::elastic {
namespace {

constexpr double wild = 1e6;        // speeds beyond this [m/s, rad/s] are a motion that has blown up
constexpr double settled = 1e-13;   // changes of downwash below this are rounding [m/s]
constexpr int settling_rounds = 100;  // of circulation and downwash until both agree to rounding

Vec3d mean_wind(Table<const StripAir> air) {
  Vec3d mean;
  for (const StripAir& here : air) mean += here.wind_W / double(air.size());
  return mean;
}

}  // namespace

Flight::Flight(MujocoRecord record, Bodies bodies, Airframe airframe)
    : mujoco_(std::move(record)),
      position_(mujoco_.stage("mj_fwdPosition")),
      velocity_(mujoco_.stage("mj_fwdVelocity")),
      factor_(mujoco_.stage("mj_factorM")),
      acceleration_(mujoco_.stage("mj_fwdAcceleration")),
      constraint_(mujoco_.stage("mj_fwdConstraint")),
      euler_(mujoco_.stage("mj_Euler")),
      bodies_(bodies),
      frame_(std::move(airframe)),
      carried_(bodies),
      flow_(frame_.parts.size()) {
  const auto is_body = [&](std::int64_t b) { return bodies_.has(b); };
  need(!frame_.parts.empty() && std::ranges::all_of(frame_.parts, is_body), "parts: numbers of bodies, at least one");
  for (const Strip& s : frame_.strips) {
    need(is_body(s.body), "strips: a body that the model does not have");
    need(s.part >= 0 && s.part < std::int64_t(frame_.parts.size()), "strips: a part that there is not");
    controls_ = std::max(controls_, s.control + 1);
  }
}

void Flight::check(const Around& around) const {
  need_size(around.air, std::int64_t(frame_.strips.size()), "air");
  need_size(around.pushes, bodies_.count(), "pushes");
  need(around.flaps.size() >= controls_, "flaps: one angle for each control is needed");
  for (const Disc& disc : around.discs)
    need(bodies_.has(disc.body), "discs: a body that the model does not have");
}

void Flight::places(Array<double, -1, 3> out) const {
  need_size(out, std::int64_t(frame_.strips.size()), "out");
  for (std::int64_t s = 0; s < out.size(); ++s) {
    const Strip& strip = frame_.strips[s];
    vec3(out[s]) = bodies_.at(strip.body, strip.p_B + strip.half_chord * strip.R_BS.column(0));
  }
}

void Flight::see() const {
  mujoco_.run(position_);
  mujoco_.run(velocity_);
}

void Flight::clear(const Around& around) const {
  std::copy(around.pushes.begin(), around.pushes.end(), bodies_.xfrc.begin());
  std::fill(bodies_.qfrc.begin(), bodies_.qfrc.end(), 0.0);
}

// Lay the wakes along the flow of now; the speed of the first part through the air [m/s].
double Flight::aim_wake(const Around& around) {
  const Vec3d wind = mean_wind({around.air.data, {around.air.size()}});
  double first = 0.0;
  for (std::size_t g = 0; g < flow_.size(); ++g) {
    const std::int64_t b = frame_.parts[g];
    const Vec3d v = bodies_.velocity(b, bodies_.p_W(b)) - wind;
    const double speed = norm(v);
    if (g == 0) first = speed;
    flow_[g] = speed > 0.5 ? -v / speed : Vec3d{};
  }
  wake_.lay(bodies_, frame_.strips, flow_);
  return first;
}

void Flight::add_drag_and_thrust(const Around& around, double dt) const {
  const Vec3d wind = mean_wind({around.air.data, {around.air.size()}});
  const double rho = around.air.empty() ? 0.0 : around.air[0].rho;
  const std::int64_t first = frame_.parts[0];
  const Vec3d v = bodies_.velocity(first, bodies_.p_W(first)) - wind;
  const double speed = norm(v);
  if (speed < wild) bodies_.push(first, bodies_.p_W(first), -0.5 * rho * frame_.drag_area * speed * v);
  for (Disc& disc : around.discs) {
    const double follows = disc.lag > 0.0 && dt > 0.0 ? -std::expm1(-dt / disc.lag) : 1.0;
    disc.share += (disc.throttle - disc.share) * follows;
    const Vec3d x = bodies_.R_WB(disc.body).column(0);
    const double along = dot(x, bodies_.velocity(disc.body, bodies_.p_W(disc.body)) - wind);
    disc.thrust = disc_thrust(disc.most * disc.share, std::min(std::max(along, 0.0), 1e3), rho, disc.area);
    bodies_.push(disc.body, bodies_.at(disc.body, disc.p_B), disc.thrust * x);
  }
}

// All forces but those of the strips, and MuJoCo's accelerations.
void Flight::accelerate(const Around& around, double dt) {
  add_drag_and_thrust(around, dt);
  carried_.add(bodies_, frame_.strips, {around.air.data, {around.air.size()}});
  mujoco_.run(factor_);
  mujoco_.run(acceleration_);
}

bool Flight::run(const Around& around, std::int64_t count, double dt, double wake) {
  check(around);
  for (std::int64_t n = 0; n < count; ++n) {
    see();
    clear(around);
    if (frame_.wakes && n == 0 && wake > 0.0) {
      const double speed = aim_wake(around);
      wake_.follow(frame_.strips, around.air, speed * wake);
    }
    add_strip_loads(bodies_, frame_.strips, around.air, around.flaps, dt);
    accelerate(around, dt);
    mujoco_.run(constraint_);
    mujoco_.run(euler_);
    for (double speed : bodies_.qvel)
      if (!(std::abs(speed) < wild)) return false;
  }
  return true;
}

void Flight::settle(const Around& around) {
  check(around);
  see();
  if (frame_.wakes) {
    aim_wake(around);
    for (int round = 0; round < settling_rounds; ++round) {
      clear(around);
      add_strip_loads(bodies_, frame_.strips, around.air, around.flaps, 0.0);
      if (!(wake_.follow(frame_.strips, around.air, std::numeric_limits<double>::infinity()) > settled)) break;
    }
  }
  clear(around);
  add_strip_loads(bodies_, frame_.strips, around.air, around.flaps, 0.0);
  accelerate(around, 0.0);
}

void Flight::lag_rates(const Around& around, double dt, Array<double, -1, 3> out) {
  check(around);
  need_size(out, around.air.size(), "out");
  see();
  clear(around);
  const std::vector<StripAir> before(around.air.begin(), around.air.end());
  add_strip_loads(bodies_, frame_.strips, around.air, around.flaps, dt);
  for (std::int64_t s = 0; s < out.size(); ++s)
    for (int k = 0; k < 2; ++k) {
      out(s, k) = (around.air[s].lag[k] - before[s].lag[k]) / dt;
      around.air[s].lag[k] = before[s].lag[k];
    }
  const double speed = frame_.wakes ? aim_wake(around) : 0.0;
  for (std::int64_t s = 0; s < out.size(); ++s)
    out(s, 2) = frame_.wakes ? wake_.rate(s, frame_.strips[s], {around.air.data, {around.air.size()}}, speed) : 0.0;
  accelerate(around, 0.0);
}

}  // namespace volery::elastic
