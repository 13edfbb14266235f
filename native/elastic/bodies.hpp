// MuJoCo's arrays of one aircraft, with its degrees of freedom; not copies.
#pragma once
#include "mujoco/bodies.hpp"

namespace volery::elastic {

struct Bodies : MujocoBodies {
  Array<const double, -1, 6> cdof, cdof_dot;
  Array<const double, -1> qvel;
  Array<const int, -1> parent, dof_start, dof_count, dof_parent, M_row, M_width;
  Array<double, -1> M, qfrc;
};

}  // namespace volery::elastic
