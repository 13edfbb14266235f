"""Contact in a process of its own: it knows the world only by the scanner's points. A cube tips off a step."""

import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from volery import Bus, BusConfig, Client, box
from volery.core.frames import transform
from volery.physics.contact.scanpoints import ScanBody, ScanContact

MASS, SPACING = 100.0, 0.022
BODY = '<mujoco><worldbody><body><freejoint/><geom type="box" size="{size}" mass="{mass}"/></body></worldbody></mujoco>'
CUBE = """
model: cube.xml
sensors: {scanner: {type: scanner, form: box, resolution: 0.022, extent: 0.55, range: 1.0, rate: 100}}
"""
SCENARIO = """
world: empty
pace: fast
duration: 2.5
engines: {external: {exchange: lockstep, timeout: 30, gone: stop}}
robots:
  step: {type: step.xml, physics: kinematic, position: [-1, 0, 0.75]}
  cube: {type: cube.yaml, physics: external, position: [0.107, 0, 2.05]}
"""

pose = (np.array([0.107, 0.0, 2.05]), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3), np.zeros(3))
body = ScanBody(MASS, np.eye(3) * MASS / 6, *pose, com_B=np.zeros(3))
contact = ScanContact(box((1.0, 1.0, 1.0)), SPACING)
# An empty scan and no time: all is compiled before the simulation waits for us.
contact.look(np.zeros((6 * 51**2, 3), np.float32), np.zeros(6 * 51**2, np.float32), np.eye(3, 4))
contact.advance(body, 0.0)

with tempfile.TemporaryDirectory() as folder:
    files = {"cube.xml": BODY.format(size="0.5 0.5 0.5", mass=MASS), "step.xml": BODY.format(size="1 2 0.75", mass=1)}
    for name, text in {**files, "cube.yaml": CUBE, "step.yaml": SCENARIO}.items():
        (Path(folder) / name).write_text(text)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"tcp/127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "volery", "run", f"{folder}/step.yaml", "--headless", "--listen", endpoint]
    simulation = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    simulation.stdout.readline()

    message, spent, step = None, [], 0
    with Bus(BusConfig(connect=[endpoint], node="contact")) as bus, Client("cube", endpoint) as robot:
        scans = bus.subscribe("/cube/scanner/points", "sensor_msgs/msg/PointCloud2", depth=4)
        for state in robot.states(timeout=30.0):
            if state.step == step:
                # Told again, since the answer took long.
                robot.move(state, body.p_WB, body.q_WB_wxyz, body.v_WB_W, body.w_WB_W)
                continue
            step = state.step
            # The scan of the pose that this state tells; there is none of the start.
            while state.time_ns > 0 and (message is None or message.stamp_ns < state.time_ns):
                message = scans.wait_next(timeout=30.0)
            begin = time.perf_counter()
            if message is not None:
                cloud = np.frombuffer(message.value.data, np.float32).reshape(-1, 4)
                contact.look(cloud[:, :3], cloud[:, 3], transform(body.q_WB_wxyz, body.p_WB))
            touch = contact.advance(body, 0.01)
            spent.append(time.perf_counter() - begin)
            robot.move(state, body.p_WB, body.q_WB_wxyz, body.v_WB_W, body.w_WB_W)
            if state.step % 25 == 0:
                tilt = np.degrees(2 * np.arctan2(body.q_WB_wxyz[2], body.q_WB_wxyz[0]))
                print(
                    f"{state.time_ns * 1e-9:.2f} s  x {body.p_WB[0]:.3f}  z {body.p_WB[2]:.4f} m  tilt {tilt:5.1f}°  "
                    f"{touch.points:4d} points  {1e3 * touch.penetration:.4f} mm deep  "
                    f"force {touch.force_W[2]:6.1f} N  torque {touch.torque_W[1]:9.2e} N m"
                )
            if state.time_ns >= 2_490_000_000:
                break
        queries = []
        for _ in range(50):
            begin = time.perf_counter()
            contact.ask(body)
            queries.append(time.perf_counter() - begin)
    print(
        f"median: {1e3 * np.median(spent):.1f} ms for 10 ms with a new scan, {1e3 * np.median(queries):.2f} ms a query"
    )
    print(simulation.communicate()[0].splitlines()[-1])
