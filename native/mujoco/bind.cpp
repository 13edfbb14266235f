#include "core/bind.hpp"

#include <nanobind/stl/string.h>

#include "craft/held.hpp"
#include "mujoco/arms.hpp"
#include "mujoco/crafts.hpp"
#include "mujoco/flying.hpp"
#include "mujoco/step.hpp"
#include "mujoco/touching.hpp"
#include "mujoco/views.hpp"

namespace volery {
namespace {

// MuJoCo's arrays and records, kept alive by those that work on them.
struct Records {
  Views views;
  nb::object model, data;
};

struct Step : Records {
  StateArrays state;
  ArmArrays arms;
  Array<double, -1> qfrc;
  std::unique_ptr<MujocoStep> step;

  Step(nb::object model_, nb::object data_, const std::string& library) {
    model = model_;
    data = data_;
    MujocoBodies bodies;
    take_bodies(views, model, data, bodies);
    views.take(data, "qpos", state.qpos);
    views.take(data, "qvel", state.qvel);
    views.take(data, "qfrc_actuator", state.effort);
    views.take(data, "cfrc_int", state.cfrc_int);
    state.subtree_com = bodies.subtree_com;
    state.xpos = bodies.xpos;
    arms = {state.qpos, state.qvel, bodies.xmat, {}};
    views.take(data, "ctrl", arms.ctrl);
    views.take(data, "qfrc_applied", qfrc);
    step = std::make_unique<MujocoStep>(record_of(model, data, library), bodies, state.qpos, state.qvel);
  }
};

void begin(const Step& step) { step.step->begin(); }
void push(const Step& step, Table<const DraggedBody> dragged, Table<const PushedBody> pushed, double dt) {
  step.step->push(dragged, pushed, dt);
}
bool finish(const Step& step) { return step.step->finish(); }

void drive(const Step& step, Table<const DeltaArm> arm, Table<const ArmOrder> order) {
  need_size(arm, 1, "arm");
  need_size(order, 1, "order");
  check_arm(arm[0], step.arms);
  drive_arm(arm[0], order[0], step.arms);
}

void gather(const Step& step, Table<const FlyingBody> flying, Array<double, -1, 3> p, Array<double, -1, 4> q,
            Array<double, -1, 3> v, Array<double, -1, 3> w) {
  check_flying(flying, step.state.xpos.size(), step.state.qpos.size(), step.state.qvel.size());
  gather_flying(flying, step.state.qpos, step.state.qvel, p, q, v, w);
}
void push_drones(const Step& step, Table<const FlyingBody> flying, Array<const double, -1, 6> wrenches) {
  check_flying(flying, step.state.xpos.size(), step.state.qpos.size(), step.state.qvel.size());
  push_flying(flying, step.step->bodies(), wrenches);
}

const PlacedCraft& checked(const Step& step, const Table<const PlacedCraft>& placed) {
  need_size(placed, 1, "placed");
  check_craft(placed[0], step.step->bodies(), step.qfrc.size());
  return placed[0];
}

void press_tool_(const Step& step, Table<const PlacedCraft> placed, craft::HeldFlight& flight,
                 const contact::ContactWorld& world, double dt) {
  const PlacedCraft& place = checked(step, placed);
  need(place.tool >= 0, "placed: the craft has no tool");
  flight.felt[0] =
      press_tool(place, step.step->bodies(), world, flight.scratch, flight.tool[0], dt, flight.tip[0]);
}

void push_craft_(const Step& step, Table<const PlacedCraft> placed, craft::HeldFlight& flight, double dt) {
  const PlacedCraft& place = checked(step, placed);
  const MujocoBodies& bodies = step.step->bodies();
  flight.given = push_craft(place, bodies, flight.craft, flight.flight(), flight.felt[0], dt);
  if (place.arm >= 0) step.qfrc[place.dof] = level_torque(place, bodies);
}

void make_span(RobotSpan* self, const Step& step, std::int64_t body, std::int64_t bodies, std::int64_t q,
               std::int64_t v, Array<const std::int64_t, -1> joints, Array<const std::int64_t, -1> joint_q,
               Array<const std::int64_t, -1> joint_v) {
  check_argument(joints, "joints");
  check_argument(joint_q, "joint_q");
  check_argument(joint_v, "joint_v");
  need_size(joint_q, joints.size(), "joint_q");
  need_size(joint_v, joints.size(), "joint_v");
  RobotSpan span{body, bodies, q, v, {}};
  for (std::int64_t j = 0; j < joints.size(); ++j) span.joints.push_back({joints[j], joint_q[j], joint_v[j]});
  check_span(span, step.state);
  new (self) RobotSpan(std::move(span));
}

using Before = Array<const double, -1>;

// Joints that the model does not have stay as they were; the power of the motors [W].
double take_joints(const RobotSpan& span, const StateArrays& state, Before positions, Before velocities, Before efforts,
                   Array<double, 3, -1> out) {
  const std::int64_t count = out.shape[1];
  need_size(positions, count, "positions");
  need_size(velocities, count, "velocities");
  need_size(efforts, count, "efforts");
  std::copy(positions.begin(), positions.end(), out[0]);
  std::copy(velocities.begin(), velocities.end(), out[1]);
  std::copy(efforts.begin(), efforts.end(), out[2]);
  for (const JointPlace& j : span.joints) {
    need(j.joint < count, "joints: fewer than the span has");
    out[0][j.joint] = state.qpos[j.q];
    out[1][j.joint] = state.qvel[j.v];
    out[2][j.joint] = state.effort[j.v];
  }
  double power = 0.0;
  for (std::int64_t j = 0; j < count; ++j) power += std::abs(out[2][j] * out[1][j]);
  return power;
}

double take_robot(const Step& step, const RobotSpan& span, Before positions, Before velocities, Before efforts,
            Array<double, 13> root, Array<double, 3, -1> joints, Array<double, -1, 6> wrenches) {
  check_span(span, step.state);
  need_size(wrenches, span.bodies, "wrenches");
  if (span.q >= 0) take_root(span, step.state, root);
  take_wrenches(span, step.state, wrenches);
  return take_joints(span, step.state, positions, velocities, efforts, joints);
}

struct HeldTouching : Records {
  Touching touching;
  ContactFields fields;
  bool bound = false;

