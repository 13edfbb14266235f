"""Kernels of the page: triangles, and fewer in their place."""

import numpy
import numpy.typing


def weld(vertices: numpy.typing.NDArray[numpy.float32]) -> numpy.typing.NDArray[numpy.uint32]:
    """For every vertex the first one at the very same place, uint32 [n]."""

def crease_normals(vertices: numpy.typing.NDArray[numpy.float32], faces: numpy.typing.NDArray[numpy.uint32], welded: numpy.typing.NDArray[numpy.uint32], cosine: float) -> numpy.typing.NDArray[numpy.float32]:
    """
    Unit normals of all corners, float32 [3 m, 3]: of the faces round it that meet its own below a crease.
    """

def part(corners: numpy.typing.NDArray[numpy.uint32], keys: numpy.typing.NDArray[numpy.int64], count: int) -> tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.int32]]:
    """
    Vertices such that corners at one of so many places with the same key share one: the new vertex of every corner, uint32 [3 m], and a corner of every new vertex, int32 [k].
    """

def blend(corners: numpy.typing.NDArray[numpy.uint32], values: numpy.typing.NDArray[numpy.float64], count: int) -> numpy.typing.NDArray[numpy.float64]:
    """
    Mean over the corners [3 m] at each place of a value per face [m, 3], float64 [count, 3].
    """

def areas(vertices: numpy.typing.NDArray[numpy.float32], faces: numpy.typing.NDArray[numpy.uint32]) -> numpy.typing.NDArray[numpy.float64]:
    """Of every face [m²], float64 [m]."""

def components(faces: numpy.typing.NDArray[numpy.uint32], count: int) -> numpy.typing.NDArray[numpy.int32]:
    """
    For each of so many vertices the lowest one that faces connect it with, int32 [count].
    """

def rims(faces: numpy.typing.NDArray[numpy.uint32], out: numpy.typing.NDArray[numpy.bool]) -> None:
    """Whether each vertex lies on an edge that only one face has, into out."""

def grow(vertices: numpy.typing.NDArray[numpy.float32], start: numpy.typing.NDArray[numpy.int64], members: numpy.typing.NDArray[numpy.int64], share: float) -> numpy.typing.NDArray[numpy.float32]:
    """
    Leaves made larger about their middles so that a share of them covers what all did, float32 [n, 3]. The vertices of leaf i are members[start[i]:start[i + 1]]; the others stay.
    """

def cluster(vertices: numpy.typing.NDArray[numpy.float32], faces: numpy.typing.NDArray[numpy.uint32], locked: numpy.typing.NDArray[numpy.bool], low: numpy.typing.NDArray[numpy.float32], cell: float) -> tuple[numpy.typing.NDArray[numpy.int32], int]:
    """
    Vertices of faces in one cube of a grid of this cell [m] become one; locked ones stay alone. The cluster of each vertex, int32 [n], −1 for those of no face, and their number.
    """

def solve_clusters(vertices: numpy.typing.NDArray[numpy.float32], faces: numpy.typing.NDArray[numpy.uint32], clusters: numpy.typing.NDArray[numpy.int32], middle: numpy.typing.NDArray[numpy.float64], locked: numpy.typing.NDArray[numpy.bool], reach: float) -> numpy.typing.NDArray[numpy.float64]:
    """
    Where each cluster's vertex best keeps to the planes of its faces (Lindstrom 2000), at most reach [m] from its middle, float64 [k, 3]; locked ones stay there.
    """

def coarse_faces(faces: numpy.typing.NDArray[numpy.uint32], clusters: numpy.typing.NDArray[numpy.int32]) -> tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.int32]]:
    """
    Faces between clusters, each but once: uint32 [k, 3], and which of the faces they were, int32 [k].
    """

def means(rows: numpy.typing.NDArray[numpy.float64], clusters: numpy.typing.NDArray[numpy.int32], count: int) -> numpy.typing.NDArray[numpy.float64]:
    """Mean of the rows of each cluster, float64 [count, 3]."""
