"""The tree of frames: map → odom → base_link → bodies and sensors; what never moves on /tf_static, latched."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import Bus
from volery.bus.odometry import Estimate, Reckoning, composed, odometry_message
from volery.bus.publisher import Publisher
from volery.bus.ros2 import MAP, ODOM, FrameNames, Ros2Config
from volery.bus.running import Running
from volery.core.frames import rigid_inverse
from volery.robots.robot import Robot
from volery.sensors.sensor import Sensor

__all__ = ["Transforms"]

_OPTICAL = np.array([[0.0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 0]])
"""ROS's camera frame (z ahead, x right, y down) in ours (x ahead, y left, z up)."""
_STILL = np.eye(3, 4)
_TYPE = "tf2_msgs/msg/TFMessage"


class _Tree:
    """The frames of one robot."""

    def __init__(self, robot: Robot, sensors: dict[str, Sensor], optical: set[str], names: FrameNames) -> None:
        """optical: sensors of which something is told in the frame of a picture."""
        self.robot, self.sensors = robot, dict(sensors)
        self.reckoning = Reckoning(robot, sensors)
        self.optical = optical
        self._names = names
        description = robot.description
        jointed = {j.body for j in description.joints}
        bent = bool(description.skins) or bool(self.bent())
        count = range(1, len(description.bodies))
        self.moving = [b for b in count if bent or b in jointed]
        self.fixed = [b for b in count if b not in self.moving]
        self.frames = [names.body(robot, b, sensors) for b in range(len(description.bodies))]

    def bent(self) -> bool:
        """Whether a bone is bent, which bodies without joints are not at first."""
        return bool((self.robot.X_bone[1:] != _STILL).any())

    def still(self, truth: bool) -> list[Any]:
        """What never moves. truth: the true place of an odom frame that does not drift is told."""
        robot, names = self.robot, self._names
        found = []
        if truth and self.reckoning.sensor is None:
            found.append(m.transform(0, MAP, names.odom(robot.name), _STILL))
        found += [self._body(b, 0) for b in self.fixed]
        for sensor in self.sensors.values():
            if sensor.pointing is None:
                found.append(self._sensor(sensor, 0))
            if sensor.name in self.optical:
                own = names.sensor(sensor)
                found.append(m.transform(0, own, f"{own}_optical", _OPTICAL))
        return found

    def moved(self, now: int, estimate: Estimate | None, truth: bool) -> list[Any]:
        """What moves."""
        robot, names, found = self.robot.name, self._names, []
        if estimate is not None:
            if truth and self.reckoning.sensor is not None:
                found.append(m.transform(estimate.stamp_ns, MAP, names.odom(robot), estimate.X_WO))
            found.append(m.transform(estimate.stamp_ns, names.odom(robot), names.base(robot), estimate.X_OB))
        found += [self._body(b, now) for b in self.moving]
        return found + [self._sensor(s, now) for s in self.sensors.values() if s.pointing is not None]

    def _body(self, b: int, now: int) -> Any:
        parent, X = int(self.robot.description.parent[b]), self.robot.X_WB
        return m.transform(now, self.frames[parent], self.frames[b], composed(rigid_inverse(X[parent]), X[b]))

    def _sensor(self, sensor: Sensor, now: int) -> Any:
        X = composed(rigid_inverse(self.robot.X_WB[sensor.body]), sensor.X_WF)
        return m.transform(now, self.frames[sensor.body], self._names.sensor(sensor), X)


class Transforms:
    """Tells all frames of a simulation, and where robots think they are."""

    def __init__(self, bus: Bus, config: Ros2Config) -> None:
        self._bus, self._config, self._names = bus, config, FrameNames(config)
        self._trees: dict[str, _Tree] = {}
        self._odom: dict[str, Publisher] = {}
        self._changed = True
        """Whether what never moves is to be told anew."""
        self._topics: dict[str, tuple[Publisher, Publisher]] = {}
        """What moves and what does not, by robot; for all of them under the empty name, if they share their topics."""
        if not self._names.plain:
            self._topics[""] = self._advertise("")

    def _advertise(self, root: str) -> tuple[Publisher, Publisher]:
        shared = not root
        return (
            self._bus.advertise(f"{root}/tf", _TYPE, depth=100, shared=shared),
            self._bus.advertise(f"{root}/tf_static", _TYPE, depth=1, latched=True, shared=shared),
        )

    def follow(self, simulation: Running, optical: dict[str, set[str]]) -> None:
        """Take note of robots and sensors that came, went or were made anew; optical: names of sensors by robot of
        which something is told in the frame of a picture."""
        changed = False
        for name in self._trees.keys() - simulation.robots.keys():
            changed = True
            self._forget(name)
        for name, robot in simulation.robots.items():
            sensors, seen, tree = simulation.sensors[name], optical.get(name, set()), self._trees.get(name)
            if tree is None or tree.robot is not robot or not _same(tree.sensors, sensors) or tree.optical != seen:
                changed = True
                self._trees[name] = _Tree(robot, sensors, set(seen), self._names)
                self._open(name, sensors)
        self._changed = self._changed or changed

    def __call__(self, simulation: Running) -> None:
        """Publish the step that has just been made."""
        now, truth = simulation.clock.now_ns, self._config.truth_tf
        moved: dict[str, list[Any]] = {}
        for name, tree in self._trees.items():
            if tree.fixed and tree.bent():
                self._trees[name] = tree = _Tree(tree.robot, tree.sensors, tree.optical, self._names)
                self._changed = True
            key = name if self._names.plain else ""
            odom = self._odom.get(name)
            wanted, heard = self._topics[key][0].wanted, odom is not None and odom.wanted
            delayed = tree.reckoning.sensor is not None and tree.reckoning.sensor.config.delay > 0
            if not (wanted or heard or delayed):
                continue
            estimate = tree.reckoning.look(simulation)
            if heard and odom is not None and estimate is not None:
                odom.put(odometry_message(estimate, self._names, name), estimate.stamp_ns)
            if wanted:
                moved.setdefault(key, []).extend(tree.moved(now, estimate, truth))
        if self._changed:
            self._changed = False
            self._tell_still(now)
        for key, found in moved.items():
            if found:
                self._topics[key][0].put(m.transforms(found), now)

    def close(self) -> None:
        """End the topics."""
        for name in list(self._trees):
            self._forget(name)
        for publishers in self._topics.values():
            for publisher in publishers:
                publisher.close()

    def _open(self, name: str, sensors: dict[str, Sensor]) -> None:
        if self._names.plain and name not in self._topics:
            self._topics[name] = self._advertise(f"/{name}")
        if ODOM in sensors:
            if name in self._odom:
                self._odom.pop(name).close()
        elif name not in self._odom:
            # A sensor of that name tells its own.
            self._odom[name] = self._bus.advertise(f"/{name}/{ODOM}", "nav_msgs/msg/Odometry")

    def _forget(self, name: str) -> None:
        del self._trees[name]
        if name in self._odom:
            self._odom.pop(name).close()
        for publisher in self._topics.pop(name, ()):
            publisher.close()

    def _tell_still(self, now: int) -> None:
        truth = self._config.truth_tf
        for key, (_, publisher) in self._topics.items():
            trees = [tree for name, tree in self._trees.items() if key in ("", name)]
            publisher.put(m.transforms([t for tree in trees for t in tree.still(truth)]), now)


def _same(before: dict[str, Sensor], now: dict[str, Sensor]) -> bool:
    return before.keys() == now.keys() and all(before[name] is now[name] for name in now)
