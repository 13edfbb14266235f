"""The services of simulation_interfaces, by which ROS 2 works any simulator; and the same by plain triggers."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import numpy as np
import re2
import yaml

from volery import registry
from volery.bus.actions import ABORTED, CANCELED, SUCCEEDED, ActionServer, Goal
from volery.bus.ros2 import MAP
from volery.core.frames import euler_from_quat
from volery.errors import CommandError, UnknownNameError, VoleryError
from volery.loop import Loop
from volery.protocols.ros2.answers import OK, UNSUPPORTED, WRONG_STATE, Desk, ServiceRefusedError, result
from volery.sim import Simulation

__all__ = ["SimulationServices"]

STOPPED, PLAYING, PAUSED, QUITTING = range(4)
_ALREADY = 101
_TAKEN, _NO_RESOURCE, _NAMESPACE, _PARSE, _POSE = 101, 104, 105, 106, 109
_SCOPE_SPAWNED, _SCOPE_PARTS, _SCOPE_ALL = 4, 7, 255
_ROBOT = 1
"""Category of robots."""
_MOST_STEPS = 100_000
_FEATURES = [0, 1, 8, 9, 10, 11, 14, 20, 23, 24, 25, 26, 31, 32, 33]
_WORLDS = ("", MAP, "world")


class SimulationServices:
    """Under /volery/: spawn, remove, look, put, reset, pause, step."""

    def __init__(self, simulation: Simulation, loop: Loop, desk: Desk) -> None:
        self._simulation, self._loop = simulation, loop
        table: dict[str, tuple[str, Callable[[Any], Any]]] = {
            "spawn_entity": ("SpawnEntity", self._spawn),
            "delete_entity": ("DeleteEntity", lambda r: simulation.remove(r.entity)),
            "get_entities": ("GetEntities", self._entities),
            "get_entity_state": ("GetEntityState", self._state_of),
            "set_entity_state": ("SetEntityState", self._put),
            "get_spawnables": (
                "GetSpawnables",
                lambda r: {"spawnables": [{"uri": n} for n in registry.names("robots")]},
            ),
            "get_simulation_state": ("GetSimulationState", lambda r: {"state": {"state": self._state}}),
            "set_simulation_state": ("SetSimulationState", lambda r: self._go_to(r.state.state)),
            "reset_simulation": ("ResetSimulation", self._reset),
            "step_simulation": ("StepSimulation", lambda r: self._step(int(r.steps))),
        }
        self._parts: list[Any] = [desk.simulate(f"/volery/{n}", *entry) for n, entry in table.items()]
        features = {"features": _FEATURES, "spawn_formats": [], "custom_info": "robots of Volery's library by name"}
        kind = "simulation_interfaces/srv/GetSimulatorFeatures"
        self._parts.append(
            desk.serve("/volery/get_simulator_features", kind, lambda r: None, lambda f, e: {"features": features})
        )
        plain: dict[str, Callable[[], Any]] = {
            "pause": loop.pause, "resume": loop.resume, "reset": simulation.reset, "step": lambda: self._step(1)
        }  # fmt: skip
        self._parts += [desk.trigger(f"/volery/{n}", work) for n, work in plain.items()]
        self._parts.append(
            ActionServer(
                desk.bus, "/volery/simulate_steps", "simulation_interfaces/action/SimulateSteps", self._begin_steps,
                lambda goal: None, lambda: simulation.clock.now_ns,
            )
        )  # fmt: skip

    def close(self) -> None:
        """Answer no more."""
        for part in self._parts:
            part.close()

    # Robots

    def _spawn(self, request: Any) -> dict[str, Any]:
        data = _data(request)
        name = request.name or f"{data['type']}{len(self._simulation.robots) + 1}"
        if name in self._simulation.robots:
            if request.name and not request.allow_renaming:
                raise ServiceRefusedError(_TAKEN, f"there is already a robot '{name}'")
            name = next(n for i in range(2, 100_000) if (n := f"{name}_{i}") not in self._simulation.robots)
        if request.entity_namespace.strip("/") not in ("", name):
            raise ServiceRefusedError(_NAMESPACE, "a robot's topics are under its name: leave entity_namespace empty")
        self._simulation.spawn(name, data | _placing(request.initial_pose))
        return {"entity_name": name}

    def _entities(self, request: Any) -> dict[str, Any]:
        wanted = request.filters
        if wanted.bounds.type:
            raise ServiceRefusedError(UNSUPPORTED, "bounds are no filter here; ask for the states")
        names = list(self._simulation.robots)
        if wanted.filter:
            try:
                pattern = re2.compile(wanted.filter)
            except re2.error as error:
                raise CommandError(f"filter '{wanted.filter}': {error}") from None
            names = [n for n in names if pattern.search(n)]
        if wanted.tags.tags or (wanted.categories and _ROBOT not in [c.category for c in wanted.categories]):
            names = []
        return {"entities": names}

    def _state_of(self, request: Any) -> dict[str, Any]:
        robot = self._simulation.robot(request.entity)
        header = {"stamp": self._simulation.clock.now_ns, "frame_id": MAP}
        pose = {"position": robot.p_WB.tolist(), "orientation": robot.q_WB_wxyz.tolist()}
        twist = {"linear": robot.v_WB_W.tolist(), "angular": robot.w_WB_W.tolist()}
        return {"state": {"header": header, "pose": pose, "twist": twist}}

    def _put(self, request: Any) -> None:
        state = request.state
        _check_frame(state.header.frame_id)
        self._simulation.robot(request.entity)
        p, q = _pose(state.pose)
        v, w = state.twist.linear, state.twist.angular
        self._simulation.place(request.entity, p, q, [v.x, v.y, v.z], [w.x, w.y, w.z])

    # Time

    @property
    def _state(self) -> int:
        return PAUSED if self._loop.paused else PLAYING

    def _go_to(self, wanted: int) -> None:
        if wanted == self._state:
            raise ServiceRefusedError(_ALREADY, "it is in this state already")
        if wanted == PLAYING:
            self._loop.resume()
        elif wanted in (PAUSED, STOPPED):
            self._loop.pause()
            if wanted == STOPPED:
                self._simulation.reset()
        elif wanted == QUITTING:
            self._loop.stop()
        else:
            raise ServiceRefusedError(UNSUPPORTED, f"state {wanted}: a run is playing (1) or paused (2)")

    def _reset(self, request: Any) -> None:
        scope = int(request.scope)
        if scope in (0, _SCOPE_ALL) or scope & _SCOPE_PARTS == _SCOPE_PARTS:
            self._simulation.reset()
        elif scope == _SCOPE_SPAWNED:
            planned = self._simulation.scenario.robots
            for name in [n for n in self._simulation.robots if n not in planned]:
                self._simulation.remove(name)
        else:
            raise ServiceRefusedError(UNSUPPORTED, "time and state go back together with all else: scope 0, 4 or 255")

    def _step(self, count: int) -> Future[Any]:
        if not 1 <= count <= _MOST_STEPS:
            raise CommandError(f"{count} steps: must be 1 to {_MOST_STEPS}")
        if not self._loop.paused:
            raise ServiceRefusedError(WRONG_STATE, "the simulation is running: pause it before stepping")
        return self._loop.step(count)

    def _begin_steps(self, goal: Goal) -> bool:
        count = int(goal.request.steps)
        if not 1 <= count <= _MOST_STEPS or not self._loop.paused:
            return False
        self._simulation.ask(lambda: self._go_on(goal, 0, count), ("ros2", "simulate_steps"))
        return True

    def _go_on(self, goal: Goal, done: int, count: int) -> None:
        """One step after the other, with a word after each."""

        def follow(future: Future[Any]) -> None:
            error = None if future.cancelled() else future.exception()
            if future.cancelled() or error is not None:
                goal.end(ABORTED, {"result": result(error or VoleryError("the run has ended"))})
                return
            goal.tell({"completed_steps": done + 1, "remaining_steps": count - done - 1})
            self._go_on(goal, done + 1, count)

        if done == count:
            goal.end(SUCCEEDED, {"result": {"result": OK}})
        elif goal.canceling:
            goal.end(CANCELED, {"result": {"result": OK, "error_message": f"after {done} of {count} steps"}})
        else:
            try:
                self._loop.step(1).add_done_callback(follow)
            except VoleryError as error:
                goal.end(ABORTED, {"result": result(error)})


def _data(request: Any) -> dict[str, Any]:
    """What is to be spawned, as in a scenario; only robots of the library, since files are not for others to name."""
    data: Any = {"type": request.uri}
    if not request.uri:
        if not request.resource_string:
            raise ServiceRefusedError(
                _NO_RESOURCE, "uri: the name of a robot, such as x500; or resource_string: its entry in YAML"
            )
        try:
            data = yaml.safe_load(request.resource_string)
        except yaml.YAMLError as error:
            raise ServiceRefusedError(_PARSE, f"resource_string is no YAML: {error}") from None
        if not isinstance(data, dict) or not isinstance(data.get("type"), str):
            raise ServiceRefusedError(
                _PARSE, "resource_string: write a robot's entry as in a scenario, such as {type: x500}"
            )
    if data["type"] not in registry.names("robots"):
        raise UnknownNameError("robot", data["type"], registry.names("robots"))
    return data


def _placing(stamped: Any) -> dict[str, Any]:
    """Where a robot begins; a pose that was never filled in leaves it to the world."""
    _check_frame(stamped.header.frame_id)
    p, q = _pose(stamped.pose)
    if not stamped.header.frame_id and not p.any() and q[0] == 1.0:
        return {}
    return {"position": p.tolist(), "attitude_deg": np.degrees(euler_from_quat(q)).tolist()}


def _check_frame(frame: str) -> None:
    if frame not in _WORLDS:
        raise ServiceRefusedError(_POSE, f"frame '{frame}': give the pose in '{MAP}'")


def _pose(pose: Any) -> tuple[np.ndarray, np.ndarray]:
    p, o = pose.position, pose.orientation
    place, q = np.array([p.x, p.y, p.z]), np.array([o.w, o.x, o.y, o.z])
    length = float(np.linalg.norm(q))
    if length == 0.0:
        q, length = np.array([1.0, 0, 0, 0]), 1.0
    if not (np.isfinite(place).all() and math.isfinite(length) and abs(length - 1.0) < 0.1):
        raise ServiceRefusedError(_POSE, f"pose {place.tolist()}, {q.tolist()}: no place and unit quaternion")
    return place, q / length
