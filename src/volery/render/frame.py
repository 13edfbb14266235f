"""Pictures of one camera: colour, depth, labels, instances, normals, flow and heat out of one pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np

from volery._native import render
from volery._native.render import Motion, TracedRays, View
from volery.core.frames import matrix_from_quat
from volery.render.film import Film
from volery.render.instant import EnvironmentInstant
from volery.render.lens import BLOCK, Lens, Pattern, pattern_of
from volery.render.measures import Measures, motion_of
from volery.render.quality import Quality
from volery.render.rays import Rays, through_lens
from volery.render.renderer import Renderer
from volery.render.tone_mapping import exposure_gain, tone_map
from volery.render.visibility.visibility import Visibility
from volery.world.cast.hits import Hits
from volery.world.environment import Environment

__all__ = ["COLOUR", "Eye", "FrameRenderer", "FrameSettings", "Optics", "Past"]

_BAND = 4
"""Rows that a rolling shutter reads at once."""
_AT_ONCE = 2_100_000
"""Rays that are in work at a time, to bound the memory of large pictures."""
COLOUR = ("rgb", "radiance", "events")
"""Outputs that need light."""


class FrameSettings(NamedTuple):
    """What a camera's pictures are like; see `CameraConfig`."""

    outputs: tuple[str, ...]
    quality: Quality
    mask: int
    """Of the channel that is seen."""
    ignore: int
    """Group whose parts are not seen."""
    headlight: float
    shutter: float
    blur_samples: int
    readout: float
    exposure: float
    auto_exposure: bool
    f_number: float = 0.0
    focus: float = 0.0
    chip_width: float = 0.0

    def aperture(self, lens: Lens) -> float:
        """Radius of the lens's opening [m]; 0: a pinhole, all is sharp."""
        return 0.5 * lens.focal / lens.width * self.chip_width / self.f_number if self.f_number > 0 else 0.0

    @property
    def samples(self) -> int:
        """Pictures that make up one, in time and over the opening of the lens."""
        return self.blur_samples if self.shutter > 0 or self.f_number > 0 else 1


class Optics(NamedTuple):
    """A lens, and the rays through it."""

    lens: Lens
    pattern: Pattern
    """A ray a pixel."""
    fine: Pattern
    """As many as the quality asks for."""
    ray_of: np.ndarray
    """By pixel of the fine picture, which of its rays."""

    @staticmethod
    def of(lens: Lens, reach: float, over: int, readout: float) -> Optics:
        """reach: how far is seen [m]; over: rays a pixel along each edge; readout: of a rolling shutter [s]."""
        band = BLOCK if readout == 0.0 else _BAND
        pattern = pattern_of(lens, reach, band=band)
        fine = pattern_of(lens, reach, over, band) if over > 1 else pattern
        ray_of = np.empty(len(fine.pixel), np.int32)
        ray_of[fine.pixel] = np.arange(len(ray_of), dtype=np.int32)
        return Optics(lens, pattern, fine, ray_of)


class Eye(NamedTuple):
    """One eye at one instant."""

    X_WC: np.ndarray
    motion_of_body: tuple[np.ndarray, np.ndarray, np.ndarray]
    """Place [m], velocity [m/s] and angular velocity [rad/s] of the robot in W."""

    def at(self, seconds: float) -> np.ndarray:
        """Pose of the eye a little earlier or later, the robot keeping its velocities."""
        p, v, w = self.motion_of_body
        if seconds == 0.0:
            return self.X_WC
        angle = float(np.linalg.norm(w)) * seconds
        axis = w / np.linalg.norm(w) if angle else np.zeros(3)
        R = matrix_from_quat(np.concatenate([[np.cos(angle / 2)], axis * np.sin(angle / 2)]))
        place = p + v * seconds + R @ (self.X_WC[:, 3] - p)
        return np.concatenate([R @ self.X_WC[:, :3], place[:, None]], axis=1)


