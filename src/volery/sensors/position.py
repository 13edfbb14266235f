"""Where a robot is: by its own wheels, by cameras round the room, and in truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.config import param
from volery.core.frames import (
    matrix_from_quat,
    quat_conjugate,
    quat_from_matrix,
    quat_from_vector,
    quat_multiply,
    quat_normalise,
    quat_rotate,
)
from volery.errors import CommandError, ScenarioError
from volery.robots.description import SLIDE
from volery.robots.kinematics import turned
from volery.sensors.controls import control
from volery.sensors.drift import first_covariance, grown
from volery.sensors.mounted import Mounted
from volery.sensors.outputs import Fields, Output
from volery.sensors.sensor import Reading, Sensor, SensorConfig

__all__ = [
    "GroundTruth",
    "MotionCapture",
    "MotionCaptureConfig",
    "Odometry",
    "OdometryConfig",
    "WheelEncoder",
    "WheelEncoderConfig",
]

_ODOMETRY = "nav_msgs/msg/Odometry"
_MOST_TICKS = 2.0**62
"""What a counter of 64 bits holds with room to spare."""


def _odometry(
    child: str, p: np.ndarray, q_wxyz: np.ndarray, v: np.ndarray, w: np.ndarray, of_pose: np.ndarray,
    of_twist: np.ndarray,
) -> Fields:  # fmt: skip
    """The fields of an Odometry message, with the twist in the axes of the frame `child`, and covariances [6, 6]."""
    pose = {"pose": {"position": p, "orientation": q_wxyz}, "covariance": of_pose}
    return {
        "child_frame_id": child, "pose": pose,
        "twist": {"twist": {"linear": v, "angular": w}, "covariance": of_twist},
    }  # fmt: skip


def _pose_fields(reading: Reading) -> Fields:
    return {"pose": {"position": reading.data["position"], "orientation": reading.data["attitude"]}}


class GroundTruth(Mounted):
    """Reading: position [3] [m], attitude [4] (w, x, y, z), velocity [3] [m/s] and angular_velocity [3] [rad/s] of the
    mount, all in W; joints [j] [rad or m]."""

    noisy: ClassVar[tuple[str, ...]] = ("position", "velocity", "angular_velocity", "joints")

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """The state as it is."""
        X = self.X_WS
        v, w = self.motion(X, now_ns)
        return {
            "position": X[:, 3].copy(), "attitude": quat_from_matrix(X[:, :3]), "velocity": v, "angular_velocity": w,
            "joints": self.robot.joint_positions.copy(),
        }  # fmt: skip

    def outputs(self) -> list[Output]:
        """An Odometry message, with the twist in the axes of the mount."""
        return [Output("", _ODOMETRY, self._told, "map")]

    def _told(self, reading: Reading) -> Fields:
        d = reading.data
        R = matrix_from_quat(d["attitude"])
        of_pose, of_twist = np.zeros((2, 6, 6))
        of_pose[:3, :3] = np.diag(self.variance("position", reading))
        of_twist[:3, :3] = R.T @ np.diag(self.variance("velocity", reading)) @ R
        of_twist[3:, 3:] = R.T @ np.diag(self.variance("angular_velocity", reading)) @ R
        v, w = d["velocity"] @ R, d["angular_velocity"] @ R
        return _odometry(self.frame_id, d["position"], d["attitude"], v, w, of_pose, of_twist)


@dataclass(frozen=True)
class MotionCaptureConfig(SensorConfig):
    """Parameters of a motion-capture room that tracks the mount."""

    cameras: tuple[tuple[float, float, float], ...] = param((), low=-1e6, high=1e6)
    """Where its cameras hang in W [m]; none: it sees everything."""
    needed: int = param(2, low=1, high=1000)
    """How many of them must see the mount."""
    low: tuple[float, float, float] | None = None
    """Lowest corner of the room in W [m]; by default it has no end."""
    high: tuple[float, float, float] | None = None
    """Highest corner of the room in W [m]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0 < len(self.cameras) < self.needed:
            raise ScenarioError(
                f"motion capture: {self.needed} of {len(self.cameras)} cameras can never see the mount; "
                "add cameras or lower 'needed'"
            )
        if self.low and self.high and any(a > b for a, b in zip(self.low, self.high, strict=True)):
            raise ScenarioError(f"motion capture: the room's 'low' {self.low} is above its 'high' {self.high}")


