"""Triangle meshes as plain data, and the primitive shapes everything simple is made of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from volery.core.material import DEFAULT, Material
from volery.errors import GeometryError

__all__ = ["Mesh", "box", "capsule", "cone", "cylinder", "ellipsoid", "grid", "merge", "plane", "sphere"]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles in a local frame O. Compared by identity: the same object is built for the rays only once."""

    vertices: np.ndarray
    """Corners in O [m], float32, shape [n, 3]. Keep them near the origin: float32 has 7 digits."""
    faces: np.ndarray
    """Corner indices, counter-clockwise seen from outside, uint32, shape [m, 3]."""
    materials: tuple[Material, ...] = (DEFAULT,)
    face_material: np.ndarray | None = None
    """Index into `materials` per face, uint8, shape [m]; None: all faces are of the first."""
    normals: np.ndarray | None = None
    """Smooth unit normals per vertex, float32, shape [n, 3]; None: flat shading."""
    colours: np.ndarray | None = None
    """Linear RGB of each vertex, float32 [n, 3], seen in the place of the materials' own; needs normals. None: of the
    materials."""
    robust: bool = True
    """No ray slips between two triangles, at a fifth more time; foliage does without."""
    filled: bool = False
    """An open surface with ground behind it, as terrain and cave walls: what gets behind it is pushed back out."""
    name: str = field(default="mesh")
    coarser: Mesh | None = None
    """The same thing with less detail, shown where its own `detail` is too small to be seen; None: there is none."""
    detail: float = 0.0
    """Size of what this mesh shows only roughly, such as leaves of which each stands for several [m]; 0: exact."""

    def __post_init__(self) -> None:
        vertices = np.ascontiguousarray(self.vertices, np.float32)
        faces = np.asarray(self.faces)
        _check(self.name, vertices, faces)
        set_ = object.__setattr__
        set_(self, "vertices", vertices)
        set_(self, "faces", np.ascontiguousarray(faces, np.uint32))
        if self.face_material is not None:
            set_(self, "face_material", _face_materials(self, len(faces)))
        if self.normals is not None:
            normals = np.ascontiguousarray(self.normals, np.float32)
            if normals.shape != vertices.shape:
                raise GeometryError(
                    f"mesh '{self.name}': normals have shape {normals.shape}; expected {vertices.shape}, one per vertex"
                )
            set_(self, "normals", normals)

        if self.colours is not None:
            colours = np.ascontiguousarray(self.colours, np.float32)
            if colours.shape != vertices.shape or self.normals is None or not np.isfinite(colours).all():
                raise GeometryError(f"mesh '{self.name}': colours must be finite, one for each vertex, beside normals")
            set_(self, "colours", colours)

    @cached_property
    def closed(self) -> bool:
        """True if every edge is shared by exactly two faces of opposite sense, so that an inside exists."""
        f = self._welded_faces().astype(np.int64)
        edges = np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]])
        n = int(f.max()) + 1
        forward = np.sort(edges[:, 0] * n + edges[:, 1])
        backward = np.sort(edges[:, 1] * n + edges[:, 0])
        once = bool(np.all(np.diff(forward) > 0))
        return once and bool(np.array_equal(forward, backward))

    @property
    def levels(self) -> list[Mesh]:
        """Levels of detail, this mesh first."""
        return [self] if self.coarser is None else [self, *self.coarser.levels]

    @cached_property
    def bounds(self) -> np.ndarray:
        """Lowest and highest corner [m], shape [2, 3]."""
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)]).astype(np.float64)

    def moved(
        self,
        R: np.ndarray | None = None,
        p: np.ndarray | tuple[Any, ...] = (0, 0, 0),
        scale: float | tuple[Any, ...] = 1.0,
    ) -> Mesh:
        """The mesh scaled, then rotated by R, then shifted by p; a mirrored one still faces outward."""
        v = self.vertices.astype(np.float64) * np.asarray(scale)
        normals = None if self.normals is None else self.normals / np.asarray(scale)
        if R is not None:
            v = v @ np.asarray(R).T
            normals = None if normals is None else normals @ np.asarray(R).T
        if normals is not None:
            normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        turned = np.prod(np.broadcast_to(scale, 3)) * (1.0 if R is None else np.linalg.det(R)) < 0
        faces = self.faces[:, ::-1] if turned else self.faces
        coarser = None if self.coarser is None else self.coarser.moved(R, p, scale)
        detail = self.detail * float(np.abs(scale).max())
        return replace(self, vertices=v + np.asarray(p), faces=faces, normals=normals, coarser=coarser, detail=detail)

    def of(self, *materials: Material) -> Mesh:
        """The same triangles made of other materials."""
        coarser = None if self.coarser is None else self.coarser.of(*materials)
        return replace(self, materials=materials, coarser=coarser)

    def corner_colours(self) -> np.ndarray:
        """Linear RGB of each vertex, float32 [n, 3]: its own, or that of a face it belongs to."""
        if self.colours is not None:
            return self.colours
        of_face = np.array([m.colour for m in self.materials], np.float32)
        index = np.zeros(len(self.faces), np.uint8) if self.face_material is None else self.face_material
        colours = np.tile(of_face[:1], (len(self.vertices), 1))
        colours[self.faces.ravel()] = np.repeat(of_face[index], 3, axis=0)
        return colours

    def _welded_faces(self) -> np.ndarray:
        """Faces with vertices at equal places made one; degenerate faces left out."""
        _, index = np.unique(self.vertices, axis=0, return_inverse=True)
        f = index.reshape(-1)[self.faces]
        keep = (f[:, 0] != f[:, 1]) & (f[:, 1] != f[:, 2]) & (f[:, 2] != f[:, 0])
        return f[keep] if keep.any() else f


