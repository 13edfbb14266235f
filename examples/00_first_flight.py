"""A quadrotor flies through an endless forest and scans what is round it."""

import volery

scenario = volery.read_scenario("""
world: forest
robots:
  uav1:
    type: quad
    motion: {path: [[0, 0, 20], [80, 0, 18], [80, 60, 22]], speed: 8}
    sensors: {scanner: {type: scanner}}
""")
with volery.Simulation(scenario) as simulation:
    simulation.run(seconds=5)
    scan = simulation.sensor("uav1", "scanner").latest
    print(scan.time, scan.points.shape, (scan.occupancy == 1).sum())
