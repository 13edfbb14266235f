"""Pictures: what is seen, and in which light."""

import enum
from typing import overload

import numpy
import numpy.dtypes
import numpy.typing
from numpy.typing import NDArray

import volery._native.rays
from volery._native.render import (
    lamp_map as lamp_map,
    shadow_map as shadow_map
)


class Texture(enum.IntEnum):
    """Kinds of the grain of materials."""

    NONE = 0

    PLAIN = 1

    BARK = 2

    ROCK = 3

    STRATA = 4

    DRIPSTONE = 5

    GROUND = 6

    BRICK = 7

    LEAF = 8

Material: numpy.dtypes.VoidDType = ...

class SurfaceTable:
    """What the surfaces of a scene look like."""

    @overload
    def __init__(self, scene: volery._native.rays.SceneTables) -> None: ...

    @overload
    def __init__(self, other: SurfaceTable, scene: volery._native.rays.SceneTables) -> None:
        """The looks of another table, for tables that show the same meshes."""

    def set_materials(self, rows: numpy.typing.NDArray[numpy.void]) -> None:
        """Materials by number."""

    def set_moving(self, rows: numpy.typing.NDArray[numpy.bool]) -> None:
        """Which instances move."""

    def set_corners(self, mesh: int, normals: numpy.typing.NDArray[numpy.float32], colours: numpy.typing.NDArray[numpy.float32]) -> None:
        """Smooth normals and colours of a mesh's corners; empty: there are none."""

    def forget_corners(self, mesh: int) -> None:
        """Let go of what a mesh had."""

class TracedRays:
    """
    Unit rays of a camera, and what they met; origin_W: of the scene's cell.
    """

    def __init__(self, origins_C: numpy.typing.NDArray[numpy.float32], directions_C: numpy.typing.NDArray[numpy.float32], R_WC: numpy.typing.NDArray[numpy.float64], p_WC: numpy.typing.NDArray[numpy.float64], origin_W: numpy.typing.NDArray[numpy.float64], distance: numpy.typing.NDArray[numpy.float32], row: numpy.typing.NDArray[numpy.int32], primitive: numpy.typing.NDArray[numpy.int32], normal_W: numpy.typing.NDArray[numpy.float32], back: numpy.typing.NDArray[numpy.bool]) -> None: ...

class Air:
    """Light and air at an instant; colours are linear RGB."""

    def __init__(self, sun_W: numpy.typing.NDArray[numpy.float64], sun: numpy.typing.NDArray[numpy.float64], zenith: numpy.typing.NDArray[numpy.float64], horizon: numpy.typing.NDArray[numpy.float64], extinction: float, cloud: float, headlight: float, pixel_angle: float, below: float) -> None: ...

class NoiseVolume:
    """A periodic cloud of noise, 64 values along each edge."""

    def __init__(self, values: numpy.typing.NDArray[numpy.float32]) -> None: ...

NOISE_EDGE: int = 64

DARK_SUN: float = 1e-05

def passing(depth: float) -> float:
    """exp(-depth) of an optical depth >= 0, within 1e-5."""

class View:
    """Some rows of a pinhole's picture, from a pose."""

    def __init__(self, R_WC: numpy.typing.NDArray[numpy.float64], p_WC: numpy.typing.NDArray[numpy.float64], focal: float, width: int, height: int, top: int, bottom: int) -> None: ...

CLUSTER: int = 128

class ClusterTable:
    """Meshes of a scene, cut into clusters of near triangles."""

    @overload
    def __init__(self, scene: volery._native.rays.SceneTables) -> None: ...

    @overload
    def __init__(self, other: ClusterTable, scene: volery._native.rays.SceneTables) -> None:
        """The clusters of another table, for tables that show the same meshes."""

    def set_rows(self, rows: numpy.typing.NDArray[numpy.int32]) -> None:
        """The instances in the scene."""

    def set_mesh(self, number: int, bounds: numpy.typing.NDArray[numpy.float64], deforms: bool) -> None:
        """
        Enter a mesh with its lowest and highest corner; it is cut when it first comes into view.
        """

    def forget_mesh(self, number: int) -> None:
        """Let a mesh go."""

