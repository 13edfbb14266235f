#include "mujoco/air.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volery {
namespace {

constexpr double coefficient = 1.0;  // drag of blunt bodies, by the area that their box shows to the flow

}  // namespace

void add_drag(const MujocoBodies& bodies, Table<const DraggedBody> dragged, double dt) {
  for (const DraggedBody& d : dragged) {
    need(bodies.has(d.body), "dragged: a body that the model does not have");
    const Vec3d flow = d.wind_W - bodies.velocity(d.body, bodies.centre_W(d.body));
    const double speed = norm(flow);
    // No flow; or a motion that blew up, which must not spread: MuJoCo adds forces up over all robots.
    if (!(1e-9 < speed && speed < std::numeric_limits<double>::infinity())) continue;
    const Vec3d flow_B = transposed_times(bodies.R_WB(d.body), flow);
    double shown = 0.0;
    for (int i = 0; i < 3; ++i) shown += d.areas[i] * std::abs(flow_B[i]) / speed;
    const double rate = std::min(0.5 * coefficient * d.density * shown * speed, bodies.mass[d.body] / dt);
    vec3(bodies.xfrc[d.body]) += rate * flow;
  }
}

void add_pushes(const MujocoBodies& bodies, Table<const PushedBody> pushed) {
  for (const PushedBody& p : pushed) {
    need(bodies.has(p.body), "pushed: a body that the model does not have");
    bodies.push(p.body, bodies.p_W(p.body), p.force_W, p.torque_W);
  }
}

}  // namespace volery
