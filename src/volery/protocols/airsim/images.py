"""Pictures on demand: any camera, any type, all of one instant; the loop keeps the instant, another thread draws it."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from volery.core.clock import SECOND
from volery.core.deferred import Deferred
from volery.core.frames import matrix_from_quat, quat_from_matrix
from volery.core.rng import generator
from volery.errors import SimulationError
from volery.protocols.airsim.cameras import VehicleCamera
from volery.protocols.airsim.codec import PackedValue, floats, packed_map
from volery.protocols.airsim.ned import ned_pose, quaternion_enu, quaternion_map, to_enu, vector_map
from volery.protocols.airsim.orthographic import look_straight
from volery.protocols.airsim.picture_noise import disturbed
from volery.protocols.airsim.pixels import as_bytes, as_floats, bent, developed, png
from volery.protocols.airsim.settings_parts import Capture, NoiseSettings
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.camera import Camera, CameraConfig

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["IMAGE_TYPES", "CapturedImage", "ImageRequest", "ImageRequests"]

IMAGE_TYPES = 12
_OUTPUTS = {
    0: "rgb", 1: "depth_planar", 2: "depth", 3: "depth_planar", 4: "depth_planar", 5: "instances", 6: "normals",
    7: "instances", 8: "flow", 9: "flow", 10: "radiance", 11: "instances",
}  # fmt: skip
"""What of our camera each of AirSim's types is made of."""
_MOST_CAMERAS = 64
"""Cameras that are kept ready."""


class ImageRequest(NamedTuple):
    """One picture that a client wants."""

    camera: str
    image_type: int
    floats: bool
    compress: bool
    annotation: str = ""


class Finish(NamedTuple):
    """What becomes of a picture after it was drawn."""

    distortion: tuple[float, ...]
    capture: Capture
    noise: NoiseSettings | None
    name: str
    """Of vehicle and camera."""
    now_ns: int


class CapturedImage(NamedTuple):
    """What a camera saw: enough to make any of AirSim's pictures without the simulation."""

    request: ImageRequest
    capture: Capture
    made: Deferred[np.ndarray]
    """The camera's array; instances are ids of segmentation by then."""
    X_WC: np.ndarray
    p_ned: np.ndarray
    q_ned: np.ndarray
    stamp: int

    @property
    def data(self) -> np.ndarray:
        """The camera's array, drawn now if it has not been."""
        return self.made.result()

    def response(self) -> PackedValue:
        """AirSim's ImageResponse."""
        request, height, width = self.request, *self.data.shape[:2]
        data: Any = b""
        values: Any = []
        if request.floats:
            values = floats(as_floats(self.data, request.image_type, self.capture))
        else:
            picture = as_bytes(self.data, request.image_type, self.X_WC, self.capture)
            # Raw pictures are blue, green, red.
            data = png(picture) if request.compress else picture[..., ::-1].tobytes()
        return packed_map({
            "image_data_uint8": data, "image_data_float": values, "camera_position": vector_map(self.p_ned),
            "camera_name": request.camera, "camera_orientation": quaternion_map(self.q_ned), "time_stamp": self.stamp,
            "message": "", "pixels_as_float": request.floats, "compress": request.compress, "width": width,
            "height": height, "image_type": request.image_type, "annotation_name": request.annotation,
        })  # fmt: skip

    def picture(self) -> bytes:
        """Its PNG."""
        return png(as_bytes(self.data, self.request.image_type, self.X_WC, self.capture))