def _check(name: str, vertices: np.ndarray, faces: np.ndarray) -> None:
    if vertices.ndim != 2 or vertices.shape[1] != 3 or len(vertices) == 0:
        raise GeometryError(f"mesh '{name}': vertices have shape {vertices.shape}; expected [n, 3] with n > 0")
    if faces.ndim != 2 or faces.shape[1] != 3 or len(faces) == 0:
        raise GeometryError(f"mesh '{name}': faces have shape {faces.shape}; expected [m, 3] with m > 0")
    if not np.issubdtype(faces.dtype, np.integer):
        raise GeometryError(f"mesh '{name}': faces must be whole numbers, not {faces.dtype}")
    if not np.isfinite(vertices).all():
        raise GeometryError(f"mesh '{name}': a vertex is NaN or infinite; repair the mesh before adding it")
    wrong = int(faces.min()) if int(faces.min()) < 0 else int(faces.max())
    if not 0 <= wrong < len(vertices):
        raise GeometryError(f"mesh '{name}': a face names vertex {wrong}, but there are {len(vertices)}")


def _face_materials(mesh: Mesh, count: int) -> np.ndarray:
    index = np.asarray(mesh.face_material)
    fits = index.shape == (count,) and int(index.min()) >= 0 and int(index.max()) < min(len(mesh.materials), 256)
    if not fits:
        raise GeometryError(f"mesh '{mesh.name}': face_material must hold {count} indices below {len(mesh.materials)}")
    return np.ascontiguousarray(index, np.uint8)


def merge(meshes: list[Mesh], name: str = "merged") -> Mesh:
    """One mesh of many; materials are kept per face."""
    materials = list(dict.fromkeys(m for mesh in meshes for m in mesh.materials))
    if not meshes or len(materials) > 256:
        why = "there are more than 256 materials" if meshes else "there is nothing to merge"
        raise GeometryError(f"mesh '{name}': {why}")
    place = {m: i for i, m in enumerate(materials)}
    starts = np.cumsum([0] + [len(m.vertices) for m in meshes])
    index = []
    for mesh in meshes:
        local = np.zeros(len(mesh.faces), np.uint8) if mesh.face_material is None else mesh.face_material
        index.append(np.array([place[m] for m in mesh.materials], np.uint8)[local])
    smooth = all(m.normals is not None for m in meshes)
    painted = smooth and any(m.colours is not None for m in meshes)
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.faces.astype(np.int64) + s for m, s in zip(meshes, starts, strict=False)]),
        materials=tuple(materials),
        face_material=np.concatenate(index),
        normals=np.concatenate([m.normals for m in meshes]) if smooth else None,
        colours=np.concatenate([m.corner_colours() for m in meshes]) if painted else None,
        robust=any(m.robust for m in meshes),
        filled=all(m.filled for m in meshes),
        name=name,
    )


def box(size: tuple[float, float, float] | np.ndarray, **about: Any) -> Mesh:
    """A closed box of edge lengths `size` [m], centred on its origin."""
    corners = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float) * 0.5 * np.asarray(size)
    quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    faces = np.array([t for a, b, c, d in quads for t in ([a, b, c], [a, c, d])])
    return Mesh(corners, faces, **{"name": "box", **about})


def _ring(radius: float, z: float, segments: int) -> np.ndarray:
    a = np.arange(segments) * (2 * np.pi / segments)
    return np.stack([radius * np.cos(a), radius * np.sin(a), np.full(segments, z)], axis=1)


