"""The sensors of a drone since API 0.14: any number of each kind, by number; -1 is the first of a kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from volery.errors import SimulationError
from volery.protocols.ueds.configs14 import Camera14, EventSetup, FisheyeSetup, Lidar14, Stereo14

__all__ = ["DEVICES", "EVENT", "FISHEYE", "LIDAR", "LIVOX", "RANGE", "RGB", "SEGMENTED", "STEREO", "SensorTable"]

RGB, LIDAR, RANGE, LIVOX, SEGMENTED, STEREO, EVENT, FISHEYE = range(8)
_MOST = 64
_MADE: dict[int, Callable[[], Any]] = {
    RGB: Camera14, LIDAR: Lidar14, RANGE: object, LIVOX: lambda: Lidar14(livox=True, pattern="mid360"),
    SEGMENTED: Camera14, STEREO: Stereo14, EVENT: EventSetup, FISHEYE: FisheyeSetup,
}  # fmt: skip

DEVICES: dict[str, tuple[str, int, Callable[[tuple[Any, ...], tuple[Any, ...]], Any]]] = {
    "livox_mid360": (
        "Livox Mid-360, 40 m", LIVOX,
        lambda p, r: Lidar14(length=4000.0, across=200, down=100, offset=p, rotator=r, livox=True, pattern="mid360")),
    "livox_avia": (
        "Livox Avia, 190 m", LIVOX,
        lambda p, r: Lidar14(length=19_000.0, across=240, down=100, offset=p, rotator=r, livox=True, pattern="avia")),
    "ouster_os1_64": (
        "64 lines of 1024, 45 degrees, 120 m", LIDAR,
        lambda p, r: Lidar14(length=12_000.0, across=1024, down=64, offset=p, rotator=r, up=22.5, below=22.5)),
    "camera_fullhd": (
        "camera of 1920 x 1080, 70 degrees", RGB,
        lambda p, r: Camera14(offset=p, rotator=r, fov=70.0, width=1920, height=1080)),
}  # fmt: skip
"""Ready sets: what each is, its kind, and its set-up at a place. The original's list is not known here."""


class SensorTable:
    """Sensors by number. Clients' threads change it; each change is one exchange of a table."""

    def __init__(self) -> None:
        self._first: dict[int, Any] = {}
        self._added: dict[int, tuple[int, Any]] = {}
        self._next = 0

    def add(self, kind: int, setup: Any = None) -> int:
        """A sensor more; its number."""
        if kind not in _MADE:
            raise SimulationError(f"sensors of kind {kind}: kinds are 0 to {FISHEYE}")
        if len(self._added) >= _MOST:
            raise SimulationError(f"a drone has at most {_MOST} sensors")
        number, self._next = self._next, self._next + 1
        self._added = {**self._added, number: (kind, _MADE[kind]() if setup is None else setup)}
        return number

    def remove(self, number: int) -> None:
        """Take a sensor away."""
        self._known(number)
        self._added = {n: s for n, s in self._added.items() if n != number}

    def listed(self) -> tuple[list[int], list[int]]:
        """Numbers and kinds of those that were added."""
        added = self._added
        return list(added), [kind for kind, _ in added.values()]

    def find(self, number: int, *kinds: int) -> Any:
        """The set-up of a sensor, which must be of one of these kinds."""
        if number < 0:
            return self._first.setdefault(kinds[0], _MADE[kinds[0]]())
        kind, setup = self._known(number)
        if kind not in kinds:
            raise SimulationError(f"sensor {number} is of kind {kind}, not {' or '.join(map(str, kinds))}")
        return setup

    def set(self, number: int, setup: Any, *kinds: int) -> None:
        """Set a sensor up."""
        self.find(number, *kinds)
        if number < 0:
            self._first = {**self._first, kinds[0]: setup}
        else:
            self._added = {**self._added, number: (self._added[number][0], setup)}

    def _known(self, number: int) -> tuple[int, Any]:
        if number not in self._added:
            raise SimulationError(f"there is no sensor {number}; there are {sorted(self._added)}")
        return self._added[number]
