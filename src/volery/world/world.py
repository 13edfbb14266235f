"""What a world is: a pure function from a piece of the plane to the things that stand there."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Any, ClassVar

import numpy as np

from volery.core.geometry import Mesh
from volery.errors import GeometryError

__all__ = ["ChunkKey", "Placement", "World", "check_volume", "poses"]

ChunkKey = tuple[int, int]
"""Column of a chunk in the horizontal grid: it covers [i, i+1) × [j, j+1) chunk sizes of x and y."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Things that stand in the world together: k instances of a few meshes, under one name."""

    name: str
    meshes: tuple[Mesh, ...]
    X_WO: np.ndarray
    """Place of each instance: rotation·scale and translation, float64, shape [k, 3, 4]."""
    kinds: np.ndarray | None = None
    """Which mesh each instance shows, int32, shape [k]; None: the first."""

    def __post_init__(self) -> None:
        X = np.ascontiguousarray(self.X_WO, np.float64)
        if X.ndim == 2:
            X = X[None]
        if X.ndim != 3 or X.shape[1] not in (3, 4) or X.shape[2] != 4 or len(X) == 0:
            raise GeometryError(f"'{self.name}': poses have shape {X.shape}; expected [k, 3, 4] with k > 0")
        if not np.isfinite(X).all():
            raise GeometryError(f"'{self.name}': a pose is NaN or infinite")
        check_volume(self.name, X)
        kinds = np.zeros(len(X), np.int32) if self.kinds is None else np.ascontiguousarray(self.kinds, np.int32)
        if kinds.shape != (len(X),) or kinds.min() < 0 or kinds.max() >= len(self.meshes):
            raise GeometryError(f"'{self.name}': kinds must be {len(X)} indices of the {len(self.meshes)} meshes")
        object.__setattr__(self, "X_WO", np.ascontiguousarray(X[:, :3]))
        object.__setattr__(self, "kinds", kinds)

    @staticmethod
    def one(name: str, mesh: Mesh, p: tuple[float, float, float] | np.ndarray = (0, 0, 0)) -> Placement:
        """A single thing at p [m], upright."""
        return Placement(name, (mesh,), poses(np.asarray(p, float)[None]))


def check_volume(name: str, X_WO: np.ndarray) -> None:
    """Refuse places [k, 3 or 4, 4] that flatten what stands there: rays need the way back."""
    if (np.linalg.det(X_WO[:, :3, :3]) == 0.0).any():
        raise GeometryError(f"'{name}': a pose has no volume; its scale must not be 0")


def poses(
    p: np.ndarray, yaw: np.ndarray | float = 0.0, scale: np.ndarray | float = 1.0, R: np.ndarray | None = None
) -> np.ndarray:
    """Instance places [k, 3, 4] from points p [k, 3], then either yaw [rad] about z or full rotations R [k, 3, 3]."""
    p = np.asarray(p, float)
    X = np.zeros((len(p), 3, 4))
    if R is None:
        c, s = np.cos(yaw), np.sin(yaw)
        X[:, 0, 0], X[:, 0, 1], X[:, 1, 0], X[:, 1, 1], X[:, 2, 2] = c, -s, s, c, 1.0
    else:
        X[:, :, :3] = R
    X[:, :, :3] *= np.reshape(scale, (-1, 1, 1))
    X[:, :, 3] = p
    return X


class World(ABC):
    """A world made of chunks. A subclass is a dataclass of parameters, and nothing of it changes while running."""

    chunk_size: float | None = None
    """Edge of a chunk [m]; None: a bounded world that is one piece, `generate((0, 0))`."""

    dark: ClassVar[bool] = False
    """Whether no daylight comes in, as in a cave."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # Else a dataclass would write its own, which lists all parameters, most of them as they are by default.
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        given: list[Field[Any]] = (
            [f for f in fields(self) if f.repr and _differs(self, f)] if is_dataclass(self) else []
        )
        return f"{type(self).__name__}({', '.join(f'{f.name}={reprlib.repr(getattr(self, f.name))}' for f in given)})"

    @abstractmethod
    def generate(self, key: ChunkKey) -> list[Placement]:
        """All that stands in the chunk: the same bytes whenever, in whatever order and thread it is asked for."""

    def spawn(self) -> tuple[float, float, float]:
        """A free place for the first robot [m]."""
        return (0.0, 0.0, 2.0)

    def way(self) -> np.ndarray | None:
        """A way to fly through it, corners [n, 3] [m]; None: it knows none."""
        return None

    def start(self) -> tuple[float, float, float] | None:
        """The ground below `spawn` [m], as rays meet it, where it can be told without making the world; else None."""
        return None

    def lights(self) -> list[tuple[str, tuple[float, float, float]]]:
        """Lamps that AirSim's clients find by name and can dim, and where they hang [m]."""
        return []

    def movables(self) -> dict[str, dict[str, Any]]:
        """Things that physics moves, by name: entries as under `robots` in a scenario, with type and position."""
        return {}


def _differs(world: Any, f: Field[Any]) -> bool:
    """Whether a parameter of a world is not as it is by default."""
    default = f.default_factory() if f.default_factory is not MISSING else f.default
    try:
        return bool(getattr(world, f.name) != default)
    except ValueError:
        # Arrays have no single answer.
        return True
