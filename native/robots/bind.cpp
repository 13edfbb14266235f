#include "core/bind.hpp"

#include "robots/kinematics.hpp"

namespace volery {

void bind_robots(nb::module_& m) {
  m.doc() = "Poses of robots' bodies, and their skins.";
  table<Joint>(m, "Joint");
  kernel(m, "compose", &compose, {"A", "B", "out"}, "X_AC = X_AB · X_BC of poses [3, 4]; `out` may be A or B.");
  kernel(m, "turned", &turned, {"X0", "X1", "out"},
         "Rotation vector [rad] from the attitude of one pose [3, 4] to that of another; below half a turn.");
  kernel(m, "body_poses", &body_poses,
         {"p_WR", "q_WR", "parent", "X_PB", "joints", "positions", "X_bone", "X_WB"},
         "Fill X_WB [b, 3, 4]: parent's pose, place at rest, joints in order, then the bone's own pose.");
  kernel(m, "skin_vertices", &skin_vertices, {"rest", "bones", "weights", "X_BR_bind", "X_RB", "out"},
         "Linear blend skinning in the root's frame: each vertex follows the bones it was bound to.");
}

}  // namespace volery
