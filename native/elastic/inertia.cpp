#include "elastic/inertia.hpp"

#include <algorithm>
#include <numbers>

namespace volery::elastic {

CarriedAir::CarriedAir(const Bodies& bodies) : last_dof_(bodies.count(), -1), bias_(bodies.count()) {
  for (std::int64_t b = 1; b < bodies.count(); ++b) {
    const int own = bodies.dof_count[b];
    last_dof_[b] = own > 0 ? bodies.dof_start[b] + own - 1 : last_dof_[bodies.parent[b]];
  }
  path_.reserve(bodies.cdof.size());
}

void CarriedAir::find_bias(const Bodies& bodies) {
  bias_[0] = {};
  for (std::int64_t b = 1; b < bodies.count(); ++b) {
    bias_[b] = bias_[bodies.parent[b]];
    for (int d = bodies.dof_start[b]; d < bodies.dof_start[b] + bodies.dof_count[b]; ++d)
      for (int i = 0; i < 6; ++i) bias_[b][i] += bodies.cdof_dot[d][i] * bodies.qvel[d];
  }
}

void CarriedAir::add_strip(const Bodies& bodies, const Strip& strip, double rho) {
  const std::int64_t k = strip.body;
  const Vec3d n = bodies.R_WB(k) * strip.R_BS.column(2), span = bodies.R_WB(k) * strip.R_BS.column(1);
  const Vec3d r = bodies.from_com(k, bodies.at(k, strip.p_B)), up = cross(r, n);
  const Vec3d w = bodies.w_W(k), v = vec3(bodies.cvel[k] + 3) + cross(w, r);
  const Vec3d turning = vec3(bias_[k].data()), a = vec3(bias_[k].data() + 3) + cross(turning, r);
  const double lifted = dot(n, a + cross(w, v)), turned = -dot(span, turning);
  const double b2 = strip.half_chord * strip.half_chord;
  const double mass = std::numbers::pi * rho * b2 * strip.length, about = mass * b2 / 8.0;
  path_.clear();
  for (int d = last_dof_[k]; d >= 0; d = bodies.dof_parent[d]) {
    const Vec3d& turn = vec3(bodies.cdof[d]);
    path_.push_back({d, dot(n, vec3(bodies.cdof[d] + 3)) + dot(up, turn), -dot(span, turn)});
  }
  const int count = int(path_.size());
  for (int i = 0; i < count; ++i) {
    const Step& step = path_[i];
    bodies.qfrc[step.dof] -= mass * step.heave * lifted + about * step.pitch * turned;
    // A row holds all that moves the body's forebears, in order; from its end backwards it is this path.
    const int width = bodies.M_width[step.dof];
    double* end = &bodies.M[bodies.M_row[step.dof] + width - 1];
    for (int j = 0; j < std::min(count - i, width); ++j)
      end[-j] += mass * step.heave * path_[i + j].heave + about * step.pitch * path_[i + j].pitch;
  }
}

void CarriedAir::add(const Bodies& bodies, const std::vector<Strip>& strips, Table<const StripAir> air) {
  find_bias(bodies);
  for (std::size_t s = 0; s < strips.size(); ++s) add_strip(bodies, strips[s], air[s].rho);
}

}  // namespace volery::elastic
