"""What comes in: each message that a vehicle understands, and what is done with it in the loop."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from volery.errors import SimulationError, VoleryError
from volery.protocols.mavlink.commands import MavCommand, perform
from volery.protocols.mavlink.dialect import AUTOPILOT, CAMERA, GIMBAL, mav
from volery.protocols.mavlink.modes import ModeTask
from volery.protocols.mavlink.plans import PlanItem
from volery.protocols.mavlink.setpoints import attitude_setpoint, position_setpoint
from volery.protocols.mavlink.wire import Peer

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["Inbox"]

_log = logging.getLogger("volery")

_PLANS = (
    "MISSION_COUNT", "MISSION_ITEM", "MISSION_ITEM_INT", "MISSION_REQUEST_LIST", "MISSION_REQUEST",
    "MISSION_REQUEST_INT", "MISSION_CLEAR_ALL", "MISSION_ACK",
)  # fmt: skip
_NEWEST = ("SET_POSITION_TARGET_LOCAL_NED", "SET_POSITION_TARGET_GLOBAL_INT", "SET_ATTITUDE_TARGET", "MANUAL_CONTROL")
"""Of these only the last one counts."""
_NAK, _NO_FILE = 129, 10
"""Of MAVLink FTP: not done, there is no such file."""
_PAGE = 50
"""Parameters that are told in one step, so that a list holds up nothing."""


class Inbox:
    """The messages of one vehicle's peers."""

    def __init__(self, vehicle: MavlinkVehicle) -> None:
        self._vehicle = vehicle
        self.dropped = 0
        """Messages that came faster than they could be done."""
        self._listing: dict[Peer, int] = {}
        """How far each peer's list of parameters is."""
        self._handlers: dict[str, Callable[[Any, Peer], None]] = {
            "COMMAND_LONG": self._command, "COMMAND_INT": self._command, "SET_MODE": self._mode,
            "PARAM_REQUEST_LIST": self._list_parameters, "PARAM_REQUEST_READ": self._read_parameter,
            "PARAM_SET": self._set_parameter, "REQUEST_DATA_STREAM": self._data_stream, "TIMESYNC": self._timesync,
            "PING": self._ping, "MISSION_SET_CURRENT": self._select, "SET_HOME_POSITION": self._home,
            "SET_POSITION_TARGET_LOCAL_NED": self._setpoint, "SET_POSITION_TARGET_GLOBAL_INT": self._setpoint,
            "SET_ATTITUDE_TARGET": self._setpoint, "MANUAL_CONTROL": self._manual,
            "RC_CHANNELS_OVERRIDE": self._override, "MOUNT_CONTROL": self._mount,
            "GIMBAL_MANAGER_SET_PITCHYAW": self._pitch_yaw, "FILE_TRANSFER_PROTOCOL": self._no_file,
            **dict.fromkeys(_PLANS, self._plan),
        }  # fmt: skip

    def post(self, message: Any, peer: Peer) -> None:
        """From the socket's thread: have the loop take it, unless it is none of ours."""
        name = message.get_type()
        if name not in self._handlers or not self._is_ours(message):
            return
        key = name if name in _NEWEST else None
        try:
            asked = self._vehicle.simulation.ask(lambda: self.take(message, peer), peer.address, newest=key)
        except SimulationError:
            self.dropped += 1
            return
        asked.add_done_callback(lambda done: _report(name, done))

    def take(self, message: Any, peer: Peer) -> None:
        """In the loop."""
        if self._vehicle.simulation.robots.get(self._vehicle.name) is self._vehicle.robot:
            self._handlers[message.get_type()](message, peer)

    def step(self) -> None:
        """Go on with lists of parameters."""
        names = self._vehicle.parameters.names
        for peer, at in list(self._listing.items()):
            for name in names[at : at + _PAGE]:
                self._vehicle.send(self._vehicle.parameters.message(name), to=peer)
            self._listing[peer] = at + _PAGE
            if at + _PAGE >= len(names):
                del self._listing[peer]

    def _is_ours(self, message: Any) -> bool:
        system = getattr(message, "target_system", getattr(message, "target", 0))
        component = getattr(message, "target_component", 0)
        return system in (0, self._vehicle.system) and component in (0, AUTOPILOT, CAMERA, GIMBAL)

    # Commands, modes, plans

    def _command(self, m: Any, peer: Peer) -> None:
        if m.get_type() == "COMMAND_LONG" and m.command == mav.MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN:
            result = mav.MAV_RESULT_DENIED
        else:
            result = perform(self._vehicle, MavCommand.of(m), peer)
        to = (m.get_srcSystem(), m.get_srcComponent())
        component = m.target_component if m.target_component in (CAMERA, GIMBAL) else AUTOPILOT
        self._vehicle.send(mav.MAVLink_command_ack_message(m.command, result, 0, 0, *to), component, peer)

    def _mode(self, m: Any, peer: Peer) -> None:
        """The old message; ArduPilot acknowledges it as a command."""
        done = bool(m.base_mode & mav.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED) and self._vehicle.set_mode(m.custom_mode)
        result = mav.MAV_RESULT_ACCEPTED if done else mav.MAV_RESULT_DENIED
        self._vehicle.send(mav.MAVLink_command_ack_message(mav.MAVLINK_MSG_ID_SET_MODE, result), to=peer)

    def _plan(self, m: Any, peer: Peer) -> None:
        if m.get_type() in ("MISSION_ITEM", "MISSION_ITEM_INT") and m.current in (2, 3):
            self._guided_item(m, peer)
        else:
            self._vehicle.plans.take(m, peer)

    def _guided_item(self, m: Any, peer: Peer) -> None:
        """ArduPilot's old way to say where to go (2), or how high (3)."""
        vehicle, item = self._vehicle, PlanItem.of(m)
        done = False
        try:
            p = vehicle.earth.place(item.frame, item.x, item.y, item.z, vehicle.robot)
            if m.current == 3:
                p[:2] = vehicle.robot.p_WB[:2]
            done = vehicle.task is ModeTask.GUIDED and vehicle.go_to(p, None)
        except VoleryError as error:
            vehicle.say(str(error), mav.MAV_SEVERITY_WARNING)
        result = mav.MAV_MISSION_ACCEPTED if done else mav.MAV_MISSION_ERROR
        vehicle.send(mav.MAVLink_mission_ack_message(m.get_srcSystem(), m.get_srcComponent(), result), to=peer)

    def _select(self, m: Any, peer: Peer) -> None:
        self._vehicle.mission.select(m.seq)
        self._vehicle.streams.tell(mav.MAVLINK_MSG_ID_MISSION_CURRENT, None)

    def _home(self, m: Any, peer: Peer) -> None:
        place = (m.latitude * 1e-7, m.longitude * 1e-7, m.altitude * 1e-3)
        try:
            self._vehicle.set_home(self._vehicle.earth.place(mav.MAV_FRAME_GLOBAL, *place, self._vehicle.robot))
        except VoleryError as error:
            self._vehicle.say(str(error), mav.MAV_SEVERITY_WARNING)

    # Set-points and sticks

    def _setpoint(self, m: Any, peer: Peer) -> None:
        vehicle = self._vehicle
        try:
            by_attitude = m.get_type() == "SET_ATTITUDE_TARGET"
            found = attitude_setpoint(m) if by_attitude else position_setpoint(vehicle, m)
        except VoleryError as error:
            vehicle.say(str(error), mav.MAV_SEVERITY_WARNING)
            return
        # PX4 wants set-points before it changes to OFFBOARD; ArduPilot takes them in GUIDED only.
        if vehicle.px4 or vehicle.task is ModeTask.GUIDED:
            vehicle.take_setpoint(found)

    def _manual(self, m: Any, peer: Peer) -> None:
        """A joystick of the ground station; the height stick rests in the middle."""
        forward, right, up, turn = (v / 1000.0 for v in (m.x, m.y, 2 * m.z - 1000, m.r))
        if all(abs(v) <= 1.001 for v in (forward, right, up, turn)):
            self._vehicle.sticks = (forward, right, up, turn, time.monotonic())

    def _override(self, m: Any, peer: Peer) -> None:
        """Channels of a remote control: roll, pitch, throttle, yaw; for rovers steering and throttle."""
        raw = (m.chan1_raw, m.chan2_raw, m.chan3_raw, m.chan4_raw)
        roll, pitch, throttle, yaw = (0.0 if v in (0, 65_535) else min(max((v - 1500) / 500, -1), 1) for v in raw)
        if self._vehicle.pilot.kind == "rover":
            self._vehicle.sticks = (throttle, 0.0, 0.0, roll, time.monotonic())
        elif all(v in (0, 65_535) for v in raw):
            self._vehicle.sticks = None
        else:
            self._vehicle.sticks = (-pitch, roll, throttle, yaw, time.monotonic())

    def _mount(self, m: Any, peer: Peer) -> None:
        if self._vehicle.gimbal is not None:
            self._vehicle.gimbal.point(math.radians(m.input_a * 0.01), math.radians(m.input_c * 0.01), lock=False)

    def _pitch_yaw(self, m: Any, peer: Peer) -> None:
        if self._vehicle.gimbal is not None:
            lock = bool(m.flags & mav.GIMBAL_MANAGER_FLAGS_YAW_LOCK)
            self._vehicle.gimbal.steer(m.pitch, m.yaw, m.pitch_rate, m.yaw_rate, lock=lock)

    # Parameters, streams, time

    def _list_parameters(self, m: Any, peer: Peer) -> None:
        self._listing[peer] = 0

    def _read_parameter(self, m: Any, peer: Peer) -> None:
        name = self._vehicle.parameters.find(m)
        if name is not None:
            self._vehicle.send(self._vehicle.parameters.message(name), to=peer)

    def _set_parameter(self, m: Any, peer: Peer) -> None:
        """The answer is the value that holds now, whether it was changed or not."""
        parameters = self._vehicle.parameters
        name, value = parameters.told(m)
        if name in parameters.names:
            if parameters.set(name, value):
                self._vehicle.speed = parameters["speed"]
            self._vehicle.send(parameters.message(name))

    def _data_stream(self, m: Any, peer: Peer) -> None:
        self._vehicle.streams.ask_group(peer, m.req_stream_id, m.req_message_rate if m.start_stop else 0)

    def _timesync(self, m: Any, peer: Peer) -> None:
        if m.tc1 == 0:
            now = self._vehicle.simulation.clock.now_ns
            reply = mav.MAVLink_timesync_message(now, m.ts1)
            self._vehicle.send(reply, to=peer)

    def _ping(self, m: Any, peer: Peer) -> None:
        if m.target_system == 0:
            to = (m.get_srcSystem(), m.get_srcComponent())
            self._vehicle.send(mav.MAVLink_ping_message(m.time_usec, m.seq, *to), to=peer)

    def _no_file(self, m: Any, peer: Peer) -> None:
        """There are no files here; who asks is told so, and need not wait for a time-out."""
        asked = bytes(m.payload[:12])
        number = (int.from_bytes(asked[:2], "little") + 1) & 0xFFFF
        head = number.to_bytes(2, "little") + bytes([asked[2], _NAK, 1, asked[3], 0, 0]) + asked[8:12]
        payload = list((head + bytes([_NO_FILE])).ljust(251, b"\0"))
        to = (m.get_srcSystem(), m.get_srcComponent())
        self._vehicle.send(mav.MAVLink_file_transfer_protocol_message(0, *to, payload), to=peer)


def _report(name: str, done: Future[Any]) -> None:
    """A message that could not be done is an error of ours: nobody waits for its answer, so it is said here."""
    error = None if done.cancelled() else done.exception()
    if error is not None:
        _log.error("MAVLink: %s could not be done: %r", name, error)
