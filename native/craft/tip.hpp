// A tool's tip against the streamed world: laws of contact with a choice, and friction that holds before it slides.
#pragma once
#include "contact/world.hpp"
#include "craft/tables.hpp"

namespace volery::craft {

struct Tool {
  double radius, stiffness, exponent, loss, damping;
  double mass;                  // the virtual one [kg]
  double shear, shear_damping;  // of the bristle
  double friction, stiction;
  std::int64_t law;
};

// Memory of a tool.
struct Tip {
  Vec3d anchor_W;   // where its bristle stands
  Vec3d x_W, v_W;   // place and velocity of the virtual mass
  std::int64_t touches, holds;
};

// What a tool feels.
struct Felt {
  Vec3d force_W;   // on the tool
  Vec3d normal_W;  // towards it
  double depth;
  Vec3d at_W;        // where it is pressed
  std::int64_t row;  // of the scene, −1: it touches nothing
};

// Where a ball is deepest in the world: normal, depth and row into felt; the surface's friction. In a corner the normal
// is the mean of its sides', by their depths: that of the deepest alone would jump to and fro.
double feel(const contact::ContactWorld& world, contact::Scratch& scratch, const Vec3d& p_W, double radius, Felt& felt);

// What the world does to a tip at p_W with v_W for the next dt [s].
Felt press(const contact::ContactWorld& world, contact::Scratch& scratch, const Tool& tool, const Vec3d& p_W,
           const Vec3d& v_W, double dt, Tip& tip);

}  // namespace volery::craft

namespace volery {
VOLERY_TABLE(craft::Tool, radius, stiffness, exponent, loss, damping, mass, shear, shear_damping, friction, stiction,
             law)
VOLERY_TABLE(craft::Tip, anchor_W, x_W, v_W, touches, holds)
VOLERY_TABLE(craft::Felt, force_W, normal_W, depth, at_W, row)
}  // namespace volery
