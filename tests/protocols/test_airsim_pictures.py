"""What AirSim's settings make of pictures, sub-windows, and radio beacons of Cosys-AirSim."""

import math

import numpy as np
import pytest

from airsim_rig import Caller, Flight, served
from volery.protocols.airsim.arguments import NedPose
from volery.protocols.airsim.images import ImageRequest
from volery.protocols.airsim.picture_noise import disturbed
from volery.protocols.airsim.pixels import developed
from volery.protocols.airsim.radio import hear
from volery.protocols.airsim.settings_parts import NoiseSettings

PLAIN = "world: {type: blocks, count: 0}\nseed: 1\nstep: 0.01\n"
QUIET = {"lines_contrib": 0.0, "wave_contrib": 0.0, "rand_contrib": 0.0, "distortion_contrib": 0.0}


def pose(x, y, z):
    return NedPose(np.array([x, y, z], float), np.array([1.0, 0, 0, 0]))


def looking_down(**capture):
    """Computer vision, a camera 20 m up that looks down, north on top."""
    item = [{"ImageType": k, "Width": 64, "Height": 32, **capture} for k in (0, 1, 5)]
    eye = Flight(PLAIN, {"SimMode": "ComputerVision", "CameraDefaults": {"CaptureSettings": item}})
    eye.call("simSetVehiclePose", pose(0, 0, -20), True, "")
    return eye


def take(eye, kind):
    [shot] = eye.door.images.take([ImageRequest("3", kind, False, False)], "", False)
    return shot.data


def test_an_orthographic_camera_sees_all_at_one_scale():
    eye = looking_down(ProjectionMode="orthographic", OrthoWidth=32.0)
    size, tall = 4.0, 6.0
    eye.call("simSpawnObject", "Box", "1M_Cube", pose(0, 8, -tall / 2), np.array([size, size, tall]), False, False)
    depth = take(eye, 1)
    on_box = depth < 19.0
    assert depth[on_box] == pytest.approx(20.0 - tall, abs=0.01) and depth[~on_box] == pytest.approx(20.0, abs=0.01)
    rows, columns = np.nonzero(on_box)
    # 2 pixels a metre; 8 m east of the middle is 16 pixels to the right, whatever the height
    assert (columns.min(), columns.max()) == (32 + 16 - 4, 32 + 16 + 3) and (rows.min(), rows.max()) == (12, 19)
    picture = take(eye, 0)
    assert picture.shape == (32, 64, 3) and picture.std() > 3.0
    assert np.ptp(np.unique(take(eye, 5)[on_box])) == 0, "one id on the whole box"
    eye.door.close()


def test_cameras_alone_start_above_the_ground():
    eye = Flight(PLAIN, {"SimMode": "ComputerVision"})
    assert eye.p == pytest.approx([0, 0, -1.5], abs=1e-6)
    [shot] = eye.door.images.take([ImageRequest("0", 1, True, False)], "", False)
    lower = shot.data[-1]
    assert np.isfinite(lower).all() and lower.min() > 1.0, "the ground is before it, not in it"
    eye.door.close()


def test_gamma():
    ramp = np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(3, axis=2)
    assert np.array_equal(developed(ramp, 0.0), ramp) and np.array_equal(developed(ramp, 1.4), ramp)
    assert developed(ramp, 2.8)[8, 0, 0] == round(255 * (128 / 255) ** 0.5), "brighter for a display that darkens more"
    assert (developed(ramp, 0.7)[1:-1] < ramp[1:-1]).all()


