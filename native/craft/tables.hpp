// What makes a craft, and what it knows and does, as Python has it too. B: the craft's root, forces and torques about
// its origin unless said otherwise.
#pragma once
#include "core/table.hpp"

namespace volery::craft {

enum class Level : int { fly, point, give };  // by impedance; an attitude with a thrust; force and torque
// How the place of a reference moves: not at all, at its velocity, at one that turns with the heading, along its way.
enum class Drift : std::int64_t { stays, drifts, turns, leads };
enum class Law : std::int64_t { hunt_crossley, spring_damper, virtual_mass };

struct Fan {
  Vec3d p_B, axis_B;
  double area, radius;       // of the disc
  double least, most, lag;   // thrust [N] and its time constant [s]
  double ratio;              // reaction torque over thrust, with its sign [m]
  double most_tilt, tilt_lag;  // of the disc [rad], [s]
  double hub;                // stiffness of the hub [N m/rad]; 0: the disc does not tilt
  double speed;              // at most thrust, with its sign [rad/s]
};

struct FanState {
  double thrust;   // [N]
  double tilt[2];  // of the disc about x and y of B [rad]
  double turn;     // how far it has turned [rad]
  double gain;     // of the thrust by ground and ceilings near
  Vec3d pull_B;    // of walls near, per thrust
};

struct Vane {
  Vec3d p_B, lift_B;  // place, and where it lifts to at a positive angle
  double area, most, lag;  // [m²], [rad], [s]
  std::int64_t fan;
};

// What a craft was told. Along `way_W` the spring gives no more than `force` (below 0: there is no way); the place
// moves on at `speed` until nothing is `left` [m].
struct Reference {
  Vec3d p_W, v_W, a_W;
  double yaw, yaw_rate;
  Vec3d way_W;
  double force, speed, left;
  double q_WB[4], thrust;    // of Level::point
  Vec3d force_B, torque_B;   // of Level::give, about the centre of mass
  std::int64_t drift;
};

// The body and its autopilot.
struct Gains {
  double mass;
  Vec3d stiffness, damping;          // along axes of W
  double most_force, most_tilt;      // of the spring [N]; tangent
  double attitude, heading;          // bandwidths [rad/s]
  double observe_force, observe_torque;
  Vec3d centre_B;                    // of mass
  Mat3d inertia_B;                   // about it
};

// Force and torque that nobody told of, each with the momentum that the rest explains.
struct Memory {
  Vec3d force_W, momentum_W, torque_B, spin_B;
};

// The root in the air.
struct Motion {
  Vec3d p_W;
  Mat3d R_WB;
  Vec3d v_W, w_B, wind_W;
  double density;
};

}  // namespace volery::craft

namespace volery {
VOLERY_TABLE(craft::Fan, p_B, axis_B, area, radius, least, most, lag, ratio, most_tilt, tilt_lag, hub, speed)
VOLERY_TABLE(craft::FanState, thrust, tilt, turn, gain, pull_B)
VOLERY_TABLE(craft::Vane, p_B, lift_B, area, most, lag, fan)
VOLERY_TABLE(craft::Reference, p_W, v_W, a_W, yaw, yaw_rate, way_W, force, speed, left, q_WB, thrust, force_B,
             torque_B, drift)
VOLERY_TABLE(craft::Gains, mass, stiffness, damping, most_force, most_tilt, attitude, heading, observe_force,
             observe_torque, centre_B, inertia_B)
VOLERY_TABLE(craft::Memory, force_W, momentum_W, torque_B, spin_B)
}  // namespace volery
