"""Configurations of sensors: their bytes in each dialect, and what of them can be."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

from volery.errors import SimulationError
from volery.protocols.ueds.codec import pack

__all__ = ["LidarSetup", "PictureSetup", "StereoSetup", "checked_angle", "checked_place", "checked_size"]

MOST_RAYS = 1 << 18
MOST_SIDE = 4096


def checked_angle(value: float, low: float, high: float, what: str) -> float:
    """An angle [deg] within limits."""
    if not low <= value <= high:
        raise SimulationError(f"{what} of {value:g}° is not {low:g} to {high:g}")
    return value


def checked_size(width: int, height: int) -> tuple[int, int]:
    """Pixels that a picture can have."""
    if not (1 <= width <= MOST_SIDE and 1 <= height <= MOST_SIDE):
        raise SimulationError(f"a picture of {width} × {height} pixels: sides are 1 to {MOST_SIDE}")
    return width, height


def checked_place(values: tuple[float, ...], what: str) -> tuple[float, ...]:
    """Numbers that are finite and not absurd."""
    if not all(math.isfinite(v) and abs(v) < 1e9 for v in values):
        raise SimulationError(f"{what} {values} must be finite")
    return values


@dataclass(frozen=True)
class LidarSetup:
    """A lidar. Angles [deg] are positive to each side; offsets in the drone's frame [cm]."""

    LETTERS = "bb" + "f" + "ii" + "f" + "fff" + "fff" + "ffff" + "b"
    OLD = "bb" + "f" * 12

    enable: bool = True
    """Kept, and of no effect: the ROS client sends false and wants rays all the same."""
    beams: bool = False
    length: float = 1000.0
    """Of beams [cm]."""
    across: int = 256
    down: int = 32
    """Rays by horizontal and vertical angle."""
    frequency: float = 10.0
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotator: tuple[float, ...] = (0.0, 0.0, 0.0)
    """Pitch, yaw, roll as Unreal turns it; see `packed`."""
    left: float = 180.0
    right: float = 180.0
    up: float = 52.0
    below: float = 7.0
    livox: bool = False
    pattern: str = ""
    """Of a Livox lidar, API 0.14: avia or mid360."""

    def packed(self) -> bytes:
        """Of API 0.11. The original keeps yaw and roll negated, and tells them so."""
        return pack(LidarSetup.LETTERS, *self.packed_fields())

    def packed_fields(self) -> tuple[Any, ...]:
        """Its fields as they are told."""
        pitch, yaw, roll = self.rotator
        return (
            self.enable, self.beams, self.length, self.across, self.down, self.frequency, *self.offset, pitch, yaw,
            roll if self.livox else -roll, self.left, self.right, self.up, self.below, self.livox,
        )  # fmt: skip

    @classmethod
    def of(cls, v: tuple[Any, ...], pattern: str = "") -> LidarSetup:
        """From a request of API 0.11: yaw is taken negated, and roll in Livox mode."""
        pitch, yaw, roll = v[9:12]
        values: list[Any] = [*v[:6], v[6:9], (pitch, -yaw, -roll if v[16] else roll), *v[12:17], pattern]
        return cls(*values)._checked()

    def packed_old(self) -> bytes:
        """In the thesis's dialect."""
        return pack(
            self.OLD, self.enable, self.beams, self.length, float(self.across), float(self.down), self.frequency,
            *self.offset, *self.rotator, self.left + self.right, self.up + self.below,
        )  # fmt: skip

    @classmethod
    def of_old(cls, v: tuple[Any, ...]) -> LidarSetup:
        """From a request of the thesis's dialect: symmetric, numbers of rays as doubles, rotators as they are."""
        across, down = (int(n) if math.isfinite(n) and n == int(n) else 0 for n in v[3:5])
        h, w = v[12] / 2, v[13] / 2
        return cls(v[0], v[1], v[2], across, down, v[5], v[6:9], v[9:12], h, h, w, w)._checked()

    def _checked(self) -> LidarSetup:
        checked_place((*self.offset, *self.rotator, self.frequency), "a lidar's place")
        if self.across < 1 or self.down < 1 or self.across * self.down > MOST_RAYS:
            raise SimulationError(f"{self.across} × {self.down} rays: at least one each way, at most {MOST_RAYS}")
        if not 0.0 < self.length <= 2e6:
            raise SimulationError(f"beams of {self.length:g} cm: above 0, at most 20 km")
        for side in (self.left, self.right):
            checked_angle(side, 0.0, 360.0, "a lidar's horizontal field")
        for side in (self.up, self.below):
            checked_angle(side, -90.0, 90.0, "a lidar's vertical field")
        return self


