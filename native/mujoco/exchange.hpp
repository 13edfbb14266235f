// State out of MuJoCo's arrays into a robot.
#pragma once
#include <vector>

#include "core/arrays.hpp"
#include "core/vec.hpp"

namespace volery {

// Whether all is finite and nothing has blown up.
bool sound(Array<const double, -1> qpos, Array<const double, -1> qvel);

struct JointPlace {
  std::int64_t joint, q, v;  // number among the robot's joints, places in qpos and qvel
};

struct StateArrays {  // MuJoCo's
  Array<const double, -1> qpos, qvel, effort;
  Array<const double, -1, 6> cfrc_int;
  Array<const double, -1, 3> subtree_com, xpos;
};

// Where one robot's numbers are in a model.
struct RobotSpan {
  std::int64_t body, bodies;  // its root, and how many there are
  std::int64_t q, v;          // of the root's free joint; −1: it has none
  std::vector<JointPlace> joints;
};

void check_span(const RobotSpan& span, const StateArrays& arrays);

// Position, attitude (its first part other than 0 positive), velocity and angular velocity in W.
void take_root(const RobotSpan& span, const StateArrays& arrays, Array<double, 13> out);

// What each body exerts on its parent, force and torque about its own origin, in W.
void take_wrenches(const RobotSpan& span, const StateArrays& arrays, Array<double, -1, 6> out);

}  // namespace volery
