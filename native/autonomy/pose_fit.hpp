#pragma once
#include "autonomy/surfels.hpp"
#include "core/vec.hpp"

namespace volery {

struct PoseStep {
  Vec3d turn, move;  // in the world's axes [rad], [m]
};

// Of a pose's six degrees of freedom: H x = −g.
class NormalEquations {
 public:
  // What one point says that is turned to q: its residual r has the derivative [−[q]ₓ, 1] and a weight.
  void add(const Vec3d& q, const Vec3d& r, const Symmetric3& weight, double robust);
  // What the guess R0, t0 says, with its weights.
  void hold(const Mat3d& R, const Vec3d& t, const Mat3d& R0, const Vec3d& t0, const double* prior);
  PoseStep solved() const;  // by Cholesky

 private:
  double H_[6][6] = {};  // the upper half
  double g_[6] = {};
};

Mat3d turned(const Mat3d& R, const Vec3d& w);  // exp([w]ₓ) R

}  // namespace volery
