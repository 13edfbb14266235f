"""Behaves as ArduPilot's SITL with `--model JSON`, written from libraries/SITL/examples/JSON/readme.md: binary servo
frames out, lines of JSON in, one frame for each state; a frame that is not answered in a second is sent again; time is
the simulator's; wall time is only used to be no faster than --speedup.

usage: ardupilot_standin.py PORT [--speedup X] [--frame quad|hexa|octo] [--kind copter|rover] [--until S] [--wide]
Prints `met`, then one line `t north east down` for each tenth of a second, and `landed` at the end."""

import argparse
import json
import math
import socket
import struct
import time

from cascade import Cascade, Mixer, Square

CCW, CW = 1, -1
FRAMES = {
    "quad": [(45, CCW), (-135, CCW), (-45, CW), (135, CW)],
    "hexa": [(90, CW), (-90, CCW), (-30, CW), (150, CCW), (30, CCW), (-150, CW)],
    "octo": [(22.5, CW), (-157.5, CW), (67.5, CCW), (157.5, CCW), (-22.5, CCW), (-112.5, CCW), (-67.5, CW),
             (112.5, CW)],
}  # fmt: skip
"""AP_MotorsMatrix's X frames: angle of each motor and way it turns."""


def throttle(thrust, expo=0.65):
    """Output for a share of thrust, with MOT_THST_EXPO's default."""
    b = 1 - expo
    return (-b + math.sqrt(b * b + 4 * expo * max(thrust, 0.0))) / (2 * expo)


class Sitl:
    def __init__(self, port, wide):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(0.1)
        self.to = ("127.0.0.1", port)
        self.count, self.rate, self.wide = 0, 400, wide
        self.buffer = b""

    def exchange(self, pwm):
        """Send a frame and wait for the state that answers it."""
        outputs = 32 if self.wide else 16
        words = [*pwm, *[0] * (outputs - len(pwm))]
        frame = struct.pack(f"<HHI{outputs}H", 29569 if self.wide else 18458, self.rate, self.count, *words)
        self.socket.sendto(frame, self.to)
        waited = 0.0
        while True:
            try:
                self.buffer += self.socket.recv(65000)
            except (TimeoutError, ConnectionRefusedError):
                waited += 0.1
                time.sleep(0.0)
                if waited > 1.0:
                    waited = 0.0
                    print("No JSON sensor message received, resending servos", flush=True)
                    self.socket.sendto(frame, self.to)
                continue
            lines = self.buffer.split(b"\n")
            if len(lines) >= 3 and lines[-2]:
                self.buffer = b"\n"
                self.count += 1
                return json.loads(lines[-2])


def steer(t, state, goal):
    """Servos of a rover: steering (1), throttle (3)."""
    q, p = state["quaternion"], state["position"]
    yaw = math.atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] ** 2 + q[3] ** 2))
    away = math.hypot(goal[0] - p[0], goal[1] - p[1])
    bearing = math.atan2(goal[1] - p[1], goal[0] - p[0])
    error = (bearing - yaw + math.pi) % (2 * math.pi) - math.pi
    on = 0.5 if away > 0.7 else 0.0
    return max(-1.0, min(1.0, 1.5 * error)), on


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--speedup", type=float, default=1.0)
    parser.add_argument("--frame", default="quad")
    parser.add_argument("--kind", default="copter")
    parser.add_argument("--skid", action="store_true")
    parser.add_argument("--until", type=float, default=1e9)
    parser.add_argument("--leg", type=float, default=5.0)
    parser.add_argument("--rise", type=float, default=5.0)
    parser.add_argument("--hover", type=float, default=0.3)
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--mute-at", type=float, default=-1.0)
    o = parser.parse_args()
    sitl, pilot, plan = Sitl(o.port, o.wide), Cascade(Mixer(FRAMES[o.frame]), o.hover), Square(leg=o.leg, rise=o.rise)
    pwm, began, first, last, told = [1000] * 8, None, None, None, -1
    goal_rover = None
    while True:
        state = sitl.exchange(pwm)
        t = state["timestamp"]
        if first is None:
            first = last = t
            began = time.monotonic()
            print("met", flush=True)
        dt, last = t - last, t
        t -= first
        if o.speedup > 0:
            time.sleep(max(0.0, t / o.speedup - (time.monotonic() - began)))
        p, v, q, gyro = state["position"], state["velocity"], state["quaternion"], state["imu"]["gyro"]
        if int(t * 10) != told:
            told = int(t * 10)
            print(f"{t:.4f} {p[0]:.5f} {p[1]:.5f} {p[2]:.5f}", flush=True)
        if t >= o.until:
            break
        if 0 <= o.mute_at <= t:
            o.mute_at = -1.0
            time.sleep(2.5)
        if o.kind == "rover":
            goal_rover = goal_rover or (p[0] + 6.0, p[1] + 3.0)
            right, on = steer(t, state, goal_rover)
            pwm = [1500] * 4
            if o.skid:
                turn = 0.5 * right * (on > 0)
                pwm[0], pwm[2] = round(1500 + 500 * (on + turn)), round(1500 + 500 * (on - turn))
            else:
                pwm[0], pwm[2] = round(1500 + 500 * right), round(1500 + 500 * on)
            continue
        goal = plan.goal(t, dt, p, v)
        if plan.over:
            print("landed", flush=True)
            for _ in range(40):
                sitl.exchange([1000] * 8)
            break
        if goal is None:
            pwm = [1000] * 8
            continue
        pilot.goal = goal
        pwm = [round(1000 + 1000 * throttle(x)) for x in pilot.motors(dt, p, v, q, gyro)]


main()