@pytest.mark.parametrize("part", ["rand_contrib", "wave_contrib", "lines_contrib", "distortion_contrib"])
def test_each_part_of_the_noise_changes_pictures_in_its_way(part):
    still = np.tile(np.linspace(60, 190, 64).astype(np.uint8)[None, :, None], (48, 1, 3))
    draw = lambda: np.random.default_rng(3)  # noqa: E731
    assert np.array_equal(disturbed(still, NoiseSettings(**QUIET), 0.3, draw()), still)
    given = {**QUIET, part: 1.0 if part != "wave_contrib" else 0.2}
    strong = NoiseSettings(**given, distortion_strength=0.1, lines_density_y=0.2)
    made = disturbed(still, strong, 0.3, draw()).astype(int)
    assert np.array_equal(made, disturbed(still, strong, 0.3, draw())), "the same draw, the same noise"
    change = made - still
    if part == "rand_contrib":
        assert change.std() > 20 and abs(change.mean()) < 10
    elif part == "wave_contrib":
        assert (np.ptp(change[:, :, 0], axis=1) <= 2).all() and np.ptp(change[:, 20, 0]) > 60, "whole lines, in waves"
    elif part == "lines_contrib":
        lit = (change > 10).any(axis=(1, 2))
        assert 0.05 < lit.mean() < 0.4 and (change >= 0).all()
    else:
        assert change.max() > 5 and set(np.unique(made)) <= set(np.unique(still)), "pixels only move"


def test_noise_comes_into_scene_pictures_of_its_camera():
    noise = [{"Enabled": True, "ImageType": 0, "RandContrib": 0.8}]
    eye = Flight(PLAIN, {"SimMode": "ComputerVision", "Vehicles": {"E": {"VehicleType": "ComputerVision", "Cameras": {
        "0": {"NoiseSettings": noise}}}}})  # fmt: skip
    shots = eye.door.images.take(
        [ImageRequest(c, k, False, False) for c, k in (("0", 0), ("0", 3), ("1", 0))], "", False
    )
    noisy, depth, clear = (s.data.astype(float) for s in shots)
    rough = lambda p: np.abs(np.diff(p[:40], axis=1)).mean()  # noqa: E731
    assert rough(noisy) > 5 * rough(clear) and np.isfinite(depth[-1]).all()
    eye.door.close()


def test_visible_sub_windows_are_cameras_for_the_page():
    windows = [{"WindowID": 0, "CameraName": "3", "ImageType": 5, "Visible": True}, {"WindowID": 1, "Visible": False}]
    flight = Flight(PLAIN, {"SubWindows": windows})
    sensors = flight.simulation.sensors["SimpleFlight"]
    assert "window0" in sensors and "window1" not in sensors
    assert sensors["window0"].config.outputs == ("labels",) and sensors["window0"].config.width == 256
    assert sensors["window0"].X_WS[:, 0] == pytest.approx([0, 0, -1], abs=1e-6), "the bottom camera looks down"
    flight.door.close()


def test_lamps_are_found_and_dimmed():
    flight = Flight("world: streets\nseed: 1\nstep: 0.01\n")
    lights = flight.call("simListSceneObjects", "PointLight.*")
    assert lights == ["PointLight_1", "PointLight_2"]
    assert (
        flight.call("simSetLightIntensity", lights[0], 100.0) is True
        and flight.call("simDestroyObject", lights[0]) is True
    )
    flight.simulation.reset()
    flight.simulation.run(2)
    assert flight.call("simListSceneObjects", "PointLight.*") == lights, "a reset of all brings them back"
    flight.door.close()


# Radio


RADIO = {"SettingsVersion": 2.0, "Vehicles": {"D": {"VehicleType": "SimpleFlight", "Sensors": {
    "uwb": {"SensorType": 10, "Enabled": True, "NumberOfTraces": 4000, "Z": -1},
    "wifi": {"SensorType": 11, "Enabled": True, "SensorOpeningAngle": 90, "NumberOfTraces": 0},
    "echo": {"SensorType": 7, "Enabled": True},
}}}}  # fmt: skip


def radio():
    flight = Flight(PLAIN, RADIO)
    for name, place in (("uwbBeacon_1", (10, 0, -1)), ("uwbBeacon_2", (0, -12, -1)), ("wifiBeacon_a", (20, 3, -1)),
                        ("wifiBeacon_b", (-20, 0, -1))):  # fmt: skip
        flight.call("simSpawnObject", name, "1M_Cube", pose(*place), np.full(3, 0.5), False, False)
    return flight


