"""What clients send: methods by name, and each argument checked and turned into what it means.

Missing keys of a structure have their defaults and unknown ones are ignored, as clients expect; whole numbers stand for
fractions. Anything else that does not fit is refused with a word.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from volery.errors import SimulationError

__all__ = [
    "METHODS", "GeoPoint", "Kinematics", "Method", "NedPose", "YawMode", "camera", "colour", "drivetrain", "finite",
    "finite_pose", "finite_vector", "flag",
    "geo_point", "kinematics", "many", "mapping", "number", "numbers", "pose", "quaternion", "rpc", "side", "text",
    "vector", "whole", "yaw_mode",
]  # fmt: skip


_LONGEST_TEXT = 10_000


class Method(NamedTuple):
    """Something clients can call."""

    name: str
    arguments: tuple[Callable[[Any], Any], ...]
    least: int
    """Arguments that must be there; the rest may be missing."""
    function: Callable[..., Any]
    where: str
    """now: answered at once from what is known of the last step; loop: done between two steps; work: long, done by a
    thread of its own, which asks the loop for what it needs (`AirSim.in_loop`); picture: the same, and slower."""
    newest: bool
    """Whether of several that wait only the last is done, and all are answered with it."""


METHODS: dict[str, Method] = {}
"""All of them, by the name on the wire."""


def rpc(
    name: str, *arguments: Callable[[Any], Any], least: int | None = None, where: str = "loop", newest: bool = False
) -> Callable[..., Any]:
    """Make a function a method: its first argument is the door, then those on the wire, each through its check."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        count = len(arguments) if least is None else least
        METHODS[name] = Method(name, arguments, count, function, where, newest)
        return function

    return add


class NedPose(NamedTuple):
    """A place and an attitude, NED and FRD; NaN: to be kept as it is."""

    p: np.ndarray
    q_wxyz: np.ndarray


class GeoPoint(NamedTuple):
    """A place on Earth."""

    latitude: float
    """[deg]."""
    longitude: float
    altitude: float
    """[m]."""


class YawMode(NamedTuple):
    """What the nose does on the way."""

    is_rate: bool
    value: float
    """[rad] clockwise from north, or [rad/s] clockwise."""


class Kinematics(NamedTuple):
    """A state of motion, NED; rates in body axes."""

    pose: NedPose
    v: np.ndarray
    w_B: np.ndarray


def _say(value: Any) -> str:
    words = repr(value)
    return words if len(words) < 60 else words[:57] + "..."


def number(value: Any) -> float:
    """A number; NaN and infinity are for the method to judge."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SimulationError(f"expected a number, got {_say(value)}")
    try:
        return float(value)
    except OverflowError:
        raise SimulationError("expected a number, got one too large") from None


def finite(value: Any) -> float:
    """A number that is neither NaN nor infinite."""
    if not math.isfinite(number(value)):
        raise SimulationError(f"expected a finite number, got {_say(value)}")
    return float(value)


def whole(value: Any) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value != int(value):
        raise SimulationError(f"expected a whole number, got {_say(value)}")
    return int(value)


def flag(value: Any) -> bool:
    """True or false; 0 and 1 stand for them."""
    if not isinstance(value, bool) and value not in (0, 1):
        raise SimulationError(f"expected true or false, got {_say(value)}")
    return bool(value)


def text(value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise SimulationError(f"expected a string, got {_say(value)}")
    if len(value) > _LONGEST_TEXT:
        raise SimulationError(f"a string of {len(value)} characters is too long; the most is {_LONGEST_TEXT}")
    return value


def camera(value: Any) -> str:
    """A camera's name; numbers are names too."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value)


def side(value: Any) -> bool:
    """Whether a camera is of the world and not of a vehicle; Cosys-AirSim has a name of an annotation layer there."""
    return False if isinstance(value, str) else flag(value)


def drivetrain(value: Any) -> bool:
    """Whether the nose is to point ahead."""
    if whole(value) not in (0, 1):
        raise SimulationError(f"drivetrain {value}: must be 0 (MaxDegreeOfFreedom) or 1 (ForwardOnly)")
    return bool(value)


def mapping(value: Any) -> dict[str, Any]:
    """A structure."""
    if not isinstance(value, dict):
        raise SimulationError(f"expected a structure, got {_say(value)}")
    return value


def _array(value: Any, keys: str, default: tuple[float, ...]) -> np.ndarray:
    found = mapping(value)
    return np.array([number(found.get(f"{k}_val", d)) for k, d in zip(keys, default, strict=True)])


def vector(value: Any) -> np.ndarray:
    """Three numbers."""
    return _array(value, "xyz", (0.0, 0.0, 0.0))


def finite_vector(value: Any) -> np.ndarray:
    """Three numbers, neither NaN nor infinite."""
    found = vector(value)
    if not np.isfinite(found).all():
        raise SimulationError(f"expected three finite numbers, got {found.tolist()}")
    return found


def quaternion(value: Any) -> np.ndarray:
    """An attitude (w, x, y, z), made of length 1; all zero stands for none, as some clients send it."""
    q = _array(value, "wxyz", (1.0, 0.0, 0.0, 0.0))
    if not np.isfinite(q).all():
        return np.full(4, np.nan)
    length = float(np.linalg.norm(q))
    return q / length if length > 1e-9 else np.array([1.0, 0.0, 0.0, 0.0])


def pose(value: Any) -> NedPose:
    """A pose; what is NaN is to be kept."""
    found = mapping(value)
    p = vector(found.get("position", {}))
    if np.isinf(p).any():
        raise SimulationError(f"a position of {p.tolist()} is infinite")
    return NedPose(p, quaternion(found.get("orientation", {})))


def finite_pose(value: Any) -> NedPose:
    """A pose without NaN."""
    found = pose(value)
    if not (np.isfinite(found.p).all() and np.isfinite(found.q_wxyz).all()):
        raise SimulationError("a pose is NaN")
    return found


def geo_point(value: Any) -> GeoPoint:
    """A place on Earth."""
    found = mapping(value)
    return GeoPoint(*(finite(found.get(k, 0.0)) for k in ("latitude", "longitude", "altitude")))


def yaw_mode(value: Any) -> YawMode:
    """What the nose does; degrees become radians."""
    found = mapping(value)
    return YawMode(flag(found.get("is_rate", True)), math.radians(finite(found.get("yaw_or_rate", 0.0))))


def kinematics(value: Any) -> Kinematics:
    """A state of motion."""
    found = mapping(value)
    v, w = (finite_vector(found.get(k, {})) for k in ("linear_velocity", "angular_velocity"))
    return Kinematics(pose({k: found[k] for k in ("position", "orientation") if k in found}), v, w)


def many(kind: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    """A list of something."""

    def take(value: Any) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise SimulationError(f"expected a list, got {_say(value)}")
        return [kind(item) for item in value]

    return take


numbers = many(number)


def colour(value: Any) -> tuple[float, float, float, float]:
    """Red, green, blue and opacity."""
    found = many(finite)(value)
    if len(found) not in (3, 4):
        raise SimulationError(f"a colour has 4 numbers from 0 to 1, got {len(found)}")
    return (*found[:3], found[3] if len(found) == 4 else 1.0)
