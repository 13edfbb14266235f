"""A landing from another process: it flies the aircraft and knows the ground only by the scanner's map of heights."""

import socket
import subprocess
import sys

import numpy as np

from volery import Bus, BusConfig, Client
from volery.physics.elastic.landing import ScannedLanding
from volery.robots.library import load_robot_file

STEP_NS = 10_000_000

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    endpoint = f"tcp/127.0.0.1:{free.getsockname()[1]}"
command = [sys.executable, "-m", "volery", "run", "elaha-landing", "--headless", "--speed", "max"]
command += ["--duration", "18", "--listen", endpoint]
simulation = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
simulation.stdout.readline()

pilot = ScannedLanding("elaha", load_robot_file("elaha"))
with Bus(BusConfig(connect=[endpoint], node="landing")) as bus, Client("elaha", endpoint) as robot:
    scans, message = bus.subscribe("/elaha/scanner/points", "sensor_msgs/msg/PointCloud2", depth=4), None
    for state in robot.states(timeout=60.0):
        # Every tenth step has a scan; of the start there is none.
        due = state.time_ns - state.time_ns % 100_000_000
        while due > 0 and (message is None or message.stamp_ns < due):
            message = scans.wait_next(timeout=30.0)
            cloud = np.frombuffer(message.value.data, np.float32).reshape(-1, 4)
            pilot.look(cloud[:, :3], cloud[:, 3])
        motion = pilot.answer(state, STEP_NS)
        robot.move(state, motion.p_WB, motion.q_WB_wxyz, motion.v_WB_W, motion.w_WB_W, motion.joints)
        if state.step % 200 == 0:
            speed = np.linalg.norm(pilot.robot.v_WB_W)
            print(f"{state.time_ns * 1e-9:5.2f} s  {pilot.phase:8}  {pilot.height:5.2f} m high  {speed:4.1f} m/s")
        if state.time_ns >= 17_990_000_000:
            break
print(simulation.communicate()[0].splitlines()[-1])
