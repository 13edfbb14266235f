"""AirSim's recordings: poses in a table, pictures in a folder."""

from __future__ import annotations

import logging
import re
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from volery.core.clock import SECOND
from volery.errors import SimulationError
from volery.protocols.airsim.arguments import rpc
from volery.protocols.airsim.car import Car
from volery.protocols.airsim.images import CapturedImage, ImageRequest
from volery.protocols.airsim.ned import ned, quaternion_ned
from volery.protocols.airsim.pixels import as_bytes, as_floats, png
from volery.protocols.airsim.settings_parts import RecordedCamera
from volery.protocols.airsim.vehicles import Vehicle

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Recording"]

_log = logging.getLogger("volery")
_POSE = "VehicleName\tTimeStamp\tPOS_X\tPOS_Y\tPOS_Z\tQ_W\tQ_X\tQ_Y\tQ_Z\t"
_CAR = "Throttle\tSteering\tBrake\tGear\tHandbrake\tRPM\tSpeed\t"
_MOST_BEGUN = 1000
"""Recordings of one run: each is a folder."""
_MOST_WAITING = 8
"""Pictures that wait to be drawn and written; more are drawn by the loop, which waits so that none is lost."""


class Recording:
    """Writes a line for each vehicle, and its pictures, at an interval of simulated time."""

    def __init__(self, door: AirSim) -> None:
        self._door = door
        self._settings = door.settings.recording
        self._file: TextIO | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._waiting = 0
        self._begun = 0
        self._faulty: set[Path] = set()
        self._next_ns = 0
        self._last: dict[str, tuple[Any, ...]] = {}
        self.folder: Path | None = None

    @property
    def on(self) -> bool:
        """Whether it records."""
        return self._file is not None

    def start(self) -> None:
        """Begin a recording in a folder of its own."""
        if self.on:
            return
        if self._begun >= _MOST_BEGUN:
            raise SimulationError(f"this run has made {_MOST_BEGUN} recordings; start another run")
        base = Path(self._settings.folder) if self._settings.folder else self._door.out / "AirSim"
        folder = _free(base / datetime.now().strftime("%Y-%m-%d-%H-%M-%S"))
        try:
            (folder / "images").mkdir(parents=True)
            self._file = (folder / "airsim_rec.txt").open("x", encoding="utf-8")
        except OSError as error:
            raise SimulationError(f"a recording cannot be written to {folder}: {error.strerror}") from None
        self._begun += 1
        self.folder, self._next_ns, self._last = folder, self._door.simulation.clock.now_ns, {}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="airsim-record")
        cars = any(isinstance(v, Car) for v in self._door.vehicles.values())
        self._file.write(f"{_POSE}{_CAR if cars else ''}ImageFile\n")
        _log.info("AirSim: recording to %s", folder)

    def stop(self, *, wait: bool = False) -> Future[None] | None:
        """End it; what was taken is still written, and the future is done then. wait: until it is."""
        if self._file is None or self._pool is None or self.folder is None:
            return None
        written = self._pool.submit(self._close, self._file, self.folder)
        self._pool.shutdown(wait=wait)
        self._file = self._pool = None
        return written

    def _close(self, file: TextIO, folder: Path) -> None:
        try:
            file.close()
        except OSError as error:
            self._fail(folder, error)

    def follow(self) -> None:
        """Take what is due after a step."""
        now = self._door.simulation.clock.now_ns
        if self._file is None or now < self._next_ns:
            return
        self._next_ns = now + round(self._settings.interval * SECOND)
        for vehicle in self._door.vehicles.values():
            self._take(vehicle)

    def _take(self, vehicle: Vehicle) -> None:
        snapshot = vehicle.snapshot
        pose = (*snapshot.p_WB.tolist(), *snapshot.q_WB_wxyz.tolist())
        if self._settings.on_move and self._last.get(vehicle.name) == pose:
            return
        self._last[vehicle.name] = pose
        requests = [ImageRequest(c.camera, c.image_type, c.floats, c.compress) for c in self._cameras(vehicle)]
        shots = self._door.images.take(requests, vehicle.name, False)
        if self._waiting >= _MOST_WAITING:
            for shot in shots:
                shot.made.result()
        line = self._line(vehicle)
        self._waiting += len(shots)
        assert self._pool is not None and self._file is not None and self.folder is not None
        self._pool.submit(self._write, self._file, self.folder, line, shots, vehicle.name)

    def _cameras(self, vehicle: Vehicle) -> list[RecordedCamera]:
        if self._settings.cameras is None:
            return [RecordedCamera("0", 0, False, True, vehicle.name)]
        default = self._door.vehicle("").name
        return [c for c in self._settings.cameras if (c.vehicle or default) == vehicle.name]

    def _line(self, vehicle: Vehicle) -> str:
        snapshot = vehicle.snapshot
        numbers = [*ned(snapshot.p_WB - vehicle.home_W), *quaternion_ned(snapshot.q_WB_wxyz)]
        stamp = self._door.stamp(snapshot.now_ns) // 1_000_000
        line = f"{vehicle.name}\t{stamp}\t" + "".join(f"{x:.6g}\t" for x in numbers)
        if isinstance(vehicle, Car):
            c = vehicle.controls
            line += f"{c.throttle:g}\t{c.steering:g}\t{c.brake:g}\t{vehicle.gear}\t{int(c.handbrake)}\t"
            line += f"{vehicle.rpm():.6g}\t{vehicle.speed:.6g}\t"
        return line

    def _write(self, file: TextIO, folder: Path, line: str, shots: list[CapturedImage], vehicle: str) -> None:
        """In a thread of its own, one after the other."""
        names = []
        try:
            for shot in shots:
                kind = shot.request.image_type
                name = re.sub(r"[^\w.-]", "_", f"img_{vehicle}_{shot.request.camera}_{kind}_{shot.stamp}")
                names.append(_save(shot, folder / "images" / name))
            file.write(f"{line}{';'.join(names)}\n")
        except OSError as error:
            self._fail(folder, error)
        self._waiting -= len(shots)

    def _fail(self, folder: Path, error: OSError) -> None:
        """Say once of a recording that it is not whole."""
        if folder in self._faulty:
            return
        self._faulty.add(folder)
        fault = SimulationError(f"AirSim: the recording in {folder} is not whole: {error.strerror or error}")
        _log.error("%s", fault)
        if self._door.on_fault is not None:
            self._door.on_fault(fault)


