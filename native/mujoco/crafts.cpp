#include "mujoco/crafts.hpp"

#include <algorithm>
#include <cmath>

namespace volery {
namespace {

double sum(const Vec3d& v) { return v.x + v.y + v.z; }

craft::Motion motion_of(const PlacedCraft& placed, const MujocoBodies& bodies) {
  const std::int64_t b = placed.root;
  return {bodies.p_W(b), bodies.R_WB(b), bodies.velocity(b, bodies.p_W(b)),
          transposed_times(bodies.R_WB(b), bodies.w_W(b)), placed.wind_W, placed.density};
}

}  // namespace

void check_craft(const PlacedCraft& placed, const MujocoBodies& bodies, std::int64_t dofs) {
  const auto none_or = [&](std::int64_t b) { return b == -1 || bodies.has(b); };
  need(bodies.has(placed.root) && none_or(placed.tool) && none_or(placed.arm),
       "placed: a body that the model does not have");
  need(placed.arm < 0 || (placed.dof >= 0 && placed.dof < dofs), "placed: a hinge that the model does not have");
}

craft::Felt press_tool(const PlacedCraft& placed, const MujocoBodies& bodies, const contact::ContactWorld& world,
                       contact::Scratch& scratch, const craft::Tool& tool, double dt, craft::Tip& tip) {
  const Vec3d p_W = bodies.at(placed.tool, placed.site);
  return craft::press(world, scratch, tool, p_W, bodies.velocity(placed.tool, p_W), dt, tip);
}

craft::Wrench push_craft(const PlacedCraft& placed, const MujocoBodies& bodies, const craft::Craft& craft,
                         const craft::Flight& flight, const craft::Felt& felt, double dt) {
  const craft::Wrench given = craft::fly(craft, flight, motion_of(placed, bodies), felt.force_W, dt);
  const Mat3d& R_WB = bodies.R_WB(placed.root);
  const Vec3d force = R_WB * given.force, torque = R_WB * given.torque;
  // A motion that blew up must not spread: MuJoCo adds forces up over all robots.
  if (std::isfinite(sum(force) + sum(torque))) bodies.push(placed.root, bodies.p_W(placed.root), force, torque);
  if (placed.tool >= 0 && std::isfinite(sum(felt.force_W))) bodies.push(placed.tool, felt.at_W, felt.force_W);
  return given;
}

double level_torque(const PlacedCraft& placed, const MujocoBodies& bodies) {
  const Mat3d& R_WB = bodies.R_WB(placed.arm);
  const double dip = -std::asin(std::min(std::max(R_WB(2, 0), -1.0), 1.0));
  const double rate = dot(R_WB.column(1), bodies.w_W(placed.arm));
  const double torque = -placed.stiffness * dip - placed.damping * rate;
  return std::isfinite(torque) ? std::min(std::max(torque, -placed.torque), placed.torque) : 0.0;
}

}  // namespace volery
