"""The camera component: pictures when a station, a distance or an interval triggers them."""

from __future__ import annotations

import logging
import math
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.deferred import Deferred
from volery.core.frames import q_ned_frd_from_enu_flu, quat_from_matrix
from volery.protocols.mavlink.dialect import CAMERA, mav
from volery.sensors.camera import Camera
from volery.sensors.encode import encode

if TYPE_CHECKING:
    from volery.protocols.mavlink.commands import MavCommand
    from volery.protocols.mavlink.vehicle import MavlinkVehicle

__all__ = ["CameraComponent"]

_log = logging.getLogger("volery")
_MOST = 10_000
"""Pictures that are written by one run."""
_MOST_UNWRITTEN = 16
"""Pictures that may wait to be drawn and written; with more, the loop waits for the first of them."""
_SENSOR_MM = 6.3
"""Width of the chip that focal lengths are told for [mm]."""


class CameraComponent:
    """The first camera of a robot."""

    def __init__(self, vehicle: MavlinkVehicle, camera: Camera) -> None:
        self._vehicle, self._camera = vehicle, camera
        self.count = 0
        """Pictures taken."""
        self._left = 0
        """Pictures of a series still to take; -1: for ever."""
        self._every = 0.0
        self._next = 0.0
        self._apart = 0.0
        """Distance between pictures [m]; 0: none."""
        self._last_W = vehicle.robot.p_WB.copy()
        self._captured: Any = None
        self._unwritten: deque[Deferred[None]] = deque()

    def perform(self, o: MavCommand) -> bool:
        """A command; whether it was done."""
        if o.command == mav.MAV_CMD_IMAGE_START_CAPTURE:
            return self._series(o.p2, o.p3)
        if o.command == mav.MAV_CMD_DO_SET_CAM_TRIGG_INTERVAL:
            return self._series(o.p1 / 1000.0, 0.0 if o.p1 > 0 else 1.0)
        if o.command == mav.MAV_CMD_IMAGE_STOP_CAPTURE:
            self._left = 0
        elif o.command == mav.MAV_CMD_DO_SET_CAM_TRIGG_DIST:
            self._apart = o.p1 if math.isfinite(o.p1) and o.p1 > 0 else 0.0
            if self._apart and o.p3 == 1.0:
                self.take()
        elif o.command == mav.MAV_CMD_DO_DIGICAM_CONTROL:
            if o.x == 1.0:
                self.take()
        elif o.command == mav.MAV_CMD_DO_TRIGGER_CONTROL:
            self._left = self._left if o.p1 != 0.0 else 0
        elif o.command == mav.MAV_CMD_SET_CAMERA_ZOOM:
            return self._zoom(int(o.p1), o.p2)
        return True

    def _series(self, interval: float, count: float) -> bool:
        if not math.isfinite(interval) or interval < 0 or not math.isfinite(count) or count < 0:
            return False
        self.take()
        self._left = -1 if count == 0 else int(count) - 1
        self._every = max(interval, self._vehicle.simulation.clock.step_ns * 1e-9)
        self._next = self._vehicle.simulation.clock.now + self._every
        return True

    def _zoom(self, kind: int, value: float) -> bool:
        """To a share of its range, 0 to 100: one to ten times."""
        if kind != mav.ZOOM_TYPE_RANGE or not 0.0 <= value <= 100.0:
            return False
        self._vehicle.simulation.operate(self._vehicle.name, self._camera.name, "set_zoom", 1.0 + 0.09 * value)
        return True

    def step(self) -> None:
        """Take what is due."""
        now, p = self._vehicle.simulation.clock.now, self._vehicle.robot.p_WB
        if self._left and now >= self._next - 1e-9:
            self._left -= 1 if self._left > 0 else 0
            self._next += self._every
            self.take()
        if self._apart and math.dist(p, self._last_W) >= self._apart:
            self.take()

    def take(self) -> None:
        """One picture, now; stations are told where it was taken, and under which name it was kept."""
        vehicle = self._vehicle
        self._last_W = vehicle.robot.p_WB.copy()
        file = self._keep()
        X = self._camera.X_WC
        q = q_ned_frd_from_enu_flu(quat_from_matrix(X[:, :3])).tolist()
        latitude, longitude, height = vehicle.earth.whole(X[:, 3])
        relative = height - vehicle.earth.whole(vehicle.earth.home_W)[2]
        unix = vehicle.simulation.environment.sky.time(vehicle.simulation.clock.now_ns).timestamp()
        self._captured = mav.MAVLink_camera_image_captured_message(
            vehicle.now_ms, round(unix * 1e6), 1, latitude, longitude, height, relative, q, self.count, 1, file.encode()
        )
        self.count += 1
        vehicle.send(self._captured, CAMERA)
        vehicle.send(mav.MAVLink_camera_trigger_message(vehicle.simulation.clock.now_ns // 1000, self.count - 1))

    def _keep(self) -> str:
        """Have the picture written in the background, if the settings name a folder; its name."""
        folder = self._vehicle.settings.pictures
        if not folder or self.count >= _MOST or "rgb" not in self._camera.config.outputs:
            return ""
        name = f"{self._vehicle.name}_{self.count:05d}.jpg"
        picture = self._camera.picture(self._vehicle.simulation.clock.now_ns)
        file: Deferred[None] = Deferred(lambda: _write(picture, Path(folder) / name))
        file.begin()
        self._unwritten.append(file)
        if len(self._unwritten) > _MOST_UNWRITTEN:
            self._unwritten.popleft().result()
        return name

    # What it tells of itself

    def heartbeat(self) -> Any:
        """Of the component."""
        return mav.MAVLink_heartbeat_message(
            mav.MAV_TYPE_CAMERA, mav.MAV_AUTOPILOT_INVALID, 0, 0, mav.MAV_STATE_ACTIVE, 3
        )

    def information(self) -> Any:
        """CAMERA_INFORMATION."""
        c = self._camera.config
        focal = _SENSOR_MM / 2 / math.tan(math.radians(min(c.fov_deg, 170.0)) / 2)
        flags = mav.CAMERA_CAP_FLAGS_CAPTURE_IMAGE | mav.CAMERA_CAP_FLAGS_HAS_BASIC_ZOOM
        return mav.MAVLink_camera_information_message(
            self._vehicle.now_ms, _padded("Volery"), _padded(self._camera.name), 1, focal, _SENSOR_MM,
            _SENSOR_MM * c.height / c.width, c.width, c.height, 0, flags, 0, b"",
        )  # fmt: skip

    def settings(self) -> Any:
        """CAMERA_SETTINGS: pictures."""
        return mav.MAVLink_camera_settings_message(self._vehicle.now_ms, mav.CAMERA_MODE_IMAGE)

    def storage(self) -> Any:
        """STORAGE_INFORMATION: the disk is not counted."""
        return mav.MAVLink_storage_information_message(
            self._vehicle.now_ms, 1, 1, mav.STORAGE_STATUS_NOT_SUPPORTED, 0.0, 0.0, 0.0, 0.0, 0.0
        )

    def status(self) -> Any:
        """CAMERA_CAPTURE_STATUS."""
        busy = 3 if self._left else 0
        return mav.MAVLink_camera_capture_status_message(
            self._vehicle.now_ms, busy, 0, self._every if busy else 0.0, 0, 0.0, self.count
        )

    def captured(self) -> Any:
        """CAMERA_IMAGE_CAPTURED of the last picture."""
        return self._captured


def _padded(text: str) -> list[int]:
    """32 bytes."""
    return list(text.encode("ascii", "replace")[:31].ljust(32, b"\0"))


def _write(picture: Deferred[dict[str, np.ndarray]], path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode(np.asarray(picture.result()["rgb"])))
    except OSError as error:
        _log.error("MAVLink: the picture %s cannot be written: %s", path.name, error)
