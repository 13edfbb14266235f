// A drone as a rigid body in the air: forces and torques, and what they do to its motion.
//
// About its centre of mass: m v̇ = R f_B − m g e_z + F, J ẇ = t_B − w × J w + M.
#pragma once
#include "multirotor/block.hpp"

namespace volery {

template <class L>
struct Accelerations {
  Vec3<L> a_W, alpha_B;
};

// Drag in B at a velocity u_W against the air.
template <class L>
Vec3<L> air_force(const Mat3<L>& R_WB, const Vec3<L>& u_W, L share, L speeds, const DroneParameters& p) {
  const Vec3<L> u_B = transposed_times(R_WB, u_W);
  if (p.faces) {
    Vec3<L> drag;
    for (int k = 0; k < 3; ++k) drag[k] = -(p.drag_area[k] * share * magnitude(u_B[k]) + p.drag_linear[k]) * u_B[k];
    return drag;
  }
  const L speed = share * root(norm2(u_W)), flapping = p.rotor_drag * share * speeds;
  return {-(p.drag_area.x * speed + p.drag_linear.x + flapping) * u_B.x,
          -(p.drag_area.y * speed + p.drag_linear.y + flapping) * u_B.y,
          -(p.drag_area.z * speed + p.drag_linear.z) * u_B.z};
}

// At an attitude and a spin, under a force and a torque about the centre of mass and the push from outside.
template <class L>
Accelerations<L> accelerations(const Mat3<L>& R_WB, const Vec3<L>& w_B, const Vec3<L>& f_B, const Vec3<L>& torque_B,
                               const Block<L>& b, const Step& s) {
  const DroneParameters& p = s.kind;
  const Vec3<L>& F_W = b.state.force_W;
  // The push acts at the root's origin: its torque about the centre of mass, in B
  const Vec3<L> push_B = transposed_times(R_WB, b.state.torque_W) - cross(as<L>(p.centre), transposed_times(R_WB, F_W));
  const Vec3<L> t_B = torque_B + push_B - cross(w_B, as<L>(p.inertia) * w_B);
  Vec3<L> a_W = (R_WB * f_B + F_W) * L(s.per_mass);
  a_W.z = a_W.z - p.gravity;
  return {a_W, as<L>(p.inverse_inertia) * t_B};
}

// Turns an attitude by a rotation vector in B: q ← q·exp(h/2).
inline Quatd turned(const Quatd& q, const Vec3d& h) {
  const double angle = norm(h);
  const double f = angle > 1e-12 ? std::sin(0.5 * angle) / angle : 0.5;
  const Quatd r = q * Quatd{angle > 1e-12 ? std::cos(0.5 * angle) : 1.0, h.x * f, h.y * f, h.z * f};
  const double n = 1.0 / std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
  return {r.w * n, r.x * n, r.y * n, r.z * n};
}

}  // namespace volery
