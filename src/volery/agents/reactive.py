"""The two behaviours of the SARL report, with its numbers: a decision tree walked once a second.

Written anew from the report and its published sources (Licata, Lieffroy, Fardeau-Spire: Drone
Simulation, UTBM 2021) and kept as they are, weaknesses included: one decision a second at up to 9 m/s, five metres of
sight, all lidar points taken as one, and no memory.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from volery.agents.agent import Agent, heading
from volery.agents.events import Delivered, KinematicsPerception, Notice, Returned
from volery.agents.influences import Influence, MoveByVelocity, RotateToYaw, Takeoff
from volery.agents.sliding import sliding_force

__all__ = ["ReachLocation", "ReachLocationAmongDrones"]

_DELAY = 5.0
"""From the takeoff to the first decision [s]."""
_NEAR = 1.0
"""A target is reached when both coordinates are as near [m]."""
_TURNED = 3.0
"""The nose is right within so many degrees, which theirs compares without regard to where angles wrap."""
_SPEED = 6.0
"""Sum of the parts of a velocity [m/s]."""
_AVOID = 1.5
"""Times as fast when avoiding; vertically half."""
_ZERO = 0.7
"""Height of their zero over the ground [m]; the report does not tell it."""
_CRUISE = 2.0
"""They ascend to this height over their zero [m]."""


def _scaled(way: np.ndarray, slow_when_near: bool = False) -> np.ndarray:
    """Their velocity along a way: parts in proportion, of 6 m/s in sum; 1 m/s near a target."""
    total = float(np.abs(way).sum())
    if slow_when_near and total < 10.0 * _NEAR:
        return np.array([way[0] / total, way[1] / total, way[2]])
    return way / total * _SPEED


class ReachLocation(Agent):
    """*Reach location with obstacle avoidance*: land when there, return to base, ascend, flee from the mean of all
    lidar points, turn, go. It flies backwards, since its lidar looks back."""

    period: ClassVar[float] = 1.0
    lidar: ClassVar[dict[str, Any]] = {
        # AirSim's lidar of 5 lines from -15° to -45°, 1,000 points a second and 10 turns, pitched by -145°.
        "type": "lidar", "model": "vlp16", "rate": 10, "elevations_deg": [-45.0, -37.5, -30.0, -22.5, -15.0],
        "columns": 20, "field_deg": [-180, 180], "min_range": 0.0, "max_range": 5.0, "motion": False, "start": 0.3,
        "frame": "world", "dense": True, "mount": {"attitude_deg": [0, 145, 0]},
    }  # fmt: skip

    def __init__(self, name: str, base_W: np.ndarray, rank: int = 0) -> None:
        super().__init__(name, base_W, rank)
        self._began: float | None = None
        self._homeward = False

    def decide(self, now: float) -> None:
        """Take off at first; after a while walk the tree."""
        if self._began is None:
            if self.errands:
                self._began, self.doing = now, "takes off"
                self.wishes.append(Takeoff())
            return
        if now - self._began < _DELAY or not (self.errands or self._homeward):
            return
        self.wishes.append(self._walk(self._target()))

    def _target(self) -> np.ndarray:
        goal = self.base_W if self._homeward else self.errands[0]
        return goal + [0.0, 0.0, _ZERO]

    def _walk(self, target_W: np.ndarray) -> Influence:
        """The tree."""
        assert self.pose is not None
        way = target_W - self.pose.p_WB
        if abs(way[0]) < _NEAR and abs(way[1]) < _NEAR:
            return self._down() if way[2] < 0.0 else self._arrive()
        if -way[2] < _CRUISE:
            return self._move("ascends", _scaled(np.array([0.0, 0.0, 1.0])))
        return self._among_others(target_W) or self._away_from_points() or self._go(way)

    def _down(self) -> Influence:
        return self._move("lands", _scaled(np.array([0.0, 0.0, -1.0])))

    def _arrive(self) -> Influence:
        """At a target turn back; at the base take the next parcel."""
        if self._homeward:
            self.words.append(Returned(self.name))
        else:
            self.words.append(Delivered(self.name, self.errands.popleft()))
        self._homeward = not self._homeward
        return self._move("is there", np.zeros(3))

    def _among_others(self, target_W: np.ndarray) -> Influence | None:
        """This one does not know of others."""
        return None

    def _away_from_points(self) -> Influence | None:
        """Away from the mean of what the lidar hit; the points are used once."""
        cloud, self.cloud = self.cloud, None
        if cloud is None or not len(cloud.points_W):
            return None
        assert self.pose is not None
        v = _scaled(cloud.points_W.mean(axis=0) - self.pose.p_WB)
        return self._move("avoids a thing", v * [-_AVOID, -_AVOID, -0.5])

    def _go(self, way: np.ndarray) -> Influence:
        """With the tail to the target, move; else turn."""
        assert self.pose is not None
        wanted = math.atan2(-way[1], -way[0])
        if abs(math.degrees(heading(self.pose.q_WB_wxyz) - wanted)) < _TURNED:
            return self._move("goes", _scaled(np.array([way[0], way[1], 0.0]), slow_when_near=True))
        self.doing = "turns"
        return RotateToYaw(wanted)

    def _move(self, doing: str, v_W: np.ndarray) -> Influence:
        self.doing = doing
        return MoveByVelocity(v_W, self.period)


class ReachLocationAmongDrones(ReachLocation):
    """*Reach location with drones and obstacle avoidance*: agents tell each other pose and velocity, and a sliding
    force goes before the lidar."""

    def introduce(self) -> None:
        """Pose and velocity."""
        if self.pose is not None and self.kinematics is not None:
            self.words.append(Notice(self.name, self.pose.p_WB, self.kinematics.v_WB_W))

    def _among_others(self, target_W: np.ndarray) -> Influence | None:
        assert self.pose is not None and isinstance(self.kinematics, KinematicsPerception)
        others = list(self.others.values())
        p, v = self.pose.p_WB, self.kinematics.v_WB_W
        force = sliding_force(p, v, target_W, [o.p_WB for o in others], [o.v_WB_W for o in others])
        return self._move("avoids a drone", force) if force.any() else None
