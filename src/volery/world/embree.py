"""Embree 4 out of the `embreex` wheel, by ctypes: handles that release themselves, and errors that are exceptions.

Only what rays, instances and point queries need is bound. Kernels (rays.py, nearest.py) call the C functions by
address, without Python in between.
"""

from __future__ import annotations

import ctypes
import threading
import weakref
from functools import cache
from importlib import util
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from volery.errors import LibraryError, RayError

__all__ = ["COHERENT", "NO_ID", "Device", "InstanceGeometry", "TopScene", "TriangleScene", "address"]

NO_ID = 0xFFFFFFFF
COHERENT = 1 << 16

_TRIANGLES, _INSTANCE, _INSTANCE_ARRAY = 0, 121, 122
_INDEX, _VERTEX, _TRANSFORM = 0, 1, 23
_UINT, _UINT3, _FLOAT3, _FLOAT3X4_COLUMN_MAJOR = 0x5001, 0x5003, 0x9003, 0x9234
_SCENE_DYNAMIC, _SCENE_ROBUST = 1, 4
_QUALITY_LOW, _QUALITY_MEDIUM, _QUALITY_REFIT = 0, 1, 3
_ERRORS = {1: "unknown", 2: "invalid argument", 3: "invalid operation", 4: "out of memory", 5: "unsupported CPU"}

_P, _U32, _I32, _SIZE = ctypes.c_void_p, ctypes.c_uint, ctypes.c_int, ctypes.c_size_t
_PROTOTYPES: dict[str, tuple] = {
    "rtcNewDevice": (_P, ctypes.c_char_p),
    "rtcReleaseDevice": (None, _P),
    "rtcGetDeviceError": (_I32, _P),
    "rtcGetDeviceProperty": (ctypes.c_ssize_t, _P, _I32),
    "rtcNewScene": (_P, _P),
    "rtcReleaseScene": (None, _P),
    "rtcSetSceneFlags": (None, _P, _I32),
    "rtcSetSceneBuildQuality": (None, _P, _I32),
    "rtcCommitScene": (None, _P),
    "rtcNewGeometry": (_P, _P, _I32),
    "rtcReleaseGeometry": (None, _P),
    "rtcSetGeometryBuildQuality": (None, _P, _I32),
    "rtcSetGeometryMask": (None, _P, _U32),
    "rtcSetSharedGeometryBuffer": (None, _P, _I32, _U32, _I32, _P, _SIZE, _SIZE, _SIZE),
    "rtcUpdateGeometryBuffer": (None, _P, _I32, _U32),
    "rtcSetGeometryInstancedScene": (None, _P, _P),
    "rtcSetGeometryInstancedScenes": (None, _P, _P, _SIZE),
    "rtcSetGeometryTransform": (None, _P, _U32, _I32, _P),
    "rtcCommitGeometry": (None, _P),
    "rtcAttachGeometry": (_U32, _P, _P),
    "rtcAttachGeometryByID": (None, _P, _P, _U32),
    "rtcDetachGeometry": (None, _P, _U32),
    "rtcIntersect1": (None, _P, _P, _P),
    "rtcIntersect8": (None, _P, _P, _P, _P),
    "rtcIntersect16": (None, _P, _P, _P, _P),
    "rtcOccluded8": (None, _P, _P, _P, _P),
    "rtcOccluded16": (None, _P, _P, _P, _P),
    "rtcPointQuery": (ctypes.c_bool, _P, _P, _P, _P, _P),
}


def _wheel_libraries() -> tuple[Path, Path]:
    """Paths of the TBB and Embree libraries inside the wheel; its Python part is never imported."""
    spec = util.find_spec("embreex")
    if spec is None or spec.origin is None:
        raise LibraryError("the package 'embreex' is not installed: rays cannot be cast; run: pip install embreex")
    package = Path(spec.origin).parent
    for folder in (package.parent / "embreex.libs", package / ".dylibs", package):
        embree, tbb = sorted(folder.glob("*embree4*")), sorted(folder.glob("*tbb*"))
        if embree and tbb:
            return tbb[0], embree[0]
    raise LibraryError(
        f"no Embree 4 library in the package 'embreex' at {package}; run: pip install embreex==4.4.0.post1"
    )


