"""Where all bodies of all robots are, what they touch and which lights shine, in one frame: for pages, recordings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.frames import pack
from volery.bus.running import Running
from volery.core.clock import Rate
from volery.core.frames import quat_from_matrix
from volery.robots.robot import Contact, Robot
from volery.sensors.sensor import Sensor
from volery.world.environment import Spot

__all__ = ["POSES", "Poses", "PosesHeader", "PosesTopic", "Roster", "poses_frame"]

POSES = "/volery/poses"
"""The frame of `poses_frame`, packed."""
_RATE = 50.0
"""Frames a second of simulated time [Hz]."""


@dataclass(frozen=True)
class PosesHeader:
    """Header of the frame in which all poses are told."""

    kind: Literal["poses"]
    version: int
    """Of the list of robots; 0: the header names them itself."""
    now_ns: int
    contacts: list[tuple[str, str]]
    """Robot, and what it touches."""
    robots: list[tuple[str, int]] | None = field(default=None, metadata={"maybe": True})
    """Name and number of bodies of each robot, on the bus and in recordings."""


@dataclass(frozen=True, eq=False)
class Poses:
    """All that moves, at an instant: copies, so that the loop can go on."""

    version: int
    """Of the list of robots and sensors, see `Roster`."""
    now_ns: int
    robots: tuple[tuple[str, int], ...]
    """Name and number of bodies of each robot, in the order of the rows."""
    X_WB: np.ndarray
    """Of all bodies of all robots, float64 [n, 3, 4]."""
    velocity: np.ndarray
    """Of the robots' roots in W [m/s], float64 [r, 3]."""
    contacts: tuple[tuple[str, Contact], ...]
    """Robot, and what it touched since the poses before: of several steps the one of the hardest touch."""
    spots: tuple[Spot, ...]
    aim: np.ndarray
    """Of all devices that turn against their mounts: to the left [rad], up [rad], zoom; float64 [c, 3]."""


class Roster:
    """Knows which robots and sensors there are, and takes their poses; called in the loop."""

    def __init__(self) -> None:
        self.version = 0
        """Counts changes of the list of robots and sensors; bodies are numbered through in its order."""
        self._robots: list[Robot] = []
        self._sensors: list[Sensor] = []
        self._turning: list[Sensor] = []
        self._rows: tuple[tuple[str, int], ...] = ()
        self._struck: dict[str, tuple[float, tuple[Contact, ...]]] = {}

    def feel(self, simulation: Running) -> None:
        """Keep the hardest touches of a step: a blow lasts for one step, and poses are taken of a few only."""
        for name, robot in simulation.robots.items():
            if robot.contacts:
                hardest = max(float(c.impulse_W @ c.impulse_W) for c in robot.contacts)
                if name not in self._struck or hardest > self._struck[name][0]:
                    self._struck[name] = (hardest, robot.contacts)

    def look(self, simulation: Running) -> int:
        """Take note of robots and sensors that came or went; the version."""
        robots = list(simulation.robots.values())
        sensors = [s for own in simulation.sensors.values() for s in own.values()]
        # Compared by identity: a robot that was made anew is another one.
        if self.version == 0 or robots != self._robots or sensors != self._sensors:
            self.version += 1
            self._robots, self._sensors = robots, sensors
            self._turning = [s for s in sensors if s.pointing is not None]
            self._rows = tuple((r.name, len(r.X_WB)) for r in robots)
        return self.version

    def take(self, simulation: Running) -> Poses:
        """The present, copied, with what was felt since the last time."""
        self.look(simulation)
        self.feel(simulation)
        robots, struck = self._robots, self._struck
        self._struck = {}
        return Poses(
            self.version,
            simulation.clock.now_ns,
            self._rows,
            np.concatenate([r.X_WB for r in robots]) if robots else np.zeros((0, 3, 4)),
            np.array([r.v_WB_W for r in robots]).reshape(-1, 3),
            tuple((r.name, c) for r in robots if r.name in struck for c in struck[r.name][1]),
            tuple(simulation.environment.spots()),
            np.array([s.pointing for s in self._turning], float).reshape(-1, 3),
        )


def poses_frame(poses: Poses, *, names: bool = False) -> bytes:
    """The `poses` frame of a page; names: tell the robots themselves in place of the version of their list."""
    touches = [(robot, contact.other) for robot, contact in poses.contacts]
    header = PosesHeader("poses", 0 if names else poses.version, poses.now_ns, touches, list(poses.robots))
    told = {name: value for name, value in asdict(header).items() if names or name != "robots"}
    contacts, spots = [c for _, c in poses.contacts], poses.spots
    arrays = {
        "p": poses.X_WB[:, :, 3],
        "q": quat_from_matrix(poses.X_WB[:, :, :3]).astype(np.float32),
        "velocity": poses.velocity.astype(np.float32),
        "aim": poses.aim.astype(np.float32),
        "contact_p": _rows([c.p_W for c in contacts], np.float64),
        "impulse": _rows([c.impulse_W for c in contacts], np.float32),
        "spot_p": _rows([s.p_W for s in spots], np.float64),
        "spot_ahead": _rows([s.ahead_W for s in spots], np.float32),
        "spot_light": _rows([[*s.light, s.cosine] for s in spots], np.float32, 4),
    }
    return pack(told, arrays)


def _rows(values: list[Any], kind: type, width: int = 3) -> np.ndarray:
    return np.array(values, kind).reshape(-1, width)


class PosesTopic:
    """Puts all poses on the bus, 50 times a second of simulated time, if anyone listens."""

    def __init__(self, bus: Bus) -> None:
        self._publisher = bus.advertise(POSES, "std_msgs/msg/UInt8MultiArray")
        self._roster = Roster()
        self._rate = Rate.of(_RATE)

    def __call__(self, simulation: Running) -> None:
        """Publish the step that has just been made, if it is time."""
        clock = simulation.clock
        if not self._publisher.wanted:
            return
        self._roster.feel(simulation)
        if self._rate.due(clock.now_ns, clock.step_ns):
            data = poses_frame(self._roster.take(simulation), names=True)
            self._publisher.put(m.packed(data), clock.now_ns)

    def close(self) -> None:
        """End the topic."""
        self._publisher.close()
