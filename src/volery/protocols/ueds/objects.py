"""Things that clients put into the world, since API 0.13: right-handed metres and degrees from the world's origin."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import quat_from_euler, transform
from volery.core.material import label_number
from volery.core.yaml import parse_yaml
from volery.errors import SimulationError, VoleryError, did_you_mean
from volery.world.scene.edits import ASSETS

if TYPE_CHECKING:
    from volery.protocols.ueds.door import Ueds

__all__ = ["ClientObjects", "planned"]

_MOST = 1000
_LONGEST = 1 << 16
"""Letters of a description: it has to be read before its answer is late."""


class ClientObjects:
    """Things by number; for the loop."""

    def __init__(self, door: Ueds) -> None:
        self._door = door
        self._made: dict[int, dict[str, Any]] = {}
        self._next = 0

    def spawn(self, plans: list[dict[str, Any]]) -> list[int]:
        """Make things that were `planned`; their numbers."""
        if len(plans) + len(self._made) > _MOST:
            raise SimulationError(f"there can be {_MOST} things; remove some first")
        numbers = []
        for plan in plans:
            self._next += 1
            self._door.simulation.alter("make", self.name(self._next), plan["asset"], self._pose(plan))
            self._made[self._next] = plan
            numbers.append(self._next)
        return numbers

    def remove(self, number: int) -> int:
        """Take a thing away, or all with a negative number; how many went."""
        chosen = list(self._made) if number < 0 else [n for n in (number,) if n in self._made]
        for n in chosen:
            del self._made[n]
            if self.name(n) in self._door.simulation.scene.objects:
                self._door.simulation.alter("destroy", self.name(n))
        return len(chosen)

    def move(
        self, number: int, position: tuple[Any, ...], orientation: tuple[Any, ...], scale: tuple[Any, ...]
    ) -> None:
        """Put a thing elsewhere."""
        if number not in self._made:
            raise SimulationError(f"there is no object {number}; there are {sorted(self._made)}")
        entry = {"asset": self._made[number]["asset"], "position": list(position)}
        plan = _plan({**entry, "orientation": list(orientation), "scale": list(scale)}, number)
        self._door.simulation.alter("move", self.name(number), self._pose(plan))
        self._made[number] = plan

    def listed(self) -> list[tuple[Any, ...]]:
        """Number, asset, stencil, and nine numbers of the place of each."""
        stencil = label_number("block")
        return [(n, p["asset"], stencil, *p["position"], *p["orientation"], *p["scale"]) for n, p in self._made.items()]

    def exported(self) -> str:
        """All as a description."""
        lines = [
            f"  - {{asset: {p['asset']}, position: {list(p['position'])}, orientation: {list(p['orientation'])}, "
            f"scale: {list(p['scale'])}}}"
            for p in self._made.values()
        ]
        return "\n".join(["objects:" if lines else "objects: []", *lines]) + "\n"

    def forget(self) -> None:
        """The level changes: all things are gone."""
        self._made.clear()

    def again(self) -> None:
        """The level stands: what was made while it was being made stands on it."""
        for number, plan in self._made.items():
            if self.name(number) not in self._door.simulation.scene.objects:
                self._door.simulation.alter("make", self.name(number), plan["asset"], self._pose(plan))

    @staticmethod
    def name(number: int) -> str:
        """A thing's name in the scene."""
        return f"ueds_object_{number}"

    def _pose(self, plan: dict[str, Any]) -> np.ndarray:
        """With scale [3, 4], in W."""
        X = transform(quat_from_euler(np.radians(plan["orientation"])), np.array(plan["position"]))
        X[:, :3] *= plan["scale"]
        X[:, 3] += self._door.game.ground_W
        return X


def planned(yaml: str) -> list[dict[str, Any]]:
    """The `objects` of a description, all of them or an error if one is wrong: asset, position [m], orientation (roll,
    pitch, yaw [deg]) and scale of each. Any thread may call."""
    if len(yaml) > _LONGEST:
        raise SimulationError(f"a description of {len(yaml)} characters is too long; the most is {_LONGEST}")
    try:
        data, _ = parse_yaml(yaml, "objects")
    except VoleryError as error:
        raise SimulationError(str(error)) from None
    entries = data.get("objects") if isinstance(data, dict) else None
    if not isinstance(entries, list) or len(entries) > _MOST:
        raise SimulationError(f"a description is a list under `objects:`; there can be {_MOST} things")
    return [_plan(entry, i) for i, entry in enumerate(entries)]


def _plan(entry: Any, number: int) -> dict[str, Any]:
    if not isinstance(entry, dict) or not isinstance(entry.get("asset"), str):
        raise SimulationError(f"object {number}: a mapping with an `asset`, `position`, `orientation` and `scale`")
    asset = entry["asset"].rsplit("/", 1)[-1].rsplit(".", 1)[-1]
    if asset not in ASSETS:
        raise SimulationError(
            f"object {number}: unknown asset '{asset}'{did_you_mean(asset, ASSETS)}; known: {', '.join(ASSETS)}"
        )
    return {
        "asset": asset, "position": _triple(entry, "position", 0.0, number),
        "orientation": _triple(entry, "orientation", 0.0, number), "scale": _triple(entry, "scale", 1.0, number),
    }  # fmt: skip


def _triple(entry: dict[str, Any], key: str, default: float, number: int) -> tuple[float, float, float]:
    """Three numbers: a list, a mapping of x, y, z (or roll, pitch, yaw), or one number for all."""
    value = entry.get(key, default)
    if isinstance(value, dict):
        names = ("x", "y", "z") if "x" in value or key != "orientation" else ("roll", "pitch", "yaw")
        value = [value.get(name, default) for name in names]
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [value] * 3
    good = isinstance(value, list) and len(value) == 3 and all(isinstance(v, int | float) for v in value)
    if not good or not all(math.isfinite(v) and abs(v) < 1e6 for v in value) or (key == "scale" and 0.0 in value):
        raise SimulationError(f"object {number}: {key} {value!r} must be three numbers")
    x, y, z = (float(v) for v in value)
    return x, y, z