@cache
def _library() -> SimpleNamespace:
    """The bound functions. Only building the hierarchy of a mesh lets other Python threads run meanwhile: to take the
    interpreter back after each of many short calls would make the loop wait for background work again and again."""
    tbb, embree = _wheel_libraries()
    try:
        ctypes.CDLL(str(tbb), mode=ctypes.RTLD_GLOBAL)
        releasing = ctypes.CDLL(str(embree), mode=ctypes.RTLD_GLOBAL)
        holding = ctypes.PyDLL(str(embree), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise LibraryError(f"the Embree library cannot be loaded ({error}); reinstall the package 'embreex'") from None
    bound = SimpleNamespace()
    for name, (result, *arguments) in _PROTOTYPES.items():
        function = getattr(releasing if name == "rtcCommitScene" else holding, name, None)
        if function is None:
            raise LibraryError(f"the Embree library lacks '{name}'; run: pip install embreex==4.4.0.post1")
        function.restype, function.argtypes = result, arguments
        setattr(bound, name, function)
    bound.commit_instances = holding.rtcJoinCommitScene
    bound.commit_instances.restype, bound.commit_instances.argtypes = None, [_P]
    return bound


@cache
def address(name: str) -> int:
    """Address of an Embree function, for calls out of compiled code."""
    return ctypes.cast(getattr(_library(), name), _P).value or 0


_devices: weakref.WeakValueDictionary[int, Device] = weakref.WeakValueDictionary()


class Device:
    """An Embree device. Every call through it raises if Embree reports an error."""

    def __init__(self, threads: int = 0) -> None:
        """threads: for building hierarchies; 0 takes all cores."""
        if threads < 0:
            raise RayError(f"threads = {threads}: must be 0 (all cores) or more")
        self._library = _library()
        self.handle = self._library.rtcNewDevice(f"threads={threads}".encode())
        if not self.handle:
            self._raise("rtcNewDevice", None)
        weakref.finalize(self, self._library.rtcReleaseDevice, self.handle)

    @staticmethod
    def shared(threads: int = 0) -> Device:
        """The one device with so many building threads: idle devices of their own would each keep a thread busy."""
        device = _devices.get(threads)
        if device is None:
            device = _devices[threads] = Device(threads)
        return device

    def call(self, name: str, *arguments: object) -> int | None:
        """Call an Embree function; a device error becomes a RayError that names it."""
        result = getattr(self._library, name)(*arguments)
        if code := self._library.rtcGetDeviceError(self.handle):
            self._raise(name, code)
        return result

    def _raise(self, name: str, code: int | None) -> None:
        code = self._library.rtcGetDeviceError(None) if code is None else code
        raise RayError(f"Embree: {name} failed: {_ERRORS.get(code, f'error {code}')}")


class _Owned:
    """A C handle, released when the Python object goes; it keeps alive what it was made from."""

    def __init__(self, device: Device, handle: int | None, release: str) -> None:
        self.device = device
        self.handle = handle or 0
        # The finaliser holds the device, so that the device outlives what was made on it.
        weakref.finalize(self, _release, device, release, self.handle)


# Reentrant: the garbage collector may release one handle in the midst of releasing another.
_release_lock = threading.RLock()


def _release(device: Device, function: str, handle: int) -> None:
    with _release_lock:
        getattr(device._library, function)(handle)


def _padded(array: np.ndarray, dtype: type) -> np.ndarray:
    """A private copy with 16 spare bytes behind, which Embree may read."""
    flat = np.ascontiguousarray(array, dtype).reshape(len(array), -1)
    spare = -(-16 // (flat.shape[1] * flat.itemsize))
    out = np.zeros((len(flat) + spare, flat.shape[1]), dtype)
    out[: len(flat)] = flat
    return out


_MARGIN = 2e-3
"""Boxes of instances are this much larger than their triangles [m]. Embree tests those boxes without care for rounding:
an upright ray exactly on the border of two chunks would miss both. Covers cells of 1 km with room to spare."""


def _corners(vertices: np.ndarray) -> np.ndarray:
    """Two corners of a box a little larger than the vertices, [2, 3]."""
    return np.stack([vertices.min(axis=0) - _MARGIN, vertices.max(axis=0) + _MARGIN]).astype(np.float32)


class TriangleScene(_Owned):
    """One triangle mesh with its own hierarchy, to be instanced. Its arrays are shared with Embree."""

    def __init__(self, device: Device, vertices: np.ndarray, faces: np.ndarray, *, robust: bool, deforms: bool) -> None:
        super().__init__(device, device.call("rtcNewScene", device.handle), "rtcReleaseScene")
        self.count = len(vertices)
        self.vertices = _padded(np.concatenate([vertices, _corners(vertices)]), np.float32)
        # Two triangles without area, which no ray can hit, make the box a little larger than what it holds.
        dots = np.repeat(np.array([[self.count], [self.count + 1]], np.uint32), 3, axis=1)
        self.faces = _padded(np.concatenate([faces, dots]), np.uint32)
        call = device.call
        flags = (_SCENE_ROBUST if robust else 0) | (_SCENE_DYNAMIC if deforms else 0)
        call("rtcSetSceneFlags", self.handle, flags)
        call("rtcSetSceneBuildQuality", self.handle, _QUALITY_MEDIUM)
        self._geometry = _Owned(device, call("rtcNewGeometry", device.handle, _TRIANGLES), "rtcReleaseGeometry")
        geometry = self._geometry.handle
        if deforms:
            call("rtcSetGeometryBuildQuality", geometry, _QUALITY_REFIT)
        share = "rtcSetSharedGeometryBuffer"
        call(share, geometry, _VERTEX, 0, _FLOAT3, self.vertices.ctypes.data, 0, 12, self.count + 2)
        call(share, geometry, _INDEX, 0, _UINT3, self.faces.ctypes.data, 0, 12, len(faces) + 2)
        # Embree's default mask is 1: open it, so that the instance alone says who sees it.
        call("rtcSetGeometryMask", geometry, NO_ID)
        call("rtcCommitGeometry", geometry)
        call("rtcAttachGeometry", self.handle, geometry)
        call("rtcCommitScene", self.handle)

    def deform(self, vertices: np.ndarray) -> None:
        """Move the corners (float32 [n, 3]) and refit the hierarchy."""
        self.vertices[: self.count] = vertices
        self.vertices[self.count : self.count + 2] = _corners(vertices)
        self.device.call("rtcUpdateGeometryBuffer", self._geometry.handle, _VERTEX, 0)
        self.device.call("rtcCommitGeometry", self._geometry.handle)
        self.device.call("rtcCommitScene", self.handle)


class InstanceGeometry(_Owned):
    """k instances of triangle scenes as one geometry of a top scene: a plain instance for k = 1, else an array."""

    def __init__(
        self, device: Device, scenes: list[TriangleScene], kinds: np.ndarray, X: np.ndarray, mask: int
    ) -> None:
        """X: float32 [k, 3, 4], relative to the top scene's origin."""
        self._single = len(X) == 1
        kind = _INSTANCE if self._single else _INSTANCE_ARRAY
        super().__init__(device, device.call("rtcNewGeometry", device.handle, kind), "rtcReleaseGeometry")
        self._scenes = scenes
        device.call("rtcSetGeometryMask", self.handle, mask)
        # Column-major 3×4 matrices: four columns of three.
        self._columns = np.zeros((len(X) + 1, 4, 3), np.float32)
        if self._single:
            device.call("rtcSetGeometryInstancedScene", self.handle, scenes[int(kinds[0])].handle)
        else:
            self._share(kinds)
        self.move(X)

    def _share(self, kinds: np.ndarray) -> None:
        call, k = self.device.call, len(self._columns) - 1
        handles = (_P * len(self._scenes))(*(s.handle for s in self._scenes))
        call("rtcSetGeometryInstancedScenes", self.handle, ctypes.cast(handles, _P), len(self._scenes))
        self._kinds = _padded(kinds[:, None], np.uint32)
        share = "rtcSetSharedGeometryBuffer"
        call(share, self.handle, _INDEX, 0, _UINT, self._kinds.ctypes.data, 0, 4, k)
        call(share, self.handle, _TRANSFORM, 0, _FLOAT3X4_COLUMN_MAJOR, self._columns.ctypes.data, 0, 48, k)

    def move(self, X: np.ndarray) -> None:
        """Set the places of all instances, [k, 3, 4] relative to the top scene's origin."""
        self._columns[: len(X)] = X.transpose(0, 2, 1)
        data = self._columns.ctypes.data
        if self._single:
            self.device.call("rtcSetGeometryTransform", self.handle, 0, _FLOAT3X4_COLUMN_MAJOR, data)
        else:
            self.device.call("rtcUpdateGeometryBuffer", self.handle, _TRANSFORM, 0)
        self.device.call("rtcCommitGeometry", self.handle)


class TopScene(_Owned):
    """A scene of instances only, quick to change: what rays are cast into."""

    def __init__(self, device: Device) -> None:
        super().__init__(device, device.call("rtcNewScene", device.handle), "rtcReleaseScene")
        device.call("rtcSetSceneFlags", self.handle, _SCENE_DYNAMIC)
        device.call("rtcSetSceneBuildQuality", self.handle, _QUALITY_LOW)
        self._attached: dict[int, tuple[InstanceGeometry, object]] = {}
        self.commit()

    def __len__(self) -> int:
        return len(self._attached)

    def attach(self, slot: int, geometry: InstanceGeometry, body: object) -> None:
        """Put a geometry, which shows `body`, into a free slot."""
        self.device.call("rtcAttachGeometryByID", self.handle, geometry.handle, slot)
        self._attached[slot] = (geometry, body)

    def detach(self, slot: int) -> None:
        """Take the geometry out of a slot."""
        self.device.call("rtcDetachGeometry", self.handle, slot)
        del self._attached[slot]

    def geometry(self, slot: int) -> InstanceGeometry:
        """The geometry in a slot."""
        return self._attached[slot][0]

    def body(self, slot: int) -> object | None:
        """What the geometry in a slot shows; None: the slot is free."""
        return self._attached[slot][1] if slot in self._attached else None

    def bodies(self) -> list[tuple[int, object]]:
        """Slots and what their geometries show."""
        return [(slot, body) for slot, (_, body) in self._attached.items()]

    def commit(self) -> None:
        """Make changes visible to rays."""
        self.device.call("commit_instances", self.handle)
