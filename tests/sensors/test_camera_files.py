"""What cameras refuse, and pictures as files."""

import numpy as np
import pytest

from camera_rig import make
from volery.errors import CommandError, RayError, ScenarioError
from volery.sensors.camera import CameraConfig
from volery.sensors.encode import decode, depth_millimetres, encode
from volery.world.scene.scene import Scene


@pytest.mark.parametrize(
    "parameters",
    [
        {"width": 0}, {"height": -3}, {"width": 10**6}, {"width": 8192, "height": 8192}, {"fov_deg": 180.0},
        {"fov_deg": 0.0}, {"fov_deg": float("nan")}, {"fov_deg": 361.0, "projection": "fisheye"}, {"zoom": 0.0},
        {"outputs": ()}, {"outputs": ("rgb", "rgb")}, {"outputs": ("rgbb",)}, {"quality": "ultra"}, {"baseline": -1.0},
        {"shutter": float("inf")}, {"readout": -0.1}, {"exposure": 1e9}, {"range": 0.0}, {"headlight": -1.0},
        {"projection": "panorama"}, {"pan_range_deg": (10.0, -10.0)}, {"event_threshold": 0.0}, {"rate": 0.0},
    ],
)  # fmt: skip
def test_absurd_parameters_are_refused(parameters):
    with pytest.raises(ScenarioError):
        CameraConfig(**parameters)


def test_absurd_commands_are_refused_and_change_nothing():
    camera = make(Scene())
    for bad in (lambda: camera.aim(float("nan"), 0), lambda: camera.set_zoom(0), lambda: camera.set_zoom(float("nan"))):
        with pytest.raises((CommandError, ScenarioError)):
            bad()
    assert camera.pan_tilt_deg == (0.0, 0.0) and camera.zoom == 1.0


def test_pictures_as_files():
    image = np.zeros((20, 30, 3), np.uint8)
    image[5:15, 5:15] = [200, 100, 50]
    assert np.array_equal(decode(encode(image, "png")), image)
    assert np.abs(decode(encode(image, "jpeg", 95)).astype(int) - image).mean() < 6
    depth = depth_millimetres(np.array([[1.2345, np.inf], [70.0, np.nan]]))
    assert depth.tolist() == [[1234, 0], [0, 0]] or depth.tolist() == [[1235, 0], [0, 0]]
    assert np.array_equal(decode(encode(depth, "png")), depth)
    for bad in (np.zeros((4, 4, 3)), np.zeros((0, 4, 3), np.uint8), np.zeros((4, 4), np.uint16)):
        with pytest.raises(RayError):
            encode(bad, "jpeg")
    with pytest.raises(RayError):
        encode(image, "jpeg", 0)
    with pytest.raises(RayError):
        decode(b"no picture")
