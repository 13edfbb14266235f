"""From rays to linear colours: cast, find the light that reaches each surface, shade, follow mirrors and glass."""

from __future__ import annotations

import numpy as np

from volery.sensors.camera_ask import bounce_rays, lamp_light, shadow_rays
from volery.sensors.camera_grain import grain_volume
from volery.sensors.camera_lamps import LAMP_REACH
from volery.sensors.camera_movers import BY_SUN, near_movers
from volery.sensors.camera_parts import Buffers, Painted, Quality, Rays, Surfaces, View
from volery.sensors.camera_plain import shade_drawn, shade_plain
from volery.sensors.camera_shade import shade
from volery.sensors.camera_sight import Sight
from volery.sensors.camera_sky import Air
from volery.sensors.camera_surface import BLOCK, surfaces
from volery.sensors.camera_tables import COLUMNS, Geometry, SceneTables
from volery.sensors.camera_tiles import LightMaps
from volery.sensors.daylight import daylight
from volery.sensors.spotlight import spot_light
from volery.world.embree import address
from volery.world.environment import Environment
from volery.world.native import WIDTH, kernel_lock, workers
from volery.world.rays import occluded_rays, own_filter_address
from volery.world.scene import ALL_CHANNELS

__all__ = ["Painter"]

_MINUTE_NS = 60_000_000_000
"""The sun's map follows the sun in steps of a minute, a quarter of a degree."""
_SUN_RADIUS = 0.0047
_SHADOW_REACH, _BOUNCE_REACH = 800.0, 200.0
_DARK = 1e-5
"""Sunlight below which no shadow is seen."""
_MOST_MIRRORS = 4
_COARSE = 4.0
"""How much coarser maps may be for light that comes by way of another surface."""
_NONE, _NO_COLOURS, _NO_BITS = np.zeros(0, np.float32), np.zeros((0, 3), np.float32), np.zeros(0, np.uint16)
_NO_LAMPS = ((np.zeros((0, 3)), np.zeros((0, 3))),) * 2


