"""Rays into triangle meshes, by Embree."""

from collections.abc import Sequence

import numpy
import numpy.typing


def load_embree(tbb: str, embree: str) -> None:
    """Open Embree's libraries, once in a process."""

class Device:
    """
    An Embree device. What is made on it throws if Embree reports an error.
    """

    def __init__(self, threads: int) -> None:
        """threads: for building hierarchies; 0: all cores."""

class TriangleScene:
    """
    One triangle mesh with its own hierarchy, to be instanced. It holds a copy of the mesh.
    """

    def __init__(self, device: Device, vertices: numpy.typing.NDArray[numpy.float32], faces: numpy.typing.NDArray[numpy.uint32], *, robust: bool, deforms: bool) -> None: ...

    def deform(self, vertices: numpy.typing.NDArray[numpy.float32]) -> None:
        """Move the corners and refit the hierarchy."""

    @property
    def count(self) -> int:
        """Vertices."""

class InstanceGeometry:
    """Instances of triangle scenes as one geometry."""

    def __init__(self, device: Device, scenes: Sequence[TriangleScene], kinds: numpy.typing.NDArray[numpy.int32], X: numpy.typing.NDArray[numpy.float32], mask: int) -> None:
        """X: [k, 3, 4], relative to the top scene's origin."""

    def move(self, X: numpy.typing.NDArray[numpy.float32]) -> None:
        """Set the places of all instances."""

class TopScene:
    """A scene of instances only, quick to change: what rays are cast into."""

    def __init__(self, device: Device) -> None: ...

    def __len__(self) -> int: ...

    def attach(self, slot: int, geometry: InstanceGeometry) -> None:
        """Put a geometry into a free slot."""

    def detach(self, slot: int) -> None:
        """Take the geometry out of a slot."""

    def geometry(self, slot: int) -> InstanceGeometry:
        """The geometry in a slot."""

    def commit(self) -> None:
        """Make changes visible to rays."""

    def build(self) -> None:
        """The same in a background thread: the loop runs meanwhile."""

class SceneTables:
    """What kernels look up by number: rows, meshes, slots."""

    def __init__(self) -> None: ...

    @staticmethod
    def sharing_meshes(other: SceneTables) -> SceneTables:
        """
        Tables of rows of their own that show the meshes of others: for an instant that is kept.
        """

    def set_rows(self, X: numpy.typing.NDArray[numpy.float64], normal: numpy.typing.NDArray[numpy.float32], mesh: numpy.typing.NDArray[numpy.int32], object: numpy.typing.NDArray[numpy.int32], group: numpy.typing.NDArray[numpy.int32], mask: numpy.typing.NDArray[numpy.uint32]) -> None:
        """Let rows be those of these arrays, which stay the caller's."""

    def set_slot_rows(self, moving: bool, first_row: numpy.typing.NDArray[numpy.int32]) -> None:
        """Let slots of top scenes begin at the rows of this array."""

    def set_mesh(self, number: int, scene: TriangleScene, face_material: numpy.typing.NDArray[numpy.uint16], face_side: numpy.typing.NDArray[numpy.int8], coarser_vertices: numpy.typing.NDArray[numpy.float32], coarser_faces: numpy.typing.NDArray[numpy.uint32], coarser_counts: numpy.typing.NDArray[numpy.int64], coarser_details: numpy.typing.NDArray[numpy.float32]) -> None:
        """
        Enter a mesh with its coarser levels of detail: face_material of all levels, corners and faces of the coarser ones counted on from the mesh's own, their numbers of faces, and details [m].
        """

    def forget_mesh(self, number: int) -> None:
        """Let a mesh go."""

class RayCell:
    """The top scenes of one cube of space, placed relative to its centre."""

    def __init__(self, standing: TopScene, moving: TopScene, origin_W: numpy.typing.NDArray[numpy.float64]) -> None: ...

class HitArrays:
    """Where the answers of rays go: arrays that stay the caller's."""

    def __init__(self, distance: numpy.typing.NDArray[numpy.float32], row: numpy.typing.NDArray[numpy.int32], primitive: numpy.typing.NDArray[numpy.int32], normal: numpy.typing.NDArray[numpy.float32], back: numpy.typing.NDArray[numpy.bool]) -> None:
        """normal: of no rows if it is not wanted."""

class RayBatch:
    """Casts of many sensors, made together."""

    def __init__(self, tables: SceneTables) -> None: ...

    def add(self, cell: RayCell, origins_S: numpy.typing.NDArray[numpy.float32], directions_S: numpy.typing.NDArray[numpy.float32], R_WS: numpy.typing.NDArray[numpy.float64], p_WS: numpy.typing.NDArray[numpy.float64], far: numpy.typing.NDArray[numpy.float32], mask: int, ignored_group: int, near: float, coherent: bool, hits: HitArrays) -> None:
        """
        Unit rays in a sensor's frame S, to be cast from its pose in W, and where the answers go.
        """

    def cast(self) -> None:
        """Cast all."""

def occluded_rays(tables: SceneTables, cell: RayCell, origins_S: numpy.typing.NDArray[numpy.float32], directions_S: numpy.typing.NDArray[numpy.float32], R_WS: numpy.typing.NDArray[numpy.float64], p_WS: numpy.typing.NDArray[numpy.float64], far: numpy.typing.NDArray[numpy.float32], mask: int, ignored_group: int, standing: bool, moving: bool, blocked: numpy.typing.NDArray[numpy.bool]) -> None:
    """Whether anything stands in the way of each ray."""

def bare_cast(scene: TopScene, origins: numpy.typing.NDArray[numpy.float32], directions: numpy.typing.NDArray[numpy.float32], far: float, coherent: bool, distance: numpy.typing.NDArray[numpy.float32]) -> None:
    """
    Nearest distances of rays in a scene's own frame, and nothing else: the measure for the sensor path.
    """

def nearest_points(tables: SceneTables, cell: RayCell, points_W: numpy.typing.NDArray[numpy.float64], reach: float, ignored_group: int, mask: int, nearest_W: numpy.typing.NDArray[numpy.float64], distance: numpy.typing.NDArray[numpy.float64], row: numpy.typing.NDArray[numpy.int32], primitive: numpy.typing.NDArray[numpy.int32]) -> None:
    """
    Nearest surface points to points in W; row -1 where nothing is within reach [m].
    """

def inside_meshes(tables: SceneTables, points_W: numpy.typing.NDArray[numpy.float64], row: numpy.typing.NDArray[numpy.int32], inside: numpy.typing.NDArray[numpy.bool]) -> None:
    """
    Whether each point is inside the closed mesh that its row shows; rows below 0 are passed over.
    """

def face_sides(vertices: numpy.typing.NDArray[numpy.float32], faces: numpy.typing.NDArray[numpy.uint32], sides: numpy.typing.NDArray[numpy.int8]) -> None:
    """
    Per face: 1 its part of the mesh is closed, -1 closed but inside out, 0 a sheet.
    """

def settle(X: numpy.typing.NDArray[numpy.float64], rows_X: numpy.typing.NDArray[numpy.float64], rows_normal: numpy.typing.NDArray[numpy.float32]) -> tuple[float, float, float, float, float]:
    """
    Write poses and normal matrices; returns middle (three numbers), radius [m] and scale, which is 0 if a pose is bad.
    """