def _free(folder: Path) -> Path:
    """The folder, or one beside it if it is there already."""
    number, found = 1, folder
    while found.exists():
        number, found = number + 1, folder.with_name(f"{folder.name}-{number}")
    return found


def _save(shot: CapturedImage, path: Path) -> str:
    """Write a picture as PNG, PPM or PFM, as its request says; returns the file's name."""
    request = shot.request
    if request.floats:
        values = as_floats(shot.data, request.image_type, shot.capture)
        height, width = values.shape
        # PFM has the lowest row first, and says little-endian by a negative scale.
        data = f"Pf\n{width} {height}\n-1.0\n".encode() + np.flipud(values).astype("<f4").tobytes()
        ending = ".pfm"
    else:
        picture = as_bytes(shot.data, request.image_type, shot.X_WC, shot.capture)
        height, width = picture.shape[:2]
        ending = ".png" if request.compress else ".ppm"
        data = png(picture) if request.compress else f"P6\n{width} {height}\n255\n".encode() + picture.tobytes()
    file = path.with_name(path.name + ending)
    file.write_bytes(data)
    return file.name


@rpc("startRecording")
def start(door: AirSim) -> None:
    """Begin a recording."""
    door.recording.start()


@rpc("stopRecording")
def stop(door: AirSim) -> Future[None] | None:
    """End the recording; answered when all of it is written."""
    return door.recording.stop()


@rpc("isRecording", where="now")
def is_recording(door: AirSim) -> bool:
    """Whether there is one."""
    return door.recording.on
