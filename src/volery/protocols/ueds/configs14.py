"""Configurations of sensors as API 0.14 has them: more of the camera, event cameras and fisheyes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from volery.errors import SimulationError
from volery.protocols.ueds.codec import pack
from volery.protocols.ueds.configs import (
    LidarSetup,
    PictureSetup,
    StereoSetup,
    checked_angle,
    checked_place,
    checked_size,
)

__all__ = ["Camera14", "EventSetup", "FisheyeSetup", "Lidar14", "Stereo14", "bent"]

_INTRINSICS = "b" + "f" * 4
_DISTORTION = "b" + "f" * 5
_EXPOSURE = "b" + "f" * 3
_LENS = "f" * 9 + "b"
_LATER = "b" + "f" * 3 + "bf"
"""Noise and rolling shutter, which came with later commits."""
_PLAIN_EXPOSURE = (False, 0.01, 100.0, 0.0)
_PLAIN_LENS = (2.8, 10.0, 24.0, 0.0, 0.0, 0.0, 0.0, 6500.0, 0.0, False)


def _focal(width: int, fov: float) -> float:
    return width / (2.0 * math.tan(math.radians(fov) / 2.0))


def _fov(intrinsics: tuple[Any, ...], width: int, height: int, fov: float) -> float:
    """Field of view [deg] that intrinsics stand for; only square pixels round the middle can be."""
    custom, fx, fy, cx, cy = intrinsics
    if not custom:
        return fov
    middle = abs(cx - width / 2) <= 1.0 and abs(cy - height / 2) <= 1.0
    if not (fx > 0 and abs(fy - fx) <= 0.01 * fx and middle):
        raise SimulationError(f"intrinsics {intrinsics[1:]}: pixels are square here, and the axis is in the middle")
    return math.degrees(2.0 * math.atan(width / (2.0 * fx)))


def _told(intrinsics: tuple[Any, ...], width: int, height: int, fov: float) -> tuple[Any, ...]:
    """Intrinsics in effect, even if the field of view drives them."""
    if intrinsics[0]:
        return intrinsics
    f = _focal(width, fov)
    return (False, f, f, width / 2.0, height / 2.0)


@dataclass(frozen=True)
class Lidar14(LidarSetup):
    """A lidar with the name of its Livox pattern at the end."""

    LETTERS = LidarSetup.LETTERS + "t"

    def packed(self) -> bytes:
        """Of API 0.14."""
        return pack(self.LETTERS, *self.packed_fields(), self.pattern)

    @classmethod
    def of14(cls, v: tuple[Any, ...]) -> Lidar14:
        """From a request."""
        if v[-1] not in ("", "avia", "mid360"):
            raise SimulationError(f"there is no Livox pattern '{v[-1]}'; known: avia, mid360")
        return cls.of(v[:-1], v[-1])  # type: ignore[return-value]


@dataclass(frozen=True)
class Camera14(PictureSetup):
    """The colour camera. Lens and noise are kept; exposure, intrinsics, distortion and shutter have an effect."""

    LETTERS = PictureSetup.LETTERS + _EXPOSURE + _LENS + _INTRINSICS + _DISTORTION
    LONG = LETTERS + _LATER

    exposing: tuple[Any, ...] = _PLAIN_EXPOSURE
    """Whether by hand, shutter [s], ISO, EV."""
    lens: tuple[Any, ...] = _PLAIN_LENS
    intrinsics: tuple[Any, ...] = (False, 0.0, 0.0, 0.0, 0.0)
    distortion: tuple[Any, ...] = (False, 0.0, 0.0, 0.0, 0.0, 0.0)
    """k1, k2, k3, p1, p2."""
    later: tuple[Any, ...] = (False, 0.0, 0.0, 0.0, False, 0.0)

    def packed14(self) -> bytes:
        """Of API 0.14, with what later commits added: earlier clients leave the rest unread."""
        own = (self.debug, *self.offset, *self.rotator, self.fov, self.width, self.height, *self.unreal)
        told = _told(self.intrinsics, self.width, self.height, self.fov)
        return pack(self.LONG, *own, *self.exposing, *self.lens, *told, *self.distortion, *self.later)

    @classmethod
    def of14(cls, v: tuple[Any, ...]) -> Camera14:
        """From a request, with or without what later commits added."""
        later = v[41:47] if len(v) > 41 else (False, 0.0, 0.0, 0.0, False, 0.0)
        fov = _fov(v[30:35], v[8], v[9], v[7])
        made = cls(v[0], v[1:4], v[4:7], fov, v[8], v[9], v[10:16], v[16:20], v[20:30], v[30:35], v[35:41], later)
        checked_place((*v[16:20], *v[20:30], *v[35:41], *later), "a camera's setting")
        if made.exposing[0] and not (made.exposing[1] > 0 and made.exposing[2] > 0):
            raise SimulationError("an exposure by hand needs a shutter and an ISO above 0")
        return made._checked()

    @property
    def exposure(self) -> float:
        """Stops brighter than usual [EV]."""
        by_hand, shutter, iso, ev = self.exposing
        stops = ev + (math.log2(shutter / 0.01 * iso / 100.0) if by_hand else 0.0)
        return float(np.clip(stops, -20.0, 20.0))

    @property
    def automatic(self) -> bool:
        """Whether the picture exposes itself."""
        return not self.exposing[0]

    @property
    def readout(self) -> float:
        """Of a rolling shutter [s]."""
        return float(np.clip(self.later[5], 0.0, 1.0)) if self.later[4] else 0.0

    @property
    def bend(self) -> tuple[float, ...]:
        """Distortion; empty: none."""
        return tuple(self.distortion[1:]) if self.distortion[0] else ()


@dataclass(frozen=True)
class Stereo14(StereoSetup):
    """Two cameras with intrinsics and distortion that both share."""

    LETTERS14 = StereoSetup.APART + _INTRINSICS + _DISTORTION

    intrinsics: tuple[Any, ...] = (False, 0.0, 0.0, 0.0, 0.0)
    distortion: tuple[Any, ...] = (False, 0.0, 0.0, 0.0, 0.0, 0.0)

    def packed14(self) -> bytes:
        """Of API 0.14."""
        told = _told(self.intrinsics, self.width, self.height, self.fov)
        return self.packed_apart() + pack(_INTRINSICS + _DISTORTION, *told, *self.distortion)

    @classmethod
    def of14(cls, v: tuple[Any, ...]) -> Stereo14:
        """From a request."""
        plain = StereoSetup.of_apart((*v[:13], _fov(v[19:24], v[14], v[15], v[13]), *v[14:19]))
        checked_place(v[24:30], "distortion")
        return cls(**vars(plain), intrinsics=v[19:24], distortion=v[24:30])

    @property
    def bend(self) -> tuple[float, ...]:
        """Distortion; empty: none."""
        return tuple(self.distortion[1:]) if self.distortion[0] else ()


@dataclass(frozen=True)
class EventSetup:
    """An event camera; ours has one threshold for both signs, the first."""

    LETTERS = "b" + "fff" * 2 + "f" + "ii" + "ff" + "b"

    debug: bool = False
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotator: tuple[float, ...] = (0.0, 0.0, 0.0)
    fov: float = 90.0
    width: int = 640
    height: int = 480
    rising: float = 0.2
    falling: float = 0.2
    by_simulation: bool = False

    def packed(self) -> bytes:
        """Of API 0.14."""
        return pack(
            self.LETTERS, self.debug, *self.offset, *self.rotator, self.fov, self.width, self.height, self.rising,
            self.falling, self.by_simulation,
        )  # fmt: skip

    @classmethod
    def of(cls, v: tuple[Any, ...]) -> EventSetup:
        """From a request."""
        checked_place(v[1:7], "a camera's place")
        checked_angle(v[7], 1.0, 179.0, "a field of view")
        checked_size(v[8], v[9])
        if not (0.01 <= v[10] <= 10.0 and 0.01 <= v[11] <= 10.0):
            raise SimulationError(f"thresholds {v[10]:g} and {v[11]:g}: 0.01 to 10")
        return cls(v[0], v[1:4], v[4:7], *v[7:])


@dataclass(frozen=True)
class FisheyeSetup:
    """A fisheye; of the lenses there is the equidistant one."""

    LETTERS = "b" + "fff" * 2 + "f" + "ii" + "i"
    projection = "fisheye"

    debug: bool = False
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotator: tuple[float, ...] = (0.0, 0.0, 0.0)
    diagonal: float = 180.0
    """Field of view across the diagonal [deg]."""
    width: int = 640
    height: int = 480
    lens: int = 0

    @property
    def fov(self) -> float:
        """Horizontal: angles grow evenly from the middle [deg]."""
        return self.diagonal * self.width / math.hypot(self.width, self.height)

    def packed(self) -> bytes:
        """Of API 0.14."""
        return pack(
            self.LETTERS, self.debug, *self.offset, *self.rotator, self.diagonal, self.width, self.height, self.lens
        )

    @classmethod
    def of(cls, v: tuple[Any, ...]) -> FisheyeSetup:
        """From a request."""
        checked_place(v[1:7], "a camera's place")
        checked_angle(v[7], 1.0, 220.0, "a diagonal field of view")
        checked_size(v[8], v[9])
        if v[10] != 0:
            raise SimulationError(f"lens {v[10]}: only the equidistant one, 0, is here")
        return cls(v[0], v[1:4], v[4:7], *v[7:])


@lru_cache(maxsize=16)
def _sources(width: int, height: int, fov: float, k: tuple[float, ...]) -> np.ndarray:
    """For each pixel of a bent picture the one of the straight picture that is seen there, -1 beyond its edge."""
    k1, k2, k3, p1, p2 = k
    f = _focal(width, fov)
    row, column = np.mgrid[:height, :width]
    xd, yd = (column + 0.5 - width / 2) / f, (row + 0.5 - height / 2) / f
    x, y = xd.copy(), yd.copy()
    for _ in range(12):
        r2 = x * x + y * y
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        x, y = (
            (xd - 2 * p1 * x * y - p2 * (r2 + 2 * x * x)) / radial,
            (yd - p1 * (r2 + 2 * y * y) - 2 * p2 * x * y) / radial,
        )
    u = np.floor(np.nan_to_num(x * f + width / 2, nan=-1.0, posinf=-1.0, neginf=-1.0))
    v = np.floor(np.nan_to_num(y * f + height / 2, nan=-1.0, posinf=-1.0, neginf=-1.0))
    inside = (u >= 0) & (u < width) & (v >= 0) & (v < height)
    return np.where(inside, v * width + u, -1).astype(np.int64)


def bent(picture: np.ndarray, fov: float, k: tuple[float, ...]) -> np.ndarray:
    """A picture [h, w, …] as a lens with distortion k1, k2, k3, p1, p2 (OpenCV's) shows it; 0 beyond its edge."""
    if not k:
        return picture
    height, width = picture.shape[:2]
    source = _sources(width, height, fov, k)
    flat = picture.reshape(height * width, *picture.shape[2:])[source.reshape(-1)]
    flat[source.reshape(-1) < 0] = 0
    return flat.reshape(picture.shape)