class VisibilityBuffer:
    """Which triangle each pixel of a view sees."""

    def __init__(self, clusters: ClusterTable) -> None: ...

    def resolve(self, directions_C: numpy.typing.NDArray[numpy.float32], far: numpy.typing.NDArray[numpy.float32], pixel: numpy.typing.NDArray[numpy.int32], distance: numpy.typing.NDArray[numpy.float32], row: numpy.typing.NDArray[numpy.int32], primitive: numpy.typing.NDArray[numpy.int32], normal: numpy.typing.NDArray[numpy.float32], back: numpy.typing.NDArray[numpy.bool]) -> None:
        """
        What was drawn as the hits of rays, each through a pixel of the whole picture.
        """

    def draw(self, view: View, far: float, mask: int, ignored_group: int, detail: float, first_round: int) -> None:
        """
        Draw what is in view; detail: things so small [pixels] may be shown roughly.
        """

    @property
    def clusters_drawn(self) -> int:
        """In the last picture."""

Lamp: numpy.dtypes.VoidDType = ...

Spotlight: numpy.dtypes.VoidDType = ...

class ShadowMapWindow:
    """The maps of sun (direction 0) and sky round a camera."""

    def __init__(self, basis: numpy.typing.NDArray[numpy.float64], corner: numpy.typing.NDArray[numpy.int64], index: numpy.typing.NDArray[numpy.int32], sun: numpy.typing.NDArray[numpy.float32], sky: numpy.typing.NDArray[numpy.float32]) -> None: ...

class LampMapWindow:
    """The maps of lamps."""

    def __init__(self, lamps: numpy.typing.NDArray[numpy.void], origin_W: numpy.typing.NDArray[numpy.float64], index: numpy.typing.NDArray[numpy.int32], depth: numpy.typing.NDArray[numpy.float32]) -> None: ...

