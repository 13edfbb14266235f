// Drones in the common model: their rotors push the body that MuJoCo moves.
#pragma once
#include "core/table.hpp"
#include "mujoco/bodies.hpp"

namespace volery {

struct FlyingBody {
  Vec3d centre_B;           // point that its wrenches are about
  std::int64_t body, q, v;  // its root, and places of its free joint in qpos and qvel
};

void check_flying(Table<const FlyingBody> flying, std::int64_t bodies, std::int64_t nq, std::int64_t nv);

// Places and velocities of the roots: in W, but the angular velocity in the body's axes.
void gather_flying(Table<const FlyingBody> flying, Array<const double, -1> qpos, Array<const double, -1> qvel,
                   Array<double, -1, 3> p, Array<double, -1, 4> q, Array<double, -1, 3> v, Array<double, -1, 3> w);

// wrenches: forces and torques in B about centre_B.
void push_flying(Table<const FlyingBody> flying, const MujocoBodies& bodies, Array<const double, -1, 6> wrenches);

VOLERY_TABLE(FlyingBody, centre_B, body, q, v)

}  // namespace volery