class MotionCapture(Sensor):
    """Reading: position [3] in W [m]; attitude [4] (w, x, y, z) in W; tracked [1]; cameras [1] that see the mount.
    Untracked, position and attitude are NaN. Noise of σ on the attitude's parts turns it by about 2σ [rad]."""

    Config: ClassVar[type[SensorConfig]] = MotionCaptureConfig
    noisy: ClassVar[tuple[str, ...]] = ("position", "attitude")
    config: MotionCaptureConfig

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Pose of the mount, if it is in the room and in sight."""
        X, config = self.X_WS, self.config
        p = X[:, 3].copy()
        seen, tracked = 0, True
        if config.cameras:
            blocked = self.environment.scene.occluded(np.array(config.cameras), p, ignore=self.robot.name)
            seen = int(np.count_nonzero(~blocked))
            tracked = seen >= config.needed
        tracked = tracked and (config.low is None or bool((p >= config.low).all()))
        tracked = tracked and (config.high is None or bool((p <= config.high).all()))
        q = quat_from_matrix(X[:, :3])
        return {
            "position": p if tracked else np.full(3, np.nan), "attitude": q if tracked else np.full(4, np.nan),
            "tracked": np.array([tracked]), "cameras": np.array([seen], np.int32),
        }  # fmt: skip

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """An attitude has length 1; one that noise made nothing of is lost."""
        length = np.linalg.norm(data["attitude"])
        data["attitude"] = data["attitude"] / length if length > 1e-9 else np.full(4, np.nan)

    def outputs(self) -> list[Output]:
        """The pose of the mount."""
        return [Output("", "geometry_msgs/msg/PoseStamped", _pose_fields, "map")]


@dataclass(frozen=True)
class WheelEncoderConfig(SensorConfig):
    """Parameters of encoders on joints."""

    joints: tuple[str, ...] = ()
    """Which joints; by default all of the robot."""
    ticks: int = param(360, low=1, high=100_000_000)
    """Per turn (of a slide: per metre)."""
    wrap: bool = False
    """Count from 0 again after each turn, as USARSim's do."""


