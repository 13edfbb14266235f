"""A robot as a MAVLink vehicle: armed or not, in a mode, with a home; what it does in each step of the simulation."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.geodesy import Origin
from volery.errors import VoleryError
from volery.protocols.mavlink.camera import CameraComponent
from volery.protocols.mavlink.dialect import AUTOPILOT, CAMERA, GIMBAL, mav
from volery.protocols.mavlink.earth import Earth
from volery.protocols.mavlink.fence import Fence
from volery.protocols.mavlink.gimbal import Gimbal
from volery.protocols.mavlink.inbox import Inbox
from volery.protocols.mavlink.mission import MissionProgress
from volery.protocols.mavlink.modes import ModeTask, mode_table
from volery.protocols.mavlink.parameters import Parameters
from volery.protocols.mavlink.pilots import Copter, VehiclePilot, heading_of, pilot_of
from volery.protocols.mavlink.plans import Plans
from volery.protocols.mavlink.setpoints import Setpoint
from volery.protocols.mavlink.streams import Streams
from volery.protocols.mavlink.wire import MavlinkSocket, Peer
from volery.robots.robot import Robot
from volery.sensors.camera import Camera
from volery.sensors.gps import Gps

if TYPE_CHECKING:
    from volery.protocols.mavlink.door import MavlinkSettings
    from volery.sim import Simulation

__all__ = ["MavlinkVehicle"]

_log = logging.getLogger("volery")
_LOOK = 0.1
"""Fence, landing and battery are looked at this often [s]."""
_STICKS = 1.0
"""Sticks that were not told for so long are let go [s of wall time]."""
_FENCE_TASKS = {
    "ardupilot": {1: ModeTask.RETURN, 2: ModeTask.LAND, 3: ModeTask.RETURN, 4: ModeTask.HOLD},
    "px4": {2: ModeTask.HOLD, 3: ModeTask.RETURN, 5: ModeTask.LAND},
}


class MavlinkVehicle:
    """One robot with its socket. All but `wire` belongs to the loop."""

    def __init__(self, simulation: Simulation, settings: MavlinkSettings, name: str, system: int) -> None:
        self.simulation, self.settings, self.name, self.system = simulation, settings, name, system
        self.px4 = settings.autopilot == "px4"
        self.robot: Robot = simulation.robots[name]
        self.pilot: VehiclePilot = pilot_of(self)
        self.modes = mode_table(settings.autopilot, self.pilot.kind)
        self.mode = self.modes.first
        self.armed = False
        self.resting = True
        """Whether it stands with motors off."""
        self.idle = True
        """Whether nobody has told it anything yet: the scenario moves it."""
        self.target: Setpoint | None = None
        """Where it goes in GUIDED or OFFBOARD, or what HOLD stays at."""
        self.offered: Setpoint | None = None
        """The last set-point that came before OFFBOARD, which wants one."""
        self.sticks: tuple[float, float, float, float, float] | None = None
        """Forward, right, up, clockwise, -1 to 1, and when they came [s of wall time]."""
        self.earth = Earth(simulation, _origin(simulation, name, settings.altitude), self.robot.p_WB)
        self.parameters = Parameters(settings.autopilot, self.pilot.kind, settings.parameters, self._start_values())
        self.speed = self.parameters["speed"]
        """At which it goes to places [m/s]."""
        self.lift_W = self.robot.p_WB.copy()
        """Where it left the ground [m]."""
        self.fence = Fence(self)
        self.mission = MissionProgress(self)
        self.plans = Plans(self, {0: self.mission.load, 1: self.fence.load, 2: lambda items: None})
        camera = next((s for s in simulation.sensors[name].values() if isinstance(s, Camera)), None)
        self.camera = None if camera is None else CameraComponent(self, camera)
        self.gimbal = None if camera is None else Gimbal(self, camera)
        self.streams = Streams(self)
        self.inbox = Inbox(self)
        self.wire: MavlinkSocket | None = None
        self._phase = ""
        self._looked = 0.0
        self._rested = 0.0
        self._height = 0.0
        self._begin()

    def _begin(self) -> None:
        self.resting = self.pilot.flies and self.pilot.stands
        if self.pilot.flies and not self.resting:
            # It flies already, by its scenario: a station sees it in the air, and takes it over by any command.
            self.armed, self.mode = True, self.modes.number(ModeTask.HOLD) or self.modes.first

    def _start_values(self) -> dict[str, float]:
        """Parameters that follow from the robot."""
        pilot, file = self.pilot, self.robot.file
        values = {"system": float(self.system), "vehicle": float(pilot.type())}
        if isinstance(pilot, Copter) and pilot.most:
            values["hover"] = pilot.hover
        if file is not None and file.drive is not None:
            values["speed"] = 0.8 * file.drive.top_speed
            values["acceleration"] = file.drive.acceleration
            values["radius"] = 0.5
        if file is not None and file.aircraft is not None:
            values.update(speed=file.aircraft.speed, radius=90.0, return_height=100.0)
        return values

    # Who it is

    @property
    def task(self) -> ModeTask:
        """What the mode means."""
        return self.modes.tasks[self.mode]

    @property
    def now_ms(self) -> int:
        """Time since boot, as messages have it [ms]."""
        return self.simulation.clock.now_ns // 1_000_000 & 0xFFFFFFFF

    def heartbeat(self) -> Any:
        """Of the autopilot; any thread may ask."""
        autopilot = mav.MAV_AUTOPILOT_PX4 if self.px4 else mav.MAV_AUTOPILOT_ARDUPILOTMEGA
        state = mav.MAV_STATE_ACTIVE if self.armed else mav.MAV_STATE_STANDBY
        mode = self.mode
        base = self.modes.base(self.modes.tasks[mode], self.armed)
        return mav.MAVLink_heartbeat_message(self.pilot.type(), autopilot, base, mode, state, 3)

    def beat(self) -> None:
        """Heartbeats of all components; any thread may ask."""
        self.send(self.heartbeat())
        if self.camera is not None and self.gimbal is not None:
            self.send(self.camera.heartbeat(), CAMERA)
            self.send(self.gimbal.heartbeat(), GIMBAL)

    def send(self, message: Any, component: int = AUTOPILOT, to: Peer | None = None) -> None:
        """Tell a peer, or all."""
        if self.wire is not None:
            self.wire.send(message, component, to)

    def say(self, text: str, severity: int = 6) -> None:
        """A line for people who look at the ground station."""
        self.send(mav.MAVLink_statustext_message(severity, text[:50].encode("ascii", "replace")))

    # What it is told

    def arm(self, on: bool, forced: bool) -> bool:
        """Whether that was done. In the air only force disarms, and it falls."""
        if on:
            if self.crashed:
                self.say("Arming denied: crashed", mav.MAV_SEVERITY_CRITICAL)
                return False
            if not self.armed:
                self.armed, self._rested = True, 0.0
                self.set_home(self.robot.p_WB)
                self.idle = False
            return True
        if self.armed and not self.resting and self.pilot.flies and not self.pilot.stands and not forced:
            return False
        self.armed, self.resting, self.idle, self.target = False, True, False, None
        self.mission.pause()
        self.pilot.stop()
        return True

    @property
    def crashed(self) -> bool:
        """Whether its engine says that it lies broken."""
        engine = self.simulation.engine_of(self.name)
        check = getattr(engine, "crashed", None)
        return bool(check(self.name)) if callable(check) else False

    def set_mode(self, number: int) -> bool:
        """Change to a mode by the autopilot's number; whether it could."""
        task = self.modes.tasks.get(number)
        if task is None:
            return False
        offered = self.offered
        fresh = offered is not None and time.monotonic() - offered.told < self.parameters["offboard_loss"]
        if task is ModeTask.OFFBOARD and self.task is not task and not fresh:
            self.say("Offboard needs set-points first", mav.MAV_SEVERITY_WARNING)
            return False
        if task is ModeTask.MISSION and not self.plans.mission:
            self.say("No mission", mav.MAV_SEVERITY_WARNING)
            return False
        before, self.mode = self.mode, number
        if before != number or task in (ModeTask.HOLD, ModeTask.MISSION):
            self._enter(task)
        self.send(self.heartbeat())
        return True

    def set_task(self, task: ModeTask) -> bool:
        """Change to the mode of a task."""
        number = self.modes.number(task)
        return number is not None and self.set_mode(number)

    def _enter(self, task: ModeTask) -> None:
        self.mission.pause()
        self._phase = ""
        self.target = self.offered if task is ModeTask.OFFBOARD else None
        if task is ModeTask.MISSION:
            self.mission.start()
        elif task is ModeTask.TAKEOFF:
            self.take_off(self.parameters["takeoff"])
        elif task in (ModeTask.HOLD, ModeTask.GUIDED) and self.armed and not self.resting and not self.idle:
            self.pilot.hold()
        if task is not ModeTask.HOLD:
            self.idle = self.idle and not self.armed

    def take_off(self, height: float) -> None:
        """Up from where it stands, to a height over home [m]."""
        if self.px4 and self.task is not ModeTask.TAKEOFF:
            self.mode = self.modes.number(ModeTask.TAKEOFF) or self.mode
        self.lift()
        top = self.earth.home_W[2] + max(height, 0.3)
        self.target = Setpoint(p_W=np.array([*self.lift_W[:2], top]), yaw=heading_of(self.robot), lasts=True)
        self._phase = "takeoff"

    def take_setpoint(self, found: Setpoint) -> None:
        """Fly by it, or keep it for the change to OFFBOARD."""
        if self.task in (ModeTask.OFFBOARD, ModeTask.GUIDED):
            self.target, self._phase = found, ""
            self.idle = self.idle and not self.armed
        self.offered = found

    def lift(self) -> None:
        """It leaves the ground."""
        if self.resting or self.idle:
            self.lift_W = self.robot.p_WB.copy()
        self.resting = self.idle = False

    def go_to(self, p_W: np.ndarray, yaw: float | None) -> bool:
        """Fly or drive there and stay; whether it may."""
        if not self.armed or (self.resting and self.pilot.flies):
            return False
        if self.fence.active and self.fence.breach(p_W):
            self.say("Target outside fence", mav.MAV_SEVERITY_WARNING)
            return False
        if self.task is not ModeTask.GUIDED and not self.set_task(ModeTask.GUIDED):
            return False
        self.idle, self._phase = False, ""
        self.target = Setpoint(p_W=p_W, yaw=yaw, lasts=True)
        return True

    def hold(self) -> None:
        """Stay where it is."""
        self.set_task(ModeTask.HOLD)

    def return_home(self) -> None:
        """Go back and land."""
        self.set_task(ModeTask.RETURN)

    def set_home(self, p_W: np.ndarray) -> None:
        """Where it returns to."""
        self.earth.home_W = np.array(p_W, float)
        self.streams.tell(mav.MAVLINK_MSG_ID_HOME_POSITION, None)

    def landed(self) -> None:
        """It stands: motors off, disarmed."""
        self.arm(False, True)
        self.say("Landed", mav.MAV_SEVERITY_INFO)

    def mission_over(self) -> None:
        """PX4 holds after its last item, ArduPilot stays in AUTO; both stay in place."""
        if self.px4:
            self.set_task(ModeTask.HOLD)
        elif self.armed:
            self.pilot.hold()

    # The step

    def control(self, dt: float) -> None:
        """Command the robot for the step that begins."""
        self.plans.remind()
        self._looked += dt
        if self._looked >= _LOOK:
            self._look(self._looked)
            self._looked = 0.0
        if self.gimbal is not None:
            self.gimbal.step()
        if self.camera is not None:
            self.camera.step()
        if self.idle or not self.armed:
            return
        try:
            self._fly(dt)
        except VoleryError as error:
            self.target = None
            self.say(str(error), mav.MAV_SEVERITY_WARNING)

    def _fly(self, dt: float) -> None:
        task = self.task
        if task is ModeTask.MISSION:
            if self.mission.active:
                self.mission.step(dt)
        elif task is ModeTask.RETURN:
            self._return(dt)
        elif task is ModeTask.LAND:
            self._come_down(dt)
        elif self._phase == "takeoff":
            self._rise(dt)
        elif task in (ModeTask.GUIDED, ModeTask.OFFBOARD):
            self._by_target(dt)
        elif not self._by_sticks() and self.target is not None:
            self.target.apply(self, dt)

    def _rise(self, dt: float) -> None:
        assert self.target is not None and self.target.p_W is not None
        climb = self.parameters["climb"]
        if self.pilot.go(self.target.p_W, self.target.yaw, climb, dt) < max(0.3, 0.05 * self.parameters["radius"]):
            self._phase = ""
            if self.px4:
                target = self.target
                self.set_task(ModeTask.HOLD)
                self.target = target

    def _by_target(self, dt: float) -> None:
        target = self.target
        if target is None:
            return
        if self.resting and self.pilot.flies and not self.px4:
            # ArduPilot leaves the ground by a take-off only.
            self.target = None
            return
        lost = time.monotonic() - target.told > self.parameters["offboard_loss"]
        if lost and (self.task is ModeTask.OFFBOARD or not target.lasts):
            self.target = None
            self.say("Offboard lost" if self.px4 else "Guided target timeout", mav.MAV_SEVERITY_CRITICAL)
            if self.px4:
                self.set_task(ModeTask.HOLD)
            else:
                self.pilot.hold()
            return
        self.lift()
        target.apply(self, dt)

    def _by_sticks(self) -> bool:
        """Whether sticks move it now; when they are let go it stays."""
        sticks = self.sticks
        if sticks is None:
            return False
        forward, right, up, turn, told = sticks
        if time.monotonic() - told > _STICKS or max(map(abs, sticks[:4])) < 0.05:
            if self._phase == "sticks":
                self._phase = ""
                self.pilot.hold()
            self.sticks = sticks if time.monotonic() - told <= _STICKS else None
            return False
        if self.resting and self.pilot.flies:
            if up < 0.2:
                return False
            self.lift()
        self._phase, self.target = "sticks", None
        speed, climb = self.speed, self.parameters["climb" if up > 0 else "descend"]
        v = self.earth.vector(
            mav.MAV_FRAME_BODY_FRD, np.array([forward * speed, right * speed, -up * climb]), self.robot
        )
        self.pilot.velocity(v, None, -turn)
        return True

    def _return(self, dt: float) -> None:
        """Up to a safe height, home, and down."""
        if self.resting and self.pilot.flies:
            self.landed()
            return
        robot, home = self.robot, self.earth.home_W
        if not self.pilot.flies:
            self.pilot.go(home, None, self.speed, dt)
            return
        safe = max(home[2] + self.parameters["return_height"], 0.0 if self._phase else float(robot.p_WB[2]))
        away = math.hypot(*(home - robot.p_WB)[:2])
        if not self._phase:
            self._phase, self._height = ("down" if away < 0.5 else "up"), safe
        if self._phase == "up":
            up = np.array([*robot.p_WB[:2], self._height])
            if self.target is None:
                self.target = Setpoint(p_W=up, lasts=True)
            assert self.target.p_W is not None
            if self.pilot.kind == "plane" or self.pilot.go(self.target.p_W, None, self.speed, dt) < 0.5:
                self._phase = "home"
        elif self._phase == "home":
            over = np.array([*home[:2], self._height])
            arrived = self.pilot.go(over, None, self.speed, dt) < 0.4
            # What cannot hover circles over its home.
            self._phase = "down" if arrived and self.pilot.kind == "copter" else "home"
        else:
            self._come_down(dt)

    def _come_down(self, dt: float) -> None:
        if self.resting or self.pilot.sink(dt):
            self.landed()

    def _look(self, dt: float) -> None:
        """What is not looked at in every step."""
        if self.crashed and self.armed:
            self.armed, self.resting, self.target = False, True, None
            self.mission.pause()
            self.say("Crash: disarming", mav.MAV_SEVERITY_CRITICAL)
        if self.armed and self.resting and self.pilot.flies:
            self._rested += dt
            if 0.0 < self.parameters["disarm_delay"] < self._rested:
                self.arm(False, True)
        else:
            self._rested = 0.0
        if not self.resting and self.armed and self.fence.look(self.now_ms):
            self.say("Fence breached", mav.MAV_SEVERITY_CRITICAL)
            task = _FENCE_TASKS[self.settings.autopilot].get(int(self.parameters["fence_action"]))
            if task is not None and self.task not in (ModeTask.LAND, ModeTask.RETURN):
                self.idle = False
                self.set_task(task)

    @property
    def landed_state(self) -> int:
        """MAV_LANDED_STATE."""
        if not self.pilot.flies or self.resting:
            return mav.MAV_LANDED_STATE_ON_GROUND
        if self._phase == "takeoff":
            return mav.MAV_LANDED_STATE_TAKEOFF
        if self.task is ModeTask.LAND or (self.task is ModeTask.RETURN and self._phase == "down"):
            return mav.MAV_LANDED_STATE_LANDING
        return mav.MAV_LANDED_STATE_IN_AIR


def _origin(simulation: Simulation, name: str, altitude: float) -> Origin:
    """The world's place on Earth: that of the robot's own receiver, else the sky's."""
    gps = next((s for s in simulation.sensors[name].values() if isinstance(s, Gps)), None)
    if gps is not None:
        return gps.origin
    sky = simulation.environment.sky
    return Origin(sky.latitude, sky.longitude, altitude)
