"""Behaves as PX4's SITL does towards a simulator, written from its documents (simulation over MAVLink, lockstep) : it
connects by TCP until someone listens, says HEARTBEAT and asks for HIL_STATE_QUATERNION, takes its time from HIL_SENSOR,
sends no controls before its modules have started, then answers each HIL_SENSOR by one HIL_ACTUATOR_CONTROLS.

usage: px4_standin.py PORT [--until S] [--hexa]; prints as the other stand-ins do."""

import argparse
import math
import socket
import time

from cascade import Cascade, Mixer, Square
from pymavlink.dialects.v20 import common as mav

QUAD_X = [(45, 1), (-135, 1), (-45, -1), (135, -1)]
HEXA_X = [(90, -1), (-90, 1), (-30, -1), (150, 1), (30, 1), (-150, -1)]
"""Airframes 4001 and 6001."""


def connect(port):
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            time.sleep(0.0005)


def local(gps, home):
    """North, east, down [m] of latitude, longitude [1e-7 deg] and height [mm] from a first place."""
    n = math.radians((gps[0] - home[0]) * 1e-7) * 6_371_000
    e = math.radians((gps[1] - home[1]) * 1e-7) * 6_371_000 * math.cos(math.radians(home[0] * 1e-7))
    return n, e, -(gps[2] - home[2]) * 1e-3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--until", type=float, default=1e9)
    parser.add_argument("--leg", type=float, default=5.0)
    parser.add_argument("--hexa", action="store_true")
    o = parser.parse_args()
    own = connect(o.port)
    packer = mav.MAVLink(None, 1, 1)
    reader = mav.MAVLink(None)
    own.sendall(mav.MAVLink_heartbeat_message(2, 12, 0, 0, 0, 3).pack(packer))
    wish = mav.MAVLink_command_long_message(0, 0, 511, 0, 115, 4000.0, 0, 0, 0, 0, 0)
    own.sendall(wish.pack(packer))
    pilot, plan = Cascade(Mixer(HEXA_X if o.hexa else QUAD_X), 0.4 if o.hexa else 0.3), Square(leg=o.leg)
    truth = home = first = None
    last, told, states, kinds = 0.0, -1, 0, set()
    while True:
        data = own.recv(4096)
        if not data:
            print("the simulator has gone", flush=True)
            return
        for m in reader.parse_buffer(data) or []:
            kinds.add(m.get_type())
            if m.get_type() == "HIL_STATE_QUATERNION":
                truth = m
            if m.get_type() != "HIL_SENSOR":
                continue
            t = m.time_usec * 1e-6
            states += 1
            if truth is None or states < 20:
                continue
            if first is None:
                first = last = t
                home = truth.lat, truth.lon, truth.alt
                print("met", flush=True)
            dt, last = t - last, t
            t -= first
            p = local((truth.lat, truth.lon, truth.alt), home)
            v = truth.vx * 0.01, truth.vy * 0.01, truth.vz * 0.01
            if int(t * 10) != told:
                told = int(t * 10)
                print(f"{t:.4f} {p[0]:.5f} {p[1]:.5f} {p[2]:.5f}", flush=True)
            goal = plan.goal(t, dt, p, v)
            controls = [0.0] * 16
            if goal is not None and not plan.over:
                pilot.goal = goal
                # THR_MDL_FAC 0 of motors whose thrust grows with the square of the output.
                shares = pilot.motors(dt, p, v, truth.attitude_quaternion, (m.xgyro, m.ygyro, m.zgyro))
                controls[: len(shares)] = [math.sqrt(x) for x in shares]
            mode = 129 if goal is not None else 1
            own.sendall(mav.MAVLink_hil_actuator_controls_message(m.time_usec, controls, mode, 1).pack(packer))
            if plan.over or t > o.until:
                print(" ".join(sorted(kinds)))
                print("landed" if plan.over else "until", flush=True)
                return


main()
