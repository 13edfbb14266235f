#include "robots/kinematics.hpp"

#include <cmath>

namespace volery {
namespace {

const Posed& pose_at(const double* p) { return *reinterpret_cast<const Posed*>(p); }
Posed& pose_at(double* p) { return *reinterpret_cast<Posed*>(p); }

// Rodrigues' formula for a unit axis.
Mat3d turn_about(const Vec3d& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), t = 1.0 - c;
  const auto [x, y, z] = axis;
  return {{{c + t * x * x, t * x * y - s * z, t * x * z + s * y},
           {t * x * y + s * z, c + t * y * y, t * y * z - s * x},
           {t * x * z - s * y, t * y * z + s * x, c + t * z * z}}};
}

// q: from rest.
Posed motion(const Joint& joint, double q) {
  if (joint.kind == std::int32_t(JointKind::slide)) return pose(Mat3d::identity(), joint.axis_B * q);
  const Mat3d R = turn_about(joint.axis_B, q);
  return pose(R, joint.anchor_B - R * joint.anchor_B);
}

}  // namespace

void compose(Array<const double, 3, 4> A, Array<const double, 3, 4> B, Array<double, 3, 4> out) {
  pose_at(out.data) = pose_at(A.data) * pose_at(B.data);
}

void turned(Array<const double, 3, 4> X0, Array<const double, 3, 4> X1, Array<double, 3> out) {
  const Mat3d M = pose_at(X1.data).R() * transpose(pose_at(X0.data).R());
  const Vec3d n = 0.5 * Vec3d{M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)};
  const double s = norm(n), angle = std::atan2(s, 0.5 * (M(0, 0) + M(1, 1) + M(2, 2) - 1.0));
  vec3(out.data) = n * (s > 1e-12 ? angle / s : 1.0);
}

void body_poses(Array<const double, 3> p_WR, Array<const double, 4> q_WR, Array<const std::int32_t, -1> parent,
                Array<const double, -1, 3, 4> X_PB, Table<const Joint> joints, Array<const double, -1> positions,
                Array<const double, -1, 3, 4> X_bone, Array<double, -1, 3, 4> X_WB) {
  const std::int64_t count = parent.size();
  need_size(X_PB, count, "X_PB");
  need_size(X_bone, count, "X_bone");
  need_size(X_WB, count, "X_WB");
  need_size(positions, joints.size(), "positions");
  std::int64_t j = 0;
  for (std::int64_t b = 0; b < count; ++b) {
    need(parent[b] < b, "parent: parents come before their children");
    Posed here = parent[b] < 0 ? pose(rotation(quat(q_WR.data)), vec3(p_WR.data))
                               : pose_at(X_WB[parent[b]]) * pose_at(X_PB[b]);
    for (; j < joints.size() && joints[j].body == b; ++j)
      here = here * motion(joints[j], positions[j] - joints[j].rest);
    pose_at(X_WB[b]) = here * pose_at(X_bone[b]);
  }
}

void skin_vertices(Array<const float, -1, 3> rest, Array<const std::int32_t, -1, -1> bones,
                   Array<const double, -1, -1> weights, Array<const double, -1, 3, 4> X_BR_bind,
                   Array<const double, -1, 3, 4> X_RB, Array<float, -1, 3> out) {
  const std::int64_t count = rest.size(), each = bones.shape[1];
  need_size(bones, count, "bones");
  need_size(weights, count, "weights");
  need(weights.shape[1] == each, "weights: one for each bone of a vertex is needed");
  need_size(X_BR_bind, X_RB.size(), "X_BR_bind");
  need_size(out, count, "out");
  for (std::int32_t bone : bones) need(bone >= 0 && bone < X_RB.size(), "bones: a body that there is not");
  std::vector<Posed> moved(X_RB.size());
  for (std::int64_t b = 0; b < X_RB.size(); ++b) moved[b] = pose_at(X_RB[b]) * pose_at(X_BR_bind[b]);
  for (std::int64_t n = 0; n < count; ++n) {
    const Vec3d v = as<double>(vec3(rest[n]));
    Vec3d total;
    for (std::int64_t k = 0; k < each; ++k) total += weights[n][k] * (moved[bones[n][k]] * v);
    vec3(out[n]) = as<float>(total);
  }
}

}  // namespace volery
