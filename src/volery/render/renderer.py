"""From rays to linear colours: cast, find the light that reaches each surface, shade, follow mirrors and glass."""

from __future__ import annotations

import numpy as np

from volery._native.render import (
    BLOCK,
    BY_SUN,
    DARK_SUN,
    GivenLight,
    Lamp,
    ShadingNeeds,
    Spotlight,
    SurfacePoints,
    TracedRays,
    near_movers,
    shade,
    shade_drawn,
    shade_plain,
)  # fmt: skip
from volery._native.render.lamp_map import REACH as LAMP_REACH
from volery.render.air import Air
from volery.render.lamps import nearest_lamps
from volery.render.materials import noise_volume
from volery.render.measures import Measures
from volery.render.quality import Quality
from volery.render.rays import Buffers, Painted, Rays, Shot
from volery.render.scene import RenderScene
from volery.render.shadow_maps.tiles import ShadowMaps
from volery.render.visibility.visibility import Visibility
from volery.world.environment import Environment, Spot

__all__ = ["Renderer"]

_MINUTE_NS = 60_000_000_000
"""The sun's map follows the sun in steps of a minute, a quarter of a degree."""
_SUN_RADIUS = 0.0047
"""Of its disc, seen as an angle [rad]."""
_MOST_MIRRORS = 4
_AHEAD = 25.0
"""How far before an eye lamps count as near [m]."""
_SHEEN = 0.5
"""Gloss from which on floors mirror what stands on them, in pictures whose light is found by rays."""
_COARSE = 4.0
"""How much coarser maps may be for light that comes by way of another surface."""
_MAP_ANGLE = 0.0025
"""What a texel of the sun's map is seen as where the next coarser one is used [rad]: larger pixels need none finer."""
_NONE, _NO_COLOURS, _NO_BITS = np.zeros(0, np.float32), np.zeros((0, 3), np.float32), np.zeros(0, np.uint16)
_NO_LAMPS = np.zeros(0, Lamp)


