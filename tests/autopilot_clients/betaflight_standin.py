"""Behaves as Betaflight's SITL, written from its target's header and README: it listens for states and sticks, answers
a state by at most one packet of motors, runs by the wall clock, drops states that are older than the last, and takes a
pause of half a second for a new beginning. Its pilot is the stand-ins' own; a stick to the right adds a roll.

usage: betaflight_standin.py OUT STATE [--old] [--square]; OUT and OUT + 1 take motors, STATE and STATE + 1 are its own.
--old: no packet of pulses, and Gazebo's order. Prints `met`, `landed` and what else happens."""

import argparse
import math
import select
import socket
import struct
import time

from cascade import Cascade, Square

QUADX = ((-1, 1, -1), (-1, -1, 1), (1, 1, 1), (1, -1, -1))
"""Rows of the mixer QUADX (rear right, front right, rear left, front left): what a roll to the right, a nose that goes
down and, before its sign is turned for propellers as they come, a turn to the left add to each motor."""


class Mixer:
    """The cascade's wishes are roll to the right, nose up, turn to the right."""

    def mix(self, roll, pitch, yaw, thrust):
        left = -yaw
        return [thrust + r * roll + p * -pitch + -y * left for r, p, y in QUADX]


def bound(port):
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    own.bind(("127.0.0.1", port))
    return own


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=int)
    parser.add_argument("state", type=int)
    parser.add_argument("--old", action="store_true")
    parser.add_argument("--leg", type=float, default=3.5)
    o = parser.parse_args()
    state, sticks = bound(o.state), bound(o.state + 1)
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    pilot, plan = Cascade(Mixer(), 0.3), Square(height=2.5, side=1.0, rise=3.0, leg=o.leg)
    home, first, last, heard, right, clock, before = None, None, -1.0, 0.0, 0.0, 0.0, 0.0
    while True:
        ready = select.select([state, sticks], [], [], 0.1)[0]
        if sticks in ready:
            _, *channels = struct.unpack("<d16H", sticks.recv(64))
            if (channels[0] - 1500) / 500.0 != right:
                right = (channels[0] - 1500) / 500.0
                print(f"stick {right:.2f}", flush=True)
        if state not in ready:
            continue
        data = state.recv(512)
        if len(data) != 144:
            print("odd packet", flush=True)
            continue
        t, *rest = struct.unpack("<18d", data)
        now = time.monotonic()
        if now - heard > 0.5:
            heard, last = now, t
            send(out, o, [0.0] * 4)
            continue
        if t < last:
            continue
        # It goes on at the quotient of the states' time and the wall's, at 1 while their time stands still.
        clock += (t - last) if t > last else now - heard
        dt, last, heard = clock - before, t, now
        before = clock
        gyro, q = rest[0:3], (rest[6], rest[7], -rest[8], -rest[9])
        vx, vy, vz, lon, lat, alt = rest[10:16]
        if home is None:
            home, first = (lon, lat, alt), clock
            print("met", flush=True)
        # Newer builds mirror places about the first one, and have a yaw gyroscope that looks up.
        way = 1.0 if o.old else -1.0
        gyro[2] *= way
        east = way * math.radians(lon - home[0]) * 6_371_000 * math.cos(math.radians(home[1]))
        north = way * math.radians(lat - home[1]) * 6_371_000
        p, v = (north, east, -(alt - home[2])), (vy, vx, -vz)
        ned = attitude(q)
        goal = plan.goal(clock - first, dt, p, v)
        motors = [0.0] * 4
        if goal is not None and not plan.over:
            pilot.goal = (goal[0], goal[1], goal[2])
            pilot.nudge = right * 0.2
            shares = pilot.motors(dt, p, v, ned, gyro)
            motors = [math.sqrt(max(0.0, min(1.0, x))) for x in shares]
        send(out, o, motors)
        if plan.over:
            print("landed", flush=True)
            return


def attitude(q):
    """Of a forward-left-up body in east-north-up, as a forward-right-down one in north-east-down."""
    w, x, y, z = q
    h = math.sqrt(0.5)
    a = (0.0, h, h, 0.0)
    b = (
        a[0] * w - a[1] * x - a[2] * y - a[3] * z, a[0] * x + a[1] * w + a[2] * z - a[3] * y,
        a[0] * y - a[1] * z + a[2] * w + a[3] * x, a[0] * z + a[1] * y - a[2] * x + a[3] * w,
    )  # fmt: skip
    return (-b[1], b[0], b[3], -b[2])


def send(out, o, motors):
    if o.old:
        gazebo = [motors[1], motors[2], motors[3], motors[0]]
        out.sendto(struct.pack("<4f", *gazebo), ("127.0.0.1", o.out + 1))
        return
    pulses = [1000.0 + 1000.0 * m for m in motors] + [0.0] * 12
    out.sendto(struct.pack("<4f", *motors), ("127.0.0.1", o.out + 1))
    out.sendto(struct.pack("<Hxx16f", 4, *pulses), ("127.0.0.1", o.out))


main()
