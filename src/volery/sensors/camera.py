"""The camera: colour, depth, labels, instances, normals, flow, heat and events out of one pass of rays."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from volery.core.clock import SECOND
from volery.core.deferred import Deferred
from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.core.rng import derived
from volery.errors import ScenarioError, UnknownNameError
from volery.render.frame import Eye, FrameRenderer, FrameSettings, Optics, Past
from volery.render.instant import EnvironmentInstant
from volery.render.lens import Lens, lens_of
from volery.render.quality import Quality
from volery.robots.robot import Robot
from volery.sensors.camera_config import CameraConfig
from volery.sensors.camera_events import PixelMemory, events_of
from volery.sensors.camera_outputs import camera_outputs
from volery.sensors.controls import control
from volery.sensors.outputs import Output
from volery.sensors.sensor import Reading, Sensor, SensorConfig, in_kind
from volery.world.cast.batch import Casting
from volery.world.environment import Environment

__all__ = ["Camera", "CameraConfig"]

Data = dict[str, np.ndarray]

_MOST_KEPT = 8
"""Readings of a longer buffer that may wait undrawn: the one before them is drawn in the background, since its instant
holds what may long have left the world."""
_MOST_BEHIND = 8
"""Pictures of an event camera that may wait for the background, each for the one before it."""


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
        self._eyes = ("", "_right") if config.baseline > 0 else ("",)
        for array in config.noise:
            if array not in (told := [output + eye for output in config.outputs for eye in self._eyes]):
                raise UnknownNameError(f"output of camera '{name}' that can have noise", array, told)
        scene, quality = environment.scene, Quality.of(config.quality)
        ignore = scene.group(None if config.sees_self else robot.name)
        self._settings = FrameSettings(
            config.outputs, quality, scene.channel(config.channel), ignore, config.headlight, config.shutter,
            config.blur_samples, config.readout, config.exposure, config.auto_exposure, config.f_number, config.focus,
            config.chip_width,
        )  # fmt: skip
        self._frames = FrameRenderer(environment, self._settings)
        self._pixels: Deferred[dict[str, PixelMemory]] = Deferred(dict)
        """Of an event camera, by eye, after the last picture."""
        self._behind: deque[Deferred[Any]] = deque()
        self._undrawn: deque[Deferred[Any]] = deque()
        self._past = {eye: Past(None, {}) for eye in self._eyes}
        self._read = self._asked = False
        self._aim = np.zeros(2)
        self.aim(*config.pan_tilt_deg)
        self.set_zoom(config.zoom)

    # Controls

    @property
    def pan_tilt_deg(self) -> tuple[float, float]:
        """Where the camera points against its mount: to the left, and up [degrees]."""
        return float(self._aim[0]), float(self._aim[1])

    @control(gesture="aim")
    def aim(self, pan_deg: float, tilt_deg: float, *, relative: bool = False) -> None:
        """Point the camera to the left and up [degrees], by its mount or from where it points; stops at its limits."""
        target = np.array([pan_deg, tilt_deg], float) + (self._aim if relative else 0.0)
        ranges = np.array([self.config.pan_range_deg, self.config.tilt_range_deg])
        self._aim = np.clip(target, ranges[:, 0], ranges[:, 1])

    @control(gesture="zoom")
    def set_zoom(self, zoom: float) -> None:
        """Change the focal length to a multiple of that of `fov_deg`."""
        if not 0.1 <= zoom <= 100.0:
            raise ScenarioError(f"camera '{self.name}': zoom = {zoom}: must be 0.1 to 100")
        c, quality = self.config, self._settings.quality
        self.zoom = zoom
        self.lens: Lens = lens_of(c.projection, c.width, c.height, np.radians(c.fov_deg), self.zoom)
        self._optics = Optics.of(self.lens, c.range, quality.over, c.readout)

    @control
    def take_picture(self) -> None:
        """Take one more picture with the next step, whether it is due or not."""
        self._asked = True

    def due(self, now_ns: int, step_ns: int) -> bool:
        """Whether it is time, or one was asked for."""
        asked, self._asked = self._asked, False
        return super().due(now_ns, step_ns) or asked

    @property
    def X_WC(self) -> np.ndarray:
        """Pose of the camera in W with pan and tilt, [3, 4]; x is the optical axis, y left, z up."""
        X = self.X_WS
        pan, tilt = np.radians(self._aim)
        R = matrix_from_quat(quat_from_euler(np.array([0.0, -tilt, pan])))
        return np.concatenate([X[:, :3] @ R, X[:, 3:]], axis=1)

    @property
    def X_WF(self) -> np.ndarray:
        """Its frame turns with it: `X_WC`."""
        return self.X_WC

    @property
    def pointing(self) -> tuple[float, float, float]:
        """To the left [rad], up [rad], and zoom."""
        pan, tilt = np.radians(self._aim)
        return float(pan), float(tilt), self.zoom

    def outputs(self) -> list[Output]:
        """Pictures, rgb as JPEG too, and how they were projected."""
        return camera_outputs(self.config, lambda: self.zoom)

    @property
    def label_names(self) -> dict[int, str]:
        """Classes seen in this scene so far, by the numbers in `labels`."""
        return self.environment.scene.materials.labels

    # The reading

    def sense(self, now_ns: int) -> Data:
        """Take the picture, or the two of a stereo pair, at once."""
        return self._shot(lambda: self._frames, now_ns, ahead=False).result()

    def measuring(self, now_ns: int) -> Casting[None]:
        """Keep the instant, to be drawn with the same bytes when somebody looks at the picture."""
        yield from ()
        elapsed = None if self._measured_ns is None else (now_ns - self._measured_ns) / SECOND
        self._measured_ns = now_ns
        ideal = self.picture(now_ns)
        picture = Deferred(self._disturbed(ideal, now_ns, elapsed), self._was_read)
        if self._read and self._delay_ns > 0:
            # Whoever looked at the last one will look at this one, too: then it is ready.
            picture.begin()
        self._read = False
        self._send(Reading(now_ns, picture))
        if self.config.buffer > _MOST_KEPT:
            self._undrawn.append(picture)
            if len(self._undrawn) > _MOST_KEPT:
                self._undrawn.popleft().begin()

    def picture(self, now_ns: int) -> Deferred[Data]:
        """A picture of now without noise, drawn by the thread that first asks for it."""
        self._frames.renderer.sync()
        instant = EnvironmentInstant.of(self.environment)
        return self._shot(partial(FrameRenderer, instant, self._settings), now_ns, ahead=True)

    def _shot(self, frames: Callable[[], FrameRenderer], now_ns: int, *, ahead: bool) -> Deferred[Data]:
        """A picture, or the two of a stereo pair, taken now; ahead: it is begun early if others build on it."""
        optics, eyes, threshold = self._optics, self._look(), self.config.event_threshold
        order = [name + eye for eye in self._eyes for name in self.config.outputs]
        if "events" not in self.config.outputs:
            return Deferred(lambda: _ordered(frames().take(optics, eyes, now_ns)[0], order))
        before = self._pixels
        both = Deferred(lambda: _with_events(*frames().take(optics, eyes, now_ns), before.result(), now_ns, threshold))
        self._pixels = Deferred(lambda: both.result()[1])
        if ahead:
            both.begin()
            self._behind.append(both)
            if len(self._behind) > _MOST_BEHIND:
                self._behind.popleft().result()
        return Deferred(lambda: _ordered(both.result()[0], order))

    def _disturbed(self, ideal: Deferred[Data], now_ns: int, elapsed: float | None) -> Callable[[], Data]:
        """A picture with noise, as work for later; elapsed: since the one before [s]."""
        works = {}
        for name, noise in self._noises.items():
            own = derived(self.generator, name, now_ns)
            works[name] = noise.later(partial(_array_of, ideal, name), self._shape(name), elapsed, own)
        return lambda: {
            name: in_kind(works[name](), array.dtype) if name in works else array
            for name, array in ideal.result().items()
        }

    def _shape(self, output: str) -> tuple[int, ...]:
        """Of a picture that can have noise."""
        channels = {"rgb": (3,), "radiance": (3,), "flow": (2,)}.get(output.removesuffix("_right"), ())
        return self.config.height, self.config.width, *channels

    def _was_read(self) -> None:
        self._read = True

    def _look(self) -> dict[str, tuple[Eye, Past]]:
        """Where each eye is now, and where things were when it last looked."""
        scene = self._frames.renderer.sync()
        found: dict[str, tuple[Eye, Past]] = {}
        poses = {item.name: item.X_WO for item in scene.moving} if "flow" in self.config.outputs else {}
        for eye in self._eyes:
            X = self.X_WC
            if eye:
                X[:, 3] -= X[:, 1] * self.config.baseline
            body = self.robot.p_WB.copy(), self.robot.v_WB_W.copy(), self.robot.w_WB_W.copy()
            found[eye] = Eye(X, body), self._past[eye]
            if "flow" in self.config.outputs:
                self._past[eye] = Past(X, poses)
        return found

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        poses = self._past[""].poses
        own = {
            "asked": self._asked,
            "aim": self._aim.copy(),
            "zoom": self.zoom,
            "before": {eye: past.X_WC.copy() for eye, past in self._past.items() if past.X_WC is not None},
            "poses": {name: X.copy() for name, X in poses.items()},
            "events": {eye: memory._asdict() for eye, memory in self._pixels.result().items()},
        }
        return {**super().state(), **own}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        super().restore(state)
        self._asked = state["asked"]
        self.aim(*state["aim"])
        if state["zoom"] != self.zoom:
            self.set_zoom(state["zoom"])
        poses = {name: np.array(X) for name, X in state["poses"].items()}
        before = {eye: np.array(X) for eye, X in state["before"].items()}
        self._past = {eye: Past(before.get(eye), poses) for eye in self._eyes}
        pixels = {eye: PixelMemory(**memory) for eye, memory in state["events"].items()}
        self._pixels = Deferred(lambda: pixels)
        self._behind.clear()
        self._undrawn.clear()


def _with_events(
    data: Data, light: Data, before: dict[str, PixelMemory], now_ns: int, threshold: float
) -> tuple[Data, dict[str, PixelMemory]]:
    """What was taken with the events of each eye, and what the pixels remember."""
    after = {}
    for eye, linear in light.items():
        data["events" + eye], after[eye] = events_of(before.get(eye), linear, now_ns, threshold)
    return data, after


def _ordered(data: Data, names: list[str]) -> Data:
    return {name: data[name] for name in names}


def _array_of(ideal: Deferred[Data], name: str) -> np.ndarray:
    return ideal.result()[name]
