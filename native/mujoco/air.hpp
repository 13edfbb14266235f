// What pushes on bodies from outside: wrenches of commands, and the drag of bodies without a model of their own.
#pragma once
#include "core/table.hpp"
#include "mujoco/bodies.hpp"

namespace volery {

struct DraggedBody {
  Vec3d areas;   // across the body's axes [m²]
  Vec3d wind_W;  // at it [m/s]
  double density;
  std::int64_t body;
};

struct PushedBody {
  Vec3d force_W, torque_W;  // about the body's origin
  std::int64_t body;
};

// ½·ρ·A·v² against the flow at each body's centre of mass. The force never turns the flow round within a step of dt
// [s], however light the body.
void add_drag(const MujocoBodies& bodies, Table<const DraggedBody> dragged, double dt);

void add_pushes(const MujocoBodies& bodies, Table<const PushedBody> pushed);

VOLERY_TABLE(DraggedBody, areas, wind_W, density, body)
VOLERY_TABLE(PushedBody, force_W, torque_W, body)

}  // namespace volery
