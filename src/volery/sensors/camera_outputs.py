"""What a camera tells: its pictures as Image and CompressedImage, and CameraInfo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from volery.sensors.camera_config import CameraConfig
from volery.sensors.outputs import Fields, Output, array_output, image_fields, jpeg_fields
from volery.sensors.sensor import Reading

__all__ = ["camera_outputs"]

_ENCODINGS = {"rgb": "rgb8", "radiance": "32FC3", "depth": "32FC1", "depth_planar": "32FC1", "labels": "32SC1",
              "instances": "32SC1", "normals": "32FC3", "flow": "32FC2", "infrared": "32FC1"}  # fmt: skip
_TOPICS = {"rgb": "image_raw", "depth_planar": "depth/image_raw", "depth": "range/image_raw"}
_INFO, _IMAGE = "sensor_msgs/msg/CameraInfo", "sensor_msgs/msg/Image"


def camera_outputs(config: CameraConfig, zoom: Callable[[], float]) -> list[Output]:
    """Outputs of a camera; zoom: that of now."""
    found: list[Output] = []
    for eye in ("", "_right") if config.baseline > 0 else ("",):
        # The right eye in the frame of the left one, as ROS's stereo tools expect it.
        baseline = config.baseline if eye else 0.0
        pictures = [output for name in config.outputs for output in _picture(name, eye)]
        # Image transport looks for a picture's camera_info beside it.
        folders = ["right/" if eye else "", *(o.name.removesuffix("image_raw") for o in pictures if o.type == _IMAGE)]
        found += [_info(folder, config, zoom, baseline) for folder in dict.fromkeys(folders)]
        found += pictures
    return found


def _info(folder: str, config: CameraConfig, zoom: Callable[[], float], baseline: float) -> Output:
    return Output(f"{folder}camera_info", _INFO, lambda r: _projection(config, zoom(), baseline), "optical")


def _picture(name: str, eye: str) -> list[Output]:
    """The topics of an array of an eye."""
    array = name + eye
    if name == "events":
        return [array_output(array)]
    topic = _TOPICS.get(name, f"{name}/image_raw")
    topic = f"right/{topic}" if eye else topic

    def raw(reading: Reading) -> Fields:
        return image_fields(reading.data[array], _ENCODINGS[name])

    found = [Output(topic, _IMAGE, raw, "optical", "image")]
    if name == "rgb":
        kind = "sensor_msgs/msg/CompressedImage"
        found.append(Output(f"{topic}/compressed", kind, lambda r: jpeg_fields(r.data[array]), "optical", "image"))
    return found


def _projection(config: CameraConfig, zoom: float, baseline: float) -> Fields:
    """A CameraInfo; baseline: of the right eye of a pair [m]."""
    fov, pinhole = np.radians(config.fov_deg), config.projection == "pinhole"
    focal = zoom * (config.width / 2 / np.tan(fov / 2) if pinhole else config.width / fov)
    k = np.array([focal, 0, (config.width - 1) / 2, 0, focal, (config.height - 1) / 2, 0, 0, 1.0])
    return {
        "height": config.height, "width": config.width, "k": k, "r": np.eye(3).reshape(-1),
        "distortion_model": "plumb_bob" if pinhole else "equidistant", "d": np.zeros(5 if pinhole else 4),
        "p": np.array([focal, 0, k[2], -focal * baseline, 0, focal, k[5], 0, 0, 0, 1.0, 0]),
    }  # fmt: skip
