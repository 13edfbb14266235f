// The air that a wing carries along: apparent mass, added to MuJoCo's mass matrix so that light wings stay stable.
//
// A strip of half chord b has the apparent mass πρb² per metre square to its chord at mid-chord, and πρb⁴/8 about the
// span; along the chord it has none, so no body's mass can stand for it.
#pragma once
#include <array>
#include <vector>

#include "elastic/bodies.hpp"
#include "elastic/tables.hpp"

namespace volery::elastic {

class CarriedAir {
 public:
  explicit CarriedAir(const Bodies& bodies);
  // Add the strips' apparent mass to MuJoCo's M, and what it does by velocities alone to the forces.
  void add(const Bodies& bodies, const std::vector<Strip>& strips, Table<const StripAir> air);

 private:
  void find_bias(const Bodies& bodies);
  void add_strip(const Bodies& bodies, const Strip& strip, double rho);

  struct Step {  // of the way from a body to the root: a degree of freedom, and how it moves the strip
    int dof;
    double heave, pitch;
  };
  std::vector<int> last_dof_;  // that moves each body, −1: none
  std::vector<std::array<double, 6>> bias_;  // accelerations from velocities alone, as MuJoCo's cacc without gravity
  std::vector<Step> path_;
};

}  // namespace volery::elastic
