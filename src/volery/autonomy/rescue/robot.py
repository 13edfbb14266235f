"""A robot that drives through a place it does not know, maps it and looks for victims, by its own sensors alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from volery.autonomy.rescue.bumper import SLOW, VirtualBumper
from volery.autonomy.rescue.localisation import WheelLidar
from volery.autonomy.rescue.panes import unseen
from volery.autonomy.rescue.sensors import CONE, LOOK_FAR, LOOK_WIDTH, SENSORS
from volery.autonomy.stack import mount
from volery.core.clock import SECOND
from volery.robots.commands import BodyVelocity, Flip
from volery.sim import Simulation

if TYPE_CHECKING:
    from volery.autonomy.rescue.search import Team

__all__ = ["Rescuer"]

_HEARD = 5.0
"""A voice is put down to someone within this, as far as the victim sensor sees [m]."""
_SPEED, _TURN = 0.5, 1.0
"""Of driving [m/s] and turning [rad/s]."""
_AHEAD = 0.3
"""The wheels are steered to a place so far ahead on the way [m]."""
_STUCK_TIME, _STUCK_WAY, _STUCK_TURN = 3.0, 0.12, 0.35
"""Wheels that brought it no farther than this [m], [rad] in that time [s] have come to nothing."""
_BACK = 1.5
"""It backs off for so long then [s]."""
_UPRIGHT = np.cos(np.radians(35.0))
"""Of the tilt from which on it is about to tip over: no ramp is as steep."""
_LIES = np.cos(np.radians(60.0))
"""Of the tilt from which on it does not come back by itself."""
_RIGHTED = 4.0
"""So long it takes to be put on its wheels, before it is tried again [s]."""
_SAME = 0.4
"""Stuck again so near to the last time, it begins with another of these [m]."""
_ESCAPES = [(-0.3, 0.0), (-0.3, 0.6), (-0.3, -0.6), (0.0, 1.0), (0.0, -1.0), (0.3, 0.0)]
"""Speed ahead [m/s] and yaw rate [rad/s]."""


class Rescuer:
    """One robot of the team; a controller of the simulation."""

    def __init__(self, simulation: Simulation, name: str, team: Team) -> None:
        self.name, self.team = name, team
        # The pose at the start is given, as the origin of all that follows; the true pose is not looked at again.
        X_WB = simulation.robot(name).X_WB[0]
        self._mounts = {s: mount(X_WB, simulation.sensor(name, s)) for s in SENSORS if s != "Odometry"}
        self.localisation = WheelLidar(X_WB, self._mounts["lidar"], self._mounts["imu"], team.walls)
        self.path: list[np.ndarray] = [X_WB[:, 3].copy()]
        """Estimated places at sweeps [m]."""
        self.route: np.ndarray | None = None
        """The way that is taken, [n, 2] [m]."""
        self.doing = "waits"
        self.flips = 0
        """How often it was put on its wheels."""
        self._bumper = VirtualBumper()
        self._sweep_B = np.zeros((0, 3))
        """What the lidar met last [m]."""
        self._felt_ns: int | None = None
        self._backs_until = self._righted_at = 0.0
        self._stuck_at, self._tries, self._turns = np.full(3, np.inf), 0, False
        self._spun: float | None = None
        """How far it has turned to look round [rad]; None: it does not."""
        self._last_yaw = self.yaw
        self._check: tuple[float, np.ndarray, float] = (0.0, self.p_WB, self.yaw)
        self.ready_at = simulation.clock.now + 1.5 + 0.5 * len(team.robots)

    @property
    def p_WB(self) -> np.ndarray:
        """Where it believes to be, [3] [m]."""
        return self.localisation.state.p_WB

    @property
    def yaw(self) -> float:
        """Its heading as it believes [rad]."""
        R = self.localisation.state.R_WB
        return float(np.arctan2(R[1, 0], R[0, 0]))

    def __call__(self, simulation: Simulation) -> None:
        """Take what was sensed in the last step, and steer."""
        takes = {
            "Odometry": self._roll,
            "imu": self._feel,
            "lidar": self._sweep,
            "victim": self._spot,
            "sound": self._listen,
        }
        for robot, sensor, reading in simulation.fresh:
            if robot != self.name:
                continue
            if sensor in takes:
                takes[sensor](reading)
            elif sensor.startswith("sonar_"):
                self._echo(sensor, float(reading.data["range"][0]))
        now = simulation.clock.now
        if simulation.clock.steps % 5 == 0:
            v, w = self._steer(now)
            simulation.command(self.name, BodyVelocity(np.array([v, 0.0, 0.0]), yaw_rate=w))
            if self.lies and now >= self._righted_at:
                simulation.command(self.name, Flip())
                self.flips, self._righted_at = self.flips + 1, now + _RIGHTED

    # Senses

    def _feel(self, reading: Any) -> None:
        before, self._felt_ns = self._felt_ns, reading.stamp_ns
        if before is not None:
            data, dt = reading.data, (reading.stamp_ns - before) / SECOND
            self.localisation.feel(data["specific_force"], data["angular_velocity"], dt)

    def _roll(self, reading: Any) -> None:
        self.localisation.roll(float(reading.data["velocity"][0]))

    def _sweep(self, reading: Any) -> None:
        points, seconds = reading.data["points"], reading.data["time"]
        there = np.isfinite(points[:, 0])
        p_B = self.localisation.see(points[there], seconds[there], reading.stamp_ns / SECOND)
        state = self.localisation.state
        self._sweep_B = p_B
        p_W = p_B @ state.R_WB.T + state.p_WB
        self._bumper.place(state.p_WB, self.yaw)
        self._bumper.see(p_W, self.team.ground.over(p_W))
        # What other robots are is no part of the world: they tell where they are.
        for other in self.team.others(self):
            p_W = p_W[np.linalg.norm((p_W - other.p_WB)[:, :2], axis=1) > 0.55]
        if state.R_WB[2, 2] < _UPRIGHT:
            # What it sees from there would spoil the map.
            return
        eye = state.p_WB + state.R_WB @ self._mounts["lidar"][:, 3]
        up = np.array([0.0, 0.0, self.team.ground.rise(eye, p_W)])
        self.localisation.lift(up[2])
        self.team.ground.add(eye + up, p_W + up)
        self.team.ground.stand(state.p_WB)
        self.path.append(state.p_WB.copy())

    def _echo(self, sonar: str, echo: float) -> None:
        state, X = self.localisation.state, self._mounts[sonar]
        pane = unseen((self._sweep_B - X[:, 3]) @ X[:, :3], echo, CONE)
        p, way = state.p_WB + state.R_WB @ X[:, 3], state.R_WB @ X[:, 0]
        yaw = float(np.arctan2(way[1], way[0]))
        rim = yaw + np.array([-CONE, 0.0, CONE])
        arc = p[:2] + echo * np.hypot(way[0], way[1]) * np.stack([np.cos(rim), np.sin(rim)], axis=1)
        self._bumper.place(state.p_WB, self.yaw)
        self._bumper.hear(sonar, arc if pane else None)
        if state.R_WB[2, 2] > _UPRIGHT:
            self.team.ground.panes.hear(p, yaw, CONE, echo, pane)

    def _spot(self, reading: Any) -> None:
        state, X = self.localisation.state, self._mounts["victim"]
        eye = state.p_WB + state.R_WB @ X[:, 3]
        self.team.ground.look(eye, self.yaw, float(LOOK_WIDTH), LOOK_FAR)
        if self._spun is not None and self.team.ground.looked_round(state.p_WB):
            self._spun = None
        p_B = reading.data["location"] @ X[:, :3].T + X[:, 3]
        places = p_B @ state.R_WB.T + state.p_WB
        self.team.claims.see(places, reading.data["rays"], eye, reading.stamp_ns / SECOND, self.name)

    def _listen(self, reading: Any) -> None:
        state, X = self.localisation.state, self._mounts["sound"]
        direction = state.R_WB @ X[:, :3] @ reading.data["direction"]
        ear = state.p_WB + state.R_WB @ X[:, 3]
        self.team.claims.hear(direction, float(reading.data["intensity"][0]), ear, _HEARD)

    # Motion

    def look_round(self) -> None:
        """Turn on the spot, once at most: until all round it was looked at."""
        if self._spun is None:
            self._spun, self._last_yaw = 0.0, self.yaw

    @property
    def lies(self) -> bool:
        """Whether it has tipped over."""
        return bool(self.localisation.state.R_WB[2, 2] < _LIES)

    @property
    def busy(self) -> bool:
        """Whether it looks round or backs off, and wants no new way."""
        return self._spun is not None or self.doing == "backs off"

    def _steer(self, now: float) -> tuple[float, float]:
        """Speed ahead [m/s] and yaw rate [rad/s]."""
        if now < self.ready_at:
            return 0.0, 0.0
        self._bumper.place(self.p_WB, self.yaw)
        if self.lies:
            self.doing, self.route, self._spun = "lies", None, None
            self._check = (now, self.p_WB, self.yaw)
            return 0.0, 0.0
        if self.localisation.state.R_WB[2, 2] < _UPRIGHT and self._backs_until < now:
            # Back the way it came; what it climbed is not tried again.
            self.team.ground.bar(self._ahead(), 0.3)
            self._back_off(now)
        if now < self._backs_until:
            return self._bumper.first(_ESCAPES[self._tries :] + _ESCAPES[: self._tries])
        if self._spun is not None:
            return self._look(now)
        if self.route is None:
            self.doing = "waits"
            self._check = (now, self.p_WB, self.yaw)
            return 0.0, 0.0
        self.doing = "drives"
        if self._is_stuck(now):
            self._give_way(now)
            return 0.0, 0.0
        v, w = self._follow(self.route)
        self._turns = v == 0.0
        # Where a corner of it would touch, it cannot turn before it has gone on, or back.
        ahead, turn = SLOW[0], float(np.clip(w, -SLOW[1], SLOW[1]))
        slow = [(ahead, turn), (ahead, 0.0), (-ahead, turn), (-ahead, 0.0)]
        # A turn so slow is none.
        turns = [(0.0, w), (0.0, turn)] if abs(w) > 0.1 else []
        return self._bumper.first([(v, w), (0.5 * v, w), *turns, *slow])

    def _look(self, now: float) -> tuple[float, float]:
        """Turn on the spot."""
        self.doing = "looks round"
        assert self._spun is not None
        self._spun += abs(_turned(self.yaw, self._last_yaw))
        self._last_yaw = self.yaw
        if self._spun > 2 * np.pi or self._is_stuck(now):
            self._spun = None
            return 0.0, 0.0
        return self._bumper.first([(0.0, _TURN), (0.15, _TURN), (-0.15, _TURN), (0.15, 0.0), (-0.15, 0.0)])

    def _follow(self, route: np.ndarray) -> tuple[float, float]:
        p = self.p_WB[:2]
        near = int(np.argmin(np.linalg.norm(route - p, axis=1)))
        sums = np.cumsum(np.linalg.norm(np.diff(route[near:], axis=0), axis=1))
        aim = route[min(near + int(np.searchsorted(sums, _AHEAD)) + 1, len(route) - 1)]
        off = _turned(float(np.arctan2(*(aim - p)[::-1])), self.yaw)
        if abs(off) > 0.6:
            return 0.0, float(np.copysign(_TURN, off))
        rest = float(np.linalg.norm(route[-1] - p))
        return _SPEED * max(1.0 - abs(off), 0.3) * min(1.0, 0.3 + rest), float(np.clip(2.0 * off, -_TURN, _TURN))

    def _ahead(self) -> np.ndarray:
        """The place in front of it, [2] [m]."""
        return self.p_WB[:2] + 0.42 * np.array([np.cos(self.yaw), np.sin(self.yaw)])

    def _is_stuck(self, now: float) -> bool:
        since, p, yaw = self._check
        if np.linalg.norm(self.p_WB - p) > _STUCK_WAY or abs(_turned(self.yaw, yaw)) > _STUCK_TURN:
            self._check = (now, self.p_WB, self.yaw)
        return now - since > _STUCK_TIME

    def _give_way(self, now: float) -> None:
        """Back off; what is ahead is no way, unless it wanted to turn, or another robot stands there."""
        ahead = self._ahead()
        if not self._turns and all(np.linalg.norm(other.p_WB[:2] - ahead) > 0.7 for other in self.team.others(self)):
            self.team.ground.bar(ahead, 0.16)
        self._back_off(now)

    def _back_off(self, now: float) -> None:
        again = np.linalg.norm(self.p_WB - self._stuck_at) < _SAME
        self._tries = (self._tries + 1) % len(_ESCAPES) if again else 0
        self._stuck_at = self.p_WB
        self.doing, self.route, self._spun = "backs off", None, None
        self._backs_until = now + _BACK
        self._check = (now + _BACK, self.p_WB, self.yaw)


def _turned(a: float, b: float) -> float:
    """From b to a, within half a turn [rad]."""
    return float((a - b + np.pi) % (2 * np.pi) - np.pi)
