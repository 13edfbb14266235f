"""A quadrotor flies through an endless forest and scans what is round it."""

import volery

scenario = volery.read_scenario("""
world: forest
robots:
  uav1:
    type: quad
    motion: {path: [[0, 0, 30], [80, 0, 28], [80, 60, 32]], speed: 8}
    sensors: {lidar: {type: lidar, rate: 10}}
""")
with volery.Simulation(scenario) as simulation:
    simulation.run(seconds=5)
    scan = simulation.sensor("uav1", "lidar").latest
    print(scan.time, scan.points.shape, simulation.robot("uav1").position)