@dataclass(frozen=True)
class PictureSetup:
    """The colour camera. What only Unreal's renderer knows is kept and told again."""

    LETTERS = "b" + "fff" + "fff" + "f" + "ii" + "bbbb" + "ff"
    OLD = "b" + "f" * 7

    debug: bool = False
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotator: tuple[float, ...] = (0.0, 0.0, 0.0)
    fov: float = 90.0
    width: int = 640
    height: int = 480
    unreal: tuple[Any, ...] = (False, False, False, False, 0.0, 0.0)
    """Temporal anti-aliasing, ray tracing, HDR, motion blur, its amount and distortion."""

    def packed(self) -> bytes:
        """Of API 0.11."""
        return pack(
            self.LETTERS, self.debug, *self.offset, *self.rotator, self.fov, self.width, self.height, *self.unreal
        )

    @classmethod
    def of(cls, v: tuple[Any, ...]) -> PictureSetup:
        """From a request of API 0.11."""
        return cls(v[0], v[1:4], v[4:7], v[7], v[8], v[9], v[10:16])._checked()

    def packed_old(self) -> bytes:
        """In the thesis's dialect, as of March 2024; older clients leave the rest unread."""
        return pack(self.OLD + "ii", self.debug, *self.offset, *self.rotator, self.fov, self.width, self.height)

    def old(self, v: tuple[Any, ...]) -> PictureSetup:
        """From a request of the thesis's dialect; without a size it stays as it is."""
        size = v[8:10] if len(v) > 8 else (self.width, self.height)
        return replace(
            self, debug=v[0], offset=v[1:4], rotator=v[4:7], fov=v[7], width=size[0], height=size[1]
        )._checked()

    def _checked(self) -> Any:
        checked_place((*self.offset, *self.rotator), "a camera's place")
        checked_angle(self.fov, 1.0, 179.0, "a field of view")
        checked_size(self.width, self.height)
        return self


@dataclass(frozen=True)
class StereoSetup:
    """Two cameras side by side; since API 0.13 each with a place of its own."""

    LETTERS = "b" + "fff" + "fff" + "f" + "ii" + "f" + "bbb"
    APART = "b" + "fff" * 4 + "f" + "ii" + "bbb"

    debug: bool = False
    left: tuple[float, ...] = (0.0, 0.0, 0.0)
    right: tuple[float, ...] = (0.0, 10.0, 0.0)
    """Offsets [cm]."""
    left_rotator: tuple[float, ...] = (0.0, 0.0, 0.0)
    right_rotator: tuple[float, ...] = (0.0, 0.0, 0.0)
    fov: float = 90.0
    width: int = 640
    height: int = 480
    baseline: float = 0.1
    """[m], along the drone's own axis to the right."""
    unreal: tuple[Any, ...] = field(default=(False, False, False))
    """Temporal anti-aliasing, ray tracing, HDR."""

    def packed(self) -> bytes:
        """Of API 0.11."""
        return pack(
            self.LETTERS, self.debug, *self.left, *self.left_rotator, self.fov, self.width, self.height, self.baseline,
            *self.unreal,
        )  # fmt: skip

    @classmethod
    def of(cls, v: tuple[Any, ...]) -> StereoSetup:
        """From a request of API 0.11."""
        checked_place((v[10],), "a baseline")
        left = v[1:4]
        right = (left[0], left[1] + 100.0 * v[10], left[2])
        return cls(v[0], left, right, v[4:7], v[4:7], v[7], v[8], v[9], v[10], v[11:14])._checked()

    def packed_apart(self) -> bytes:
        """Of API 0.13."""
        return pack(
            self.APART, self.debug, *self.left, *self.right, *self.left_rotator, *self.right_rotator, self.fov,
            self.width, self.height, *self.unreal,
        )  # fmt: skip

    @classmethod
    def of_apart(cls, v: tuple[Any, ...]) -> StereoSetup:
        """From a request of API 0.13."""
        baseline = math.dist(v[1:4], v[4:7]) / 100.0
        return cls(v[0], v[1:4], v[4:7], v[7:10], v[10:13], v[13], v[14], v[15], baseline, v[16:19])._checked()

    def _checked(self) -> StereoSetup:
        checked_place((*self.left, *self.right, *self.left_rotator, *self.right_rotator), "a camera's place")
        checked_angle(self.fov, 1.0, 179.0, "a field of view")
        checked_size(self.width, self.height)
        return self
