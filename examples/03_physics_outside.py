"""Physics in a process of its own: this one flies a robot round a circle, the simulation shows and senses."""

import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from volery import Client

SCENARIO = """
world: blocks
pace: fast
duration: 2
engines: {external: {exchange: lockstep, timeout: 20}}
robots: {uav1: {type: quad, physics: external, position: [5, 0, 8]}}
"""

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "circle.yaml"
    path.write_text(SCENARIO)
    # Without --listen, and without the client's second argument, both sides meet at the default endpoint.
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"tcp/127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "volery", "run", str(path), "--headless", "--listen", endpoint]
    simulation = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    simulation.stdout.readline()

    with Client("uav1", endpoint) as robot:
        for state in robot.states(timeout=10.0):
            angle = 0.4 * (state.time_ns * 1e-9 + 0.01)
            place = np.array([5 * np.cos(angle), 5 * np.sin(angle), 8.0])
            velocity = [-2 * np.sin(angle), 2 * np.cos(angle), 0]
            robot.move(state, place, [np.cos(angle / 2), 0, 0, np.sin(angle / 2)], velocity, [0, 0, 0.4])
            if state.time_ns >= 1_990_000_000:
                break
        print(f"after {state.step} steps it is at {np.round(place, 3)}")
    print(simulation.communicate()[0].splitlines()[-1])