def test_beacons_are_heard_with_distance_and_strength():
    flight = radio()
    data = flight.call("getUWBData", "", "")
    assert data["mur_achorId"] == ["uwbBeacon_1", "uwbBeacon_2"] and data["mura_tagId"] == ["uwb"]
    sensor = np.array([data["mura_tagX"][0], data["mura_tagY"][0], data["mura_tagZ"][0]])
    assert sensor == pytest.approx([0, 0, -1.14], abs=0.02)
    for i, place in enumerate(((10, 0), (0, -12))):
        p = np.array([data[f"mur_anchor{k}"][i] for k in "XYZ"])
        assert p[:2] == pytest.approx(place, abs=1e-6)
        # A signal ends at the beacon's skin
        assert data["mur_anchor_distance"][i] == pytest.approx(np.linalg.norm(p - sensor) - 0.25, abs=0.05)
        friis = -20 * math.log10(4 * math.pi * data["mur_anchor_distance"][i] / 0.046)
        assert data["mur_anchor_rssi"][i] == pytest.approx(friis, abs=0.51)
    heard = flight.call("getWifiSensorData", "wifi", "")
    assert heard["beaconsActiveID"] == ["wifiBeacon_a"], "the other one is behind the opening"
    assert flight.call("getWifiData", "", "")["wr_achorId"] == ["wifiBeacon_a"]
    flight.door.close()


def test_a_beacon_behind_a_wall_is_heard_by_way_of_another():
    flight = radio()
    direct = flight.call("getUWBData", "", "")["mur_anchor_distance"][0]
    flight.call("simSpawnObject", "Between", "1M_Cube", pose(5, 0, -2), np.array([0.5, 4, 4]), False, False)
    flight.call("simSpawnObject", "Mirror", "1M_Cube", pose(5, 12, -2), np.array([40, 0.5, 10]), False, False)
    scene = flight.simulation.scene
    X = np.column_stack([np.eye(3), flight.drone.robot.p_WB + [0, 0, 1.0]])
    number = scene.objects["uwbBeacon_1"].number
    [found] = hear(scene, X, "D", {"uwbBeacon_1": number}, 0.046, 20_000, 360.0)
    # By the mirror at y = 11.75 m: as far as from a picture of the sensor behind it
    assert found.way == pytest.approx(math.hypot(10.0, 2 * 11.75), abs=0.5) and found.way > 2 * direct
    straight = -20 * math.log10(4 * math.pi * found.way / 0.046)
    assert found.strength == pytest.approx(straight - 6.0, abs=0.6), "a wall takes 6 dB"
    flight.door.close()


def test_calls_that_only_cosys_clients_in_c_have(tmp_path):
    with served(RADIO, tmp_path, world=PLAIN) as server:
        caller = Caller(server.port)
        colours = caller.call("simGetInstanceSegmentationColorMap")
        assert colours[0] == {"x_val": 255.0, "y_val": 255.0, "z_val": 255.0} and colours[1]["z_val"] == 127.0
        assert len(colours) == 32_768
        point = [2.0, 1.0, 0.0, -3.0, 4.5, 1.0]
        assert caller.call("setEchoData", "echo", "D", {"point_cloud": point}) is None
        drawn = server.ask(lambda: server.simulation.environment.drawings.snapshot(server.simulation.clock.now_ns))
        [mark] = [d for d in drawn if d.kind == "points"]
        drone = server.ask(lambda: server.simulation.robot("D").p_WB.copy())
        # Forward is north, right is east
        assert mark.p_W[0] - drone == pytest.approx([1.0, 2.0, 0.0], abs=0.05)
        with pytest.raises(RuntimeError, match="rows of 6"):
            caller.call("setEchoData", "echo", "D", {"point_cloud": [1.0]})
