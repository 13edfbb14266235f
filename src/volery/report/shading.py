"""Light for still pictures: sun with shadows, sky by visibility, lamps, a headlight in the dark, rough textures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from volery.core.noise import fractal3
from volery.core.rng import generator
from volery.world.hits import Hits
from volery.world.scene import Scene
from volery.world.sky import Sky
from volery.world.weather import Weather

__all__ = ["Lighting", "shade"]

_EXPOSURE = (1.2, 7.0)
"""Least and greatest factor from light to display."""
_BOUNCES = 4
"""Panes and mirrors that light may meet one after the other."""
_FAR = 5000.0
_SKY_RAYS = 4
_SKY_REACH = 60.0
_MOST_LAMPS = 24
_LAMP_REACH = 45.0
_HEADLIGHT = 3.0
_CLEAR_AIR = 2000.0
"""Haze length of a clear day in pictures [m]: shorter than in nature, since it tells depth."""
_TEXTURES = {"": (0.0, 1.0), "bark": (0.5, 6.0), "rock": (0.45, 2.0), "soil": (0.45, 3.0), "grass": (0.35, 4.0)}
_PLAIN_TEXTURE = (0.18, 2.5)
"""Strength and frequency [1/m] of the grain of a material that has a texture of another name."""


@dataclass(frozen=True)
class Lighting:
    """Sun, sky and air at an instant, linear RGB."""

    sun_W: np.ndarray
    """Unit vector towards the sun."""
    sun: np.ndarray
    zenith: np.ndarray
    horizon: np.ndarray
    haze_length: float
    """Distance at which the air hides 63 % [m]."""

    @staticmethod
    def of(sky: Sky, weather: Weather, t_ns: int) -> Lighting:
        """The light of a sky and a weather at a simulated time."""
        light = sky.light(t_ns)
        # Koschmieder: visibility is where contrast falls to 2 %, ln 50 haze lengths.
        length = min(_CLEAR_AIR, weather.visibility / 3.912)
        return Lighting(sky.sun(t_ns).direction, light.sun, light.zenith, light.horizon, length)


def shade(scene: Scene, hits: Hits, light: Lighting) -> np.ndarray:
    """Display colours 0 to 1, [n, 3]."""
    return _display(_radiance(scene, hits, light, _BOUNCES))


def _display(colour: np.ndarray) -> np.ndarray:
    """Exposed like a camera on automatic, within limits, so that a cave is seen and a night stays dark."""
    bright = float(np.percentile(colour.mean(axis=1), 85))
    exposure = np.clip(0.8 / max(bright, 1e-6), *_EXPOSURE)
    return (-np.expm1(-exposure * colour)) ** (1 / 2.2)


def _radiance(scene: Scene, hits: Hits, light: Lighting, bounces: int, dark: float | None = None) -> np.ndarray:
    """Light along the rays, linear, [n, 3]; dark: share of the headlight, by default found from these rays."""
    # In fog the sky overhead is as pale as the horizon.
    clear = min(1.0, light.haze_length / _CLEAR_AIR)
    sky = light.horizon + (light.zenith - light.horizon) * clear * np.clip(hits.directions[:, 2:], 0, 1) ** 0.5
    colour = np.where(hits.hit[:, None], 0.0, sky)
    seen = np.flatnonzero(hits.hit)
    if len(seen):
        colour[seen], dark = _surfaces(scene, hits, seen, light, dark)
    if bounces and len(seen):
        _see_through(scene, hits, seen, light, bounces, dark, colour)
    return colour


def _see_through(
    scene: Scene, hits: Hits, seen: np.ndarray, light: Lighting, bounces: int, dark: float | None, colour: np.ndarray
) -> None:
    """Blend in what is behind glass and in mirrors."""
    kinds = scene.materials.all
    mirror = np.array([m.mirror for m in kinds])[hits.material[seen]]
    clear = np.array([m.transparency for m in kinds])[hits.material[seen]]
    # Leaves let some light through but show nothing behind them.
    clear = np.where(clear >= 0.5, clear, 0.0)
    for share, mirrored in ((clear, False), (mirror, True)):
        chosen = seen[share > 0]
        if len(chosen):
            d, n = hits.directions[chosen], hits.normal[chosen].astype(float)
            d = d - 2 * np.sum(d * n, axis=1, keepdims=True) * n if mirrored else d
            behind = scene.cast(hits.points[chosen] + 1e-3 * d, d, max_range=_FAR)
            s = share[share > 0, None]
            colour[chosen] = (1 - s) * colour[chosen] + s * _radiance(scene, behind, light, bounces - 1, dark)


def _surfaces(
    scene: Scene, hits: Hits, seen: np.ndarray, air: Lighting, dark: float | None
) -> tuple[np.ndarray, float]:
    p, distance = hits.points[seen], hits.distance[seen, None].astype(float)
    flat = np.where(hits.back[seen, None], -hits.normal[seen], hits.normal[seen]).astype(float)
    normal, lift = _smooth(scene, hits, seen, flat, p)
    start = p + lift + flat * 2e-3 * np.maximum(1.0, distance * 0.02)
    albedo, glow = _albedo(scene, hits.material[seen], p)
    open_sky = _sky_visibility(scene, start, normal)
    facing = np.clip(normal @ air.sun_W, 0, 1)
    ask = np.flatnonzero(facing > 0)
    lit = np.zeros(len(seen))
    if len(ask):
        lit[ask] = facing[ask] * ~scene.occluded(start[ask], start[ask] + air.sun_W * 800.0)
    if dark is None:
        dark = max(0.0, 1.0 - 8.0 * float(open_sky.mean() + lit.mean()))
    sky_light = 1.5 * air.zenith + 0.5 * air.horizon
    light = lit[:, None] * air.sun + (0.16 + 0.84 * open_sky[:, None]) * sky_light * (dark < 0.84)
    light += _lamps(scene, start, normal, hits.origins[0])
    away = np.clip(-np.sum(normal * hits.directions[seen], axis=1), 0, 1)[:, None]
    light += dark * _HEADLIGHT * away / (2.0 + distance**2)
    surface = albedo * (light + glow[:, None])
    haze = (1.0 - np.exp(-distance / air.haze_length)) * (1.0 - dark)
    return surface + haze * (air.horizon - surface), dark


def _smooth(
    scene: Scene, hits: Hits, seen: np.ndarray, flat: np.ndarray, p: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Normals blended over the corners of the triangle, for meshes that have them; and the way [m] from the triangle
    to the round surface it stands for (Hanika 2021), lest edges of triangles throw shadows."""
    out, lift = flat.copy(), np.zeros_like(flat)
    row = hits.row[seen]
    mesh_id = scene.rows.mesh[row]
    for number in np.unique(mesh_id):
        mesh = scene.meshes.mesh(int(number))
        if mesh.normals is None:
            continue
        chosen = np.flatnonzero(mesh_id == number)
        X, N = scene.rows.X[row[chosen]], scene.rows.normal[row[chosen]].astype(float)
        local = np.einsum("nji,nj->ni", N, p[chosen] - X[:, :, 3])
        corner = mesh.faces[hits.primitive[seen[chosen]]]
        corners = mesh.vertices[corner].astype(float)
        weight = _barycentric(local, *(corners[:, k] for k in range(3)))
        n = mesh.normals[corner].astype(float)
        below = np.minimum(np.sum((local[:, None] - corners) * n, axis=2), 0.0)
        up = np.einsum("nij,nj->ni", X[:, :, :3], -np.einsum("nk,nk,nkj->nj", weight, below, n))
        lift[chosen] = np.where(hits.back[seen[chosen], None], 0.0, up)
        blended = np.einsum("nk,nkj->nj", weight, mesh.normals[corner].astype(float))
        turned = np.einsum("nij,nj->ni", N, blended)
        turned /= np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-12)
        out[chosen] = np.where(np.sum(turned * flat[chosen], axis=1, keepdims=True) < 0, -turned, turned)
    return out, lift


