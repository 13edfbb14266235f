// Delta arms: what their motors give to hold a place or to press, their own weight carried in any attitude.
#pragma once
#include "core/arrays.hpp"
#include "core/table.hpp"

namespace volery {

enum class ArmTask : std::int64_t { idle, reach, press };

struct DeltaArm {
  double base, tool, upper, fore, stick;  // lengths [m]
  double own, carried;                    // of an upper arm at its elbow, and at the tip [kg]
  double stiffness, damping, torque;      // of motors that hold an angle; the most that they give [N m]
  std::int64_t plate;                     // body
  std::int64_t q[3], v[3], motor[3];      // places in qpos, qvel and ctrl
};

struct ArmOrder {
  std::int64_t task;
  double angles[3];                        // of ArmTask::reach [rad]
  Vec3d place, stiffness, damping, force;  // of ArmTask::press, in the arm's frame D
};

struct ArmArrays {  // MuJoCo's
  Array<const double, -1> qpos, qvel;
  Array<const double, -1, 9> xmat;
  Array<double, -1> ctrl;
};

void check_arm(const DeltaArm& arm, const ArmArrays& arrays);

// Torques of one arm into the model's controls; one that is told nothing is left alone.
void drive_arm(const DeltaArm& arm, const ArmOrder& order, const ArmArrays& arrays);

VOLERY_TABLE(DeltaArm, base, tool, upper, fore, stick, own, carried, stiffness, damping, torque, plate, q, v, motor)
VOLERY_TABLE(ArmOrder, task, angles, place, stiffness, damping, force)

}  // namespace volery
