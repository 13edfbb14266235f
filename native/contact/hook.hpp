// The world in MuJoCo's table of collision functions. The build knows no header of MuJoCo: the table is found by its
// symbol, and where fields lie in MuJoCo's records is told by Python, which finds it out (physics/contact/hook.py).
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "contact/world.hpp"

namespace volery::contact {

// What MuJoCo takes from a collision function.
struct PreContact {
  double dist;
  Vec3d p_W, normal_W, tangent_W;
};
constexpr std::int64_t PRE_CONTACT = sizeof(PreContact) / sizeof(double);
static_assert(PRE_CONTACT == 10);

// Where pointers to arrays lie in MuJoCo's model and data [bytes].
struct Offsets {
  std::size_t geom_size, pair_friction;
  std::size_t geom_xpos, geom_xmat, userdata;
};

// MuJoCo's functions by the types of two geoms.
class CollisionTable {
 public:
  using Function = int (*)(const void* model, void* data, PreContact* out, int geom1, int geom2, double margin);
  static constexpr int TYPES = 9, PLANE = 0, FIELD = 1;

  explicit CollisionTable(const std::string& library);  // throws std::runtime_error if it has none
  // What MuJoCo's function for a plane and another shape writes.
  int ask_plane(ShapeKind kind, std::uintptr_t model, std::uintptr_t data, int geom1, int geom2,
                Array<double, -1, PRE_CONTACT> out) const;
  // Take the place of the functions for height fields, once in a process.
  void install(const Offsets& offsets);

 private:
  Function* functions_;
};

// Where in a record of so many bytes there is a pointer to an array [bytes].
std::vector<std::size_t> pointer_offsets(std::uintptr_t record, std::size_t bytes, const void* array);

// The number by which the callback finds a world that lives, to be kept in userdata[0] of MuJoCo's data.
double mark(const std::shared_ptr<ContactWorld>& world);

}  // namespace volery::contact