class ImageRequests:
    """Takes pictures. Our cameras sit on an invisible body that goes where AirSim's camera is."""

    def __init__(self, door: AirSim) -> None:
        self._door = door
        self._eyes: dict[str, Robot] = {}
        self._cameras: dict[tuple[Any, ...], Camera] = {}

    def where(self, vehicle: str, camera: VehicleCamera, outside: bool) -> tuple[np.ndarray, np.ndarray]:
        """Pose of a camera in W [3, 4], and the zero from which its pose is told."""
        if outside:
            R = matrix_from_quat(quaternion_enu(camera.q_wxyz))
            p = self._door.origin_W + to_enu(camera.p)
            return np.concatenate([R, p[:, None]], axis=1), self._door.origin_W
        found = self._door.vehicle(vehicle)
        return camera.X_WC(found.robot.p_WB, found.robot.q_WB_wxyz), found.home_W

    def camera(self, vehicle: str, name: str, outside: bool) -> VehicleCamera:
        """A camera of a vehicle or of the world."""
        return (self._door.outside if outside else self._door.vehicle(vehicle).cameras).camera(name)

    def take(self, requests: list[ImageRequest], vehicle: str, outside: bool) -> list[CapturedImage]:
        """Pictures of this instant, in the order of the requests; one pass of rays for all types of one view."""
        views: dict[tuple[Any, ...], list[int]] = {}
        for i, request in enumerate(requests):
            if not 0 <= request.image_type < IMAGE_TYPES:
                raise SimulationError(f"image type {request.image_type}: must be 0 to {IMAGE_TYPES - 1}")
            camera = self.camera(vehicle, request.camera, outside)
            views.setdefault((camera.name, camera.capture(request.image_type)), []).append(i)
        shots: dict[int, CapturedImage] = {}
        now = self._door.simulation.clock.now_ns
        for (name, capture), chosen in views.items():
            outputs = tuple(sorted({_OUTPUTS[requests[i].image_type] for i in chosen}))
            camera = self.camera(vehicle, name, outside)
            X, zero = self.where(vehicle, camera, outside)
            data = self.look(vehicle, camera, capture, outputs, X, outside)
            where = ned_pose(X, zero)
            for i in chosen:
                noise = camera.settings.noises.get(requests[i].image_type)
                finish = Finish(tuple(camera.distortion.values()), capture, noise, f"{vehicle}/{name}", now)
                made = Deferred(partial(self._meant, data, requests[i], finish))
                shots[i] = CapturedImage(requests[i], capture, made, X, *where, self._door.now_ns)
        return [shots[i] for i in range(len(requests))]

    def _meant(self, drawn: Deferred[dict[str, np.ndarray]], request: ImageRequest, finish: Finish) -> np.ndarray:
        """What a client means by its type of picture, by the thread that draws it."""
        data = self._told(drawn.result()[_OUTPUTS[request.image_type]], request)
        if any(finish.distortion):
            data = bent(data, finish.distortion, finish.capture)
        if request.image_type != 0:
            return data
        data = developed(data, finish.capture.gamma)
        if finish.noise is None:
            return data
        draw = generator(self._door.simulation.seed, f"noise/{finish.name}/{finish.now_ns}")
        return disturbed(data, finish.noise, finish.now_ns / SECOND, draw)

    def _told(self, data: np.ndarray, request: ImageRequest) -> np.ndarray:
        if request.image_type == 11 or (request.image_type == 5 and self._door.settings.cosys):
            return self._door.objects.layers.colours(request.annotation, data)
        if request.image_type in (5, 7):
            return self._door.objects.ids.of_numbers(data)
        return data

    def look(
        self, vehicle: str, camera: VehicleCamera, capture: Capture, outputs: tuple[str, ...], X_WC: np.ndarray,
        outside: bool = False,
    ) -> Deferred[dict[str, np.ndarray]]:  # fmt: skip
        """Arrays of our camera at a pose [3, 4]."""
        owner = "" if outside else self._door.vehicle(vehicle).name
        eye = self._eye(owner)
        eye.set_pose(X_WC[:, 3].copy(), quat_from_matrix(X_WC[:, :3]))
        eye.update()
        now = self._door.simulation.clock.now_ns
        if capture.ortho_width > 0.0:
            seen = look_straight(self._door.simulation.environment, X_WC, capture, outputs, owner or None, now)
            return Deferred(lambda: seen)
        key = (owner, camera.name, capture, outputs)
        if key not in self._cameras:
            if len(self._cameras) >= _MOST_CAMERAS:
                del self._cameras[next(iter(self._cameras))]
            config = CameraConfig(
                outputs=outputs,  # type: ignore[arg-type]
                width=capture.width, height=capture.height, fov_deg=capture.fov_deg,
                exposure=capture.exposure, auto_exposure=capture.auto_exposure,
            )  # fmt: skip
            environment, seed = self._door.simulation.environment, self._door.simulation.seed
            self._cameras[key] = Camera(
                camera.name, config, eye, environment, generator(seed, f"{owner}/{camera.name}")
            )
        return self._cameras[key].picture(now)

    def _eye(self, owner: str) -> Robot:
        """The body of cameras of a vehicle; under its name, so that they do not see the vehicle."""
        if owner not in self._eyes:
            self._eyes[owner] = Robot(owner or "outside", load_robot_file("probe").description())
        return self._eyes[owner]


def projection(capture: Capture) -> list[list[float]]:
    """AirSim's matrix from camera axes (forward, right, down) to the picture."""
    half = math.tan(math.radians(capture.fov_deg) / 2)
    aspect = capture.width / capture.height
    near = 0.1
    return [
        [0.0, 1.0 / half, 0.0, 0.0], [0.0, 0.0, -aspect / half, 0.0], [0.0, 0.0, 0.0, near], [-1.0, 0.0, 0.0, 0.0],
    ]  # fmt: skip
