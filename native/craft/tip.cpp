#include "craft/tip.hpp"

#include <algorithm>
#include <cmath>

#include "contact/collide.hpp"

namespace volery::craft {
namespace {

Vec3d across(const Vec3d& v, const Vec3d& normal) { return v - dot(v, normal) * normal; }

// Friction: a spring to where the tip first stood, which is dragged along when it is bent by more than it bears. load:
// normal force times the surface's friction.
Vec3d bristle(const Tool& tool, const Vec3d& p_W, const Vec3d& v_W, const Vec3d& normal, double load, Tip& tip) {
  Vec3d hold = -tool.shear * across(p_W - tip.anchor_W, normal) - tool.shear_damping * across(v_W, normal);
  const double square = norm2(hold), most = load * (tip.holds ? tool.stiction : tool.friction);
  tip.holds = square <= most * most;
  if (tip.holds) return hold;
  hold *= load * tool.friction / std::sqrt(square);
  tip.anchor_W = p_W + hold / tool.shear;
  return hold;
}

// Hunt and Crossley's law, or a spring with a damper.
void compliant(const Tool& tool, const Vec3d& p_W, const Vec3d& v_W, double slip, Tip& tip, Felt& felt) {
  if (felt.row < 0) return;
  const double rate = -dot(v_W, felt.normal_W);
  double load;
  if (Law(tool.law) == Law::hunt_crossley)
    load = tool.stiffness * std::pow(felt.depth, tool.exponent) * (1.0 + 1.5 * tool.loss * rate);
  else load = tool.stiffness * felt.depth + tool.damping * rate;
  load = std::max(load, 0.0);
  if (!tip.touches) {
    tip.holds = 1;
    tip.anchor_W = p_W;
  }
  felt.force_W = load * felt.normal_W + bristle(tool, p_W, v_W, felt.normal_W, slip * load, tip);
}

// Keep the mass on the surface: where it was, if friction can; else it slides after the tip. Whether it is held.
bool hold(const Tool& tool, const Vec3d& p_W, const Vec3d& v_W, double slip, Vec3d& x, Tip& tip, Felt& felt) {
  const double k = tool.stiffness;
  const Vec3d& normal = felt.normal_W;
  x += felt.depth * normal;
  const double off = dot(x - tip.x_W, normal), load = -dot(k * (p_W - x) + tool.damping * v_W, normal);
  if (load <= 0.0) return false;
  if (tip.touches) x = tip.x_W + off * normal;
  // Along the surface a light arm with all of the damping would shake
  const Vec3d drawn = across(k * (p_W - x) + tool.shear_damping * v_W, normal);
  const double square = norm2(drawn);
  const double most = slip * load * (tip.holds || !tip.touches ? tool.stiction : tool.friction);
  tip.holds = !(square > most * most);
  const double part = tip.holds ? 1.0 : slip * load * tool.friction / std::sqrt(square);
  x += (1.0 - part) * drawn / k;
  felt.force_W = load * normal - part * drawn;
  felt.depth = load / k;
  return true;
}

// A sensor as in the AIRobots simulator: a small mass is drawn to the tip and held back by the surface; it draws the
// tip as much.
void held_mass(const contact::ContactWorld& world, contact::Scratch& scratch, const Tool& tool, const Vec3d& p_W,
               const Vec3d& v_W, double dt, Tip& tip, Felt& felt) {
  const double k = tool.stiffness, c = tool.damping, m = tool.mass;
  if (norm2(tip.x_W - p_W) > 1.0) {
    // The robot was put elsewhere
    tip.x_W = p_W;
    tip.v_W = v_W;
  }
  tip.v_W = (m * tip.v_W + dt * (k * (p_W - tip.x_W) + c * v_W)) / (m + dt * c + dt * dt * k);
  Vec3d x = tip.x_W + dt * tip.v_W;
  const double slip = feel(world, scratch, x, tool.radius, felt);
  if (felt.row >= 0 && hold(tool, p_W, v_W, slip, x, tip, felt)) {
    tip.v_W = {};
  } else {
    felt.row = -1;
    felt.force_W = k * (x - p_W) + c * (tip.v_W - v_W);
  }
  tip.x_W = x;
}

}  // namespace

double feel(const contact::ContactWorld& world, contact::Scratch& scratch, const Vec3d& p_W, double radius,
            Felt& felt) {
  const int count = contact::collide_ball(world, scratch, p_W, radius);
  felt.depth = 0.0;
  felt.row = -1;
  felt.normal_W = {};
  double slip = 0.0;
  for (int k = 0; k < count; ++k) {
    const contact::Contact& c = scratch.contacts[k];
    felt.normal_W += std::max(-c.dist, 0.0) * c.normal_G;
    if (-c.dist > felt.depth) {
      felt.depth = -c.dist;
      felt.row = scratch.triangles[c.triangle].row;
      slip = scratch.triangles[c.triangle].friction;
    }
  }
  const double length = norm(felt.normal_W);
  // Opposite sides leave no normal, and nothing is felt.
  if (length < 1e-9 * felt.depth || length == 0.0) {
    felt.depth = 0.0;
    felt.row = -1;
  } else {
    felt.normal_W = felt.normal_W / length;
  }
  return slip;
}

Felt press(const contact::ContactWorld& world, contact::Scratch& scratch, const Tool& tool, const Vec3d& p_W,
           const Vec3d& v_W, double dt, Tip& tip) {
  Felt felt{};
  if (Law(tool.law) == Law::virtual_mass) {
    held_mass(world, scratch, tool, p_W, v_W, dt, tip, felt);
  } else {
    const double slip = feel(world, scratch, p_W, tool.radius, felt);
    compliant(tool, p_W, v_W, slip, tip, felt);
  }
  tip.touches = felt.row >= 0;
  if (!tip.touches) tip.holds = 0;
  felt.at_W = p_W - felt.normal_W * tool.radius;
  return felt;
}

}  // namespace volery::craft