class Painter:
    """Paints what rays see in an environment. Keeps only buffers: a picture depends on the scene and the time alone."""

    def __init__(self, environment: Environment, quality: Quality, sight: Sight, headlight: float) -> None:
        self.headlight = headlight
        self._environment = environment
        self._quality = quality
        self._sight = sight
        self._tables = SceneTables.of(environment.scene)
        self._lights = LightMaps.of(environment.scene)
        self._buffers: dict[int, Buffers] = {}

    def sync(self) -> SceneTables:
        """Take note of what came, went or moved; call once before pictures of an instant."""
        self._lights.forget(*self._tables.sync(self._environment.scene))
        return self._tables

    def air(self, now_ns: int, pixel_angle: float) -> Air:
        """Light and air at a time; pixel_angle: what a pixel sees [rad]."""
        return Air(*daylight(self._environment, now_ns), self.headlight, grain_volume(), pixel_angle)

    def paint(self, rays: Rays, air: Air, now_ns: int) -> Painted:
        """Linear colours of rays; valid until the next call."""
        apart = self._quality.bounces > 0
        n = len(rays.directions)
        if len(self._buffers) > 4:
            self._buffers.clear()
        if n not in self._buffers:
            self._buffers[n] = Buffers(self._environment.scene, n, apart)
        b = self._buffers[n]
        s = self._cast(rays, air, now_ns, b, coherent=True)
        if self._quality.plain:
            with kernel_lock:
                shade_plain(
                    s.geometry, air, s.eye, s.start, rays.R_WC, rays.directions, s.found, b.colour, workers(n)
                )  # fmt: skip
            return Painted(b.hits, b.colour, b.albedo, b.albedo, b.albedo, b.normal)
        around = _NO_COLOURS
        with kernel_lock:
            by_map, by_rays = self._lamps(s)
            sun, hidden = self._past_movers(s, by_map)
            lamps = _NO_COLOURS
            if apart or len(by_rays[0]) or self._environment.lights:
                all_ = self._surfaces(s, None)
                lamps = self._lamps_by_rays(all_, s, by_rays)
                if apart:
                    sun, around = self._sun_by_rays(all_, s), self._bounce(all_, s)
            self._shade(b, s, by_map, (sun, lamps, hidden, not apart, True, not apart), 1.0)
        self._follow(b, s, 0)
        in_sun = b.lit[:, None] * air.sun.astype(np.float32)
        return Painted(b.hits, b.colour, b.albedo, in_sun, around, b.normal)

    def draw(self, rays: Rays, air: Air, linear: np.ndarray) -> bool:
        """Draw a plain picture straight into its pixels [h·w, 3], if it is one and that is quicker than rays."""
        drawn = self._sight.draw(rays) if self._quality.plain else None
        if drawn is None:
            return False
        scene = self._environment.scene
        origin = scene.cell(rays.p_WC).origin
        with kernel_lock:
            shade_drawn(
                drawn, self._tables.geometry(scene, origin), air, rays.p_WC - origin, rays.R_WC, float(rays.far.max()),
                linear, workers(len(linear)),
            )  # fmt: skip
        return True

    def _plain(self, rays: Rays, air: Air, now_ns: int, mirrors: int, *, light: bool) -> np.ndarray:
        """Colours of rays that began on a surface [n, 3]; light: they only bring light, so maps may be coarse and the
        sun itself is left out."""
        b = Buffers(self._environment.scene, len(rays.directions), apart=False)
        s = self._cast(rays, air, now_ns, b, coherent=False)
        with kernel_lock:
            by_map, by_rays = _NO_LAMPS if light else self._lamps(s)
            sun, hidden = (_NONE, _NO_BITS) if light else self._past_movers(s, by_map)
            lamps = _NO_COLOURS
            if not light and (len(by_rays[0]) or self._environment.lights):
                lamps = self._lamps_by_rays(self._surfaces(s, None), s, by_rays)
            self._shade(b, s, by_map, (sun, lamps, hidden, True, not light, False), _COARSE if light else 1.0)
        if not light and mirrors < _MOST_MIRRORS:
            self._follow(b, s, mirrors)
        return b.colour

    def _cast(self, rays: Rays, air: Air, now_ns: int, b: Buffers, *, coherent: bool) -> View:
        scene = self._environment.scene
        self._sight.find(rays, b.hits, coherent=coherent)
        origin = scene.cell(rays.p_WC).origin
        eye = rays.p_WC - origin
        start = (rays.origins @ rays.R_WC.T + eye).astype(np.float32)
        h = b.hits
        found = (h.distance, h.row, h.primitive, h.normal, h.back)
        return View(rays, air, now_ns, self._tables.geometry(scene, origin), eye, start, found)

    def _shade(self, b: Buffers, s: View, lamps: tuple, given: tuple, coarse: float) -> None:
        """Colours, by the maps and what is given; tiles that turn out to be missing are made, and it is done again."""
        q, towards_sun = self._quality, self._environment.sky.sun(s.now_ns - s.now_ns % _MINUTE_NS).direction
        maps = self._lights.window(towards_sun, q.sky, s.rays.p_WC, s.geometry.origin)
        out = (b.colour, b.albedo, b.lit, b.normal, b.material)
        shining = self._lights.lamps(*lamps, s.rays.p_WC, s.geometry.origin)
        todo = np.ones(-(-len(b.colour) // BLOCK), np.uint8)
        while todo.any():
            tasks = workers(len(b.colour))
            marks = np.zeros((tasks, *maps.index.shape), np.uint8)
            lamp_marks = np.zeros((tasks, *shining.index.shape), np.uint8)
            shade(
                s.geometry, maps, shining, s.air, s.eye, s.start, s.rays.R_WC, s.rays.directions, s.found, coarse,
                given, out, (marks, lamp_marks, todo), tasks,
            )  # fmt: skip
            scene, p_WC = self._environment.scene, s.rays.p_WC
            maps = self._lights.fill(scene, p_WC, maps, marks.max(axis=0))
            shining = self._lights.fill_lamps(scene, p_WC, lamps[0], shining, lamp_marks.max(axis=0))

    def _surfaces(self, s: View, chosen: np.ndarray | None) -> Surfaces:
        """The surfaces that rays met, of some of them or of all."""
        directions, start, found = s.rays.directions, s.start, s.found
        if chosen is not None:
            directions, found = directions[chosen], tuple(array[chosen] for array in found)
            start = start[chosen] if len(start) > 1 else start
        out = Surfaces(len(directions))
        surfaces(
            s.geometry, s.eye, start, s.rays.R_WC, directions, found, out.way, out.point, out.normal, out.material,
            workers(len(directions)),
        )  # fmt: skip
        return out

    def _sun_by_rays(self, all_: Surfaces, s: View) -> np.ndarray:
        """Share of the sun at each surface, by a ray to a part of its disc."""
        if s.air.sun[1] <= _DARK:
            return _NONE
        self._ask(all_, s, s.air.sun_W, spread=_SUN_RADIUS)
        return (~all_.blocked).astype(np.float32)

    def _past_movers(self, s: View, lamps: tuple) -> tuple[np.ndarray, np.ndarray]:
        """Share of the sun that moving things leave [n or 0], and bits of the lamps that they hide [n or 0]. The maps
        know what stands; rays go only where it can matter."""
        movers = self._tables.moving_spheres(s.geometry.origin)
        in_sun, places = bool(s.air.sun[1] > _DARK), lamps[0] - s.geometry.origin
        if not self._by_maps or not self._quality.moving_shadows or not len(movers) or not (in_sun or len(places)):
            return _NONE, _NO_BITS
        near = np.empty(len(s.rays.directions), np.uint16)
        near_movers(
            movers, in_sun, s.air.sun_W, places, s.start, s.rays.R_WC, s.rays.directions, s.found[0], s.found[1], near,
            workers(len(near)),
        )  # fmt: skip
        asked = np.flatnonzero(near)
        if not len(asked):
            return _NONE, _NO_BITS
        some, bits = self._surfaces(s, asked), near[asked]
        sun, hidden = _NONE, np.zeros(len(near), np.uint16)
        if (bits & BY_SUN).any():
            self._ask(some, s, s.air.sun_W, standing=False)
            sun = np.ones(len(near), np.float32)
            sun[asked] = ~(some.blocked & (bits & BY_SUN > 0))
        for k, place in enumerate(places):
            bit = np.uint16(1 << k)
            if (bits & bit).any():
                self._ask(some, s, place, place=True, standing=False)
                hidden[asked] |= some.blocked * bit
        return sun, hidden

    @property
    def _by_maps(self) -> bool:
        """Whether maps say what light comes past what stands; else rays do."""
        return self._quality.bounces == 0

    def _lamps(self, s: View) -> tuple[tuple, tuple]:
        """The nearest lamps whose light maps tell, and those for which rays ask: places in W and powers [k, 3]."""
        if not self._tables.lamps:
            return _NO_LAMPS
        places, powers, standing = self._tables.nearest_lamps(s.rays.p_WC, self._quality.lamps, 2 * LAMP_REACH)
        mapped = standing & self._by_maps
        return (places[mapped], powers[mapped]), (places[~mapped], powers[~mapped])

    def _lamps_by_rays(self, all_: Surfaces, s: View, lamps: tuple) -> np.ndarray:
        """Light of lamps and of headlights, [n, 3]."""
        out = np.zeros((len(all_.point), 3), np.float32)
        for place, power in zip(lamps[0] - s.geometry.origin, lamps[1], strict=True):
            self._ask(all_, s, place, place=True)
            lamp_light(place, power, all_.point, all_.normal, all_.blocked, out, workers(len(out)))
        for spot in self._environment.spots():
            place = spot.p_W - s.geometry.origin
            self._ask(all_, s, place, place=True)
            spot_light(
                place, spot.ahead_W, spot.cosine, spot.light, all_.point, all_.normal, all_.blocked, out,
                workers(len(out)),
            )  # fmt: skip
        return out

    def _ask(
        self, a: Surfaces, s: View, target: np.ndarray, *, spread: float = 0.0, place: bool = False,
        standing: bool = True,
    ) -> None:  # fmt: skip
        """Find where light is blocked; standing: also by what does not move, which the maps know."""
        scene = self._environment.scene
        shadow_rays(
            place, target, spread, 16 * s.rays.seed, s.rays.first, _column(s.geometry, "thin"),
            LAMP_REACH if place else _SHADOW_REACH, s.eye, a.point, a.normal, a.material, a.start, a.ray, a.far,
            workers(len(a.far)),
        )  # fmt: skip
        cell = scene.cell(s.rays.p_WC)
        occluded_rays(
            address(f"rtcOccluded{WIDTH}"), own_filter_address(),
            cell.static.handle if standing and len(cell.static) else 0, cell.moving.handle if len(cell.moving) else 0,
            a.start, a.ray, np.eye(3), np.zeros(3), a.far, np.uint32(ALL_CHANNELS), -1, scene.slot_rows[True],
            scene.rows.group, a.blocked, workers(len(a.far)),
        )  # fmt: skip

    def _bounce(self, a: Surfaces, s: View) -> np.ndarray:
        """Light from all round, of the sky and of what it and the sun light, [n, 3]."""
        count = self._quality.bounces
        total, weight = np.zeros((len(a.point), 3), np.float32), np.empty(len(a.point), np.float32)
        # Grain does not matter here: as if pixels were large.
        air = s.air._replace(pixel_angle=10.0, headlight=0.0)
        for k in range(count):
            bounce_rays(
                16 * s.rays.seed + 4 * k + 4, s.rays.first, count, k, _column(s.geometry, "thin"), _BOUNCE_REACH, s.eye,
                a.point, a.normal, a.material, a.start, a.ray, a.far, weight, workers(len(a.far)),
            )  # fmt: skip
            seen = np.flatnonzero(a.far > 0)
            origins = np.ascontiguousarray(a.start[seen] - s.eye.astype(np.float32))
            part = Rays(origins, np.ascontiguousarray(a.ray[seen]), a.far[seen], np.eye(3), s.rays.p_WC, -1)
            light = self._plain(part, air, s.now_ns, 0, light=True)
            total[seen] += light * (weight[seen, None] / count)
        return total

    def _follow(self, b: Buffers, s: View, mirrors: int) -> None:
        """Mix in what mirrors send back and glass lets through."""
        table = s.geometry.materials
        mirror, glass = table[:, COLUMNS["mirror"]], table[:, COLUMNS["glass"]]
        if not (mirror.any() or glass.any()):
            return
        seen = np.flatnonzero((b.material >= 0) & ((mirror + glass)[b.material] > 0.02))
        if not len(seen):
            return
        a = self._surfaces(s, seen)
        along = np.sum(a.way * a.normal, axis=1, keepdims=True)
        through, back = glass[a.material][:, None], mirror[a.material][:, None]
        # Schlick: glass and water mirror more at a flat angle.
        bright = back + (through > 0) * (0.04 + 0.96 * (1.0 - np.clip(-along, 0, 1)) ** 5)
        bright = np.clip(bright, 0.0, 1.0)
        own = 1.0 - np.clip(back + through, 0, 1)
        colour = b.colour[seen] * own
        # What comes from there also passes the air before it.
        keep = np.exp(-s.air.extinction * s.found[0][seen, None])
        mist = (1.0 - keep) * s.air.horizon
        light = self._from_surface(a, a.way - 2 * along * a.normal, a.normal, s, mirrors + 2) * keep + mist
        colour += bright * light * np.where(through > 0, 1.0, table[a.material, :3])
        if through.any():
            light = self._from_surface(a, a.way, -a.normal, s, mirrors + 1) * keep + mist
            colour += (1.0 - bright) * through * table[a.material, :3] * light
        b.colour[seen] = colour
        if len(b.albedo):
            b.albedo[seen] *= own

    def _from_surface(self, a: Surfaces, directions: np.ndarray, side: np.ndarray, s: View, mirrors: int) -> np.ndarray:
        """Colours of rays that go on from surfaces, on one side of them."""
        gap = 1e-3 + 1e-4 * np.linalg.norm(a.point - s.eye, axis=1, keepdims=True)
        origins = np.ascontiguousarray(a.point + side * gap - s.eye, np.float32)
        far = np.array([s.rays.far.max()], np.float32)
        unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        part = Rays(origins, np.ascontiguousarray(unit, np.float32), far, np.eye(3), s.rays.p_WC, -1)
        return self._plain(part, s.air, s.now_ns, mirrors, light=False)


def _column(geometry: Geometry, name: str) -> np.ndarray:
    return np.ascontiguousarray(geometry.materials[:, COLUMNS[name]])
