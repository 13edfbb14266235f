"""A small flight controller for the stand-ins: position, velocity, attitude and rates, all north-east-down and forward-
right-down. It knows nothing of the simulator, only what its firmware's packets tell."""

import math


def euler(q):
    """Roll, pitch, yaw [rad] of w, x, y, z."""
    w, x, y, z = q
    return (
        math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
        math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))),
        math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    )


def clip(x, most):
    return max(-most, min(most, x))


def wrap(a):
    return (a + math.pi) % (2 * math.pi) - math.pi


class Mixer:
    """Motors by angle from the nose (clockwise, degrees) and way of turning (+1 counter-clockwise), as ArduPilot's and
    PX4's documents list them: a motor on the right lifts against roll, one in front pitches up, one that turns counter-
    clockwise turns the nose to the right."""

    def __init__(self, motors):
        self.motors = [(-math.sin(math.radians(a)), math.cos(math.radians(a)), way) for a, way in motors]
        most = [max(abs(m[i]) for m in self.motors) for i in range(3)]
        self.motors = [tuple(m[i] / most[i] for i in range(3)) for m in self.motors]

    def mix(self, roll, pitch, yaw, thrust):
        return [max(0.0, min(1.0, thrust + r * roll + p * pitch + y * yaw)) for r, p, y in self.motors]


class Cascade:
    """Flies to `goal` (north, east, down), holding `yaw`. Gains suit two kilogrammes, as the firmwares' defaults do."""

    def __init__(self, mixer, hover=0.3, roll_gain=0.07, yaw_gain=0.15):
        self.mixer, self.hover, self.roll_gain, self.yaw_gain = mixer, hover, roll_gain, yaw_gain
        self.goal, self.yaw, self.most = None, 0.0, 3.0
        self.lift = 0.0
        self.nudge = 0.0
        """Roll to the right that a stick adds [rad]."""

    def motors(self, dt, p, v, q, gyro):
        """Shares of thrust, 0 to 1, in the mixer's order."""
        roll, pitch, yaw = euler(q)
        wish = [clip(1.0 * (g - x), self.most) for g, x in zip(self.goal, p)]
        wish[2] = clip(wish[2], 1.2)
        ax, ay = (clip(1.8 * (w - x), 3.5) for w, x in zip(wish[:2], v[:2]))
        self.lift = clip(self.lift + 0.3 * (v[2] - wish[2]) * dt, 0.25)
        thrust = self.hover * (1 + 0.35 * (v[2] - wish[2])) + self.lift
        thrust = max(0.02, min(0.9, thrust / max(0.6, math.cos(roll) * math.cos(pitch))))
        c, s = math.cos(yaw), math.sin(yaw)
        tilt_pitch, tilt_roll = -(c * ax + s * ay) / 9.81, (-s * ax + c * ay) / 9.81 + self.nudge
        rates = (6.0 * (tilt_roll - roll), 6.0 * (tilt_pitch - pitch), clip(1.5 * wrap(self.yaw - yaw), 0.8))
        a, b = (clip(self.roll_gain * (w - g), 0.15) for w, g in zip(rates[:2], gyro[:2]))
        return self.mixer.mix(a, b, clip(self.yaw_gain * (rates[2] - gyro[2]), 0.08), thrust)


class Square:
    """Take off to `height`, fly a square of `side`, land, and turn the motors off. In simulated seconds."""

    def __init__(self, height=4.0, side=4.0, wait=1.0, leg=5.0, rise=5.0):
        self.height, self.side, self.wait, self.leg, self.rise = height, side, wait, leg, rise
        self.home = None
        self.over = False
        self.still = 0.0

    def goal(self, t, dt, p, v):
        """Where to be at t; None: motors off."""
        if self.home is None:
            self.home = list(p)
        t -= self.wait
        if t < 0 or self.over:
            return None
        n, e, d = self.home
        if t < self.rise:
            return n, e, d - self.height
        corner = int((t - self.rise) // self.leg)
        corners = [(self.side, 0.0), (self.side, self.side), (0.0, self.side), (0.0, 0.0)]
        if corner < 4:
            return n + corners[corner][0], e + corners[corner][1], d - self.height
        self.still = self.still + dt if abs(v[2]) < 0.05 and p[2] > d - 0.3 else 0.0
        self.over = self.still > 0.5
        down = min(p[2] + 0.9, d + 3.0)
        return n, e, down
