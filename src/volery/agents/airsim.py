"""Bodies behind an AirSim server, ours or any other: agents as an ordinary client of it."""

from __future__ import annotations

import math
import time
from concurrent.futures import Future
from typing import Any

import numpy as np

from volery.agents.agent import wrap
from volery.agents.body import Body
from volery.agents.events import KinematicsPerception, LidarPerception, Perception, PosePerception, StatePerception
from volery.agents.influences import Influence, Land, MoveByVelocity, RotateToYaw, Takeoff
from volery.agents.rpc import RpcClient
from volery.core.frames import enu_from_ned, frd_from_flu, ned_from_enu, q_enu_flu_from_ned_frd, quat_rotate
from volery.errors import SimulationError

__all__ = ["AirSimBody", "AirSimWorld"]

_TIMEOUT = 60.0
"""Of takeoff and landing [s]."""
_KEEP = {"is_rate": True, "yaw_or_rate": 0.0}
"""AirSim's yaw mode that leaves the nose as it is."""


def _vector(value: dict[str, float]) -> np.ndarray:
    return np.array([value["x_val"], value["y_val"], value["z_val"]], float)


def _quaternion(value: dict[str, float]) -> np.ndarray:
    return np.array([value["w_val"], value["x_val"], value["y_val"], value["z_val"]], float)


class AirSimBody(Body):
    """A multirotor of an AirSim server. W is its world's NED zero with axes east, north, up, for all vehicles alike."""

    def __init__(
        self, client: RpcClient, name: str, lidar: str | None = "", frame: str = "VehicleInertialFrame"
    ) -> None:
        """Takes control of a vehicle. lidar: name of its lidar, empty for the first, None: without; frame: its
        DataFrame, for AirSim does not tell."""
        super().__init__(name)
        if frame not in ("VehicleInertialFrame", "SensorLocalFrame"):
            raise SimulationError(f"DataFrame '{frame}': must be VehicleInertialFrame or SensorLocalFrame")
        self._client, self._lidar, self._local = client, lidar, frame == "SensorLocalFrame"
        client.call("enableApiControl", True, name)
        client.call("armDisarm", True, name)
        # A vehicle counts from its own start; the scene's object of the same name from the world's zero.
        there = _vector(client.call("simGetObjectPose", name)["position"])
        self._home = there - _vector(client.call("simGetVehiclePose", name)["position"])
        """The vehicle's zero, NED [m]."""
        if not np.isfinite(self._home).all():
            raise SimulationError(f"the server does not tell where vehicle '{name}' is in its world")
        self._first_ns: int | None = None
        self._asked: list[Future[Any]] = []
        self._last: Future[Any] | None = None

    def expect(self) -> None:
        """Ask for state, kinematics and lidar."""
        ask = self._client.ask
        self._asked = [
            ask("getMultirotorState", self.name),
            ask("simGetGroundTruthKinematics", self.name),
        ]
        if self._lidar is not None:
            self._asked.append(ask("getLidarData", self._lidar, self.name))

    def perceive(self) -> list[Perception]:
        """What was asked for; a manoeuvre that the server refused is an error here."""
        if self._last is not None and self._last.done():
            self._last.result()
            self._last = None
        if not self._asked:
            self.expect()
        state, motion, *clouds = (asked.result(timeout=self._client.timeout) for asked in self._asked)
        self._asked = []
        now_ns = int(state["timestamp"])
        self._first_ns = now_ns if self._first_ns is None else self._first_ns
        now_ns -= self._first_ns
        landed, touches = int(state["landed_state"]) == 0, bool(state["collision"]["has_collided"])
        q = q_enu_flu_from_ned_frd(_quaternion(motion["orientation"]))
        w_B = frd_from_flu(_vector(motion["angular_velocity"]))
        return [
            StatePerception(now_ns, landed, False, touches),
            *(LidarPerception(now_ns, self._points(cloud)) for cloud in clouds),
            PosePerception(now_ns, enu_from_ned(_vector(motion["position"]) + self._home), q),
            KinematicsPerception(now_ns, enu_from_ned(_vector(motion["linear_velocity"])), quat_rotate(q, w_B)),
        ]

    def _points(self, cloud: dict[str, Any]) -> np.ndarray:
        """Points of a reading in W, [n, 3] [m]; AirSim tells an empty one as a single number."""
        flat = np.asarray(cloud["point_cloud"], float)
        points = flat[: len(flat) // 3 * 3].reshape(-1, 3)
        if self._local:
            pose = cloud["pose"]
            points = quat_rotate(_quaternion(pose["orientation"]), points) + _vector(pose["position"])
        return enu_from_ned(points + self._home)

    def apply(self, influence: Influence) -> None:
        """Send it; the server answers when the manoeuvre is over, and nobody waits for that."""
        ask, name = self._client.ask, self.name
        if isinstance(influence, Takeoff):
            self._last = ask("takeoff", _TIMEOUT, name)
        elif isinstance(influence, Land):
            self._last = ask("land", _TIMEOUT, name)
        elif isinstance(influence, MoveByVelocity):
            self._last = ask(
                "moveByVelocity", *ned_from_enu(influence.v_W).tolist(), influence.duration, 0, _KEEP, name
            )
        elif isinstance(influence, RotateToYaw):
            yaw, margin = math.degrees(wrap(math.pi / 2 - influence.yaw)), math.degrees(influence.margin)
            self._last = ask("rotateToYaw", yaw, influence.timeout, margin, name)


class AirSimWorld:
    """The clock of an AirSim server, held between steps: for the strategy `FixedStep`."""

    def __init__(self, client: RpcClient, vehicle: str) -> None:
        """vehicle: any, whose time stamps are read."""
        self._client, self._vehicle = client, vehicle
        client.call("simPause", True)
        self._first_ns = self._stamp()

    @property
    def now_ns(self) -> int:
        """Simulated time since the beginning [ns]."""
        return self._stamp() - self._first_ns

    def advance(self, seconds: float) -> None:
        """Let so much time pass. Our server answers when it has; AirSim at once, so it is asked until it stands."""
        self._client.call("simContinueForTime", float(seconds))
        end = time.monotonic() + self._client.timeout
        while not self._client.call("simIsPaused"):
            if time.monotonic() > end:
                raise SimulationError(f"the server did not come to a stand {seconds:g} s later")
            time.sleep(0.001)

    def release(self) -> None:
        """Let the clock go on by itself."""
        self._client.call("simPause", False)

    def _stamp(self) -> int:
        return int(self._client.call("getMultirotorState", self._vehicle)["timestamp"])
