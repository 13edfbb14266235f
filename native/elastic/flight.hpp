// The step of an aircraft: MuJoCo's own functions with our air between them.
//
// Springs are in MuJoCo's model; each has an armature of k·dt²/4 there, which turns the symplectic step into the
// trapezoidal rule for the springs: stable at any stiffness, without damping.
#pragma once
#include <vector>

#include "elastic/bodies.hpp"
#include "elastic/inertia.hpp"
#include "elastic/tables.hpp"
#include "elastic/wake.hpp"
#include "mujoco/library.hpp"

namespace volery::elastic {

// What an aircraft flies in and is told.
struct Around {
  Table<StripAir> air;
  Table<Disc> discs;
  Array<const double, -1> flaps;      // [rad]
  Array<const double, -1, 6> pushes;  // by body, from outside, about centres of mass
};

struct Airframe {
  std::vector<Strip> strips;
  std::vector<std::int64_t> parts;  // first body of each part that flies by itself
  double drag_area;                 // of the first part [m²]
  bool wakes;                       // whether strips feel the wake
};

class Flight {
 public:
  Flight(MujocoRecord record, Bodies bodies, Airframe airframe);

  void places(Array<double, -1, 3> out) const;  // leading edges of all strips in W
  // `count` steps of dt [s], at whose beginning the wake goes on by `wake` [s] at once; whether the motion is sound.
  bool run(const Around& around, std::int64_t count, double dt, double wake);
  // Forces of a flight that has gone on like this for ever: wakes have settled; fills MuJoCo's qfrc_smooth and M.
  void settle(const Around& around);
  // How fast both lags and the downwash change now [m/s²]; MuJoCo's qacc_smooth is how fast velocities do.
  void lag_rates(const Around& around, double dt, Array<double, -1, 3> out);

 private:
  void check(const Around& around) const;
  void see() const;
  void clear(const Around& around) const;
  double aim_wake(const Around& around);
  void add_drag_and_thrust(const Around& around, double dt) const;
  void accelerate(const Around& around, double dt);

  MujocoRecord mujoco_;
  MujocoStage position_, velocity_, factor_, acceleration_, constraint_, euler_;
  Bodies bodies_;
  Airframe frame_;
  std::int64_t controls_ = 0;
  CarriedAir carried_;
  Wake wake_;
  std::vector<Vec3d> flow_;
};

}  // namespace volery::elastic
