// Crafts in the common model: their fans push the body that MuJoCo moves, and the world presses on their tools.
#pragma once
#include "contact/world.hpp"
#include "craft/flight.hpp"
#include "craft/tip.hpp"
#include "mujoco/bodies.hpp"

namespace volery {

// A craft's bodies in a model, and the air there.
struct PlacedCraft {
  Vec3d site;                         // of the tool in its body [m]
  Vec3d wind_W;                       // at the root
  double density;
  double stiffness, damping, torque;  // of the servo that keeps an arm level
  std::int64_t root, tool;            // tool: −1 for none
  std::int64_t arm, dof;              // body that is kept level, and its hinge in qvel; −1: none
};

void check_craft(const PlacedCraft& placed, const MujocoBodies& bodies, std::int64_t dofs);

// What the world does to the tool for the next dt [s].
craft::Felt press_tool(const PlacedCraft& placed, const MujocoBodies& bodies, const contact::ContactWorld& world,
                       contact::Scratch& scratch, const craft::Tool& tool, double dt, craft::Tip& tip);

// Fly on for dt [s], and add what fans and the surface do to the bodies' forces; what the fans give, in B.
craft::Wrench push_craft(const PlacedCraft& placed, const MujocoBodies& bodies, const craft::Craft& craft,
                         const craft::Flight& flight, const craft::Felt& felt, double dt);

// Torque of a hinge about y that keeps the x axis of its body level.
double level_torque(const PlacedCraft& placed, const MujocoBodies& bodies);

VOLERY_TABLE(PlacedCraft, site, wind_W, density, stiffness, damping, torque, root, tool, arm, dof)

}  // namespace volery
