#include "craft/flight.hpp"

#include <cmath>
#include <numbers>

namespace volery::craft {
namespace {

Flow flow_past(const Craft& craft, const Motion& motion) {
  const Vec3d air_B = transposed_times(motion.R_WB, motion.v_W - motion.wind_W);
  Flow flow{motion.density, {}};
  for (int k = 0; k < craft.fan_count(); ++k)
    flow.climb[k] = dot(craft.fans[k].axis_B, air_B + cross(motion.w_B, craft.fans[k].p_B));
  return flow;
}

Efforts efforts_of(const Craft& craft, const Flight& flight) {
  Efforts now;
  for (int k = 0; k < craft.fan_count(); ++k) {
    now.thrust[k] = flight.fans[k].thrust;
    for (int i = 0; i < 2; ++i) now.tilt[k][i] = flight.fans[k].tilt[i];
  }
  std::copy(flight.angles, flight.angles + craft.vane_count(), now.angle);
  return now;
}

void keep(const Craft& craft, const Efforts& now, double dt, const Flight& flight) {
  constexpr double whole = 2.0 * std::numbers::pi;
  for (int k = 0; k < craft.fan_count(); ++k) {
    FanState& state = flight.fans[k];
    const Fan& fan = craft.fans[k];
    state.thrust = now.thrust[k];
    for (int i = 0; i < 2; ++i) state.tilt[i] = now.tilt[k][i];
    const double turn = std::fmod(state.turn + dt * fan.speed * std::sqrt(std::abs(state.thrust) / fan.most), whole);
    state.turn = turn < 0.0 ? turn + whole : turn;
  }
  std::copy(now.angle, now.angle + craft.vane_count(), flight.angles);
}

}  // namespace

Wrench fly(const Craft& craft, const Flight& flight, const Motion& motion, const Vec3d& felt_W, double dt) {
  const Flow flow = flow_past(craft, motion);
  Efforts now = efforts_of(craft, flight);
  observe(craft.gains, motion, wrench(craft, now, flow), felt_W, dt, flight.memory);
  const Wanted wanted = steer(flight.level, craft.gains, flight.reference, flight.memory, motion);
  follow(craft, allocate(craft, craft.gains.centre_B, wanted, flow), dt, now);
  keep(craft, now, dt, flight);
  double gain[most_fans];
  for (int k = 0; k < craft.fan_count(); ++k) gain[k] = flight.fans[k].gain;
  Wrench out = wrench(craft, now, flow, gain);
  for (int k = 0; k < craft.fan_count(); ++k) {
    const Vec3d pull = now.thrust[k] * flight.fans[k].pull_B;
    out.force += pull;
    out.torque += cross(craft.fans[k].p_B, pull);
  }
  move_on(craft.gains, motion.p_W, dt, flight.reference);
  return out;
}

}  // namespace volery::craft
