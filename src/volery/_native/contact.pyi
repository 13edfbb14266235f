"""Shapes against the scene's triangles."""

from collections.abc import Sequence
import enum
from typing import Any, Annotated, Final

import numpy
import numpy.dtypes
import numpy.typing
from numpy.typing import NDArray

import volery._native.rays


MOST_TRIANGLES: int = 512

class Polytope:
    """A convex body: corners, and planes with outward unit normals."""

    def __init__(self, corners: numpy.typing.NDArray[numpy.float64], planes: numpy.typing.NDArray[numpy.float64]) -> None:
        """corners [k, 3] [m]; planes [p, 4]: normal and offset [m]."""

class ShapeKind(enum.Enum):
    """Shapes, as MuJoCo numbers them."""

    sphere = 2

    capsule = 3

    ellipsoid = 4

    cylinder = 5

    box = 6

    mesh = 7

class ContactWorld:
    """A scene's solid triangles as shapes feel them."""

    def __init__(self, tables: volery._native.rays.SceneTables) -> None: ...

    def set_friction(self, friction: numpy.typing.NDArray[numpy.float64]) -> None:
        """Coulomb's coefficient by material; negative: not solid."""

    def set_own(self, groups: numpy.typing.NDArray[numpy.int64]) -> None:
        """Groups of the scene that are no part of the world."""

    def begin_step(self) -> None:
        """From here to end_step nothing changes the scene."""

    def end_step(self) -> None:
        """The scene may change again."""

    def clear_cells(self) -> None:
        """Let go of all cells."""

    def add_cell(self, cell: volery._native.rays.RayCell, movers: bool) -> None:
        """Let shapes ask in a cell; movers: also for what moves there."""

    def bind_geoms(self, stand_in: int, pair: numpy.typing.NDArray[numpy.int64], slip: numpy.typing.NDArray[numpy.float64], hull: numpy.typing.NDArray[numpy.int64], hulls: Sequence[Polytope]) -> None:
        """Know the geoms of a MuJoCo model."""

    def mark(self) -> float:
        """
        The number by which MuJoCo's callback finds this world, for as long as it lives: for userdata[0].
        """

    @property
    def lost(self) -> tuple[Any, ...]: ...

    @property
    def asked(self) -> int: ...

    def rows_touched(self, geoms: numpy.typing.NDArray[numpy.int32], p_W: numpy.typing.NDArray[numpy.float64], rows: numpy.typing.NDArray[numpy.int64]) -> None:
        """
        The scene row of each contact between two geoms, by its place; -1: it is not with the world.
        """

class CollisionTable:
    """MuJoCo's collision functions, out of its library."""

    def __init__(self, library: str) -> None: ...

    def ask_plane(self, kind: ShapeKind, model: int, data: int, geom1: int, geom2: int, out: numpy.typing.NDArray[numpy.float64]) -> int:
        """
        What MuJoCo's function for a plane and another shape writes; returns how many contacts.
        """

    def install(self, *, geom_size: int, pair_friction: int, geom_xpos: int, geom_xmat: int, userdata: int) -> None:
        """
        Take the place of the functions for height fields. Arguments: where arrays are in MuJoCo's records [bytes].
        """

def pointer_offsets(record: int, bytes: int, array: Annotated[NDArray, dict(writable=False)]) -> list[int]:
    """
    Where in one of MuJoCo's records there are pointers to an array [bytes].
    """

Patch: numpy.dtypes.VoidDType = ...

Piece: numpy.dtypes.VoidDType = ...

ScanBody: numpy.dtypes.VoidDType = ...

ScanLaw: numpy.dtypes.VoidDType = ...

class VoxelMap:
    """
    Depth inside a closed mesh, in the mesh's frame B; made by `voxel_map`.
    """

    def __init__(self, origin: numpy.typing.NDArray[numpy.float64], size: float, blocks: numpy.typing.NDArray[numpy.int64], corners: numpy.typing.NDArray[numpy.float64], normals: numpy.typing.NDArray[numpy.float64]) -> None: ...

    block: Final[int] = ...
    """Voxels along the edge of a block."""

    @property
    def size(self) -> float:
        """Edge of a voxel [m]."""

    @property
    def shape(self) -> tuple[Any, ...]: ...

    @property
    def origin(self) -> numpy.typing.NDArray[numpy.float64]:
        """Lowest corner [m]."""

    @property
    def layers(self) -> numpy.typing.NDArray[numpy.int16]:
        """
        Whole voxels of depth at each voxel's centre, negative outside, [x, y, z].
        """

def depths(voxels: VoxelMap, points_B: numpy.typing.NDArray[numpy.float64]) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """
    Depths of points below the skin [m], negative outside, and unit directions in which they grow.
    """

def count_inside(voxels: VoxelMap, points_W: numpy.typing.NDArray[numpy.float64], occupancy: numpy.typing.NDArray[numpy.int8], R_WB: numpy.typing.NDArray[numpy.float64], p_WB: numpy.typing.NDArray[numpy.float64]) -> tuple[int, float]:
    """
    How many occupied points are inside the robot, and how deep the deepest is [m].
    """

def cut(voxels: VoxelMap, corners_B: numpy.typing.NDArray[numpy.float64], whole: float) -> numpy.typing.NDArray[numpy.float64]:
    """What a patch cuts off a robot: numbers of `Piece`."""

def surface_of(heights: numpy.typing.NDArray[numpy.float64], resolution: float) -> numpy.typing.NDArray[numpy.float64]:
    """The surface that a box scan saw: numbers of `Patch`."""

def push_of(voxels: VoxelMap, patches: numpy.typing.NDArray[numpy.void], body: numpy.typing.NDArray[numpy.void], law: numpy.typing.NDArray[numpy.void], held: numpy.typing.NDArray[numpy.float64], whole: float) -> numpy.typing.NDArray[numpy.float64]:
    """Force and torque of contact about the centre of mass, [6]."""

def advance(voxels: VoxelMap, patches: numpy.typing.NDArray[numpy.void], body: numpy.typing.NDArray[numpy.void], law: numpy.typing.NDArray[numpy.void], held: numpy.typing.NDArray[numpy.float64], whole: float, margin: float, dt: float, count: int) -> tuple[numpy.typing.NDArray[numpy.float64], float]:
    """
    Move a body by implicit Euler steps; returns mean force and torque [6], and the volume of contact [m3].
    """

def collide(world: ContactWorld, kind: ShapeKind, size: numpy.typing.NDArray[numpy.float64], hull: Polytope | None, p_W: numpy.typing.NDArray[numpy.float64], R_WG: numpy.typing.NDArray[numpy.float64], margin: float) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64]]:
    """
    Contacts of one shape with the world, in its own frame: dist, point, normal, scene row of each.
    """

def touch(world: ContactWorld, p_W: numpy.typing.NDArray[numpy.float64], radius: numpy.typing.NDArray[numpy.float64], normal_W: numpy.typing.NDArray[numpy.float64], depth: numpy.typing.NDArray[numpy.float64], row: numpy.typing.NDArray[numpy.int64]) -> None:
    """
    The deepest contact of each ball with the world: normal, depth [m], scene row (-1: none).
    """

def room(world: ContactWorld, p_W: numpy.typing.NDArray[numpy.float64], radius: numpy.typing.NDArray[numpy.float64], look: float, gap: numpy.typing.NDArray[numpy.float64], normal_W: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Gap between each ball and the nearest solid surface [m], and the way from there to the ball.
    """