class Past(NamedTuple):
    """Where an eye and what moves were at the reading before."""

    X_WC: np.ndarray | None
    """None: there was none."""
    poses: dict[str, np.ndarray]
    """Of moving objects by name, [k, 3, 4]."""


class FrameRenderer:
    """Draws a camera's pictures of an environment, or of an instant of one. Keeps only buffers."""

    def __init__(self, environment: Environment | EnvironmentInstant, settings: FrameSettings) -> None:
        # An instant has all of an environment that is asked here.
        self._environment = cast(Any, environment)
        self._settings = settings
        self._visibility = Visibility(self._environment.scene, settings.mask, settings.quality.detail)
        self.renderer = Renderer(self._environment, settings.quality, self._visibility, settings.headlight)
        self._film: Film | None = None
        self._hits: Hits | None = None

    @property
    def visibility(self) -> Visibility:
        """What finds which triangles are seen."""
        return self._visibility

    def take(
        self, optics: Optics, eyes: dict[str, tuple[Eye, Past]], now_ns: int
    ) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """All outputs but events, those of an eye with its name behind theirs; and by eye the light on the sensor
        [h, w, 3], valid until the next call."""
        data: dict[str, np.ndarray] = {}
        light: dict[str, np.ndarray] = {}
        gain: float | None = None
        for name, (eye, past) in eyes.items():
            moving = self.renderer.sync().moving if "flow" in self._settings.outputs else []
            motion = motion_of(self._environment.scene, past.X_WC, past.poses, moving)
            own = self._take(optics, eye, motion, now_ns)
            if any(output in COLOUR for output in self._settings.outputs):
                light[name] = self._whole_film(len(eyes))
                # The second eye is exposed as the first.
                gain = self._develop(light[name], gain, own)
            data.update({output + name: own[output] for output in self._settings.outputs if output in own})
        return data, light

    def _whole_film(self, eyes: int) -> np.ndarray:
        """The light of an eye; of two, each keeps its own."""
        assert self._film is not None
        whole = self._film.whole()
        return whole if eyes == 1 else whole.copy()

    def _take(self, optics: Optics, eye: Eye, motion: Motion, now_ns: int) -> dict[str, np.ndarray]:
        s, lens = self._settings, optics.lens
        out = Measures.of(s.outputs, lens.height * lens.width)
        geometric = any(len(array) for array in out)
        coloured = any(name in COLOUR for name in s.outputs)
        if coloured and self._film is None:
            self._film = Film(lens.height, lens.width, s.quality.bounces > 0)
        for rows, seconds in self._bands(lens):
            if coloured and self._draw(optics, eye, rows, seconds, now_ns, out):
                continue
            plain, hits = _part(optics.pattern, lens, rows, 1), None
            if coloured:
                hits = self._colour(optics, eye, rows, seconds, now_ns)
            if geometric:
                X = eye.at(seconds)
                self._measure(lens, plain, X, hits or self._cast(lens, plain, X, rows), motion, out)
        shape = (lens.height, lens.width)
        return {name: a.reshape(*shape, *a.shape[1:]) for name, a in out._asdict().items() if len(a)}

    def _bands(self, lens: Lens) -> Iterator[tuple[slice, float]]:
        """Rows that are read together, and when [s] after the stamp."""
        rolls = self._settings.readout > 0.0
        step = _BAND if rolls else max(_AT_ONCE // (lens.width * self._settings.quality.over**2 * BLOCK), 1) * BLOCK
        for top in range(0, lens.height, step):
            bottom = min(top + step, lens.height)
            middle = (top + bottom) / 2 / lens.height - 0.5
            yield slice(top, bottom), middle * self._settings.readout if rolls else 0.0

    def _rays(self, lens: Lens, pattern: Pattern, X: np.ndarray, rows: slice, over: int, seed: int = 0) -> Rays:
        """The rays of some rows from a pose of the eye."""
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        view, first = None, rows.start * lens.width * over * over
        if not lens.fisheye and self._settings.readout == 0.0:
            focal, width, height = lens.focal * over, lens.width * over, lens.height * over
            view = View(R, p, focal, width, height, rows.start * over, rows.stop * over)
        origin, ignore = np.zeros((1, 3), np.float32), self._settings.ignore
        return Rays(origin, pattern.directions, pattern.far, R, p, ignore, first, seed, view, pattern.pixel)

    def _draw(
        self, optics: Optics, eye: Eye, rows: slice, seconds: float, now_ns: int, out: Measures
    ) -> bool:  # fmt: skip
        """Fill in light and measures of some rows at once, if the picture is a plain one without normals and flow."""
        s, lens, film = self._settings, optics.lens, self._film
        assert film is not None
        if s.quality.over > 1 or len(out.normals) or len(out.flow) or s.samples > 1:
            return False
        rays = self._rays(lens, _part(optics.fine, lens, rows, 1), eye.at(seconds), rows, 1)
        air = self.renderer.air(now_ns, 1.0 / lens.focal, float(rays.p_WC[2]))
        return self.renderer.draw(rays, air, film.pixels(rows), out)

    def _colour(self, optics: Optics, eye: Eye, rows: slice, seconds: float, now_ns: int) -> Hits | None:
        """Fill in the light of some rows; returns the hits if they are those of a picture with one ray a pixel."""
        s, lens, film = self._settings, optics.lens, self._film
        assert film is not None
        over = s.quality.over
        fine = _part(optics.fine, lens, rows, over)
        count = s.samples
        air = self.renderer.air(now_ns, 1.0 / (lens.focal * over), float(eye.at(seconds)[2, 3]))
        film.clear(rows)
        first = rows.start * lens.width * over * over
        ray_of = optics.ray_of[first : first + len(fine.pixel)] - np.int32(first)
        for k in range(count):
            X = eye.at(seconds + ((k + 0.5) / count - 0.5) * s.shutter)
            rays = self._rays(lens, fine, X, rows, over, k)
            if s.f_number > 0:
                rays = through_lens(rays, lens, s.aperture(lens), s.focus, k, count)
            painted = self.renderer.paint(rays, air, now_ns)
            if lens.fisheye:
                painted.colour[fine.far == 0] = 0.0
            film.add(painted, ray_of, over, 1.0 / count, rows.start)
        return painted.hits if count == 1 and over == 1 else None

    def _cast(self, lens: Lens, pattern: Pattern, X: np.ndarray, rows: slice) -> Hits:
        if self._hits is None or len(self._hits) != len(pattern.directions):
            self._hits = Hits(self._environment.scene, len(pattern.directions))
        self._visibility.find(self._rays(lens, pattern, X, rows, 1), self._hits, coherent=True)
        return self._hits

    def _measure(self, lens: Lens, pattern: Pattern, X: np.ndarray, hits: Hits, motion: Motion, out: Measures) -> None:
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        found = hits.distance, hits.row, hits.primitive, hits.normal, hits.back
        cell, origin = self._environment.scene.cell(p), np.zeros((1, 3), np.float32)
        traced = TracedRays(origin, pattern.directions, R, p, cell.origin, *found)
        surfaces = self.renderer.sync().surfaces
        render.measure(surfaces, traced, render.Lens(*lens), motion, pattern.far, pattern.pixel, out.native)

    def _develop(self, linear: np.ndarray, gain: float | None, data: dict[str, np.ndarray]) -> float | None:
        """Light on the sensor [h, w, 3] as pictures; returns how they were exposed."""
        s = self._settings
        if "radiance" in s.outputs:
            data["radiance"] = linear.copy()
        if "rgb" in s.outputs:
            if gain is None:
                gain = exposure_gain(linear, s.exposure, automatic=s.auto_exposure)
            data["rgb"] = tone_map(linear, gain)
        return gain


def _part(pattern: Pattern, lens: Lens, rows: slice, over: int) -> Pattern:
    """The rays of some rows."""
    if rows == slice(0, lens.height):
        return pattern
    per_row = lens.width * over * over
    part = slice(rows.start * per_row, rows.stop * per_row)
    return Pattern(*(array[part] for array in pattern))
