"""AirSim's default multirotor integrated by itself: its published numbers and equations, in its own axes (north,
east, down;
forward, right, down), without anything of Volery. Steps of 3 ms by velocity Verlet, as its FastPhysicsEngine makes
them."""

import math

import numpy as np

DT = 0.003
GRAVITY = np.array([0.0, 0.0, 9.80665])
MASS, INERTIA = 1.0, np.array([0.00672, 0.00804, 0.01428])
THRUST, TORQUE, LAG = 4.179446268, 0.055562, 0.005
ARM = 0.2275 / math.sqrt(2.0)
PLACES = ARM * np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
"""Rotors: front right, rear left, front left, rear right; forward, right [m]."""
WAYS = np.array([1.0, 1.0, -1.0, -1.0])
"""Of their torque on the body about down: those that turn counter-clockwise twist it clockwise."""
DRAG = 1.225 * np.array([0.0053831, 0.0058381, 0.1099315])
MIXER = np.array([[1, -1, 1, 1], [1, 1, -1, 1], [1, 1, 1, -1], [1, -1, -1, -1.0]])
"""Throttle, roll, pitch, yaw to each motor."""
TILT, RATE, SPEED = math.pi / 5.5, 2.5, 6.0


def clip(x):
    return np.clip(x, -1.0, 1.0)


class Quad:
    """A drone in the air. `tilted`: errors of velocity in axes that tilt with the body, as in AirSim's source."""

    def __init__(self, height=0.0, tilted=False, v=(0.0, 0.0, 0.0)):
        self.p, self.v = np.array([0.0, 0.0, -height]), np.array(v, float)
        self.R, self.w = np.eye(3), np.zeros(3)
        self.a, self.alpha = np.zeros(3), np.zeros(3)
        self.motors = np.full(4, MASS * GRAVITY[2] / (4 * THRUST))
        self.tilted, self._climb, self.t = tilted, 0.0, 0.0

    @property
    def angles(self):
        R = self.R
        return np.array([math.atan2(R[2, 1], R[2, 2]), -math.asin(R[2, 0]), math.atan2(R[1, 0], R[0, 0])])

    # Goals of the loops, from the outermost in; each returns four controls

    def to_position(self, p, yaw):
        return self.to_velocity(SPEED * clip(0.25 * (np.asarray(p) - self.p)), yaw=yaw)

    def to_velocity(self, v, yaw=None, yaw_rate=0.0):
        gap, now = np.asarray(v, float) - self.v, self.angles
        c, s = math.cos(now[2]), math.sin(now[2])
        e = self.R.T @ gap if self.tilted else np.array([c * gap[0] + s * gap[1], c * gap[1] - s * gap[0], gap[2]])
        self._climb = clip(self._climb * 0.9999 + DT * 2.0 * e[2])
        throttle = max((1.0 - clip(2.0 * e[2] + self._climb)) / 2.0, 0.3)
        return self.to_angles(clip(0.2 * e[1]) * TILT, -clip(0.2 * e[0]) * TILT, yaw, throttle, yaw_rate)

    def to_angles(self, roll, pitch, yaw, throttle, yaw_rate=0.0):
        now = self.angles
        gaps = [roll - now[0], pitch - now[1]] + ([] if yaw is None else [math.remainder(yaw - now[2], math.tau)])
        rates = RATE * clip(2.5 * np.array(gaps))
        return self.to_rates(rates if yaw is not None else [*rates, yaw_rate], throttle)

    def to_rates(self, rates, throttle):
        return np.array([throttle, *clip(0.25 * (np.asarray(rates) - self.w))])

    # A step under four controls

    def step(self, controls):
        if controls[0] < 0.05:
            told = np.full(4, controls[0])
        else:
            told = MIXER @ controls
            told -= min(told.min(), 0.0)
            told /= max(told.max(), 1.0)
        self.motors = told + (self.motors - told) * math.exp(-DT / LAG)
        lift = THRUST * self.motors
        torque = np.array([-PLACES[:, 1] @ lift, PLACES[:, 0] @ lift, TORQUE * WAYS @ self.motors])
        v, w = self.v + 0.5 * DT * self.a, self.w + 0.5 * DT * self.alpha
        u = self.R.T @ v
        a = GRAVITY + self.R @ (np.array([0, 0, -lift.sum()]) - DRAG * abs(u) * u) / MASS
        alpha = (torque - np.cross(w, INERTIA * w)) / INERTIA
        self.p = self.p + v * DT
        self.R = self.R @ turning(w * DT)
        self.v, self.w = self.v + 0.5 * DT * (self.a + a), self.w + 0.5 * DT * (self.alpha + alpha)
        self.a, self.alpha, self.t = a, alpha, self.t + DT


def turning(h):
    """The rotation by a vector (Rodrigues)."""
    angle = np.linalg.norm(h)
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = h / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * (K @ K)


class Carrot:
    """AirSim's moveOnPath: where to fly, told every 20 ms; `hold`: heights are flown to at any distance, not only when
    more than half a metre off."""

    def __init__(self, quad, points, speed, lookahead, hold=True):
        self.quad, self.speed, self.lookahead, self.hold = quad, speed, lookahead, hold
        corners = np.vstack([quad.p, points])
        self.lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
        self.corners, self.s, self.ahead = corners, 0.0, lookahead

    def at(self, s):
        return np.array([np.interp(s, self.lengths, self.corners[:, k]) for k in range(3)])

    def velocity(self):
        here, chord = self.at(self.s), self.at(self.ahead) - self.at(self.s)
        gone, unit = self.quad.p - here, chord / np.linalg.norm(chord)
        self.s += max(gone @ unit, 0.0)
        self.ahead = self.s + self.lookahead + np.linalg.norm(gone - (gone @ unit) * unit)
        way = self.at(self.ahead) - self.quad.p
        v = way / np.linalg.norm(way) * self.speed
        return v if self.hold or abs(way[2]) > 0.5 else v * [1, 1, 0]