class WheelEncoder(Sensor):
    """Reading: angle [n] [rad, or m of a slide] as felt; ticks [n] (int64) that follow from it; speed [n], the mean
    since the last reading [rad/s or m/s]."""

    Config: ClassVar[type[SensorConfig]] = WheelEncoderConfig
    noisy: ClassVar[tuple[str, ...]] = ("angle", "speed")
    keeps: ClassVar[tuple[str, ...]] = ("_last_ns", "_last")
    config: WheelEncoderConfig

    def prepare(self) -> None:
        """Find the joints."""
        description, ticks = self.robot.description, self.config.ticks
        names = self.config.joints or tuple(j.name for j in description.joints)
        self._index = np.array([description.joint(n) for n in names], int)
        slides = np.array([description.joints[i].kind == SLIDE for i in self._index], bool)
        self._per_unit = np.where(slides, ticks, ticks / (2 * np.pi))
        self._last_ns = -1
        self._last = np.zeros(len(names))

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Positions of the joints."""
        angle = self.robot.joint_positions[self._index]
        moved = angle - self._last if self._last_ns >= 0 else np.zeros_like(angle)
        speed = moved * (SECOND / max(now_ns - self._last_ns, 1))
        self._last_ns, self._last = now_ns, angle
        return {"angle": angle.copy(), "speed": speed}

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """Whole ticks; a lost angle counts as 0, one beyond all counters as the end of them."""
        ticks = np.floor(np.nan_to_num(data["angle"]) * self._per_unit + 1e-9)
        ticks = np.clip(ticks, -_MOST_TICKS, _MOST_TICKS).astype(np.int64)
        data["ticks"] = ticks % self.config.ticks if self.config.wrap else ticks

    def outputs(self) -> list[Output]:
        """Joints with their angles and speeds."""
        return [Output("", "sensor_msgs/msg/JointState", self._told)]

    def _told(self, reading: Reading) -> Fields:
        names = self.config.joints or [j.name for j in self.robot.description.joints]
        return {"name": names, "position": reading.data["angle"], "velocity": reading.data["speed"]}


@dataclass(frozen=True)
class OdometryConfig(SensorConfig):
    """Parameters of dead reckoning. Errors grow with the way: scales are drawn once a run, the rest at every step."""

    wheels: tuple[str, str] | None = None
    """Joints of the left and right wheel to reckon from, slip and all; by default the robot's true motion is felt."""
    radius: float = param(0.1, above=0, high=100.0)
    """Of the wheels [m]."""
    separation: float = param(0.4, above=0, high=1000.0)
    """Between left and right wheel [m]."""
    distance_scale: float = param(0.0, low=0.0, high=1.0)
    """Standard deviation of the error of its measure of distance."""
    turn_scale: float = param(0.0, low=0.0, high=1.0)
    """Standard deviation of the error of its measure of turning."""
    distance_noise: float = param(0.0, low=0.0)
    """Random walk of the place per axis [m/√m]."""
    turn_noise: float = param(0.0, low=0.0)
    """Random walk of the attitude per axis with turning [rad/√rad]."""
    heading_noise: float = param(0.0, low=0.0)
    """Random walk of the attitude per axis with distance [rad/√m]."""
    planar: bool = False
    """Errors only of x, y and heading."""

    @property
    def drifts(self) -> bool:
        """Whether it errs at all."""
        return any((self.distance_scale, self.turn_scale, self.distance_noise, self.turn_noise, self.heading_noise))


