#include "craft/thrust.hpp"

#include <algorithm>
#include <cmath>

#include "craft/airfoil.hpp"

namespace volery::craft {
namespace {

void add(Wrench& out, const Vec3d& p, const Vec3d& force) {
  out.force += force;
  out.torque += cross(p, force);
}

double nearer(double now, double goal, double most_below, double most_above, double dt, double lag) {
  return now + (std::min(std::max(goal, most_below), most_above) - now) * -std::expm1(-dt / lag);
}

void add_fan(Wrench& out, const Fan& fan, double thrust, const double* tilt, double gain) {
  const double b = tilt[0], a = tilt[1], up = fan.axis_B.z;
  // The axis turned about x by b and about y by a
  const Vec3d axis{fan.axis_B.x + up * std::sin(a), fan.axis_B.y - up * std::sin(b), up * std::cos(a) * std::cos(b)};
  add(out, fan.p_B, thrust * gain * axis);
  out.torque += fan.ratio * thrust * fan.axis_B;
  out.torque.x += fan.hub * b;
  out.torque.y += fan.hub * a;
}

}  // namespace

Craft::Craft(const Gains& gains, std::vector<Fan> fans, std::vector<Vane> vanes)
    : gains(gains), fans(std::move(fans)), vanes(std::move(vanes)) {
  need(!this->fans.empty() && this->fans.size() <= most_fans, "fans: a craft has 1 to 8");
  need(this->vanes.size() <= most_vanes, "vanes: a craft has at most 128");
  for (const Vane& vane : this->vanes)
    need(vane.fan >= 0 && vane.fan < fan_count(), "vanes: a fan that the craft does not have");
}

double outflow(double thrust, double area, double density, double climb) {
  return std::max(0.5 * climb + std::sqrt(0.25 * climb * climb + std::max(thrust, 0.0) / (density * area)), 0.0);
}

Wrench wrench(const Craft& craft, const Efforts& efforts, const Flow& flow, const double* gain) {
  Wrench out;
  double speed[most_fans];
  for (int k = 0; k < craft.fan_count(); ++k) {
    add_fan(out, craft.fans[k], efforts.thrust[k], efforts.tilt[k], gain ? gain[k] : 1.0);
    speed[k] = outflow(efforts.thrust[k], craft.fans[k].area, flow.density, flow.climb[k]);
  }
  for (int j = 0; j < craft.vane_count(); ++j) {
    const Vane& vane = craft.vanes[j];
    const double force = 0.5 * flow.density * speed[vane.fan] * speed[vane.fan] * vane.area;
    const auto [lift, drag] = coefficients(efforts.angle[j]);
    add(out, vane.p_B, {force * lift * vane.lift_B.x, force * lift * vane.lift_B.y, -force * drag});
  }
  return out;
}

void follow(const Craft& craft, const Efforts& told, double dt, Efforts& now) {
  for (int k = 0; k < craft.fan_count(); ++k) {
    const Fan& f = craft.fans[k];
    now.thrust[k] = nearer(now.thrust[k], told.thrust[k], f.least, f.most, dt, f.lag);
    for (int i = 0; i < 2; ++i)
      now.tilt[k][i] = nearer(now.tilt[k][i], told.tilt[k][i], -f.most_tilt, f.most_tilt, dt, f.tilt_lag);
  }
  for (int j = 0; j < craft.vane_count(); ++j) {
    const Vane& v = craft.vanes[j];
    now.angle[j] = nearer(now.angle[j], told.angle[j], -v.most, v.most, dt, v.lag);
  }
}

double ideal_power(const Craft& craft, const FanState* fans, double density) {
  double total = 0.0;
  for (int k = 0; k < craft.fan_count(); ++k) {
    const double thrust = std::abs(fans[k].thrust);
    total += 0.5 * thrust * std::sqrt(thrust / (density * craft.fans[k].area));
  }
  return total;
}

}  // namespace volery::craft
