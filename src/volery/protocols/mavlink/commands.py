"""MAV_CMD: what each command does; the same table for COMMAND_LONG, COMMAND_INT and the items of missions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from volery.errors import VoleryError
from volery.protocols.mavlink.dialect import AUTOPILOT, CAMERA, GIMBAL, mav
from volery.protocols.mavlink.earth import yaw_enu
from volery.protocols.mavlink.modes import ModeTask
from volery.protocols.mavlink.pilots import heading_of, wrap
from volery.protocols.mavlink.setpoints import Setpoint

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle
    from volery.protocols.mavlink.wire import Peer

__all__ = ["MISSION_COMMANDS", "MavCommand", "perform"]

_FORCE = 21196.0
"""Magic number of a disarming in the air."""
_OK, _DENIED = mav.MAV_RESULT_ACCEPTED, mav.MAV_RESULT_DENIED
_FAILED, _UNSUPPORTED = mav.MAV_RESULT_FAILED, mav.MAV_RESULT_UNSUPPORTED
_REJECTED = mav.MAV_RESULT_TEMPORARILY_REJECTED


@dataclass(frozen=True)
class MavCommand:
    """A command with its seven parameters."""

    command: int
    p1: float
    p2: float
    p3: float
    p4: float
    x: float
    y: float
    z: float
    frame: int = mav.MAV_FRAME_GLOBAL
    whole: bool = False
    """Whether latitude and longitude are 1e-7 deg: COMMAND_INT."""
    to: int = AUTOPILOT
    """Component that it is for; 0: all."""

    @staticmethod
    def of(m: Any) -> MavCommand:
        """From COMMAND_LONG or COMMAND_INT."""
        head = (m.command, m.param1, m.param2, m.param3, m.param4)
        if m.get_type() == "COMMAND_INT":
            return MavCommand(*head, m.x, m.y, m.z, m.frame, True, m.target_component)
        return MavCommand(*head, m.param5, m.param6, m.param7, to=m.target_component)

    @property
    def place(self) -> tuple[float, float]:
        """Latitude and longitude [deg], or metres in local frames."""
        local = self.frame in (mav.MAV_FRAME_LOCAL_NED, mav.MAV_FRAME_LOCAL_OFFSET_NED, mav.MAV_FRAME_BODY_FRD)
        scale = 1.0 if not self.whole else 1e-4 if local else 1e-7
        return self.x * scale, self.y * scale


Handler = Callable[["MavlinkVehicle", MavCommand, "Peer | None"], int]
_TABLE: dict[int, Handler] = {}
_UNSET = 2**31 - 1
"""A whole number that says: none."""


def _does(*commands: int) -> Callable[[Handler], Handler]:
    def add(function: Handler) -> Handler:
        for command in commands:
            _TABLE[command] = function
        return function

    return add


def perform(vehicle: MavlinkVehicle, order: MavCommand, peer: Peer | None = None) -> int:
    """Do a command; MAV_RESULT. peer: who asked, None: a mission."""
    handler = _TABLE.get(order.command)
    if handler is None:
        return _UNSUPPORTED
    try:
        return handler(vehicle, order, peer)
    except VoleryError as error:
        vehicle.say(str(error), mav.MAV_SEVERITY_WARNING)
        return _DENIED
    except (OverflowError, ValueError):
        # NaN or infinity where a whole number is wanted.
        return _DENIED


# Arming and modes


@_does(mav.MAV_CMD_COMPONENT_ARM_DISARM)
def _arm(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if o.p1 not in (0.0, 1.0):
        return _UNSUPPORTED
    return _OK if vehicle.arm(o.p1 == 1.0, o.p2 == _FORCE) else _REJECTED


@_does(mav.MAV_CMD_DO_FLIGHTTERMINATION)
def _terminate(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if o.p1 >= 0.5:
        vehicle.arm(False, True)
    return _OK


@_does(mav.MAV_CMD_DO_SET_MODE)
def _set_mode(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if not int(o.p1) & mav.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED:
        return _UNSUPPORTED
    return _OK if vehicle.set_mode(vehicle.modes.of_command(o.p2, o.p3)) else _DENIED


@_does(mav.MAV_CMD_NAV_TAKEOFF, mav.MAV_CMD_NAV_VTOL_TAKEOFF)
def _take_off(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if not vehicle.pilot.flies:
        return _UNSUPPORTED
    if not vehicle.armed or (
        not vehicle.px4 and vehicle.task is not ModeTask.GUIDED and vehicle.pilot.kind == "copter"
    ):
        return _DENIED
    if not math.isfinite(o.z) or (vehicle.px4 and o.z == 0.0):
        height = vehicle.parameters["takeoff"]
    elif vehicle.px4 or o.frame in (mav.MAV_FRAME_GLOBAL_INT,):
        # PX4 wants it over the sea, ArduPilot over home.
        height = o.z - vehicle.earth.geodetic(vehicle.earth.home_W)[2]
    else:
        height = o.z
    vehicle.take_off(height)
    return _OK


@_does(mav.MAV_CMD_NAV_LAND)
def _land(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    return _OK if vehicle.set_task(ModeTask.LAND) else _UNSUPPORTED


@_does(mav.MAV_CMD_NAV_RETURN_TO_LAUNCH)
def _return(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    return _OK if vehicle.set_task(ModeTask.RETURN) else _DENIED


@_does(mav.MAV_CMD_NAV_LOITER_UNLIM)
def _loiter(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    return _OK if vehicle.set_task(ModeTask.HOLD) else _DENIED


@_does(mav.MAV_CMD_DO_REPOSITION)
def _reposition(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    robot, (x, y) = vehicle.robot, o.place
    here = vehicle.earth.geodetic(robot.p_WB)
    if not math.isfinite(x + y) or (o.whole and _UNSET in (o.x, o.y)):
        x, y = here[:2]
    if math.isfinite(o.z):
        p = vehicle.earth.place(o.frame, x, y, o.z, robot)
    else:
        p = vehicle.earth.place(mav.MAV_FRAME_GLOBAL, x, y, here[2], robot)
    # ArduPilot's parameter is in degrees, PX4's in radians.
    yaw = None if not math.isfinite(o.p4) or not vehicle.px4 else yaw_enu(o.p4)
    if math.isfinite(o.p1) and o.p1 > 0:
        vehicle.speed = o.p1
    if not vehicle.px4 and vehicle.task is not ModeTask.GUIDED and not int(o.p2) & 1:
        return _DENIED
    return _OK if vehicle.go_to(p, yaw) else _DENIED


@_does(mav.MAV_CMD_CONDITION_YAW)
def _yaw(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if vehicle.task not in (ModeTask.GUIDED, ModeTask.HOLD) or not vehicle.armed or not math.isfinite(o.p1):
        return _DENIED
    turn = math.radians(o.p1) * (-1.0 if o.p3 < 0 else 1.0)
    wanted = wrap(heading_of(vehicle.robot) - turn) if o.p4 else yaw_enu(math.radians(o.p1))
    vehicle.target = Setpoint(p_W=vehicle.robot.p_WB.copy(), yaw=wanted, lasts=True)
    return _OK


@_does(mav.MAV_CMD_DO_CHANGE_SPEED)
def _speed(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if int(o.p1) not in (0, 1) or not math.isfinite(o.p2):
        return _UNSUPPORTED
    if o.p2 == -2:
        vehicle.speed = vehicle.parameters["speed"]
    elif o.p2 > 0.0:
        vehicle.speed = min(o.p2, 100.0)
    return _OK


@_does(mav.MAV_CMD_DO_SET_HOME)
def _home(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if o.p1 == 1.0:
        vehicle.set_home(vehicle.robot.p_WB)
    else:
        vehicle.set_home(vehicle.earth.place(o.frame, *o.place, o.z, vehicle.robot))
    return _OK


@_does(mav.MAV_CMD_MISSION_START)
def _start(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if not vehicle.plans.mission:
        return _DENIED
    if o.p1 > 0:
        vehicle.mission.select(int(o.p1))
    if not vehicle.armed and not vehicle.arm(True, False):
        return _REJECTED
    return _OK if vehicle.set_task(ModeTask.MISSION) else _DENIED


@_does(mav.MAV_CMD_DO_PAUSE_CONTINUE)
def _pause(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    return _OK if vehicle.set_task(ModeTask.MISSION if o.p1 == 1.0 else ModeTask.HOLD) else _DENIED


@_does(mav.MAV_CMD_DO_SET_MISSION_CURRENT)
def _select(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    return _OK if vehicle.mission.select(int(o.p1)) else _DENIED


@_does(mav.MAV_CMD_DO_FENCE_ENABLE)
def _fence(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if vehicle.px4:
        return _UNSUPPORTED
    vehicle.parameters.switch("fence_on", 1.0 if o.p1 == 1.0 else 0.0)
    return _OK


@_does(mav.MAV_CMD_PREFLIGHT_CALIBRATION)
def _calibrate(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    """Simulated sensors need none; done at once, on the ground."""
    return _REJECTED if vehicle.armed else _OK


# Messages


@_does(mav.MAV_CMD_SET_MESSAGE_INTERVAL)
def _interval(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if peer is None or not math.isfinite(o.p2):
        return _DENIED
    return _OK if vehicle.streams.ask(peer, int(o.p1), o.p2) else _DENIED


@_does(mav.MAV_CMD_GET_MESSAGE_INTERVAL)
def _tell_interval(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if peer is None:
        return _DENIED
    interval = vehicle.streams.interval_us(peer, int(o.p1))
    vehicle.send(mav.MAVLink_message_interval_message(int(o.p1), interval), to=peer)
    return _OK


@_does(mav.MAV_CMD_REQUEST_MESSAGE)
def _request(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    return _OK if vehicle.streams.tell(int(o.p1), peer) else _UNSUPPORTED


_ASKED = {
    mav.MAV_CMD_GET_HOME_POSITION: mav.MAVLINK_MSG_ID_HOME_POSITION,
    mav.MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES: mav.MAVLINK_MSG_ID_AUTOPILOT_VERSION,
    mav.MAV_CMD_REQUEST_CAMERA_INFORMATION: mav.MAVLINK_MSG_ID_CAMERA_INFORMATION,
    mav.MAV_CMD_REQUEST_CAMERA_SETTINGS: mav.MAVLINK_MSG_ID_CAMERA_SETTINGS,
    mav.MAV_CMD_REQUEST_STORAGE_INFORMATION: mav.MAVLINK_MSG_ID_STORAGE_INFORMATION,
    mav.MAV_CMD_REQUEST_CAMERA_CAPTURE_STATUS: mav.MAVLINK_MSG_ID_CAMERA_CAPTURE_STATUS,
}


@_does(*_ASKED)
def _request_old(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    return _OK if vehicle.streams.tell(_ASKED[o.command], peer) else _UNSUPPORTED


# Camera and gimbal


@_does(
    mav.MAV_CMD_IMAGE_START_CAPTURE, mav.MAV_CMD_IMAGE_STOP_CAPTURE, mav.MAV_CMD_DO_DIGICAM_CONTROL,
    mav.MAV_CMD_DO_SET_CAM_TRIGG_DIST, mav.MAV_CMD_DO_SET_CAM_TRIGG_INTERVAL, mav.MAV_CMD_DO_TRIGGER_CONTROL,
    mav.MAV_CMD_SET_CAMERA_MODE, mav.MAV_CMD_SET_CAMERA_ZOOM,
)  # fmt: skip
def _camera(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if vehicle.camera is None or o.to not in (0, AUTOPILOT, CAMERA):
        return _UNSUPPORTED
    return _OK if vehicle.camera.perform(o) else _DENIED


@_does(
    mav.MAV_CMD_DO_MOUNT_CONTROL, mav.MAV_CMD_DO_MOUNT_CONFIGURE, mav.MAV_CMD_DO_GIMBAL_MANAGER_PITCHYAW,
    mav.MAV_CMD_DO_GIMBAL_MANAGER_CONFIGURE, mav.MAV_CMD_DO_SET_ROI, mav.MAV_CMD_DO_SET_ROI_LOCATION,
    mav.MAV_CMD_DO_SET_ROI_NONE,
)  # fmt: skip
def _gimbal(vehicle: MavlinkVehicle, o: MavCommand, peer: Peer | None) -> int:
    if vehicle.gimbal is None or o.to not in (0, AUTOPILOT, GIMBAL, CAMERA):
        return _UNSUPPORTED
    return _OK if vehicle.gimbal.perform(o) else _DENIED


MISSION_COMMANDS = (
    mav.MAV_CMD_DO_CHANGE_SPEED, mav.MAV_CMD_DO_SET_HOME, mav.MAV_CMD_DO_FENCE_ENABLE,
    mav.MAV_CMD_IMAGE_START_CAPTURE, mav.MAV_CMD_IMAGE_STOP_CAPTURE, mav.MAV_CMD_DO_DIGICAM_CONTROL,
    mav.MAV_CMD_DO_SET_CAM_TRIGG_DIST, mav.MAV_CMD_DO_SET_CAM_TRIGG_INTERVAL, mav.MAV_CMD_SET_CAMERA_MODE,
    mav.MAV_CMD_SET_CAMERA_ZOOM, mav.MAV_CMD_DO_MOUNT_CONTROL, mav.MAV_CMD_DO_MOUNT_CONFIGURE,
    mav.MAV_CMD_DO_GIMBAL_MANAGER_PITCHYAW, mav.MAV_CMD_DO_GIMBAL_MANAGER_CONFIGURE, mav.MAV_CMD_DO_SET_ROI,
    mav.MAV_CMD_DO_SET_ROI_LOCATION, mav.MAV_CMD_DO_SET_ROI_NONE,
)  # fmt: skip
"""Commands that an item of a mission may have, done at once."""