class Odometry(Sensor):
    """Reading: position [3] [m] and attitude [4] (w, x, y, z) in the frame of the mount at the first reading or the
    last `reset`; velocity [3] [m/s] and angular_velocity [3] [rad/s], means since the last reading, in the frame of
    the mount; pose_covariance and twist_covariance [6, 6]: of place and turns about the axes of the frame it counts in,
    and of the twist, by the errors of the configuration and the noise to first order (slip of wheels is no part)."""

    Config: ClassVar[type[SensorConfig]] = OdometryConfig
    noisy: ClassVar[tuple[str, ...]] = ("position", "velocity", "angular_velocity")
    keeps: ClassVar[tuple[str, ...]] = ("_last_ns", "_last_X", "_last_wheels", "_scales", "_p", "_q", "_P")
    reckons: ClassVar[bool] = True
    config: OdometryConfig

    def prepare(self) -> None:
        """Find the wheels, and begin at zero."""
        self._wheels = [self.robot.description.joint(j) for j in self.config.wheels or ()]
        self._last_ns = -1
        self._last_X, self._last_wheels = np.eye(3, 4), np.zeros(2)
        self._scales = np.zeros(2)
        self._p, self._q = np.zeros(3), np.array([1.0, 0, 0, 0])
        self._P = first_covariance(self.config)
        self._twist = np.zeros((6, 6))

    @control
    def reset(
        self, position: Sequence[float] = (0.0, 0.0, 0.0), attitude_wxyz: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    ) -> None:
        """Say that it is at a place [3] [m] and attitude [4] now; by default at zero."""
        p, q = np.array(position, float), np.array(attitude_wxyz, float)
        if p.shape != (3,) or q.shape != (4,) or not np.isfinite([*p, *q]).all() or np.linalg.norm(q) < 1e-9:
            raise CommandError(f"odometry '{self.name}': cannot be at {position}, {attitude_wxyz}; give [3] and [4]")
        step, turn = self._since() if self._last_ns >= 0 else np.zeros((2, 3))
        # Of the last reading, from where the next one goes on: what has moved since then must not count twice.
        self._q = quat_multiply(quat_normalise(q), quat_conjugate(quat_from_vector(turn)))
        self._p = p - quat_rotate(self._q, step)
        self._P = first_covariance(self.config)

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Add what was felt of the motion since the last reading."""
        X = self.X_WS
        true_step, true_turn = step, turn = np.zeros(3), np.zeros(3)
        if self._last_ns >= 0:
            true_step, true_turn = self._since()
            step, turn = self._felt(true_step, true_turn)
        elif self.config.drifts:
            self._scales = self.generator.standard_normal(2) * [self.config.distance_scale, self.config.turn_scale]
        hertz = SECOND / max(now_ns - self._last_ns, 1)
        self._last_ns, self._last_X = now_ns, X
        self._last_wheels = self.robot.joint_positions[self._wheels] if self._wheels else self._last_wheels
        if self.config.drifts:
            R = matrix_from_quat(self._q)
            self._P, self._twist = grown(self._P, self.config, R, true_step, true_turn, hertz)
        self._p = self._p + quat_rotate(self._q, step)
        self._q = quat_normalise(quat_multiply(self._q, quat_from_vector(turn)))
        return {
            "position": self._p.copy(), "attitude": self._q.copy(),
            "velocity": step * hertz, "angular_velocity": turn * hertz,
        }  # fmt: skip

    def derive(self, data: dict[str, np.ndarray]) -> None:
        """How sure it may be."""
        pose, twist = self._P[:6, :6].copy(), self._twist.copy()
        seconds = max(self._last_ns, 0) / SECOND
        for array, whole, at in (("position", pose, 0), ("velocity", twist, 0), ("angular_velocity", twist, 3)):
            noise = self.config.noise.get(array)
            if noise is not None:
                part = slice(at, at + 3)
                whole[part, part] += np.diag(noise.variance(data[array], self.config.rate, seconds))
        data["pose_covariance"], data["twist_covariance"] = pose, twist

    def _since(self) -> tuple[np.ndarray, np.ndarray]:
        """Step [m] and turn [rad] in the frame of the last reading, without errors."""
        return self._rolled() if self._wheels else self._moved()

    def _felt(self, step: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same, errors included."""
        c = self.config
        if not c.drifts:
            return step, turn
        way, angle = np.linalg.norm(step), np.linalg.norm(turn)
        place, heading = self.generator.standard_normal((2, 3))
        if c.planar:
            place[2], heading[:2] = 0.0, 0.0
        step = step * (1 + self._scales[0]) + c.distance_noise * np.sqrt(way) * place
        spread = np.sqrt(c.turn_noise**2 * angle + c.heading_noise**2 * way)
        return step, turn * (1 + self._scales[1]) + spread * heading

    def _moved(self) -> tuple[np.ndarray, np.ndarray]:
        X, R, since = self.X_WS, self._last_X[:, :3], np.eye(3, 4)
        since[:, :3] = R.T @ X[:, :3]
        return R.T @ (X[:, 3] - self._last_X[:, 3]), turned(np.eye(3, 4), since)

    def _rolled(self) -> tuple[np.ndarray, np.ndarray]:
        """Both wheels roll without slip: an arc."""
        left, right = (self.robot.joint_positions[self._wheels] - self._last_wheels) * self.config.radius
        way, angle = (left + right) / 2, (right - left) / self.config.separation
        chord = way * np.sinc(angle / (2 * np.pi))
        return np.array([chord * np.cos(angle / 2), chord * np.sin(angle / 2), 0.0]), np.array([0.0, 0.0, angle])

    def outputs(self) -> list[Output]:
        """An Odometry message in the frame where it began."""
        return [Output("", _ODOMETRY, self._told, "odom")]

    def _told(self, reading: Reading) -> Fields:
        d = reading.data
        covariances = d["pose_covariance"], d["twist_covariance"]
        return _odometry(
            self.frame_id, d["position"], d["attitude"], d["velocity"], d["angular_velocity"], *covariances
        )
