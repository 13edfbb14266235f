"""From rays to linear colours: cast, find the light that reaches each surface, shade, follow mirrors and glass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from volery.sensors.camera_develop import lamp_light
from volery.sensors.camera_light import LightMaps
from volery.sensors.camera_shade import shade, shadow_rays, surfaces
from volery.sensors.camera_sky import Air
from volery.sensors.camera_tables import COLUMNS, SceneTables, grain_volume
from volery.world import questions
from volery.world.embree import address
from volery.world.environment import Environment
from volery.world.hits import Hits
from volery.world.native import WIDTH, threads
from volery.world.rays import occluded_rays, own_filter_address
from volery.world.scene import ALL_CHANNELS, Scene

__all__ = ["Painter", "Quality", "Rays"]

_CLEAR_AIR = 1 / 2500.0
"""Extinction on a clear day [1/m]; more than in nature, since haze tells depth."""
_MINUTE_NS = 60_000_000_000
"""The sun's map follows the sun in steps of a minute, a quarter of a degree."""
_SUN_RADIUS = 0.0047
_SHADOW_REACH, _SKY_REACH, _LAMP_REACH = 800.0, 60.0, 45.0
_MOST_BOUNCES = 4
_NOTHING = np.zeros(0, np.float32)
_NO_LAMPS = np.zeros((0, 3), np.float32)


class Quality(NamedTuple):
    """What is done for a picture."""

    over: int
    """Rays per pixel along each axis."""
    sky: int
    """Directions in which maps look at the sky."""
    sky_rays: int
    """Rays towards the sky from each surface; 0: the maps alone."""
    lamps: int
    """Lamps that throw light and shadow."""
    moving_shadows: bool

    @staticmethod
    def of(name: str) -> Quality:
        """A quality by name."""
        return {
            "fast": Quality(1, 1, 0, 2, False),
            "default": Quality(1, 4, 0, 6, True),
            "best": Quality(2, 5, 4, 12, True),
        }[name]


class Rays(NamedTuple):
    """Rays of one part of a picture: from where, which way (in a frame C), how far, and the pose of C in W."""

    origins: np.ndarray
    directions: np.ndarray
    far: np.ndarray
    R_WC: np.ndarray
    p_WC: np.ndarray
    ignore: int


class _Buffers:
    """What a picture of n rays needs, made once."""

    def __init__(self, scene: Scene, n: int) -> None:
        self.hits = Hits(scene, n)
        self.point, self.normal, self.colour = (np.zeros((n, 3), np.float32) for _ in range(3))
        self.way = np.zeros((n, 3), np.float32)
        self.material, self.shadowed = np.empty(n, np.int32), np.empty(n, np.bool_)
        self.start, self.ray = np.zeros((n, 3), np.float32), np.zeros((n, 3), np.float32)
        self.far, self.blocked = np.empty(n, np.float32), np.empty(n, np.bool_)


class _Some:
    """Some of the surfaces of a picture, with room to ask about their light."""

    def __init__(self, b: _Buffers, chosen: np.ndarray) -> None:
        self.point, self.normal, self.material = b.point[chosen], b.normal[chosen], b.material[chosen]
        n = len(chosen)
        self.start, self.ray = np.zeros((n, 3), np.float32), np.zeros((n, 3), np.float32)
        self.far, self.blocked = np.empty(n, np.float32), np.empty(n, np.bool_)


