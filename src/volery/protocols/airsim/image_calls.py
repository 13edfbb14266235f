"""Calls for pictures, and about where cameras look and how their lenses are set."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from volery.errors import SimulationError, UnknownNameError
from volery.protocols.airsim.arguments import (
    NedPose,
    camera,
    finite,
    finite_pose,
    flag,
    many,
    mapping,
    rpc,
    side,
    text,
    whole,
)
from volery.protocols.airsim.cameras import DISTORTION, VehicleCamera
from volery.protocols.airsim.codec import PackedValue, packed_list
from volery.protocols.airsim.images import ImageRequest, projection
from volery.protocols.airsim.ned import ned_pose, pose_map

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

_LENSES = ("12mm Prime f/2.8", "30mm Prime f/1.4", "50mm Prime f/1.8", "85mm Prime f/1.8", "105mm Prime f/2",
           "200mm Prime f/2", "24-70mm Zoom f/2.8", "70-200mm Zoom f/2.8", "Universal Zoom")  # fmt: skip
_FILMBACKS = {
    "16:9 Film": (24.0, 13.5), "16:9 Digital Film": (23.76, 13.365), "16:9 DSLR": (36.0, 20.25),
    "Super 8mm": (5.79, 4.01), "Super 16mm": (12.52, 7.58), "Super 35mm": (24.89, 18.66),
    "35mm Academy": (21.946, 16.002), "35mm Full Aperture": (24.892, 18.9121), "35mm VistaVision": (37.719, 25.146),
    "IMAX 70mm": (70.41, 56.63), "DSLR": (36.0, 24.0),
}  # fmt: skip
"""Widths and heights of sensors [mm]."""
_MOST_PICTURES = 64


def _request(value: Any) -> ImageRequest:
    found = mapping(value)
    return ImageRequest(
        camera(found.get("camera_name", "0")), whole(found.get("image_type", 0)),
        flag(found.get("pixels_as_float", False)), flag(found.get("compress", True)),
        text(found.get("annotation_name", "")),
    )  # fmt: skip


def _layer(value: Any) -> bool | str:
    """AirSim: whether a camera is of the world; Cosys-AirSim: the name of a layer."""
    return value if isinstance(value, str) else flag(value)


@rpc("simGetImages", many(_request), text, side, least=2, where="picture")
def get_images(
    door: AirSim, requests: list[ImageRequest], vehicle: str, outside: bool = False
) -> Generator[None, None, PackedValue]:
    """Pictures of one instant; others have their turn between them."""
    if len(requests) > _MOST_PICTURES:
        raise SimulationError(f"{len(requests)} pictures at once: at most {_MOST_PICTURES}")
    told = []
    for shot in door.in_loop(lambda: door.images.take(requests, vehicle, outside)):
        told.append(shot.response())
        yield
    return packed_list(told)


@rpc("simGetImage", camera, whole, text, _layer, least=3, where="picture")
def get_image(door: AirSim, name: str, kind: int, vehicle: str, more: bool | str = False) -> bytes:
    """One picture as PNG."""
    outside, layer = (False, more) if isinstance(more, str) else (more, "")
    request = ImageRequest(name, kind, False, True, layer)
    return door.in_loop(lambda: door.images.take([request], vehicle, outside))[0].picture()


@rpc("simGetCameraInfo", camera, text, side, least=2)
def camera_info(door: AirSim, name: str, vehicle: str, outside: bool = False) -> dict[str, Any]:
    """Where a camera is, and how wide it sees."""
    found = door.images.camera(vehicle, name, outside)
    pose = pose_map(*ned_pose(*door.images.where(vehicle, found, outside)))
    capture = found.capture(0)
    return {"pose": pose, "fov": capture.fov_deg, "proj_mat": {"matrix": projection(capture)}}


@rpc("simSetCameraPose", camera, finite_pose, text, side, least=3, newest=True)
def set_camera_pose(door: AirSim, name: str, pose: NedPose, vehicle: str, outside: bool = False) -> None:
    """Put a camera elsewhere on its vehicle, or in the world."""
    found = door.images.camera(vehicle, name, outside)
    found.p, found.q_wxyz = pose.p, pose.q_wxyz


@rpc("simSetCameraFov", camera, finite, text, side, least=3)
def set_fov(door: AirSim, name: str, degrees: float, vehicle: str, outside: bool = False) -> None:
    """Change how wide a camera sees [deg]."""
    door.images.camera(vehicle, name, outside).set_fov(degrees)


@rpc("simGetDistortionParams", camera, text, side, least=2)
def get_distortion(door: AirSim, name: str, vehicle: str, outside: bool = False) -> list[float]:
    """K1, K2, K3, P1, P2."""
    return list(door.images.camera(vehicle, name, outside).distortion.values())


@rpc("simSetDistortionParam", camera, text, finite, text, side, least=4)
def set_distortion(door: AirSim, name: str, key: str, value: float, vehicle: str, outside: bool = False) -> None:
    """Set one of them; pictures are bent by it."""
    if key not in DISTORTION:
        raise UnknownNameError("distortion parameter", key, DISTORTION)
    if abs(value) > 10.0:
        raise SimulationError(f"distortion {key} = {value:g}: must be -10 to 10")
    door.images.camera(vehicle, name, outside).distortion[key] = value


# Lenses: (what is told …, camera, vehicle, outside)


def _of_camera(name: str, *arguments: Callable[[Any], Any]) -> Callable[..., Any]:
    """A method of a camera: its function gets the camera and what is told."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        count = len(arguments)

        def call(door: AirSim, *values: Any) -> Any:
            which, vehicle, *outside = values[count:]
            return function(door.images.camera(vehicle, which, bool(outside and outside[0])), *values[:count])

        call.__doc__ = function.__doc__
        rpc(name, *arguments, camera, text, side, least=count + 2)(call)
        return function

    return add


