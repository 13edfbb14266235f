// A step of the body just as the MRS simulator makes it, for comparison with it.
//
// RK4 of velocity, rotation matrix and spin, with the rotors' speeds held. In each stage and after the step the matrix
// is made orthonormal by the Cholesky factor of RᵀR, which turns it a little when it spins fast: ours does not.
#pragma once
#include "multirotor/body.hpp"
#include "multirotor/rotors.hpp"

namespace volery::original {

template <class L>
struct Motion {
  Vec3<L> v_W;
  Mat3<L> R_WB;
  Vec3<L> w_B;
};

// R·L⁻¹, L the lower Cholesky factor of RᵀR.
template <class L>
Mat3<L> squared(const Mat3<L>& R) {
  const Vec3<L> x = R.column(0), y = R.column(1), z = R.column(2);
  const L a = L(1.0) / root(dot(x, x)), l10 = dot(x, y) * a, l20 = dot(x, z) * a;
  const L d = L(1.0) / root(dot(y, y) - l10 * l10), l21 = (dot(y, z) - l20 * l10) * d;
  const L f = L(1.0) / root(dot(z, z) - l20 * l20 - l21 * l21);
  // Columns of X with X L = R, from the last on
  const Vec3<L> Z = z * f, Y = (y - Z * l21) * d, X = (x - Y * l10 - Z * l20) * a;
  return of_columns(X, Y, Z);
}

// Time derivatives.
template <class L>
Motion<L> slope(const Motion<L>& y, const RotorWrench<L>& f, const Block<L>& b, const Step& s) {
  const Mat3<L> R = squared(y.R_WB);
  const Vec3<L>& w = y.w_B;
  // Drag is reckoned in W, from the front's area: R is no rotation to the last digit
  const Accelerations<L> by = accelerations(R, w, f.force_B, f.torque_B, b, s);
  const Vec3<L> u_W = y.v_W - b.air.wind_W;
  const L drag = s.kind.drag_area.x * s.per_mass * b.air.share * root(norm2(u_W));
  Mat3<L> dR;
  for (int k = 0; k < 3; ++k) dR.rows[k] = cross(R.rows[k], w);
  return {by.a_W - drag * u_W, dR, by.alpha_B};
}

template <class L>
Motion<L> moved(const Motion<L>& y, double h, const Motion<L>& d) {
  Motion<L> to{y.v_W + L(h) * d.v_W, {}, y.w_B + L(h) * d.w_B};
  for (int k = 0; k < 3; ++k) to.R_WB.rows[k] = y.R_WB.rows[k] + L(h) * d.R_WB.rows[k];
  return to;
}

template <class L>
Quat<L> either(auto which, const Quat<L>& a, const Quat<L>& b) {
  return {select(which, a.w, b.w), select(which, a.x, b.x), select(which, a.y, b.y), select(which, a.z, b.z)};
}

template <class L>
Quat<L> quaternion(const Mat3<L>& R) {
  const L x = R(0, 0), y = R(1, 1), z = R(2, 2), one = 1.0;
  const L ww = one + x + y + z, xx = one + x - y - z, yy = one - x + y - z, zz = one - x - y + z;
  const L top = most(most(ww, xx), most(yy, zz)), k = L(0.5) / root(top);
  const L wx = k * (R(2, 1) - R(1, 2)), wy = k * (R(0, 2) - R(2, 0)), wz = k * (R(1, 0) - R(0, 1));
  const L xy = k * (R(0, 1) + R(1, 0)), xz = k * (R(0, 2) + R(2, 0)), yz = k * (R(1, 2) + R(2, 1));
  Quat<L> q = either(yy == top, Quat<L>{wy, xy, k * yy, yz}, Quat<L>{wz, xz, yz, k * zz});
  q = either(xx == top, Quat<L>{wx, k * xx, xy, xz}, q);
  return either(ww == top, Quat<L>{k * ww, wx, wy, wz}, q);
}

template <class L>
void integrate(Block<L>& b, const Step& s) {
  const double dt = s.dt, sixth = dt / 6.0;
  const RotorWrench<L> f = lifted(b.early, lift_factor(b.state.p_W.z, b.air, s.kind));
  const Motion<L> y{b.state.v_W, rotation(b.state.q_WB), b.state.w_B};
  const Motion<L> k1 = slope(y, f, b, s), y2 = moved(y, 0.5 * dt, k1);
  const Motion<L> k2 = slope(y2, f, b, s), y3 = moved(y, 0.5 * dt, k2);
  const Motion<L> k3 = slope(y3, f, b, s), y4 = moved(y, dt, k3);
  const Motion<L> k4 = slope(y4, f, b, s);
  b.state.p_W += L(sixth) * (y.v_W + L(2.0) * (y2.v_W + y3.v_W) + y4.v_W);
  const Motion<L> end = moved(moved(moved(moved(y, sixth, k1), 2.0 * sixth, k2), 2.0 * sixth, k3), sixth, k4);
  b.state.v_W = end.v_W;
  b.state.w_B = end.w_B;
  b.state.q_WB = quaternion(squared(end.R_WB));
}

}  // namespace volery::original
