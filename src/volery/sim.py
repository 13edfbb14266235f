"""The simulation: one world, one clock, and the step written out."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from volery import registry
from volery.core.clock import Clock, nanoseconds, whole_steps
from volery.core.frames import quat_from_euler
from volery.core.gate import Gate
from volery.core.meter import Meter, timed
from volery.core.properties import plain
from volery.core.requests import Requests
from volery.core.rng import Generators, checked_seed
from volery.core.state import check_alike, encode, exchange, state_hash
from volery.errors import SimulationError, UnknownNameError
from volery.events import (
    Commanded,
    Operated,
    Placed,
    PropertySet,
    Removed,
    Reset,
    Restored,
    RunEvent,
    Spawned,
    ThingAltered,
    WorldChanged,
)
from volery.ground import Coming, Ground
from volery.physics.engine import Engine
from volery.robots.commands import Command
from volery.robots.robot import Robot
from volery.scenario import RobotPlan, Scenario, as_scenario, more_changes, plan_robot
from volery.sensors.controls import control_of
from volery.sensors.sensor import Reading, Sensor
from volery.settings import Settings, run_of_today
from volery.showing import Showing
from volery.world.cast.batch import run_together
from volery.world.chunks import Streamer
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import World

__all__ = ["Simulation"]

_FARTHEST = 1e8
"""No robot is put farther from the origin along an axis [m]."""
Listener = Callable[["Simulation"], None]


class Simulation(Showing):
    """A run of a scenario. Only its loop's thread calls it; other threads `ask`.

    A `with` block closes it at its end."""

    def __init__(self, scenario: Scenario | Path | str, *, seed: int | None = None) -> None:
        """scenario: one that was read, the name of a built-in one, or the path of a file; seed: in place of its own."""
        self.scenario = scenario = as_scenario(scenario)
        self.seed = scenario.file.seed if seed is None else checked_seed(seed)
        self.closed = False
        """Whether `close` was called; then it makes no more steps."""
        self.meter: Meter | None = None
        """While there is one, parts of steps are timed."""
        self.scene = Scene()
        self.environment = Environment(self.scene)
        self.controllers: list[Listener] = []
        """Called at the beginning of each step, to command robots by what they see."""
        self.listeners: list[Listener] = []
        self.robots: dict[str, Robot] = {}
        self.sensors: dict[str, dict[str, Sensor]] = {}
        self.engines: dict[str, Engine] = {}
        self.fresh: list[tuple[str, str, Reading]] = []
        """Readings of the last step: robot, sensor, reading."""
        self.events: list[RunEvent] = []
        """What came from outside since the step before; see `redo`."""
        self._plans: dict[str, RobotPlan] = {}
        self._links: dict[str, Any] = {}
        self._requests = Requests()
        self._restoring = False
        self.gate = Gate()
        """Before which threads of clients wait while a step is made."""
        for name, patterns in scenario.file.channels.items():
            self.scene.define_channel(name, patterns)
        self._ground = Ground(self.scene, scenario, self.seed)
        self.settings = Settings(self, scenario.file.streaming)
        """What can be changed while running; `set` changes it."""
        self._stand(self.world, {})
        self.reset()
        self.events = []

    @property
    def world(self) -> World:
        """What stands, with its parameters of now."""
        return self._ground.world

    @property
    def streamer(self) -> Streamer | None:
        """Of an endless world."""
        return self._ground.streamer

    # The step

    def step(self) -> None:
        """Answer requests, then one step of the clock."""
        self.answer_requests()
        self.advance()

    def advance(self) -> None:
        """One step of the clock, in this order."""
        if self.closed:
            raise SimulationError("this simulation is closed; make another one with volery.Simulation(…)")
        with self.gate:
            self._control()
            self._advance_physics()
            self.clock.advance()
            self._update_robots()
            self.stream_world()
            self._sense()
            self._tell_listeners()
            self.events = []

    def run(self, steps: int | None = None, *, seconds: float | None = None) -> None:
        """Make so many steps, or those that fill so much simulated time [s], the last one to its end.

        As fast as possible; while the simulation is shown, at the page's pace."""
        count = whole_steps(steps, seconds, self.clock.step_ns)
        if self._shown is not None:
            self._shown.run(count)
            return
        for _ in range(count):
            self.step()

    def close(self) -> None:
        """Let go of threads, links, the page, and listeners and controllers that can be closed; may be called twice.

        Robots, readings and the state can still be looked at."""
        if self.closed:
            return
        self.closed = True
        parts = (*self._links.values(), *self.listeners, *self.controllers, self._shown, self.streamer)
        with ExitStack() as closing:
            # The last is closed first; an error of one does not keep the others.
            for part in parts:
                closing.callback(getattr(part, "close", lambda: None))

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        robots = [*list(self.robots)[:5], *([f"… ({len(self.robots)})"] if len(self.robots) > 5 else [])] or ["none"]
        about = f"seed {self.seed}, t = {self.clock.now:.3f} s, robots: {', '.join(robots)}"
        return f"<Simulation {self.scenario.name!r}: {about}{', closed' if self.closed else ''}>"

    def _control(self) -> None:
        for controller in self.controllers:
            with timed(self.meter, "controller", controller):
                controller(self)

    def _advance_physics(self) -> None:
        for name, engine in self.engines.items():
            with timed(self.meter, "physics", name):
                engine.advance(self.clock.now_ns, self.clock.step_ns)

    def _update_robots(self) -> None:
        for robot in self.robots.values():
            robot.update()

    def stream_world(self) -> None:
        """Bring an endless world up to date with where robots are."""
        with timed(self.meter, "world", "streaming"):
            self._ground.follow([r.p_WB for r in self.robots.values()])

    def _sense(self) -> None:
        now, step = self.clock.now_ns, self.clock.step_ns
        sensors = [(robot, name, sensor) for robot, own in self.sensors.items() for name, sensor in own.items()]
        due = [(robot, name, sensor) for robot, name, sensor in sensors if sensor.due(now, step)]
        if self.meter is None:
            run_together(self.scene, [sensor.measuring(now) for *_, sensor in due])
        else:
            # One by one, to the same end
            for robot, name, sensor in due:
                with timed(self.meter, "sensors", f"{robot}/{name}"):
                    run_together(self.scene, [sensor.measuring(now)])
        self.fresh = [(robot, name, reading) for robot, name, sensor in sensors for reading in sensor.deliver(now)]

    def _tell_listeners(self) -> None:
        for listener in self.listeners:
            with timed(self.meter, "listeners", listener):
                listener(self)

    # Requests of other threads

    def ask(self, request: Callable[[], Any], client: Hashable = None, *, newest: Hashable = None) -> Future[Any]:
        """Have the loop run a function between two steps; any thread may ask, the answer is in the future.

        client: who asks from outside, so that clients take turns; newest: what of the client's it replaces."""
        return self._requests.ask(request, client, newest=newest)

    def forget_requests(self, client: Hashable) -> None:
        """A client has left: what it asked for is not done."""
        self._requests.forget(client)

    def answer_requests(self, budget: float | None = None) -> None:
        """Run what was asked, of clients as much as fits a few milliseconds, or this time [s]; an error goes to the one
        who asked."""
        self._requests.answer(budget)

    def wait_for_requests(self, seconds: float) -> bool:
        """Sleep, but not longer than until someone asks; whether someone did."""
        return self._requests.wait(seconds)

    # Robots

    def spawn(self, name: str, data: dict[str, Any] | str) -> Robot:
        """Add a robot now; `data` as under `robots` in a scenario."""
        robot = self._spawn(self._ground.led(plan_robot(name, data, folder=self.scenario.folder)))
        self._update_robots()
        self.events.append(Spawned(name, data))
        return robot

    def remove(self, name: str) -> None:
        """Take a robot out."""
        self.robot(name)
        self._remove(name)
        self.events.append(Removed(name))

    def _remove(self, name: str) -> None:
        self.engine_of(name).remove(name)
        self._take_out(name)

    def _take_out(self, name: str) -> None:
        """Remove a robot from all but its engine, which may be gone or broken."""
        self.robots.pop(name).hide(self.scene)
        self.sensors.pop(name)
        self.environment.lights.pop(name, None)
        self.settings.forget(name)
        del self._plans[name]
        self.generators.forget(name)

    def robot(self, name: str) -> Robot:
        """A robot by name."""
        if name not in self.robots:
            raise UnknownNameError("robot", name, self.robots)
        return self.robots[name]

    def sensor(self, robot: str, name: str) -> Sensor:
        """A robot's sensor by name."""
        self.robot(robot)
        if name not in self.sensors[robot]:
            raise UnknownNameError(f"sensor of robot '{robot}'", name, self.sensors[robot])
        return self.sensors[robot][name]

    def engine_of(self, robot: str) -> Engine:
        """The engine that moves a robot."""
        return self.engines[self._plans[robot].engine]

    def command(self, robot: str, command: Command) -> None:
        """Tell a robot's engine what the robot should do."""
        self.robot(robot)
        self.engine_of(robot).apply(robot, command)
        self.events.append(Commanded(robot, command))

    def operate(self, robot: str, sensor: str, control: str, *arguments: Any, **options: Any) -> Any:
        """Work a control of a sensor by name, such as `aim` of a camera or `scan` of a laser.

        The same as to call the sensor's own method, which is noted as an event, too."""
        found = self.sensor(robot, sensor)
        return getattr(found, control_of(type(found), control, sensor).name)(*arguments, **options)

    def _note_operated(self, sensor: Sensor, control: str, listed: list[Any], named: dict[str, Any]) -> None:
        """A control was worked: from outside, unless a state is being brought back or the sensor is gone."""
        present = self.sensors.get(sensor.robot.name, {}).get(sensor.name)
        if present is sensor and not self._restoring:
            self.events.append(Operated(sensor.robot.name, sensor.name, control, tuple(listed), named))

    def place(
        self, robot: str, p_WB: ArrayLike, q_WB_wxyz: ArrayLike, v_W: ArrayLike | None = None,
        w_W: ArrayLike | None = None,
    ) -> None:  # fmt: skip
        """Put a robot elsewhere at once: position [m], attitude, and velocities [m/s, rad/s], at rest by default."""
        found = self.robot(robot)
        if not (np.abs(p_WB) <= _FARTHEST).all():
            raise SimulationError(f"robot '{robot}' cannot be put at {np.asarray(p_WB).tolist()}: too far, or no place")
        found.set_pose(p_WB, q_WB_wxyz)
        found.set_twist(np.zeros(3) if v_W is None else v_W, np.zeros(3) if w_W is None else w_W)
        self.engine_of(robot).place(robot)
        found.update()
        self.events.append(Placed(robot, found.p_WB, found.q_WB_wxyz, found.v_WB_W, found.w_WB_W))

    def connect(self, engine: str, link: Any) -> None:
        """Give an engine its way to another process, now and after every reset."""
        self._links[engine] = link
        if engine in self.engines:
            self.engines[engine].link = link

    # Parameters, and the world

    def set(self, path: str, value: Any) -> None:
        """Change a parameter while running, such as environment.weather.fog or robots.uav1.sensors.lidar.rate; see
        `settings.tree`. What cannot be is refused, and nothing changes."""
        self.settings.set(path, value)
        self.events.append(PropertySet(path, plain(value)))

    def change_world(self, **parameters: Any) -> None:
        """Change parameters of the world while running, such as a forest's density; what stands is made anew.

        With a `type` it is another world: that type, with these parameters."""
        self.remake_world(parameters)
        self.events.append(WorldChanged(parameters))

    def prepare_world(self, **parameters: Any) -> Coming:
        """Make the world of a later `change_world` in the background; when ready, the change only has to put it up."""
        return self._ground.prepare(more_changes(self._ground.changes, parameters), self.settings.streaming)

    def remake_world(self, parameters: dict[str, Any]) -> None:
        """`change_world`, told by no event."""
        changes = more_changes(self._ground.changes, parameters)
        world = self._ground.planned(changes)
        for name in [n for n in self.world.movables() if n in self.robots]:
            self._remove(name)
        self._stand(world, changes)
        self._spawn_movables()
        self._update_robots()
        self.stream_world()

    def alter(self, change: str, *arguments: Any) -> None:
        """Change a thing of the world: a method of `environment.edits` by name, with its arguments."""
        known = ("make", "destroy", "move", "paint", "dim")
        if change not in known:
            raise UnknownNameError("change of a thing", change, known)
        things = self.environment.edits
        if self.streamer is not None and change != "make" and arguments[0] not in things.made:
            raise SimulationError(
                f"'{arguments[0]}' belongs to a world without end, which is made anew as robots move; "
                "only things that were made while running can be changed"
            )
        getattr(things, change)(*arguments)
        self.events.append(ThingAltered(change, arguments))

    def redo(self, event: RunEvent) -> None:
        """Do again what `events` of another run tells, so that this run becomes the same."""
        event.redo(self)

    # Beginning, keeping and going back

    def reset(self) -> None:
        """Back to the beginning of the scenario."""
        for name in list(self.robots):
            self._take_out(name)
        self.settings.reset()
        self.environment.edits.clear()
        self._restore_world({})
        self.environment.tags.clear()
        file = self.scenario.file
        self.environment.wind, self.environment.sky = file.wind, file.sky
        self.environment.weather, self.environment.atmosphere = file.weather, file.atmosphere
        self.clock = Clock(nanoseconds(self.scenario.file.step))
        self.generators = Generators(self.seed)
        self.engines = {}
        # All before the first: robots stand in nobody's way.
        for plan in [self._ground.led(plan) for plan in self.scenario.robots.values()]:
            self._spawn(plan)
        self._spawn_movables()
        self._update_robots()
        self.stream_world()
        for robot in self.robots.values():
            # What rays need round each robot is built now, not in the first step.
            self.scene.cell(robot.p_WB)
        self._sense()
        self.events.append(Reset())

    def state(self) -> dict[str, Any]:
        """Everything that changes in a run, as plain data."""
        return {
            "scenario": self.scenario.name,
            "step_ns": self.clock.step_ns,
            "steps": self.clock.steps,
            "world": dict(self._ground.changes),
            "environment": self.environment.state(),
            "settings": self.settings.state(),
            "generators": self.generators.state(),
            "plans": [[n, p.data] for n, p in self._plans.items()],
            "robots": {n: r.state() for n, r in self.robots.items()},
            "sensors": {n: {m: s.state() for m, s in own.items()} for n, own in self.sensors.items()},
            "engines": {n: e.state() for n, e in self.engines.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state` of the same scenario, robots that came or went since then included.

        A state that is broken is refused, and nothing changes."""
        told = state if isinstance(state, dict) else {}
        if (str(told.get("scenario")), str(told.get("step_ns"))) != (self.scenario.name, str(self.clock.step_ns)):
            raise SimulationError(f"this snapshot is of scenario '{told.get('scenario')}', not '{self.scenario.name}'")
        self._restoring = True
        try:
            exchange(run_of_today(state), self.state, self._put_back)
        finally:
            self._restoring = False
        self.events.append(Restored(state))

    def _put_back(self, state: dict[str, Any]) -> None:
        for name in list(self.robots):
            self._take_out(name)
        self.engines = {}
        self._restore_world(state["world"])
        self.environment.restore(state["environment"])
        for name, data in state["plans"]:
            self._spawn(self._plan(name, data))
        self.clock.go_to(state["steps"])
        for name in state["engines"]:
            self._engine(name)
        self.settings.restore(state["settings"])
        check_alike(state, self.state())
        self.generators.restore(state["generators"])
        for name, inner in state["engines"].items():
            self._engine(name).restore(inner)
        for name, inner in state["robots"].items():
            self.robots[name].restore(inner)
        for name, own in state["sensors"].items():
            for sensor, inner in own.items():
                self.sensors[name][sensor].restore(inner)
                self.sensors[name][sensor].generator = self.generators.named(f"{name}/{sensor}")
        self.stream_world()

    def _restore_world(self, changes: dict[str, Any]) -> None:
        if changes != self._ground.changes:
            self._stand(self._ground.planned(changes), changes)

    def state_hash(self) -> str:
        """A hash of the whole state, latest readings included."""
        return state_hash(self.state())

    def readings_bytes(self) -> bytes:
        """The readings of the last step as bytes that are always the same."""
        return encode([[robot, sensor, r.stamp_ns, dict(r.data)] for robot, sensor, r in self.fresh])

    # Parts

    def _stand(self, world: World, changes: dict[str, Any]) -> None:
        self.environment.edits.clear()
        self._ground.stand(world, changes, self.settings.streaming)
        self.scene.dark = world.dark

    def _plan(self, name: str, data: dict[str, Any]) -> RobotPlan:
        known = self.scenario.robots.get(name)
        return known if known and known.data == data else plan_robot(name, data, folder=self.scenario.folder)

    def _spawn(self, plan: RobotPlan) -> Robot:
        if plan.name in self.robots:
            raise SimulationError(f"there is already a robot '{plan.name}'; remove it first or choose another name")
        robot = Robot(plan.name, plan.file.description(), plan.file)
        entry = plan.entry
        position = entry.position or self.world.spawn()
        robot.set_pose(np.array(position), quat_from_euler(np.radians(entry.attitude_deg)))
        for joint, value in entry.joints.items():
            robot.set_joint(joint, value)
        self._engine(plan.engine).add(robot, plan.motion, self.clock.now_ns)
        robot.show(self.scene)
        self.robots[plan.name], self._plans[plan.name], self.sensors[plan.name] = robot, plan, {}
        try:
            for name, (cls, config) in plan.sensors.items():
                generator = self.generators.named(f"{plan.name}/{name}")
                made = self.sensors[plan.name][name] = cls(name, config, robot, self.environment, generator)
                made.on_operated = self._note_operated
        except Exception:
            # Half a robot would be neither there nor gone.
            self._remove(plan.name)
            raise
        return robot

    def _spawn_movables(self) -> None:
        """What the world leaves to physics enters like robots, after those of the scenario."""
        for name, data in self.world.movables().items():
            self._spawn(plan_robot(name, data, folder=self.scenario.folder))

    def _engine(self, name: str) -> Engine:
        if name not in self.engines:
            settings = self.scenario.engines.get(name)
            self.engines[name] = registry.find("engines", name)(self.environment, settings)
            self.engines[name].link = self._links.get(name)
        return self.engines[name]
