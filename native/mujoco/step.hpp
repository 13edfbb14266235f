// Substeps of a model with all that pushes on it between the halves of MuJoCo's step: forces depend on where bodies are
// and how fast.
#pragma once
#include "mujoco/air.hpp"
#include "mujoco/bodies.hpp"
#include "mujoco/exchange.hpp"
#include "mujoco/library.hpp"

namespace volery {

class MujocoStep {
 public:
  MujocoStep(MujocoRecord record, MujocoBodies bodies, Array<const double, -1> qpos, Array<const double, -1> qvel)
      : mujoco_(std::move(record)),
        first_(mujoco_.stage("mj_step1")),
        second_(mujoco_.stage("mj_step2")),
        bodies_(bodies),
        qpos_(qpos),
        qvel_(qvel) {}

  const MujocoBodies& bodies() const { return bodies_; }
  void begin() const { mujoco_.run(first_); }
  // Begin the forces anew, with drag and pushes, for the next dt [s].
  void push(Table<const DraggedBody> dragged, Table<const PushedBody> pushed, double dt) const {
    std::fill(bodies_.xfrc.begin(), bodies_.xfrc.end(), 0.0);
    add_drag(bodies_, dragged, dt);
    add_pushes(bodies_, pushed);
  }
  // Whether the motion is sound; asked at once, since a step later a place that is not a number would spread through
  // contacts.
  bool finish() const {
    mujoco_.run(second_);
    return sound(qpos_, qvel_);
  }

 private:
  MujocoRecord mujoco_;
  MujocoStage first_, second_;
  MujocoBodies bodies_;
  Array<const double, -1> qpos_, qvel_;
};

}  // namespace volery