class SurfacePoints:
    """Some of the surfaces of a picture, to ask about their light."""

    @overload
    def __init__(self, surfaces: SurfaceTable, rays: TracedRays) -> None: ...

    @overload
    def __init__(self, surfaces: SurfaceTable, rays: TracedRays, chosen: numpy.typing.NDArray[numpy.int64]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def way(self) -> NDArray[numpy.float32]:
        """Direction of the ray that came [n, 3]."""

    @property
    def point(self) -> NDArray[numpy.float32]:
        """In the cell [m], [n, 3]."""

    @property
    def normal(self) -> NDArray[numpy.float32]:
        """Towards the eye [n, 3]."""

    @property
    def material(self) -> NDArray[numpy.int32]:
        """-1: sky."""

    @property
    def blocked(self) -> NDArray[numpy.bool_]:
        """Of the light asked for."""

    @property
    def start(self) -> NDArray[numpy.float32]:
        """Of bounced rays [n, 3]."""

    @property
    def ray(self) -> NDArray[numpy.float32]:
        """Directions of bounced rays [n, 3]."""

    @property
    def far(self) -> NDArray[numpy.float32]:
        """Of bounced rays [m], -1: none."""

    @property
    def weight(self) -> NDArray[numpy.float32]:
        """What they count."""

    def ask_direction(self, cell: volery._native.rays.RayCell, direction_W: numpy.typing.NDArray[numpy.float64], spread: float, seed: int, first: int, standing: bool) -> None:
        """
        Find where the light of a direction, jittered by spread, is blocked; standing: also by what does not move.
        """

    def ask_place(self, cell: volery._native.rays.RayCell, p_W: numpy.typing.NDArray[numpy.float64], standing: bool) -> None:
        """The same for a lamp at a place."""

    def ask_movers(self, cell: volery._native.rays.RayCell, sun_W: numpy.typing.NDArray[numpy.float64], lamps: numpy.typing.NDArray[numpy.void], bits: numpy.typing.NDArray[numpy.uint16]) -> None:
        """
        Of the lights whose bits a point has (bit k: lamp k; 15: the sun), leave those that movers block.
        """

    def add_lamp(self, p_W: numpy.typing.NDArray[numpy.float64], power: numpy.typing.NDArray[numpy.float64], light: numpy.typing.NDArray[numpy.float32]) -> None:
        """Add the light of a lamp where it comes to."""

    def add_glint(self, p_W: numpy.typing.NDArray[numpy.float64], power: numpy.typing.NDArray[numpy.float64], light: numpy.typing.NDArray[numpy.float32]) -> None:
        """Add what glossy points mirror of the same lamp."""

    def add_spotlight(self, spot: numpy.typing.NDArray[numpy.void], light: numpy.typing.NDArray[numpy.float32]) -> None:
        """The same for a cone of light."""

    def bounce(self, seed: int, first: int, count: int, number: int) -> None:
        """Make rays to all round, by cosine: of count of them, this is number."""

def trace_standing(scene: volery._native.rays.SceneTables, cell: volery._native.rays.RayCell, origins_L: numpy.typing.NDArray[numpy.float32], directions_L: numpy.typing.NDArray[numpy.float32], near: float, far: float, distance: numpy.typing.NDArray[numpy.float32], row: numpy.typing.NDArray[numpy.int32], primitive: numpy.typing.NDArray[numpy.int32]) -> None:
    """
    The first thing that does not move along each unit ray in a cell; distance infinite where there is none.
    """

def draw_sun_tiles(clusters: ClusterTable, surfaces: SurfaceTable, origin_W: numpy.typing.NDArray[numpy.float64], basis: numpy.typing.NDArray[numpy.float64], texel: float, detail: float, tiles: numpy.typing.NDArray[numpy.int64], numbers: numpy.typing.NDArray[numpy.int64], pool: numpy.typing.NDArray[numpy.float32]) -> None:
    """
    Draw tiles (level and two indices) of a light's map of one finest texel [m] into numbers of a pool.
    """

def draw_sky_tiles(clusters: ClusterTable, surfaces: SurfaceTable, origin_W: numpy.typing.NDArray[numpy.float64], basis: numpy.typing.NDArray[numpy.float64], texel: float, detail: float, tiles: numpy.typing.NDArray[numpy.int64], numbers: numpy.typing.NDArray[numpy.int64], pool: numpy.typing.NDArray[numpy.float32]) -> None:
    """The same, averaged over neighbours."""

Mover: numpy.dtypes.VoidDType = ...

BY_SUN: int = 32768

def near_movers(rays: TracedRays, movers: numpy.typing.NDArray[numpy.void], sun: bool, sun_W: numpy.typing.NDArray[numpy.float64], lamps: numpy.typing.NDArray[numpy.void], bits: numpy.typing.NDArray[numpy.uint16]) -> None:
    """
    Lights whose way to what a ray met passes through a mover's sphere: bit k for lamp k, BY_SUN.
    """

BLOCK: int = 256

class GivenLight:
    """
    Light that was found before a picture is shaded, by ray; arrays may be empty.
    """

    def __init__(self, sun: numpy.typing.NDArray[numpy.float32], lamps: numpy.typing.NDArray[numpy.float32], hidden: numpy.typing.NDArray[numpy.uint16], sun_by_map: bool, sky_seen: bool, shared: bool, coarse: float) -> None: ...

class ShadedArrays:
    """Where colours go, by ray; albedo, lit and normal may be empty."""

    def __init__(self, colour: numpy.typing.NDArray[numpy.float32], albedo: numpy.typing.NDArray[numpy.float32], lit: numpy.typing.NDArray[numpy.float32], normal: numpy.typing.NDArray[numpy.float32], material: numpy.typing.NDArray[numpy.int32]) -> None: ...

class ShadingNeeds:
    """Tiles of maps that were needed, and blocks to be shaded."""

    def __init__(self, marks: numpy.typing.NDArray[numpy.bool], lamp_marks: numpy.typing.NDArray[numpy.bool], todo: numpy.typing.NDArray[numpy.bool]) -> None: ...

def shade(surfaces: SurfaceTable, rays: TracedRays, maps: ShadowMapWindow, lamps: LampMapWindow, air: Air, noise: NoiseVolume, given: GivenLight, out: ShadedArrays, needs: ShadingNeeds) -> None:
    """Colours of rays; blocks that miss a tile of a map stay to be done."""

def shade_plain(surfaces: SurfaceTable, rays: TracedRays, air: Air, noise: NoiseVolume, colour: numpy.typing.NDArray[numpy.float32]) -> None:
    """Colours of rays in the light of an open sky, without shadows."""

def shade_drawn(drawn: VisibilityBuffer, surfaces: SurfaceTable, air: Air, noise: NoiseVolume, origin_W: numpy.typing.NDArray[numpy.float64], far: float, linear: numpy.typing.NDArray[numpy.float32], out: MeasureArrays) -> None:
    """
    The same straight from a drawn picture into its pixels, and what is wanted of depths, labels, instances and heat.
    """

class Lens:
    """A projection, as kernels take it."""

    def __init__(self, fisheye: bool, focal: float, width: int, height: int) -> None: ...

class Motion:
    """Where camera and things were at the reading before."""

    def __init__(self, known: bool, R_before: numpy.typing.NDArray[numpy.float64], p_before: numpy.typing.NDArray[numpy.float64], row_motion: numpy.typing.NDArray[numpy.int32], motions: numpy.typing.NDArray[numpy.float64]) -> None: ...

class MeasureArrays:
    """Where measures go, by pixel; those not wanted are empty."""

    def __init__(self, depth: numpy.typing.NDArray[numpy.float32], depth_planar: numpy.typing.NDArray[numpy.float32], labels: numpy.typing.NDArray[numpy.int32], instances: numpy.typing.NDArray[numpy.int32], normals: numpy.typing.NDArray[numpy.float32], flow: numpy.typing.NDArray[numpy.float32], infrared: numpy.typing.NDArray[numpy.float32]) -> None: ...

def measure(surfaces: SurfaceTable, rays: TracedRays, lens: Lens, motion: Motion, far: numpy.typing.NDArray[numpy.float32], pixel: numpy.typing.NDArray[numpy.int32], out: MeasureArrays) -> None:
    """Depth, labels, instances, normals, flow and heat of what rays met."""

def gather_rays(colour: numpy.typing.NDArray[numpy.float32], rays: numpy.typing.NDArray[numpy.int32], width: int, over: int, weight: float, first: int, linear: numpy.typing.NDArray[numpy.float32]) -> None:
    """
    Add colours of rays to pixels from row `first` on: the mean of over² rays, times a weight.
    """

def mean_brightness(linear: numpy.typing.NDArray[numpy.float32]) -> float:
    """
    Geometric mean of the green of a picture, by every second row and column.
    """

def expose(linear: numpy.typing.NDArray[numpy.float32], gain: float, table: numpy.typing.NDArray[numpy.uint8], first_bits: int, dropped: int, rgb: numpy.typing.NDArray[numpy.uint8]) -> None:
    """Display colours by a table over the leading bits of float32 light."""

def smooth_light(light: numpy.typing.NDArray[numpy.float32], albedo: numpy.typing.NDArray[numpy.float32], normal: numpy.typing.NDArray[numpy.float32], rounds: int, out: numpy.typing.NDArray[numpy.float32]) -> None:
    """Average light over neighbours of like normal, colour and light."""