@_of_camera("simGetPresetLensSettings")
def lenses(found: VehicleCamera) -> list[str]:
    """Lenses that there are."""
    return list(_LENSES)


@_of_camera("simGetLensSettings")
def lens(found: VehicleCamera) -> str:
    """The lens in words."""
    a = found.lens
    return f"Preset: {a.preset}, Focal length: {a.focal_length:.2f} mm, Aperture: f/{a.aperture:g}"


@_of_camera("simSetPresetLensSettings", text)
def set_lens(found: VehicleCamera, preset: str) -> None:
    """Take another lens: its focal length sets the field of view."""
    if preset not in _LENSES:
        raise UnknownNameError("lens", preset, _LENSES)
    found.lens.preset = preset
    numbers = [float(n) for n in re.findall(r"[\d.]+", preset)]
    if numbers:
        found.lens.aperture = numbers[-1]
        found.set_focal_length(numbers[0])


@_of_camera("simGetPresetFilmbackSettings")
def filmbacks(found: VehicleCamera) -> list[str]:
    """Sensors that there are."""
    return list(_FILMBACKS)


@_of_camera("simSetPresetFilmbackSettings", text)
def set_filmback(found: VehicleCamera, preset: str) -> None:
    """Take another sensor."""
    if preset not in _FILMBACKS:
        raise UnknownNameError("filmback", preset, _FILMBACKS)
    found.lens.filmback = preset
    set_film_size(found, *_FILMBACKS[preset])


@_of_camera("simGetFilmbackSettings")
def filmback(found: VehicleCamera) -> str:
    """The sensor in words."""
    return f"Sensor Width: {found.lens.sensor_width:.3f}; Sensor Height: {found.lens.sensor_height:.3f}"


@_of_camera("simSetFilmbackSettings", finite, finite)
def set_film_size(found: VehicleCamera, width: float, height: float) -> float:
    """Set the sensor's size [mm]; returns its aspect ratio."""
    if not (0.1 <= width <= 1000.0 and 0.1 <= height <= 1000.0):
        raise SimulationError(f"a sensor of {width:g} × {height:g} mm: sizes are 0.1 to 1000")
    found.lens.sensor_width, found.lens.sensor_height = width, height
    found.set_focal_length(found.lens.focal_length)
    return width / height


@_of_camera("simGetFocalLength")
def focal_length(found: VehicleCamera) -> float:
    """[mm]."""
    return found.lens.focal_length


@_of_camera("simSetFocalLength", finite)
def set_focal_length(found: VehicleCamera, millimetres: float) -> None:
    """[mm]; the field of view follows."""
    found.set_focal_length(millimetres)


@_of_camera("simEnableManualFocus", flag)
def manual_focus(found: VehicleCamera, on: bool) -> None:
    """Kept; everything is in focus here."""
    found.lens.manual_focus = on


@_of_camera("simGetFocusDistance")
def focus_distance(found: VehicleCamera) -> float:
    """[cm]."""
    return found.lens.focus_distance


@_of_camera("simSetFocusDistance", finite)
def set_focus_distance(found: VehicleCamera, centimetres: float) -> None:
    """Kept; everything is in focus here."""
    found.lens.focus_distance = centimetres


@_of_camera("simGetFocusAperture")
def aperture(found: VehicleCamera) -> float:
    """The f-number."""
    return found.lens.aperture


@_of_camera("simSetFocusAperture", finite)
def set_aperture(found: VehicleCamera, number: float) -> None:
    """Kept; pictures are exposed by themselves."""
    found.lens.aperture = number


@_of_camera("simEnableFocusPlane", flag)
def focus_plane(found: VehicleCamera, on: bool) -> None:
    """Kept; there is none to be seen."""
    found.lens.focus_plane = on


@_of_camera("simGetCurrentFieldOfView")
def field_of_view(found: VehicleCamera) -> str:
    """In words: horizontal and vertical [deg]."""
    capture = found.capture(0)
    half = math.tan(math.radians(capture.fov_deg) / 2)
    vertical = math.degrees(2 * math.atan(half * capture.height / capture.width))
    return f"Current Horizontal FOV: {capture.fov_deg:.2f}; Current Vertical FOV: {vertical:.2f}"
