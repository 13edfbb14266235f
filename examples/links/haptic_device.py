"""A haptic device without hardware: a hand, which is a spring and a damper, moves a handle that feels the tool's force.

In one terminal `volery run lesson-touch`, in another `python examples/links/haptic_device.py`. It needs nothing of
Volery.
"""

import argparse
import socket
import struct

options = argparse.ArgumentParser()
options.add_argument("--port", type=int, default=9890)
options.add_argument("--push", type=float, default=0.06, help="how far ahead the hand wants to be in the end [m]")
options.add_argument("--seconds", type=float, default=5.0, help="of simulated time")
options = options.parse_args()

MASS, STIFFNESS, DAMPING = 0.15, 60.0, 4.0  # of the handle [kg], of the hand [N/m, N s/m]
device = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
device.connect(("127.0.0.1", options.port))
device.settimeout(30.0)
handle, speed = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
device.send(struct.pack("<3d", *handle))
print("ready", flush=True)
count, first, last, most = 0, None, None, 0.0
while last is None or last - first < options.seconds:
    number, now, *felt = struct.unpack("<8d", device.recv(1000))
    dt = 0.0 if last is None else min(now - last, 0.01)
    first, last, count = now if first is None else first, now, count + 1
    most = max(most, -felt[0])
    # The hand pulls towards its goal; the device's motors push the handle by the force that the tool feels.
    goal = (min(options.push, 0.02 * (now - first)), 0.0, 0.0)
    for i in range(3):
        pull = STIFFNESS * (goal[i] - handle[i]) - DAMPING * speed[i] + felt[i]
        speed[i] += pull / MASS * dt
        handle[i] += speed[i] * dt
    device.send(struct.pack("<4d", *handle, number))
rate = (count - 1) / (last - first)
print(f"{count} forces in {last - first:.3f} s of simulated time: {rate:.1f} Hz", end=", ")
print(f"most {most:.2f} N, handle {handle[0]:.4f} m")
