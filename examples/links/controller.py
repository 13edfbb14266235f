"""A controller in a process of its own: it flies the quadrotor of hil.yaml to a place with forces and torques.

In one terminal `volery run examples/links/hil.yaml`, in another `python examples/links/controller.py 1 0.5 2.5`. It
needs nothing of Volery; a real controller speaks the same 120 and 56 bytes. Kill it, and the robot backs off.
"""

import argparse
import socket
import struct

options = argparse.ArgumentParser()
options.add_argument("place", type=float, nargs=3, help="where to, x y z [m]")
options.add_argument("--to", default="127.0.0.1:9880", help="the simulation's address")
options.add_argument("--mass", type=float, default=1.494, help="of the robot [kg]")
options.add_argument("--steps", type=int, default=0, help="states to answer (default: without end)")
options = options.parse_args()
host, port = options.to.rsplit(":", 1)

link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.connect((host, int(port)))
link.settimeout(10.0)
link.send(struct.pack("<6d", 0, 0, 9.80665 * options.mass, 0, 0, 0))
print("ready", flush=True)
answered = 0
while not options.steps or answered < options.steps:
    number, seconds, *state = struct.unpack("<15d", link.recv(1000))
    p, (w, *vector), v, spin = state[:3], state[3:7], state[7:10], state[10:]
    way = [max(-1.0, min(1.0, goal - here)) for goal, here in zip(options.place, p, strict=True)]
    pull = [4.0 * left - 4.0 * speed for left, speed in zip(way, v, strict=True)]
    force = [options.mass * a for a in (pull[0], pull[1], pull[2] + 9.80665)]
    sign = 1.0 if w >= 0.0 else -1.0
    torque = [-0.5 * sign * q - 0.05 * s for q, s in zip(vector, spin, strict=True)]
    link.send(struct.pack("<7d", *force, *torque, number))
    answered += 1
print(f"{answered} answers, {max(abs(a - b) for a, b in zip(options.place, p, strict=True)):.3f} m from the place")