class Painter:
    """Paints what rays see in an environment. Keeps only buffers: a picture depends on the scene and the time alone."""

    _grain = grain_volume()

    def __init__(self, environment: Environment, quality: Quality, mask: int, headlight: float) -> None:
        self.headlight = headlight
        self._environment = environment
        self._quality = quality
        self._mask = mask
        self._tables = SceneTables.of(environment.scene)
        self._lights = LightMaps.of(environment.scene)
        self._buffers: dict[int, _Buffers] = {}

    def sync(self) -> SceneTables:
        """Take note of what came and went; call once before pictures of an instant."""
        self._lights.forget(self._tables.sync(self._environment.scene))
        return self._tables

    def air(self, now_ns: int, p_W: np.ndarray, pixel_angle: float) -> Air:
        """Light and air at a time, round a place."""
        e = self._environment
        light, cell = e.sky.light(now_ns), e.scene.cell(p_W)
        sigma = e.weather.extinction(550.0)
        cloud = float(-np.expm1(-1500.0 * sigma))
        return Air(
            e.sky.sun(now_ns).direction, light.sun * (1.0 - 0.9 * cloud), light.zenith, light.horizon,
            _CLEAR_AIR + sigma, cloud, self.headlight, cell.origin, self._grain, pixel_angle,
        )  # fmt: skip

    def paint(self, rays: Rays, air: Air, now_ns: int, bounce: int = 0) -> np.ndarray:
        """Linear colours of rays, float32 [n, 3]; valid until the next call. The hits are in `hits_of`."""
        scene, n = self._environment.scene, len(rays.directions)
        if len(self._buffers) > 4:
            self._buffers.clear()
        b = self._buffers.setdefault(n, _Buffers(scene, n)) if bounce == 0 else _Buffers(scene, n)
        scene.cast_pattern(
            rays.origins, rays.directions, rays.R_WC, rays.p_WC, rays.far, b.hits, mask=self._mask,
            ignore=rays.ignore, coherent=bounce == 0,
        )  # fmt: skip
        eye = rays.p_WC - air.origin
        start = (rays.origins @ rays.R_WC.T + eye).astype(np.float32)
        with questions.kernel_lock:
            self._shade(b, start, rays, eye, air, now_ns)
        if bounce < _MOST_BOUNCES:
            self._follow(b, rays, air, now_ns, bounce)
        return b.colour

    def hits_of(self, n: int) -> Hits:
        """What the last `paint` of n rays met."""
        return self._buffers[n].hits

    def _shade(self, b: _Buffers, start: np.ndarray, rays: Rays, eye: np.ndarray, air: Air, now_ns: int) -> None:
        scene, q, p_W = self._environment.scene, self._quality, rays.p_WC
        geometry = self._tables.geometry(scene)
        towards_sun = self._environment.sky.sun(now_ns - now_ns % _MINUTE_NS).direction
        maps = self._lights.window(towards_sun, q.sky, eye)
        marks = np.zeros((threads(), *maps.index.shape), np.uint8)
        found = (b.hits.distance, b.hits.row, b.hits.primitive, b.hits.normal, b.hits.back)
        surface = (b.way, b.point, b.normal, b.material, b.shadowed)
        movers = self._tables.moving_spheres(air.origin)
        surfaces(geometry, maps, air, eye, start, rays.R_WC, rays.directions, found, movers, surface, marks, threads())
        wanted = marks.max(axis=0)
        if air.sun[1] < 1e-5 or q.sky_rays:
            wanted[0] = 0
        maps = self._lights.fill(scene, p_W, maps, wanted)
        sun_free, sky_free = self._free(b, eye, p_W, air)
        lamps = self._lamps(b, eye, p_W, air)
        shade(
            geometry, maps, air, eye, b.way, b.hits.distance, b.hits.row, b.point, b.normal, b.material, sun_free,
            sky_free, lamps, b.colour, threads(),
        )  # fmt: skip

    def _free(self, b: _Buffers, eye: np.ndarray, p_W: np.ndarray, air: Air) -> tuple[np.ndarray, np.ndarray]:
        """Shares of sun and sky that rays find free, [n] or empty where the maps do."""
        q, sun, sky = self._quality, _NOTHING, _NOTHING
        if air.sun[1] >= 1e-5 and q.sky_rays:
            self._ask(b, 0, air.sun_W, _SUN_RADIUS, 1, _SHADOW_REACH, eye, p_W)
            sun = (~b.blocked).astype(np.float32)
        elif air.sun[1] >= 1e-5 and q.moving_shadows:
            # The maps know what stands; only what moves is asked by rays, and only where it can matter.
            asked = np.flatnonzero(b.shadowed)
            if len(asked):
                part = _Some(b, asked)
                self._ask(part, 0, air.sun_W, 0.0, 1, _SHADOW_REACH, eye, p_W, standing=False)
                sun = np.ones(len(b.point), np.float32)
                sun[asked] = ~part.blocked
        if q.sky_rays:
            sky = np.zeros(len(b.point), np.float32)
            for k in range(q.sky_rays):
                self._ask(b, 2, air.sun_W, 0.0, 3 + 2 * k, _SKY_REACH, eye, p_W)
                sky += ~b.blocked
            sky /= q.sky_rays
        return sun, sky

    def _lamps(self, b: _Buffers, eye: np.ndarray, p_W: np.ndarray, air: Air) -> np.ndarray:
        """Light of the nearest lamps, [n, 3] or empty."""
        if not self._tables.lamps:
            return _NO_LAMPS
        places, powers = self._tables.nearest_lamps(p_W, self._quality.lamps, 2 * _LAMP_REACH)
        out = np.zeros((len(b.point), 3), np.float32)
        for place, power in zip(places - air.origin, powers, strict=True):
            self._ask(b, 1, place, 0.0, 0, _LAMP_REACH, eye, p_W)
            lamp_light(place, power, b.point, b.normal, b.blocked, out, threads())
        return out

    def _ask(
        self, b: _Buffers | _Some, kind: int, target: np.ndarray, spread: float, seed: int, reach: float,
        eye: np.ndarray, p_W: np.ndarray, standing: bool = True,
    ) -> None:  # fmt: skip
        """Find where light is blocked; standing: also by what does not move, which the maps know."""
        scene = self._environment.scene
        thin = self._tables.geometry(scene).materials[:, COLUMNS["thin"]]
        shadow_rays(
            kind, target, spread, seed, np.ascontiguousarray(thin), reach, eye, b.point, b.normal, b.material, b.start,
            b.ray, b.far, threads(),
        )  # fmt: skip
        cell = scene.cell(p_W)
        occluded_rays(
            address(f"rtcOccluded{WIDTH}"), own_filter_address(),
            cell.static.handle if standing and len(cell.static) else 0, cell.moving.handle if len(cell.moving) else 0,
            b.start, b.ray, np.eye(3), np.zeros(3), b.far, np.uint32(ALL_CHANNELS), -1, scene.slot_rows[True],
            scene.rows.group, b.blocked, threads(),
        )  # fmt: skip

    def _follow(self, b: _Buffers, rays: Rays, air: Air, now_ns: int, bounce: int) -> None:
        """Mix in what mirrors send back and glass lets through."""
        table = self._tables.geometry(self._environment.scene).materials
        mirror, glass = table[:, COLUMNS["mirror"]], table[:, COLUMNS["glass"]]
        if not (mirror.any() or glass.any()):
            return
        seen = np.flatnonzero((b.material >= 0) & ((mirror + glass)[b.material] > 0.02))
        if not len(seen):
            return
        d, normal, kind = b.way[seen], b.normal[seen], b.material[seen]
        along = np.sum(d * normal, axis=1, keepdims=True)
        through = glass[kind][:, None]
        # Schlick: glass and water mirror more at a flat angle.
        bright = mirror[kind][:, None] + (through > 0) * (0.04 + 0.96 * (1.0 - np.clip(-along, 0, 1)) ** 5)
        bright = np.clip(bright, 0.0, 1.0)
        colour = b.colour[seen] * (1.0 - np.clip(mirror[kind][:, None] + through, 0, 1))
        back = self._secondary(b, seen, d - 2 * along * normal, normal, rays, air, now_ns, bounce + 2)
        colour += bright * back * np.where(through > 0, 1.0, table[kind, :3])
        if through.any():
            ahead = self._secondary(b, seen, d, -normal, rays, air, now_ns, bounce + 1)
            colour += (1.0 - bright) * through * table[kind, :3] * ahead
        b.colour[seen] = colour

    def _secondary(
        self, b: _Buffers, seen: np.ndarray, directions: np.ndarray, side: np.ndarray, rays: Rays, air: Air,
        now_ns: int, bounce: int,
    ) -> np.ndarray:  # fmt: skip
        eye = (rays.p_WC - air.origin).astype(np.float32)
        gap = 1e-3 + 1e-4 * b.hits.distance[seen, None]
        origins = np.ascontiguousarray(b.point[seen] + side * gap - eye, np.float32)
        far = np.array([rays.far.max()], np.float32)
        unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        part = Rays(origins, np.ascontiguousarray(unit, np.float32), far, np.eye(3), rays.p_WC, -1)
        return self.paint(part, air, now_ns, bounce)