def _lathe(radii: np.ndarray, heights: np.ndarray, segments: int, **about: Any) -> Mesh:
    """A closed surface of revolution about z: rings from bottom to top between two poles."""
    rings = [_ring(r, z, segments) for r, z in zip(radii, heights, strict=True)]
    poles = np.array([[0, 0, heights[0]], [0, 0, heights[-1]]])
    vertices = np.concatenate([*rings, poles])
    i = np.arange(segments)
    j = (i + 1) % segments
    bottom, top = len(vertices) - 2, len(vertices) - 1
    faces = [np.stack([np.full(segments, bottom), j, i], axis=1)]
    for k in range(len(rings) - 1):
        a, b = k * segments, (k + 1) * segments
        faces += [np.stack([a + i, a + j, b + j], axis=1), np.stack([a + i, b + j, b + i], axis=1)]
    last = (len(rings) - 1) * segments
    faces.append(np.stack([np.full(segments, top), last + i, last + j], axis=1))
    return Mesh(vertices, np.concatenate(faces), **about)


def cylinder(radius: float, height: float, segments: int = 32, **about: Any) -> Mesh:
    """A closed cylinder about z, centred on its origin [m]."""
    return _lathe(np.array([radius, radius]), np.array([-0.5, 0.5]) * height, segments, **{"name": "cylinder", **about})


def cone(radius: float, height: float, segments: int = 32, **about: Any) -> Mesh:
    """A closed cone about z: its base at z = 0, its tip at z = height [m]."""
    base = _ring(radius, 0.0, segments)
    vertices = np.concatenate([base, [[0, 0, 0], [0, 0, height]]])
    i = np.arange(segments)
    j = (i + 1) % segments
    bottom = np.stack([np.full(segments, segments), j, i], axis=1)
    side = np.stack([np.full(segments, segments + 1), i, j], axis=1)
    return Mesh(vertices, np.concatenate([bottom, side]), **{"name": "cone", **about})


def ellipsoid(radii: tuple[float, float, float] | np.ndarray, segments: int = 32, **about: Any) -> Mesh:
    """A closed ellipsoid of half axes `radii` [m]."""
    polar = np.linspace(-np.pi / 2, np.pi / 2, segments // 2 + 1)[1:-1]
    unit = _lathe(np.cos(polar), np.sin(polar), segments, **{"name": "ellipsoid", **about})
    vertices = unit.vertices.copy()
    vertices[-2:] = [[0, 0, -1], [0, 0, 1]]
    return replace(unit, vertices=vertices * np.asarray(radii))


def sphere(radius: float, segments: int = 32, **about: Any) -> Mesh:
    """A closed sphere [m]."""
    return ellipsoid((radius, radius, radius), segments, **{"name": "sphere", **about})


def capsule(radius: float, length: float, segments: int = 24, **about: Any) -> Mesh:
    """A closed capsule about z: a cylinder of `length` [m] between two half spheres."""
    polar = np.linspace(-np.pi / 2, 0, segments // 4 + 1)[1:]
    r = radius * np.concatenate([np.cos(polar), np.cos(polar)[::-1]])
    z = np.concatenate([radius * np.sin(polar) - length / 2, length / 2 - radius * np.sin(polar)[::-1]])
    body = _lathe(r, z, segments, **{"name": "capsule", **about})
    vertices = body.vertices.copy()
    vertices[-2:, 2] = [-length / 2 - radius, length / 2 + radius]
    return replace(body, vertices=vertices)


def plane(size: float, **about: Any) -> Mesh:
    """A horizontal square of edge `size` [m], facing up."""
    h = size / 2
    corners = np.array([[-h, -h, 0], [h, -h, 0], [h, h, 0], [-h, h, 0]])
    return Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]]), **{"name": "plane", **about})


def grid(heights: np.ndarray, spacing: float, origin: tuple[float, float] = (0.0, 0.0), **about: Any) -> Mesh:
    """A height field facing up: heights[i, j] [m] at x = origin[0] + i·spacing, y = origin[1] + j·spacing."""
    nx, ny = heights.shape
    x = origin[0] + np.arange(nx) * spacing
    y = origin[1] + np.arange(ny) * spacing
    vertices = np.stack([*np.broadcast_arrays(x[:, None], y[None, :], heights)], axis=-1).reshape(-1, 3)
    i = np.arange(nx * ny).reshape(nx, ny)
    a, b, c, d = i[:-1, :-1].ravel(), i[1:, :-1].ravel(), i[1:, 1:].ravel(), i[:-1, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return Mesh(vertices, faces, **{"name": "grid", "filled": True, **about})