class Renderer:
    """Paints what rays see in an environment. Keeps only buffers: a picture depends on the scene and the time alone."""

    def __init__(self, environment: Environment, quality: Quality, visibility: Visibility, headlight: float) -> None:
        self.headlight = headlight
        self._environment = environment
        self._quality = quality
        self._visibility = visibility
        self._scene = RenderScene.of(environment.scene)
        self._lights = ShadowMaps.of(environment.scene)
        self._noise = noise_volume()
        self._buffers: dict[int, Buffers] = {}

    def sync(self) -> RenderScene:
        """Take note of what came, went or moved; call once before pictures of an instant."""
        scene = self._environment.scene
        self._lights.note(scene.version, *self._scene.sync(scene))
        return self._scene

    def air(self, now_ns: int, pixel_angle: float, height: float) -> Air:
        """Light and air at a time; pixel_angle: what a pixel sees [rad]; height: of the eye [m]."""
        return Air.at(self._environment, now_ns, self.headlight, pixel_angle, height)

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
            shade_plain(self._scene.surfaces, s.traced, air.native, self._noise, b.colour)
            return Painted(b.hits, b.colour, b.albedo, b.albedo, b.albedo, b.normal)
        around = lamps = glints = _NO_COLOURS
        by_map, by_rays = self._lamps(s)
        sun, hidden = self._past_movers(s, by_map)
        spots = self._environment.spots()
        if apart or len(by_rays) or spots:
            all_ = SurfacePoints(self._scene.surfaces, s.traced)
            lamps, glints = self._lamps_by_rays(all_, s, by_rays, spots)
            if apart:
                sun, around = self._sun_by_rays(all_, s), self._bounce(all_, s)
        coarse = max(1.0, air.pixel_angle / _MAP_ANGLE)
        given = GivenLight(sun, lamps, hidden, sun_by_map=not apart, sky_seen=True, shared=not apart, coarse=coarse)
        self._shade(b, s, by_map, given)
        if len(glints):
            b.colour[:] += glints * np.exp(-air.extinction * b.hits.distance)[:, None].astype(np.float32)
        self._follow(b, s, 0)
        if apart:
            self._sheen(b, s)
        in_sun = b.lit[:, None] * air.sun.astype(np.float32)
        return Painted(b.hits, b.colour, b.albedo, in_sun, around, b.normal)

    def draw(self, rays: Rays, air: Air, linear: np.ndarray, measures: Measures) -> bool:
        """Draw a plain picture straight into its pixels [h·w, 3] and measures (no normals, no flow), if it is one."""
        drawn = self._visibility.draw(rays) if self._quality.plain else None
        if drawn is None:
            return False
        origin, far = self._environment.scene.cell(rays.p_WC).origin, float(rays.far.max())
        shade_drawn(drawn, self._scene.surfaces, air.native, self._noise, origin, far, linear, measures.native)
        return True

    def _paint_from_surface(
        self, rays: Rays, air: Air, now_ns: int, mirrors: int, *, light: bool, lamps_seen: bool = True
    ) -> np.ndarray:
        """Colours of rays that began on a surface [n, 3]; light: they only bring light, so maps may be coarse and the
        sun itself is left out; lamps_seen: whether they see lamps and clouds."""
        b = Buffers(self._environment.scene, len(rays.directions), apart=False)
        s = self._cast(rays, air, now_ns, b, coherent=False)
        by_map, by_rays = (_NO_LAMPS, _NO_LAMPS) if light else self._lamps(s)
        sun, hidden = (_NONE, _NO_BITS) if light else self._past_movers(s, by_map)
        lamps = _NO_COLOURS
        spots = [] if light else self._environment.spots()
        if not light and (len(by_rays) or spots):
            lamps, _ = self._lamps_by_rays(SurfacePoints(self._scene.surfaces, s.traced), s, by_rays, spots)
        coarse = _COARSE if light else 1.0
        seen = lamps_seen and not light
        given = GivenLight(sun, lamps, hidden, sun_by_map=True, sky_seen=seen, shared=False, coarse=coarse)
        self._shade(b, s, by_map, given)
        if not light and mirrors < _MOST_MIRRORS:
            self._follow(b, s, mirrors)
        return b.colour

    def _cast(self, rays: Rays, air: Air, now_ns: int, b: Buffers, *, coherent: bool) -> Shot:
        self._visibility.find(rays, b.hits, coherent=coherent)
        cell, h = self._environment.scene.cell(rays.p_WC), b.hits
        found = h.distance, h.row, h.primitive, h.normal, h.back
        traced = TracedRays(rays.origins, rays.directions, rays.R_WC, rays.p_WC, cell.origin, *found)
        return Shot(rays, air, now_ns, cell, h, traced)

    def _shade(self, b: Buffers, s: Shot, lamps: np.ndarray, given: GivenLight) -> None:
        """Colours, by the maps and what is given; tiles that turn out to be missing are made, and it is done again."""
        scene, p_WC, origin = self._environment.scene, s.rays.p_WC, s.cell.origin
        towards_sun = self._environment.sky.sun(s.now_ns - s.now_ns % _MINUTE_NS).direction
        air, todo = s.air.native, np.ones(-(-len(b.colour) // BLOCK), bool)
        with self._lights.of_version(scene.version) as lights:
            maps = lights.window(towards_sun, self._quality.sky, p_WC, origin)
            shining = lights.lamp_window(lamps, p_WC, origin)
            while todo.any():
                marks, lamp_marks = np.zeros(maps.index.shape, bool), np.zeros(shining.index.shape, bool)
                windows, needs = lights.native(maps, shining), ShadingNeeds(marks, lamp_marks, todo)
                shade(self._scene.surfaces, s.traced, *windows, air, self._noise, given, b.shaded, needs)
                lights.fill(scene, p_WC, maps, marks)
                lights.fill_lamps(scene, p_WC, shining, lamp_marks)

    # Light that rays ask for

    def _sun_by_rays(self, all_: SurfacePoints, s: Shot) -> np.ndarray:
        """Share of the sun at each surface, by a ray to a part of its disc."""
        if s.air.sun[1] <= DARK_SUN:
            return _NONE
        all_.ask_direction(s.cell.rays, s.air.sun_W, _SUN_RADIUS, 16 * s.rays.seed, s.rays.first, standing=True)
        return (~all_.blocked).astype(np.float32)

    def _past_movers(self, s: Shot, lamps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Share of the sun that moving things leave [n or 0], and bits of the lamps that they hide [n or 0]. The maps
        know what stands; rays go only where it can matter."""
        movers, in_sun = self._scene.movers(), bool(s.air.sun[1] > DARK_SUN)
        if not self._by_maps or not self._quality.moving_shadows or not len(movers) or not (in_sun or len(lamps)):
            return _NONE, _NO_BITS
        near = np.empty(len(s.rays.directions), np.uint16)
        near_movers(s.traced, movers, in_sun, s.air.sun_W, lamps, near)
        some = np.flatnonzero(near)
        if not len(some):
            return _NONE, _NO_BITS
        blocked = near[some]
        points = SurfacePoints(self._scene.surfaces, s.traced, some)
        points.ask_movers(s.cell.rays, s.air.sun_W, lamps, blocked)
        near[some], sun = blocked, _NONE
        by_sun = (near & BY_SUN) > 0
        if by_sun.any():
            sun = np.where(by_sun, np.float32(0.0), np.float32(1.0))
        return sun, near

    @property
    def _by_maps(self) -> bool:
        """Whether maps say what light comes past what stands; else rays do."""
        return self._quality.bounces == 0

    def _lamps(self, s: Shot) -> tuple[np.ndarray, np.ndarray]:
        """The nearest lamps whose light maps tell, and those for which rays ask."""
        if not self._scene.lamps:
            return _NO_LAMPS, _NO_LAMPS
        ahead = _AHEAD * s.rays.R_WC[:, 0] if s.rays.pixel is not None else np.zeros(3)
        count, reach = self._quality.lamps, 2 * LAMP_REACH
        lamps, standing = nearest_lamps(self._scene.lamps, s.rays.p_WC, ahead, count, reach)
        mapped = standing & self._by_maps
        return lamps[mapped], lamps[~mapped]

    def _lamps_by_rays(
        self, all_: SurfacePoints, s: Shot, lamps: np.ndarray, spots: list[Spot]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Light of lamps and of headlights, and what is mirrored of lamps by what is glossy, [n, 3]."""
        out, glints = np.zeros((2, len(all_), 3), np.float32)
        for lamp in lamps:
            all_.ask_place(s.cell.rays, lamp["p_W"], standing=True)
            all_.add_lamp(lamp["p_W"], lamp["power"], out)
            all_.add_glint(lamp["p_W"], lamp["power"], glints)
        for spot in spots:
            row = _spotlight(spot)
            all_.ask_place(s.cell.rays, row["p_W"][0], standing=True)
            all_.add_spotlight(row, out)
        return out, glints

    def _bounce(self, a: SurfacePoints, s: Shot) -> np.ndarray:
        """Light from all round, of the sky and of what it and the sun light, [n, 3]."""
        count = self._quality.bounces
        total = np.zeros((len(a), 3), np.float32)
        # Grain does not matter here: as if pixels were large.
        air = s.air._replace(pixel_angle=10.0, headlight=0.0)
        for k in range(count):
            a.bounce(16 * s.rays.seed + 4 * k + 4, s.rays.first, count, k)
            seen = np.flatnonzero(a.far > 0)
            origins = np.ascontiguousarray(a.start[seen] - s.eye.astype(np.float32))
            part = Rays(origins, a.ray[seen], a.far[seen], np.eye(3), s.rays.p_WC, -1)
            light = self._paint_from_surface(part, air, s.now_ns, 0, light=True)
            total[seen] += light * (a.weight[seen, None] / count)
        return total

    # Mirrors and glass

    def _follow(self, b: Buffers, s: Shot, mirrors: int) -> None:
        """Mix in what mirrors send back and glass lets through."""
        table = self._scene.materials
        back = table["mirror"] + table["glass"]
        if not back.any():
            return
        seen = np.flatnonzero((b.material >= 0) & (back[b.material] > 0.02))
        if not len(seen):
            return
        a = SurfacePoints(self._scene.surfaces, s.traced, seen)
        material = table[a.material]
        along = np.sum(a.way * a.normal, axis=1, keepdims=True)
        through, back, tint = material["glass"][:, None], material["mirror"][:, None], material["colour"]
        # Schlick: glass and water mirror more at a flat angle.
        bright = back + (through > 0) * (0.04 + 0.96 * (1.0 - np.clip(-along, 0, 1)) ** 5)
        bright = np.clip(bright, 0.0, 1.0)
        own = 1.0 - np.clip(back + through, 0, 1)
        colour = b.colour[seen] * own
        # What comes from there also passes the air before it.
        keep = np.exp(-s.air.extinction * s.hits.distance[seen, None])
        mist = (1.0 - keep) * s.air.horizon
        light = self._from_surface(a, a.way - 2 * along * a.normal, a.normal, s, mirrors + 2) * keep + mist
        colour += bright * light * np.where(through > 0, 1.0, tint)
        if through.any():
            light = self._from_surface(a, a.way, -a.normal, s, mirrors + 1) * keep + mist
            colour += (1.0 - bright) * through * tint * light
        b.colour[seen] = colour
        if len(b.albedo):
            b.albedo[seen] *= own

    def _sheen(self, b: Buffers, s: Shot) -> None:
        """Add what glossy floors mirror at flat angles, blurred as they are rough."""
        table = self._scene.materials
        glossy = (table["gloss"] >= _SHEEN) & (table["mirror"] + table["glass"] < 0.02) & (table["thin"] == 0.0)
        seen = np.flatnonzero((b.material >= 0) & glossy[b.material])
        if not len(seen):
            return
        a = SurfacePoints(self._scene.surfaces, s.traced, seen)
        along = np.sum(a.way * a.normal, axis=1, keepdims=True)
        gloss = table[a.material]["gloss"][:, None]
        # Schlick, by as much as comes back whole.
        bright = (0.04 + 0.96 * (1.0 - np.clip(-along, 0, 1)) ** 5) * gloss**2
        some = np.flatnonzero((bright[:, 0] > 0.02) & (a.normal[:, 2] > 0.5))
        if not len(some):
            return
        a, bright, gloss = SurfacePoints(self._scene.surfaces, s.traced, seen[some]), bright[some], gloss[some]
        number = s.rays.first + seen[some][:, None]
        lot = (number * np.array([0.8191725134, 0.6710436067, 0.5497004779]) + 0.5) % 1.0 - 0.5
        way = a.way - 2 * along[some] * a.normal + 0.5 * (1.0 - gloss) ** 2 * lot
        way += np.maximum(0.02 - np.sum(way * a.normal, axis=1, keepdims=True), 0.0) * a.normal
        keep = np.exp(-s.air.extinction * s.hits.distance[seen[some], None])
        mirrored = self._from_surface(a, way, a.normal, s, _MOST_MIRRORS, lamps=False)
        # Few rays find what is small and bright: it would be specks.
        most = 4.0 * b.colour[seen[some]].max(axis=1, keepdims=True) + 0.05
        b.colour[seen[some]] += bright * keep * np.minimum(mirrored, most)

    def _from_surface(
        self, a: SurfacePoints, directions: np.ndarray, side: np.ndarray, s: Shot, mirrors: int, *, lamps: bool = True
    ) -> np.ndarray:
        """Colours of rays that go on from surfaces, on one side of them; lamps: whether lamps themselves are seen."""
        gap = 1e-3 + 1e-4 * np.linalg.norm(a.point - s.eye, axis=1, keepdims=True)
        origins = np.ascontiguousarray(a.point + side * gap - s.eye, np.float32)
        far = np.array([s.rays.far.max()], np.float32)
        unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        part = Rays(origins, np.ascontiguousarray(unit, np.float32), far, np.eye(3), s.rays.p_WC, -1)
        return self._paint_from_surface(part, s.air, s.now_ns, mirrors, light=False, lamps_seen=lamps)


def _spotlight(spot: Spot) -> np.ndarray:
    row = np.zeros(1, Spotlight)
    row["p_W"], row["ahead_W"], row["cosine"], row["light"] = spot.p_W, spot.ahead_W, spot.cosine, spot.light
    return row
