// Root to tip: poses of all bodies from the root's pose, the joints and the bones; and skins that follow bones.
#pragma once
#include "core/arrays.hpp"
#include "core/table.hpp"

namespace volery {

enum class JointKind : std::int32_t { hinge = 0, slide = 1 };

// On the body that it moves: a hinge turns about its axis through its anchor, a slide shifts along it.
struct Joint {
  Vec3d axis_B, anchor_B;
  double rest;  // [rad or m]
  std::int32_t body, kind;
};

inline Posed pose(const Mat3d& R, const Vec3d& p) {
  Posed X;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) X.m[i][j] = R(i, j);
    X.m[i][3] = p[i];
  }
  return X;
}

// X_AC = X_AB · X_BC
inline Posed operator*(const Posed& A, const Posed& B) {
  Posed C;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) C.m[i][j] = A.m[i][0] * B.m[0][j] + A.m[i][1] * B.m[1][j] + A.m[i][2] * B.m[2][j];
    C.m[i][3] += A.m[i][3];
  }
  return C;
}

void compose(Array<const double, 3, 4> A, Array<const double, 3, 4> B, Array<double, 3, 4> out);

// Rotation vector [rad] from the attitude of one pose to that of another, both in the same frame; below half a turn.
void turned(Array<const double, 3, 4> X0, Array<const double, 3, 4> X1, Array<double, 3> out);

// Fill X_WB: parent's pose, place at rest, joints in order of their bodies, then the bone's own pose.
void body_poses(Array<const double, 3> p_WR, Array<const double, 4> q_WR, Array<const std::int32_t, -1> parent,
                Array<const double, -1, 3, 4> X_PB, Table<const Joint> joints, Array<const double, -1> positions,
                Array<const double, -1, 3, 4> X_bone, Array<double, -1, 3, 4> X_WB);

// Linear blend skinning in the root's frame R: each vertex follows the bones it was bound to.
void skin_vertices(Array<const float, -1, 3> rest, Array<const std::int32_t, -1, -1> bones,
                   Array<const double, -1, -1> weights, Array<const double, -1, 3, 4> X_BR_bind,
                   Array<const double, -1, 3, 4> X_RB, Array<float, -1, 3> out);

VOLERY_TABLE(Joint, axis_B, anchor_B, rest, body, kind)

}  // namespace volery
