"""The camera: colour, depth, labels, instances, normals, flow, heat and events out of one pass of rays."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from volery._native.render import Motion
from volery.core.deferred import Deferred
from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.errors import ScenarioError
from volery.render.frame import Eye, FrameRenderer, FrameSettings, Optics
from volery.render.instant import EnvironmentInstant, can_be_kept
from volery.render.lens import Lens, lens_of
from volery.render.measures import motion_of
from volery.render.quality import Quality
from volery.robots.robot import Robot
from volery.sensors.camera_config import CameraConfig
from volery.sensors.camera_events import Events
from volery.sensors.camera_outputs import camera_outputs
from volery.sensors.controls import control
from volery.sensors.outputs import Output
from volery.sensors.sensor import Reading, Sensor, SensorConfig
from volery.world.batch import Casting
from volery.world.environment import Environment

__all__ = ["Camera", "CameraConfig"]

_MOST_KEPT = 8
"""Readings up to which instants are kept instead of pictures: each holds the poses of all that is there."""


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
        scene, quality = environment.scene, Quality.of(config.quality)
        ignore = scene.group(None if config.sees_self else robot.name)
        self._settings = FrameSettings(
            config.outputs, quality, scene.channel(config.channel), ignore, config.headlight, config.shutter,
            config.blur_samples, config.readout, config.exposure, config.auto_exposure,
        )  # fmt: skip
        self._frames = FrameRenderer(environment, self._settings)
        self._eyes = ("", "_right") if config.baseline > 0 else ("",)
        self._events = {eye: Events(config.event_threshold) for eye in self._eyes}
        self._before: dict[str, np.ndarray] = {}
        self._poses: dict[str, np.ndarray] = {}
        self._read = False
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

    def take_turns(self, turn: Callable[[], None], rays: int) -> None:
        """Have others called between parts of a picture of so many rays each."""
        self._frames.turn, self._frames.at_once = turn, rays

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

    def sense(self, now_ns: int) -> dict[str, np.ndarray]:
        """Take the picture, or the two of a stereo pair."""
        data, light = self._frames.take(self._optics, self._look(), now_ns)
        if "events" in self.config.outputs:
            for eye in self._eyes:
                data["events" + eye] = self._events[eye].of(light[eye], now_ns)
        return {name + eye: data[name + eye] for eye in self._eyes for name in self.config.outputs}

    def measuring(self, now_ns: int) -> Casting[None]:
        """Take a picture, or keep the instant, to be drawn with the same bytes when somebody looks at it."""
        if not self._can_wait():
            yield from super().measuring(now_ns)
            return
        self._measured_ns = now_ns
        picture = self._kept(now_ns, self._was_read)
        if self._read and self._delay_ns > 0:
            # Whoever looked at the last one will look at this one, too: then it is ready.
            picture.begin()
        self._read = False
        self._send(Reading(now_ns, picture))

    def picture(self, now_ns: int) -> Deferred[dict[str, np.ndarray]]:
        """A picture of now for somebody outside the simulation: drawn by the thread that first asks for it, if it can
        wait, else at once."""
        if self._can_wait():
            return self._kept(now_ns)
        data = self.sense(now_ns)
        return Deferred(lambda: data)

    def _kept(self, now_ns: int, asked: Callable[[], None] | None = None) -> Deferred[dict[str, np.ndarray]]:
        instant, eyes = EnvironmentInstant.of(self.environment), self._look()
        optics, settings = self._optics, self._settings
        return Deferred(lambda: FrameRenderer(instant, settings).take(optics, eyes, now_ns)[0], asked)

    def _was_read(self) -> None:
        self._read = True

    def _can_wait(self) -> bool:
        """Whether a picture of now can be drawn later: not if it needs rays, chance, or the picture before."""
        c = self.config
        by_drawing = c.projection == "pinhole" and c.readout == 0.0 and self._settings.quality.bounces == 0
        alone = not self._noises and "flow" not in c.outputs and "events" not in c.outputs
        if not (by_drawing and alone and c.buffer <= _MOST_KEPT):
            return False
        self._frames.renderer.sync()
        return can_be_kept(self.environment)

    def _look(self) -> dict[str, tuple[Eye, Motion]]:
        """Where each eye is now, and what has moved since it last looked."""
        scene = self._frames.renderer.sync()
        found: dict[str, tuple[Eye, Motion]] = {}
        for eye in self._eyes:
            X = self.X_WC
            if eye:
                X[:, 3] -= X[:, 1] * self.config.baseline
            before = self._before.get(eye) if "flow" in self.config.outputs else None
            motion = motion_of(self.environment.scene, before, self._poses, scene.moving)
            body = self.robot.p_WB.copy(), self.robot.v_WB_W.copy(), self.robot.w_WB_W.copy()
            found[eye] = Eye(X, body), motion
            self._before[eye] = X
        if "flow" in self.config.outputs:
            self._poses = {item.name: item.X_WO.copy() for item in scene.moving}
        return found

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
