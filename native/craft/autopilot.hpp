// One controller for free flight and for touching: a shaped spring to the reference, injected damping, and observers.
//
// The wanted force is m·g + spring + damping·(v_ref − v) + m·a_ref − d. The spring's energy is bounded in its slope,
// along a direction by as little as the force to press with: the same law then draws the craft to a surface, and
// presses on it with just that force, with nothing to switch. d is what the momentum of the craft shows beyond thrust,
// weight and the force that the tool feels: drag, wind, the pull of walls.
#pragma once
#include "craft/allocation.hpp"
#include "craft/tables.hpp"

namespace volery::craft {

// Find forces and torques that nobody told of. given: what the actuators give; felt_W: force on the tool. Of forces
// only that along z is what the autopilot wanted: sideways ones of vanes and of a tail rotor count among those to be
// countered.
void observe(const Gains& gains, const Motion& motion, const Wrench& given, const Vec3d& felt_W, double dt,
             Memory& memory);

Wanted steer(Level level, const Gains& gains, const Reference& reference, const Memory& memory, const Motion& motion);

// Move a reference that moves, but never farther ahead than the spring is drawn by its most force.
void move_on(const Gains& gains, const Vec3d& p_W, double dt, Reference& reference);

}  // namespace volery::craft
