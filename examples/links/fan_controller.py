"""An autopilot in a process of its own: it flies the ducted fan of fan.yaml by lift and torque, and presses on walls.

In one terminal `volery run examples/links/fan.yaml`, in another `python examples/links/fan_controller.py 4 0 3`. The
wall at x = 4 is in the way, so it leans on it with 3 N. It needs nothing of Volery. Kill it, and the fan backs off.
"""

import argparse
import math
import socket
import struct

options = argparse.ArgumentParser()
options.add_argument("place", type=float, nargs=3, help="where to, x y z [m]")
options.add_argument("--to", default="127.0.0.1:9881", help="the simulation's address")
options.add_argument("--press", type=float, default=3.0, help="most force to the sides [N]")
options.add_argument("--steps", type=int, default=0, help="states to answer (default: without end)")
options = options.parse_args()
host, port = options.to.rsplit(":", 1)

MASS, INERTIA, GRAVITY = 2.0, (0.027, 0.027, 0.031), 9.80665  # of the craft [kg, kg m²]; [m/s²]
SPRING, DAMPER, TURN = 10.0, 9.0, (9.0, 9.0, 5.0)  # [N/m, N s/m]; how fast roll, pitch and yaw follow [rad/s]


def columns(w: float, x: float, y: float, z: float) -> tuple:
    """Axes of the craft in W."""
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
        (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
        (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)),
    )


def dot(a: list, b: list) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def answer(p: list, q: list, v: list, spin: list) -> list:
    """Force and torque in the craft's axes: lift towards the place, and a turn that points the lift there."""
    axes = columns(*q)
    pull = [SPRING * (goal - here) for goal, here in zip(options.place, p, strict=True)]
    flat = math.hypot(pull[0], pull[1])
    share = min(1.0, options.press / max(flat, 1e-9))
    force = [share * pull[0], share * pull[1], max(-5.0, min(5.0, 2 * pull[2])) + MASS * GRAVITY]
    force = [f - DAMPER * s for f, s in zip(force, v, strict=True)]
    long = math.sqrt(dot(force, force))
    up = [dot(axis, force) / long for axis in axes]  # where the lift is to point to, in the craft's axes
    heading = math.atan2(axes[0][1], axes[0][0])
    error = (-up[1], up[0], -max(-0.25, min(0.25, heading)))
    rates = [dot(axis, spin) for axis in axes]
    torque = [j * (w * w * e - 2 * w * r) for j, w, e, r in zip(INERTIA, TURN, error, rates, strict=True)]
    return [0.0, 0.0, dot(axes[2], force), *torque]


link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.connect((host, int(port)))
link.settimeout(10.0)
link.send(struct.pack("<6d", 0, 0, MASS * GRAVITY, 0, 0, 0))
print("ready", flush=True)
answered = 0
while not options.steps or answered < options.steps:
    number, seconds, *state = struct.unpack("<15d", link.recv(1000))
    link.send(struct.pack("<7d", *answer(state[:3], state[3:7], state[7:10], state[10:]), number))
    answered += 1
off = max(abs(a - b) for a, b in zip(options.place, state[:3], strict=True))
print(f"{answered} answers, {off:.3f} m from the place")
