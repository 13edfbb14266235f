"""A drone of a client: where it is, what it hit, and how its sensors are set up."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.deferred import Deferred
from volery.core.frames import matrix_from_quat
from volery.protocols.ueds.configs import LidarSetup, PictureSetup, StereoSetup
from volery.protocols.ueds.intime import LateError
from volery.protocols.ueds.lidar import RANGE, RayScanner, Scan
from volery.protocols.ueds.pictures import CapturedFrame, View
from volery.protocols.ueds.sensor_table import SensorTable
from volery.protocols.ueds.sweep import Swept
from volery.protocols.ueds.unreal import mounted, place_of, quaternion_of, where

if TYPE_CHECKING:
    from volery.protocols.ueds.door import Ueds

__all__ = ["UedsDrone"]

Move = tuple[tuple[float, float, float], tuple[float, float, float], bool]
"""Location [cm], rotator [deg], and whether it ends at what is in the way."""

_QUALITIES = ("plain", "fast", "default", "default", "best", "default")
"""Of pictures by the level of graphics: low, medium, high, epic, cinematic, custom."""

_MORE = ("projection", "exposure", "automatic", "readout", "rising")
"""What only some set-ups of cameras have."""


class UedsDrone:
    """What clients know of one drone. Requests of other threads read it; only the loop changes where it is."""

    def __init__(self, door: Ueds, name: str, index: int, location: tuple[float, float, float], robot: str) -> None:
        self.door = door
        self.name, self.index, self.robot = name, index, robot
        self.location = location
        """[cm]."""
        self.rotator = (0.0, 0.0, 0.0)
        self.inside = threading.Event()
        """Set when it is in the simulation."""
        self.crashed = False
        self.line_visible = False
        """Kept; nothing is drawn."""
        self.lidar = LidarSetup()
        self.camera = PictureSetup()
        self.stereo = StereoSetup()
        self.sensor_table = SensorTable()
        """Its sensors since API 0.14."""
        self.scanner = RayScanner(door.simulation.scene, door.stencils, name)
        self._move: Move | None = None
        self._moving = threading.Lock()

    # Moves that nobody waits for: only the newest counts

    def keep_move(self, move: Move) -> bool:
        """Remember a move until the loop takes it; whether none was waiting. Any thread may call."""
        with self._moving:
            idle, self._move = self._move is None, move
        return idle

    def take_move(self) -> Move | None:
        """The newest move that was not made yet; for the loop."""
        with self._moving:
            move, self._move = self._move, None
        return move

    # Where it is; for the loop

    @property
    def X_WB(self) -> np.ndarray:
        """Its pose in W, [3, 4]."""
        body = self.door.simulation.robot(self.name)
        return np.concatenate([matrix_from_quat(body.q_WB_wxyz), body.p_WB[:, None]], axis=1)

    def enter(self) -> None:
        """Be in the simulation, where the drone last was."""
        simulation = self.door.simulation
        p = place_of(self.location)
        entry = {
            "type": self.robot,
            "position": p.tolist(),
            "physics": "kinematic",
            "sensors": self.door.sensors_of(self.robot),
        }
        body = simulation.spawn(self.name, entry)
        simulation.place(self.name, p, quaternion_of(self.rotator))
        if self.robot == "probe":
            body.hide(simulation.scene)
        self.door.stencils.drones[self.name] = self.index
        self.inside.set()
        simulation.stream_world()

    def go(self, location: tuple[float, ...] | None, rotator: tuple[float, ...] | None, stop: bool) -> Swept:
        """Go to a location and rotate, at once; with `stop` only as far as nothing is in the way."""
        if not self.entered:
            return self._go_outside(location, rotator)
        simulation, body = self.door.simulation, self.door.simulation.robot(self.name)
        goal = body.p_WB if location is None else place_of(location)
        q = body.q_WB_wxyz if rotator is None else quaternion_of(rotator)
        swept = Swept(goal, False, np.zeros(3))
        far = float(np.linalg.norm(goal - body.p_WB))
        if stop and self.door.settings.collisions and far > 0.0:
            swept = self.door.sweep.move(body, goal, q, self.door.through(self.name))
        simulation.place(self.name, swept.p_WB, q)
        self.location = where(swept.p_WB) if swept.hit else self.location if location is None else _three(location)
        self.rotator = self.rotator if rotator is None else _three(rotator)
        if far > 1.0:
            simulation.stream_world()
        return swept

    @property
    def entered(self) -> bool:
        """Whether it is in the simulation, or comes back when that is reset."""
        return self.inside.is_set()

    def _go_outside(self, location: tuple[float, ...] | None, rotator: tuple[float, ...] | None) -> Swept:
        """Be somewhere else when it comes in."""
        goal, _ = place_of(location or self.location), quaternion_of(rotator or self.rotator)
        x, y, z = location or self.location
        pitch, yaw, roll = rotator or self.rotator
        self.location, self.rotator = (x, y, z), (pitch, yaw, roll)
        return Swept(goal, False, np.zeros(3))

    def _here(self) -> None:
        """Refuse what only a drone in the simulation can do."""
        if not self.entered:
            raise LateError(f"{self.name} is on its way in; ask again")

    def turn(self, rotator: tuple[float, ...]) -> Swept:
        """Rotate in place; a hit if that drives the body into something."""
        if not self.entered:
            return self._go_outside(None, rotator)
        simulation, body = self.door.simulation, self.door.simulation.robot(self.name)
        q, through = quaternion_of(rotator), self.door.through(self.name)
        swept = Swept(body.p_WB.copy(), False, np.zeros(3))
        if self.door.settings.collisions:
            before, _ = self.door.sweep.overlap(body, body.q_WB_wxyz, through)
            depth, where_W = self.door.sweep.overlap(body, q, through)
            if depth > before + 0.001:
                swept = Swept(body.p_WB.copy(), True, where_W)
        simulation.place(self.name, body.p_WB.copy(), q)
        self.rotator = _three(rotator)
        return swept

    # What it feels; for the loop

    def mask(self, reach: float) -> int:
        """What its rays see within a distance [m]. Where no other drone is near, all drones are left out: rays from
        inside the drone have to pass through it otherwise, which takes four times as long."""
        channel = self.channel
        if channel is None and self.door.has_channel and self.door.alone(self, reach):
            channel = self.door.settings.channel
        return self.door.simulation.scene.channel(channel)

    @property
    def channel(self) -> str | None:
        """The same as a channel of the scene."""
        return None if self.door.game.mutual else self.door.settings.channel

    def scan(self, tags: str = "", axes: str = "drone", setup: LidarSetup | None = None) -> tuple[Scan, np.ndarray]:
        """A scan of its lidar, or of one that is set up so, and from where, in W [m]."""
        self._here()
        lidar = setup or self.lidar
        X = mounted(self.X_WB, lidar.offset, lidar.rotator)
        reach = 0.01 * (lidar.length + float(np.linalg.norm(lidar.offset)))
        return self.scanner.scan(lidar, X, self.mask(reach), tags, axes), X[:, 3]

    def range(self) -> float:
        """What its rangefinder reads [cm]."""
        self._here()
        return self.scanner.range(self.X_WB, self.mask(RANGE))

    # Pictures; for clients' threads

    def picture(self, kind: str, outputs: tuple[str, ...], setup: Any = None) -> CapturedFrame:
        """Picture of its colour camera, or of one that is set up so, or `LateError`; kind: one of each is kept."""
        with self.door.wire.away():
            return self.door.studio.picture(self.name, kind, lambda: [self.see(kind, outputs, setup)])

    def pair(self, kind: str = "stereo", setup: StereoSetup | None = None) -> CapturedFrame:
        """Pictures of its two eyes of one instant, or `LateError`."""

        def take() -> list[Deferred[dict[str, np.ndarray]]]:
            c = setup or self.stereo
            places = ((c.left, c.left_rotator), (c.right, c.right_rotator))
            return [self._see(kind, offset, rotator, c, ("rgb",)) for offset, rotator in places]

        with self.door.wire.away():
            return self.door.studio.picture(self.name, kind, take)

    def see(self, kind: str, outputs: tuple[str, ...], setup: Any = None) -> Deferred[dict[str, np.ndarray]]:
        """What its colour camera sees now; for the loop."""
        camera = setup or self.camera
        return self._see(kind, camera.offset, camera.rotator, camera, outputs)

    def _see(
        self, kind: str, offset: tuple[Any, ...], rotator: tuple[Any, ...], setup: Any, outputs: tuple[str, ...]
    ) -> Deferred[dict[str, np.ndarray]]:
        self._here()
        X, quality = mounted(self.X_WB, offset, rotator), _QUALITIES[self.door.game.graphics]
        more = {name: getattr(setup, name) for name in _MORE if hasattr(setup, name)}
        view = View(kind, X, setup.width, setup.height, setup.fov, outputs, self.channel, quality, **more)
        return self.door.eyes.see(self.name, view, self.door.simulation.clock.now_ns)


def _three(values: Any) -> tuple[float, float, float]:
    x, y, z = values
    return x, y, z