  HeldTouching(nb::object model_, nb::object data_, const std::string& library, Array<const std::int64_t, -1> geom_body,
               Array<const std::int64_t, -1> owner)
      : touching(record_of(model_, data_, library), {geom_body.begin(), geom_body.end()},
                 {owner.begin(), owner.end()}) {
    model = model_;
    data = data_;
  }
};

void make_touching(HeldTouching* self, nb::object model, nb::object data, const std::string& library,
                   Array<const std::int64_t, -1> geom_body, Array<const std::int64_t, -1> owner) {
  check_argument(geom_body, "geom_body");
  check_argument(owner, "owner");
  new (self) HeldTouching(model, data, library, geom_body, owner);
}

// Numpy's own strides: those of its buffers leave out an axis of one.
template <class T>
ContactField<T> contact_field(nb::handle contacts, const char* name) {
  const nb::object array = contacts.attr(name);
  Buffer buffer;
  need(buffer.open(array.ptr(), false) == Misfit::none && same_element<T>(buffer.view),
       "contacts: a field is not as expected of MuJoCo");
  return {static_cast<const char*>(buffer.view.buf), nb::cast<std::int64_t>(array.attr("strides")[0])};
}

// Where MuJoCo's contacts are, from those of now: one at least.
void find_contacts(HeldTouching& held, nb::handle contacts) {
  held.fields = {contact_field<double>(contacts, "dist"), contact_field<double>(contacts, "pos"),
                 contact_field<double>(contacts, "frame"), contact_field<int>(contacts, "geom")};
  held.bound = true;
}

void clear_touching(HeldTouching& held) { held.touching.clear(); }
void add_touching(HeldTouching& held, const contact::ContactWorld& world, std::int64_t count, double dt) {
  need(held.bound || count == 0, "touching: where MuJoCo's contacts are has not been found");
  held.touching.add(world, held.fields, count, dt);
}
void copy_touching(const HeldTouching& held, Table<Touched> out) {
  need_size(out, std::int64_t(held.touching.sums().size()), "out");
  std::copy(held.touching.sums().begin(), held.touching.sums().end(), out.begin());
}

void bind_touching(nb::module_& m) {
  table<Touched>(m, "Touched");
  nb::class_<HeldTouching>(m, "Touching", "Contacts of a step, added up over its substeps.")
      .def("__init__", &make_touching, nb::arg("model"), nb::arg("data"), nb::arg("library"), nb::arg("geom_body"),
           nb::arg("owner"))
      .def("find_contacts", &find_contacts, nb::arg("contacts"),
           "Where they are, from `data.contact` with one at least.")
      .def_ro("found", &HeldTouching::bound, "Whether it is known where MuJoCo's contacts are.")
      .def_prop_ro("count", [](const HeldTouching& held) { return held.touching.sums().size(); });
  kernel(m, "clear_touching", &clear_touching, {"touching"}, "A new step begins.");
  kernel(m, "add_touching", &add_touching, {"touching", "world", "count", "dt"},
         "Take in the contacts of a substep of dt [s].");
  kernel(m, "copy_touching", &copy_touching, {"touching", "out"}, "What was touched, `Touched` [count].");
}

void bind_tables(nb::module_& m) {
  table<DraggedBody>(m, "DraggedBody");
  table<PushedBody>(m, "PushedBody");
  table<FlyingBody>(m, "FlyingBody");
  table<PlacedCraft>(m, "PlacedCraft");
  table<DeltaArm>(m, "DeltaArm");
  table<ArmOrder>(m, "ArmOrder");
  nb::enum_<ArmTask>(m, "ArmTask", nb::is_arithmetic(), "What an arm was told.")
      .value("IDLE", ArmTask::idle)
      .value("REACH", ArmTask::reach)
      .value("PRESS", ArmTask::press);
}

}  // namespace

void bind_mujoco(nb::module_& m) {
  m.doc() = "What acts between the halves of MuJoCo's step, and state out of its arrays.";
  bind_tables(m);
  bind_touching(m);
  nb::class_<Step>(m, "Step", "A model with its data; MuJoCo's arrays are not copied.")
      .def(nb::init<nb::object, nb::object, const std::string&>(), nb::arg("model"), nb::arg("data"),
           nb::arg("library"));
  nb::class_<RobotSpan>(m, "Span", "Where one robot's numbers are in a model.")
      .def("__init__", &make_span, nb::arg("step"), nb::arg("body"), nb::arg("bodies"), nb::arg("q"), nb::arg("v"),
           nb::arg("joints"), nb::arg("joint_q"), nb::arg("joint_v"));
  kernel(m, "begin", &begin, {"step"}, "The first half of a substep: where bodies are, how fast, and what they touch.");
  kernel(m, "push", &push, {"step", "dragged", "pushed", "dt"},
         "Begin the forces anew, with drag and pushes, for the next dt [s].");
  kernel(m, "finish", &finish, {"step"}, "The second half of a substep; whether the motion is sound.");
  kernel(m, "sound", &sound, {"qpos", "qvel"}, "Whether all is finite and nothing has blown up.");
  kernel(m, "drive_arm", &drive, {"step", "arm", "order"}, "Torques of one arm for the next substep.");
  kernel(m, "gather_flying", &gather, {"step", "flying", "p", "q", "v", "w"},
         "Places and velocities of drones: in W, but the angular velocity in the body's axes.");
  kernel(m, "push_flying", &push_drones, {"step", "flying", "wrenches"},
         "Add forces and torques in B about centre_B, [n, 6].");
  kernel(m, "press_tool", &press_tool_, {"step", "placed", "flight", "world", "dt"},
         "What the world does to a craft's tool for the next dt [s], into what the flight felt.");
  kernel(m, "push_craft", &push_craft_, {"step", "placed", "flight", "dt"},
         "Fly on for dt [s], and add what fans, surface and the servo of its arm do.");
  kernel(m, "take", &take_robot, {"step", "span", "positions", "velocities", "efforts", "root", "joints", "wrenches"},
         "State of a robot: root [13], joints [3, j] (positions, velocities, efforts; those that the model does not "
         "have as before), what each body exerts on its parent [b, 6]. Returns the power of its motors [W].");
}

}  // namespace volery
