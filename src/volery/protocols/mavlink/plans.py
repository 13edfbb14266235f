"""Plans that ground stations upload and read back: missions, fences and rally points, in MAVLink's mission protocol."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from volery.errors import VoleryError
from volery.protocols.mavlink.dialect import mav
from volery.protocols.mavlink.wire import Peer

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["PlanItem", "Plans"]

_MOST = 2000
"""Items of a plan."""
_AGAIN, _TRIES = 0.7, 8
"""An item that does not come is asked for again after so long [s of wall time], and so often."""
_TYPES = (mav.MAV_MISSION_TYPE_MISSION, mav.MAV_MISSION_TYPE_FENCE, mav.MAV_MISSION_TYPE_RALLY)
_LOCAL = (mav.MAV_FRAME_LOCAL_NED, mav.MAV_FRAME_LOCAL_ENU, mav.MAV_FRAME_MISSION)
Check = Callable[[list["PlanItem"]], None]


@dataclass(frozen=True)
class PlanItem:
    """One item of a plan."""

    seq: int
    frame: int
    command: int
    params: tuple[float, float, float, float]
    x: float
    """Latitude [deg], or metres in local frames."""
    y: float
    z: float
    """[m]."""
    goes_on: bool = True
    """Whether the next one follows by itself."""

    @staticmethod
    def of(m: Any) -> PlanItem:
        """From MISSION_ITEM_INT, or the older MISSION_ITEM."""
        scale = 1.0
        if m.get_type() == "MISSION_ITEM_INT":
            scale = 1e-4 if m.frame in _LOCAL else 1e-7
        params = (float(m.param1), float(m.param2), float(m.param3), float(m.param4))
        return PlanItem(m.seq, m.frame, m.command, params, m.x * scale, m.y * scale, float(m.z), bool(m.autocontinue))

    def message(self, to: tuple[int, int], kind: int, current: bool, whole: bool) -> Any:
        """MISSION_ITEM_INT, or the older MISSION_ITEM."""
        head = (*to, self.seq, self.frame, self.command, int(current), int(self.goes_on), *self.params)
        if not whole:
            return mav.MAVLink_mission_item_message(*head, self.x, self.y, self.z, kind)
        scale = 1e4 if self.frame in _LOCAL else 1e7
        x, y = (round(v * scale) if math.isfinite(v) else 0 for v in (self.x, self.y))
        return mav.MAVLink_mission_item_int_message(*head, x, y, self.z, kind)


@dataclass
class _Upload:
    """A plan that is coming in."""

    kind: int
    count: int
    peer: Peer
    to: tuple[int, int]
    items: list[PlanItem]
    asked: float = 0.0
    tries: int = 0


class Plans:
    """The three plans of a vehicle."""

    def __init__(self, vehicle: MavlinkVehicle, checks: dict[int, Check]) -> None:
        """checks: take a plan that is complete, by its type, or refuse it."""
        self._vehicle, self._checks = vehicle, checks
        self._items: dict[int, list[PlanItem]] = {kind: [] for kind in _TYPES}
        self._upload: _Upload | None = None

    @property
    def mission(self) -> list[PlanItem]:
        """Items of the mission; with ArduPilot the first one is home."""
        return self._items[mav.MAV_MISSION_TYPE_MISSION]

    def listed(self, kind: int) -> list[PlanItem]:
        """Items as they are read back: ArduPilot's mission begins with the home of now."""
        items = self._items[kind]
        if kind != mav.MAV_MISSION_TYPE_MISSION or self._vehicle.px4:
            return items
        latitude, longitude, height = self._vehicle.earth.geodetic(self._vehicle.earth.home_W)
        home = PlanItem(
            0, mav.MAV_FRAME_GLOBAL, mav.MAV_CMD_NAV_WAYPOINT, (0.0, 0.0, 0.0, 0.0), latitude, longitude, height
        )
        return [home, *items[1:]]

    def take(self, m: Any, peer: Peer) -> None:
        """A message of the protocol."""
        name, kind = m.get_type(), getattr(m, "mission_type", 0)
        to = (m.get_srcSystem(), m.get_srcComponent())
        if kind not in _TYPES and not (name == "MISSION_CLEAR_ALL" and kind == mav.MAV_MISSION_TYPE_ALL):
            self._ack(to, kind, mav.MAV_MISSION_UNSUPPORTED, peer)
        elif name == "MISSION_COUNT":
            self._begin(m, kind, to, peer)
        elif name in ("MISSION_ITEM", "MISSION_ITEM_INT"):
            self._receive(m, to, peer)
        elif name == "MISSION_REQUEST_LIST":
            count = mav.MAVLink_mission_count_message(*to, len(self.listed(kind)), kind)
            self._vehicle.send(count, to=peer)
        elif name in ("MISSION_REQUEST", "MISSION_REQUEST_INT"):
            self._tell(m, kind, to, peer)
        elif name == "MISSION_CLEAR_ALL":
            self._clear(kind, to, peer)
        elif name == "MISSION_ACK" and self._upload is not None and m.type != mav.MAV_MISSION_ACCEPTED:
            self._upload = None

    def remind(self) -> None:
        """Ask again for what did not come."""
        upload = self._upload
        if upload is None or time.monotonic() - upload.asked < _AGAIN:
            return
        if upload.tries >= _TRIES:
            self._upload = None
            self._ack(upload.to, upload.kind, mav.MAV_MISSION_OPERATION_CANCELLED, upload.peer)
            return
        upload.tries += 1
        self._ask(upload)

    def _begin(self, m: Any, kind: int, to: tuple[int, int], peer: Peer) -> None:
        if self._upload is not None and self._upload.peer is not peer:
            self._ack(to, kind, mav.MAV_MISSION_DENIED, peer)
        elif m.count > _MOST:
            self._ack(to, kind, mav.MAV_MISSION_NO_SPACE, peer)
        elif m.count == 0:
            self._clear(kind, to, peer)
        else:
            self._upload = _Upload(kind, m.count, peer, to, [])
            self._ask(self._upload)

    def _ask(self, upload: _Upload) -> None:
        """ArduPilot asks by MISSION_REQUEST, which clients answer with either kind of item. PX4 asks for whole numbers,
        and every second time again as for old clients."""
        upload.asked = time.monotonic()
        whole = self._vehicle.px4 and upload.tries % 2 == 0 and not upload.peer.version1
        cls = mav.MAVLink_mission_request_int_message if whole else mav.MAVLink_mission_request_message
        self._vehicle.send(cls(*upload.to, len(upload.items), upload.kind), to=upload.peer)

    def _receive(self, m: Any, to: tuple[int, int], peer: Peer) -> None:
        upload = self._upload
        if upload is None or upload.peer is not peer or m.seq != len(upload.items):
            return
        upload.items.append(PlanItem.of(m))
        upload.tries = 0
        if len(upload.items) < upload.count:
            self._ask(upload)
            return
        self._upload = None
        try:
            self._checks[upload.kind](upload.items)
        except VoleryError as error:
            self._vehicle.say(f"Plan rejected: {error}", mav.MAV_SEVERITY_WARNING)
            self._ack(to, upload.kind, mav.MAV_MISSION_UNSUPPORTED, peer)
            return
        self._items[upload.kind] = upload.items
        self._ack(to, upload.kind, mav.MAV_MISSION_ACCEPTED, peer)

    def _tell(self, m: Any, kind: int, to: tuple[int, int], peer: Peer) -> None:
        items = self.listed(kind)
        if m.seq >= len(items):
            self._ack(to, kind, mav.MAV_MISSION_INVALID_SEQUENCE, peer)
            return
        current = kind == mav.MAV_MISSION_TYPE_MISSION and m.seq == self._vehicle.mission.current
        whole = m.get_type() == "MISSION_REQUEST_INT"
        self._vehicle.send(items[m.seq].message(to, kind, current, whole), to=peer)

    def _clear(self, kind: int, to: tuple[int, int], peer: Peer) -> None:
        for each in _TYPES if kind == mav.MAV_MISSION_TYPE_ALL else (kind,):
            self._items[each] = []
            self._checks[each]([])
        self._ack(to, kind, mav.MAV_MISSION_ACCEPTED, peer)

    def _ack(self, to: tuple[int, int], kind: int, result: int, peer: Peer) -> None:
        self._vehicle.send(mav.MAVLink_mission_ack_message(*to, result, kind), to=peer)
