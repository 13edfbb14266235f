"""A wheeled robot pushes a box across the hall; its laser and its odometry tell of it."""

import numpy as np

import volery
from volery import BodyVelocity, Pose

scenario = volery.read_scenario("""
world: empty
robots:
  ugv1: {type: skid, position: [0, 0, 0.11]}
  box: {type: carton, position: [1.2, 0, 0.13]}
  barrel: {type: barrel, position: [4, 0, 0.31]}
""")
simulation = volery.Simulation(scenario)

simulation.command("ugv1", BodyVelocity([0.5, 0.0, 0.0]))
simulation.run(500)  # five seconds in steps of 10 ms
print("pushed the box to", simulation.robot("box").p_WB.round(2))
print("by its wheels the robot is at", simulation.sensor("ugv1", "odometry").latest.data["position"].round(2))

scan = simulation.sensor("ugv1", "laser").latest.data["points"]
print("nearest in the laser's sight:", round(float(np.nanmin(np.linalg.norm(scan, axis=1))), 2), "m")

simulation.command("ugv1", Pose([0.0, 1.5, 0.0], yaw=np.pi / 2))
simulation.run(1200)
print("back at", simulation.robot("ugv1").p_WB.round(2))
