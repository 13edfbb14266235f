// What robots touched within a step: contacts of all substeps, one for each body and thing, impulses added.
#pragma once
#include <vector>

#include "contact/world.hpp"
#include "core/table.hpp"
#include "mujoco/library.hpp"

namespace volery {

struct Touched {
  Vec3d p_W, normal_W;  // where it was deepest, towards the body
  double depth;
  Vec3d impulse_W;  // on the body [N s]
  std::int64_t body;
  std::int64_t other;  // object of the scene; below 0: robot −1 − other
};

// One field of all of MuJoCo's contact records.
template <class T>
struct ContactField {
  const char* data = nullptr;
  std::int64_t stride = 0;
  const T* operator[](std::int64_t contact) const {
    return reinterpret_cast<const T*>(data + contact * stride);
  }
};

// MuJoCo keeps them in the same place for as long as its data live.
struct ContactFields {
  ContactField<double> dist, pos, frame;
  ContactField<int> geom;
};

class Touching {
 public:
  // geom_body: by geom; owner: number of the robot that a body belongs to, −1 for the world.
  Touching(MujocoRecord record, std::vector<std::int64_t> geom_body, std::vector<std::int64_t> owner);

  void clear() { sums_.clear(); }
  // Take in the first `count` contacts after a substep of dt [s].
  void add(const contact::ContactWorld& world, const ContactFields& fields, std::int64_t count, double dt);
  const std::vector<Touched>& sums() const { return sums_; }

 private:
  void add_side(const contact::ContactWorld& world, const ContactFields& fields, std::int64_t contact, int side,
                std::int64_t row, const Vec3d& impulse);
  Touched& sum_of(std::int64_t body, std::int64_t other);

  MujocoRecord mujoco_;
  MujocoRecord::ContactForce force_;
  std::vector<std::int64_t> geom_body_, owner_;
  std::vector<Touched> sums_;
};

VOLERY_TABLE(Touched, p_W, normal_W, depth, impulse_W, body, other)

}  // namespace volery
