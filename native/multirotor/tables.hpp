// Drones as rows of tables that Python sees too. SI units; W: world, B: the drone's root, about its centre of mass.
#pragma once
#include <cstdint>

#include "core/table.hpp"

namespace volery {

constexpr int most_rotors = 8;

// At which a drone is told what to do; each feeds the next ones, down to the motors.
enum class Level : std::uint64_t {
  off,  // motors stopped: not told anything yet on the ground, empty, or crashed
  position,
  velocity_heading,
  velocity_rate,
  acceleration_heading,
  acceleration_rate,
  attitude,
  tilt_rate,
  body_rate,
  group,
  actuators,
  crashed,  // as off, but it takes no command until it is placed anew
};
constexpr int levels = 12;

enum Loop : std::uint8_t { position_loop, velocity_loop, attitude_loop, rate_loop, loops };

// T: double for a row of a table, Lane for the same of several drones side by side. Whole numbers come last.
template <class T>
struct StateOf {
  Vec3<T> p_W, v_W;  // of the centre of mass
  Quat<T> q_WB;
  Vec3<T> w_B;
  T rpm[most_rotors];
  T turn[most_rotors];                   // angle of each rotor [rad]
  Vec3<T> loop_error[loops];             // the last one; NaN: none yet
  Vec3<T> loop_sum[loops];               // integral of the error
  T charge;                              // left in the battery [A s]
  T power;                               // drawn now [W]
  Vec3<T> force_W, torque_W;             // from outside, at the root's origin
  std::int64_t kind;                     // row of the parameters
};
using DroneState = StateOf<double>;

// What a drone is told.
template <class T>
struct ReferenceOf {
  Vec3<T> p_W;  // of the root's origin
  Vec3<T> v_W, a_W;  // a_W: at tilt_rate the direction to push to
  T yaw, yaw_rate;
  Quat<T> q_WB;
  Vec3<T> w_B;
  T throttle;
  Vec3<T> group;  // roll, pitch, yaw [share of throttle]
  T motors[most_rotors];
  // How a reference that moves goes on between two commands: p_W at drift_W, that and v_W by rise_W, that by surge_W;
  // a_W by jerk_W; at Level::position yaw by yaw_rate
  Vec3<T> drift_W, rise_W, surge_W, jerk_W;
  T along;          // 1: v_W is given in axes that turn with the heading
  Level level;
};
using Reference = ReferenceOf<double>;

template <class T>
struct AirOf {
  Vec3<T> wind_W;
  T share;   // density over that at which the thrust holds
  T ground;  // z of the ground below; −inf: too far to be felt
};
using Air = AirOf<double>;

// What drones of one kind share.
struct DroneParameters {
  double mass, gravity;
  Mat3d inertia, inverse_inertia;  // about the centre of mass, in B
  Vec3d centre;                    // of mass, in the root's frame
  Vec3d drag_area;                 // ½·ρ0·area [kg/m]
  Vec3d drag_linear;
  double rotor_drag;  // force per flow in the rotors' plane and per rpm of all rotors [N s/m]
  double tau;
  double least_rpm, most_rpm;
  double stopped_rpm;  // of rotors that are told nothing
  double lift;         // of all rotors along z [N/rpm²]
  double near_ground;  // (radius of a rotor/4)²·strength of the ground effect [m²]
  double hub;          // height of the rotors over the centre of mass
  double shaft;        // power drawn by a rotor over rpm³
  double idle_power;   // drawn beside the rotors
  double full_voltage, empty_voltage, resistance;  // full_voltage 0: no battery
  double capacity;                                 // [A s]
  double kp[3], kd[3], ki[3], most[3], windup[3];  // of position, velocity, attitude
  double most_yaw_rate;
  Vec3d rate_kp, rate_kd;
  // Of the law that flies as AirSim's SimpleFlight: gains of a loop by axis (x, y, z or roll, pitch, yaw), outputs of −1
  // to 1 of what follows here
  Vec3d axis_kp[loops], axis_ki[loops], axis_kd[loops];
  Vec3d most_rates;         // [rad/s]
  double most_tilt;         // [rad]
  double most_speed;        // [m/s]
  double leak;              // of the integral of the climb [1/s]
  double least_control;     // of the throttle while a velocity is flown
  double least_turning;     // throttle below which nothing turns
  Vec3d lead;               // velocity to add for an acceleration to have, along the nose, across and up [s]
  double effect[6][most_rotors];  // force and torque in B per rpm² of each rotor
  double mix[most_rotors][4];     // throttle of each rotor per roll, pitch, yaw, throttle
  double way[most_rotors];        // 1: turns counter-clockwise seen from above, −1: clockwise
  double air_density;             // at which the thrust holds
  double floor;                   // z of a plane that stops drones dead; −inf: none
  double reach;                   // radius of the sphere round all bumpers, about the centre of mass
  std::int64_t rotors;
  std::int64_t simple;              // 1: flown by that law
  std::int64_t tilted;              // 1: which takes errors of velocity in axes that tilt with the body, as AirSim's
  std::int64_t faces;               // 1: drag of each axis goes with the square of its own speed alone
  std::int64_t original;            // 1: step as the MRS simulator does, rotor speeds held within a step
  std::int64_t shown[most_rotors];  // which rotor each joint that shows one shows
  std::int64_t first_bumper, bumpers;
};

// A sphere of a drone that touches things, about the centre of mass.
struct Bumper {
  Vec3d p_B;
  double radius;
};

// What robots tell of a drone: motion of its root, its rotors as joints show them, and the power drawn.
struct Outcome {
  Vec3d p_WB;
  Quatd q_WB;
  Vec3d v_WB_W, w_WB_W;
  double turns[most_rotors], speeds[most_rotors];  // [rad, rad/s]
  double power;
};

VOLERY_TABLE(DroneState, p_W, v_W, q_WB, w_B, rpm, turn, loop_error, loop_sum, charge, power, force_W, torque_W, kind)
VOLERY_TABLE(Reference, p_W, v_W, a_W, yaw, yaw_rate, q_WB, w_B, throttle, group, motors, drift_W, rise_W,
             surge_W, jerk_W, along, level)
VOLERY_TABLE(Air, wind_W, share, ground)
VOLERY_TABLE(DroneParameters, mass, gravity, inertia, inverse_inertia, centre, drag_area, drag_linear, rotor_drag, tau,
             least_rpm, most_rpm, stopped_rpm, lift, near_ground, hub, shaft, idle_power, full_voltage, empty_voltage,
             resistance, capacity, kp, kd, ki, most, windup, most_yaw_rate, rate_kp, rate_kd, axis_kp, axis_ki,
             axis_kd, most_rates, most_tilt, most_speed, leak, least_control, least_turning, lead, effect, mix, way,
             air_density, floor, reach, rotors, simple, tilted, faces, original, shown, first_bumper, bumpers)
VOLERY_TABLE(Bumper, p_B, radius)
VOLERY_TABLE(Outcome, p_WB, q_WB, v_WB_W, w_WB_W, turns, speeds, power)

}  // namespace volery
