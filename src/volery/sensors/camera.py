"""The camera: colour, depth, labels, instances, normals, flow, heat and events out of one pass of rays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import numpy as np

from volery._native import render
from volery._native.render import TracedRays, View
from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.errors import ScenarioError
from volery.render.film import Film
from volery.render.lens import BLOCK, Lens, Pattern, lens_of, pattern_of
from volery.render.measures import Measures, motion_of
from volery.render.quality import Quality
from volery.render.rays import Rays
from volery.render.renderer import Renderer
from volery.render.tone_mapping import exposure_gain, tone_map
from volery.render.visibility.visibility import Visibility
from volery.robots.robot import Robot
from volery.sensors.camera_config import CameraConfig
from volery.sensors.camera_events import Events
from volery.sensors.sensor import Sensor, SensorConfig
from volery.world.environment import Environment
from volery.world.hits import Hits

__all__ = ["Camera", "CameraConfig"]

_BAND = 4
"""Rows that a rolling shutter reads at once."""
_AT_ONCE = 2_100_000
"""Rays that are in work at a time, to bound the memory of large pictures."""
_COLOUR = ("rgb", "radiance", "events")


class _Eye(NamedTuple):
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


class Camera(Sensor):
    """Reading, by `outputs`, of a picture of h × w pixels, rows from the top:

    rgb uint8 [h, w, 3]; radiance float32 [h, w, 3], linear light before exposure, 1 for a white surface in the sun of
    a clear noon; depth float32 [h, w], along the ray [m], and depth_planar, along the axis, infinite for the
    sky; labels int32 [h, w], see `label_names`, 0 for the sky; instances int32 [h, w], numbers of objects, -1 for the
    sky; normals float32 [h, w, 3], in W, towards the camera, 0 for the sky; flow float32 [h, w, 2], how far [pixels]
    to the right and down what is seen moved since the reading before, NaN at the first; infrared float32 [h, w] [K];
    events int64 [n, 4]: time [ns], column, row, +1 brighter or -1 darker.
    """

    Config: ClassVar[type[SensorConfig]] = CameraConfig
    noisy: ClassVar[tuple[str, ...]] = tuple(
        name + eye
        for name in ("rgb", "radiance", "depth", "depth_planar", "flow", "infrared")
        for eye in ("", "_right")
    )
    config: CameraConfig

    def __init__(
        self, name: str, config: CameraConfig, robot: Robot, environment: Environment, generator: np.random.Generator
    ) -> None:
        super().__init__(name, config, robot, environment, generator)
        scene = environment.scene
        self._quality = Quality.of(config.quality)
        self._visibility = Visibility(scene, scene.channel(config.channel))
        self._ignore = scene.group(None if config.sees_self else robot.name)
        self._renderer = Renderer(environment, self._quality, self._visibility, config.headlight)
        self._eyes = ("", "_right") if config.baseline > 0 else ("",)
        self._events = {eye: Events(config.event_threshold) for eye in self._eyes}
        self._before: dict[str, np.ndarray] = {}
        self._poses: dict[str, np.ndarray] = {}
        self._hits: Hits | None = None
        self._film = Film(config.height, config.width, self._quality.bounces > 0)
        self._gain: float | None = None
        self._aim = np.zeros(2)
        self.aim(*config.pan_tilt_deg)
        self.set_zoom(config.zoom)

    # Controls

    @property
    def pan_tilt_deg(self) -> tuple[float, float]:
        """Where the camera points against its mount: to the left, and up [degrees]."""
        return float(self._aim[0]), float(self._aim[1])

    def aim(self, pan_deg: float, tilt_deg: float, *, relative: bool = False) -> None:
        """Point the camera to the left and up [degrees], by its mount or from where it points; stops at its limits."""
        target = np.array([pan_deg, tilt_deg], float) + (self._aim if relative else 0.0)
        if not np.isfinite(target).all():
            raise ScenarioError(f"camera '{self.name}': cannot point to {pan_deg}, {tilt_deg}: must be finite")
        ranges = np.array([self.config.pan_range_deg, self.config.tilt_range_deg])
        self._aim = np.clip(target, ranges[:, 0], ranges[:, 1])

    def set_zoom(self, zoom: float) -> None:
        """Change the focal length to a multiple of that of `fov_deg`."""
        if not 0.1 <= zoom <= 100.0:
            raise ScenarioError(f"camera '{self.name}': zoom = {zoom}: must be 0.1 to 100")
        c = self.config
        self.zoom = float(zoom)
        self.lens: Lens = lens_of(c.projection, c.width, c.height, np.radians(c.fov_deg), self.zoom)
        band = BLOCK if c.readout == 0.0 else _BAND
        self._pattern = pattern_of(self.lens, c.range, band=band)
        over = self._quality.over
        self._fine = pattern_of(self.lens, c.range, over, band) if over > 1 else self._pattern
        self._ray_of = np.empty(len(self._fine.pixel), np.int32)
        self._ray_of[self._fine.pixel] = np.arange(len(self._ray_of), dtype=np.int32)

    @property
    def X_WC(self) -> np.ndarray:
        """Pose of the camera in W with pan and tilt, [3, 4]; x is the optical axis, y left, z up."""
        X = self.X_WS
        pan, tilt = np.radians(self._aim)
        R = matrix_from_quat(quat_from_euler(np.array([0.0, -tilt, pan])))
        return np.concatenate([X[:, :3] @ R, X[:, 3:]], axis=1)

    @property
    def label_names(self) -> dict[int, str]:
        """Classes seen in this scene so far, by the numbers in `labels`."""
        return self.environment.scene.materials.labels

    # The reading

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Take the picture, or the two of a stereo pair."""
        scene = self._renderer.sync()
        self._gain = None
        data: dict[str, np.ndarray] = {}
        for eye in self._eyes:
            X = self.X_WC
            if eye:
                X[:, 3] -= X[:, 1] * self.config.baseline
            view = _Eye(X, (self.robot.p_WB, self.robot.v_WB_W, self.robot.w_WB_W))
            data.update({name + eye: array for name, array in self._take(view, eye, now_ns).items()})
            self._before[eye] = X
        if "flow" in self.config.outputs:
            self._poses = {item.name: item.X_WO.copy() for item in scene.moving}
        return data

    def _take(self, view: _Eye, eye: str, now_ns: int) -> dict[str, np.ndarray]:
        c = self.config
        shape = (c.height, c.width)
        out = Measures.of(c.outputs, c.height * c.width)
        geometric = any(len(array) for array in out)
        coloured = any(name in _COLOUR for name in c.outputs)
        motion = motion_of(self.environment.scene, self._before.get(eye), self._poses, self._renderer.sync().moving)
        for rows, seconds in self._bands():
            plain, hits = self._part(self._pattern, rows, 1), None
            if coloured:
                hits = self._colour(view, rows, seconds, now_ns, geometric)
            if geometric:
                X = view.at(seconds)
                self._measure(plain, X, hits or self._cast(plain, X, rows), motion, out)
        data = {name: a.reshape(*shape, *a.shape[1:]) for name, a in out._asdict().items() if len(a)}
        if coloured:
            data.update(self._develop(self._film.whole(), eye, now_ns))
        return {name: data[name] for name in c.outputs}

    def _bands(self) -> Iterator[tuple[slice, float]]:
        """Rows that are read together, and when [s] after the stamp."""
        c = self.config
        if c.readout == 0.0:
            step = max(_AT_ONCE // (c.width * self._quality.over**2 * BLOCK), 1) * BLOCK
            for top in range(0, c.height, step):
                yield slice(top, min(top + step, c.height)), 0.0
            return
        for top in range(0, c.height, _BAND):
            bottom = min(top + _BAND, c.height)
            yield slice(top, bottom), ((top + bottom) / 2 / c.height - 0.5) * c.readout

    def _part(self, pattern: Pattern, rows: slice, over: int) -> Pattern:
        """The rays of some rows."""
        if rows == slice(0, self.config.height):
            return pattern
        per_row = self.config.width * over * over
        part = slice(rows.start * per_row, rows.stop * per_row)
        return Pattern(*(array[part] for array in pattern))

    def _rays(self, pattern: Pattern, X: np.ndarray, rows: slice, over: int, seed: int = 0) -> Rays:
        """The rays of some rows from a pose of the eye."""
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        view, lens, first = None, self.lens, rows.start * self.config.width * over * over
        if not lens.fisheye and self.config.readout == 0.0:
            focal, width, height = lens.focal * over, lens.width * over, lens.height * over
            view = View(R, p, focal, width, height, rows.start * over, rows.stop * over)
        origin = np.zeros((1, 3), np.float32)
        return Rays(origin, pattern.directions, pattern.far, R, p, self._ignore, first, seed, view, pattern.pixel)

    def _colour(self, view: _Eye, rows: slice, seconds: float, now_ns: int, wanted: bool) -> Hits | None:
        """Fill in the light of some rows; returns the hits if they are wanted and those of the plain picture."""
        c, over, film = self.config, self._quality.over, self._film
        fine = self._part(self._fine, rows, over)
        count = c.blur_samples if c.shutter > 0 else 1
        air = self._renderer.air(now_ns, 1.0 / (self.lens.focal * over))
        if count == 1 and not wanted:
            rays = self._rays(fine, view.at(seconds), rows, over)
            if self._renderer.draw(rays, air, film.pixels(rows)):
                return None
        film.clear(rows)
        first = rows.start * c.width * over * over
        ray_of = self._ray_of[first : first + len(fine.pixel)] - np.int32(first)
        for k in range(count):
            X = view.at(seconds + ((k + 0.5) / count - 0.5) * c.shutter)
            painted = self._renderer.paint(self._rays(fine, X, rows, over, k), air, now_ns)
            if self.lens.fisheye:
                painted.colour[fine.far == 0] = 0.0
            film.add(painted, ray_of, over, 1.0 / count, rows.start)
        return painted.hits if count == 1 and over == 1 else None

    def _cast(self, pattern: Pattern, X: np.ndarray, rows: slice) -> Hits:
        scene = self.environment.scene
        if self._hits is None or len(self._hits) != len(pattern.directions):
            self._hits = Hits(scene, len(pattern.directions))
        self._visibility.find(self._rays(pattern, X, rows, 1), self._hits, coherent=True)
        return self._hits

    def _measure(self, pattern: Pattern, X: np.ndarray, hits: Hits, motion: render.Motion, out: Measures) -> None:
        R, p = np.ascontiguousarray(X[:, :3]), np.ascontiguousarray(X[:, 3])
        found = hits.distance, hits.row, hits.primitive, hits.normal, hits.back
        cell, origin = self.environment.scene.cell(p), np.zeros((1, 3), np.float32)
        traced = TracedRays(origin, pattern.directions, R, p, cell.origin, *found)
        surfaces, lens = self._renderer.sync().surfaces, render.Lens(*self.lens)
        render.measure(surfaces, traced, lens, motion, pattern.far, pattern.pixel, out.native)

    def _develop(self, linear: np.ndarray, eye: str, now_ns: int) -> dict[str, np.ndarray]:
        """Light on the sensor [h, w, 3] as a picture and as events."""
        c = self.config
        data = {}
        if "radiance" in c.outputs:
            data["radiance"] = linear.copy()
        if "rgb" in c.outputs:
            # The second eye is exposed as the first.
            if self._gain is None:
                self._gain = exposure_gain(linear, c.exposure, automatic=c.auto_exposure)
            data["rgb"] = tone_map(linear, self._gain)
        if "events" in c.outputs:
            data["events"] = self._events[eye].of(linear, now_ns)
        return data

    def state(self) -> dict:
        """Plain data that `restore` takes back."""
        own = {
            "aim": self._aim.copy(),
            "zoom": self.zoom,
            "before": {eye: X.copy() for eye, X in self._before.items()},
            "poses": {name: X.copy() for name, X in self._poses.items()},
            "events": {eye: events.state() for eye, events in self._events.items()},
        }
        return {**super().state(), **own}

    def restore(self, state: dict) -> None:
        """Continue where `state` was taken."""
        super().restore(state)
        self.aim(*state["aim"])
        if state["zoom"] != self.zoom:
            self.set_zoom(state["zoom"])
        self._before = {eye: np.array(X) for eye, X in state["before"].items()}
        self._poses = {name: np.array(X) for name, X in state["poses"].items()}
        for eye, inner in state["events"].items():
            self._events[eye].restore(inner)