def _barycentric(p: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Weights of the three corners, [n, 3]."""
    u, v, w = b - a, c - a, p - a
    uu, uv, vv = np.sum(u * u, axis=1), np.sum(u * v, axis=1), np.sum(v * v, axis=1)
    wu, wv = np.sum(w * u, axis=1), np.sum(w * v, axis=1)
    area = np.maximum(uu * vv - uv * uv, 1e-20)
    second, third = (vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area
    return np.clip(np.stack([1 - second - third, second, third], axis=1), 0, 1)


def _albedo(scene: Scene, material: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Colours with a grain by place, [n, 3], and own light, [n]."""
    kinds = scene.materials.all
    grain = np.array([_TEXTURES.get(m.texture, _PLAIN_TEXTURE) for m in kinds])[material]
    noise = np.zeros(len(p))
    for frequency in np.unique(grain[:, 1]):
        chosen = (grain[:, 1] == frequency) & (grain[:, 0] > 0)
        q = p[chosen] * frequency
        noise[chosen] = fractal3(*q.T, 11, 4)
    colour = np.array([m.colour for m in kinds])[material]
    return colour * (1.0 + grain[:, :1] * noise[:, None]), np.array([m.emission for m in kinds])[material]


def _sky_visibility(scene: Scene, start: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Share of cosine-weighted directions that see the sky, 0 to 1, [n]."""
    draw = generator(0, "picture/sky")
    seen = np.zeros(len(start))
    for _ in range(_SKY_RAYS):
        d = draw.normal(size=(len(start), 3))
        d = normal + d / np.linalg.norm(d, axis=1, keepdims=True) * 0.999
        up = np.flatnonzero(d[:, 2] > 0)
        d /= np.linalg.norm(d, axis=1, keepdims=True)
        if len(up):
            seen[up] += ~scene.occluded(start[up], start[up] + d[up] * _SKY_REACH)
    return seen / _SKY_RAYS


def _lamps(scene: Scene, start: np.ndarray, normal: np.ndarray, eye: np.ndarray) -> np.ndarray:
    """Light of the nearest lamps, each taken as a point of its emission times its area."""
    light = np.zeros((len(start), 3))
    for p, power in _nearest_lamps(scene, eye):
        step = p - start
        d = np.linalg.norm(step, axis=1)
        facing = np.clip(np.sum(step * normal, axis=1) / np.maximum(d, 1e-6), 0, 1)
        ask = np.flatnonzero((facing > 0) & (d < _LAMP_REACH) & (d > 0.3))
        if len(ask):
            # Stop short of the lamp's own housing.
            free = ~scene.occluded(start[ask], start[ask] + step[ask] * (1 - 0.25 / d[ask, None]))
            light[ask] += (free * facing[ask] / d[ask] ** 2)[:, None] * power
    return light


def _nearest_lamps(scene: Scene, eye: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Places [m] and powers of the lamps nearest to the eye."""
    found = []
    for item in scene.objects.values():
        for kind, mesh in enumerate(item.meshes):
            power, middle = _lamp_of(mesh)
            if power is None:
                continue
            X = item.X_WO[item.body.kinds == kind]
            found += [(x[:, :3] @ middle + x[:, 3], power) for x in X]
    found.sort(key=lambda lamp: float(np.linalg.norm(lamp[0] - eye)))
    return found[:_MOST_LAMPS]


def _lamp_of(mesh: object) -> tuple[np.ndarray | None, np.ndarray]:
    """Power and middle of a mesh's shining faces; None if it does not shine."""
    emission = np.array([m.emission for m in mesh.materials])
    if not emission.any():
        return None, np.zeros(3)
    index = np.zeros(len(mesh.faces), int) if mesh.face_material is None else mesh.face_material
    shining = emission[index] > 0
    corners = mesh.vertices[mesh.faces[shining]].astype(float)
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    colour = np.array([m.colour for m in mesh.materials])[index[shining]] * emission[index[shining], None]
    return (area[:, None] * colour).sum(axis=0) / np.pi, corners.reshape(-1, 3).mean(axis=0)
