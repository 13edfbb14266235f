"""A quadrotor flies through an endless forest and scans what is round it."""

import volery

scenario = volery.read_scenario("""
world: forest
robots:
  uav1:
    type: quad
    motion: {path: [[0, 0, 20], [80, 0, 18], [80, 60, 22]], speed: 8}
""")
simulation = volery.Simulation(scenario)
simulation.run(500)  # five seconds in steps of 10 ms
scan = simulation.sensor("uav1", "scanner").latest
print(scan.stamp_ns, scan.data["points"].shape, (scan.data["occupancy"] == 1).sum())
