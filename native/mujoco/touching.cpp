#include "mujoco/touching.hpp"

#include <limits>

namespace volery {

Touching::Touching(MujocoRecord record, std::vector<std::int64_t> geom_body, std::vector<std::int64_t> owner)
    : mujoco_(std::move(record)),
      force_(mujoco_.contact_force()),
      geom_body_(std::move(geom_body)),
      owner_(std::move(owner)) {
  for (std::int64_t body : geom_body_)
    need(body >= 0 && body < std::int64_t(owner_.size()), "owner: a body of a geom has none");
}

Touched& Touching::sum_of(std::int64_t body, std::int64_t other) {
  for (Touched& sum : sums_)
    if (sum.body == body && sum.other == other) return sum;
  return sums_.emplace_back(Touched{{}, {}, -std::numeric_limits<double>::infinity(), {}, body, other});
}

void Touching::add_side(const contact::ContactWorld& world, const ContactFields& fields, std::int64_t contact, int side,
                        std::int64_t row, const Vec3d& impulse) {
  const int* geom = fields.geom[contact];
  const std::int64_t body = geom_body_[geom[side]], against = geom_body_[geom[1 - side]];
  if (owner_[body] < 0 || owner_[body] == owner_[against]) return;
  std::int64_t other;
  if (owner_[against] >= 0) other = -1 - owner_[against];
  else if (row >= 0) other = world.tables().object(row);
  else return;
  Touched& sum = sum_of(body, other);
  // MuJoCo's normal and force go from the first geom to the second.
  const double sign = side == 1 ? 1.0 : -1.0, depth = -*fields.dist[contact];
  if (depth > sum.depth) {
    sum.depth = depth;
    sum.p_W = vec3(fields.pos[contact]);
    sum.normal_W = sign * vec3(fields.frame[contact]);
  }
  sum.impulse_W += sign * impulse;
}

void Touching::add(const contact::ContactWorld& world, const ContactFields& fields, std::int64_t count, double dt) {
  const auto known = [this](int geom) { return geom >= 0 && geom < int(geom_body_.size()); };
  for (std::int64_t c = 0; c < count; ++c) {
    const int* geom = fields.geom[c];
    if (!known(geom[0]) || !known(geom[1])) continue;  // of a flex
    const std::int64_t row = world.row_touched(geom[0], geom[1], vec3(fields.pos[c]));
    // Normal force and friction along the rows of the contact's frame, then torques, which do not move anything.
    double force[6];
    mujoco_.contact_force(force_, int(c), force);
    Vec3d impulse;
    for (int j = 0; j < 3; ++j) impulse += dt * force[j] * vec3(fields.frame[c] + 3 * j);
    for (int side = 0; side < 2; ++side) add_side(world, fields, c, side, row, impulse);
  }
}

}  // namespace volery
