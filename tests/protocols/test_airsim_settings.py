"""AirSim's settings.json: as people write it; each key has an effect, or a reason in the log with file and line."""

import json
import logging

import pytest

from volery.errors import ScenarioError
from volery.protocols.airsim.settings import read_settings
from volery.protocols.airsim.settings_silent import CAPTURE, TOP
from volery.protocols.airsim.settings_text import read_json


def test_text_with_comments_commas_too_many_and_nan():
    text = '{ // a drone\n "a": [1, 2.5, NaN,], /* more\n lines */ "b": {"c": "x // y",},\n}\n'
    data, lines = read_json(text, "s.json")
    assert data["a"][:2] == [1, 2.5] and data["a"][2] != data["a"][2] and data["b"] == {"c": "x // y"}
    assert lines == {("a",): 2, ("b",): 3, ("b", "c"): 3}
    assert read_json("", "s.json") == ({}, {}) and read_json(" // nothing\n", "s.json") == ({}, {})
    plain = {"a": [True, False, None, -1e-3, {"b": []}], "ü": 'quoted "words"\n'}
    assert read_json(json.dumps(plain), "s.json")[0] == plain


@pytest.mark.parametrize(
    ("text", "line"),
    [('{"a": 1\n "b": 2}', 2), ("{", 1), ('{"a" 1}', 1), ('{"a":\n tru}', 2), ('{"a": "x\n', 1), ("{} x", 1),
    ("[" * 5000, 0)],
)  # fmt: skip
def test_text_that_is_no_json_says_where(text, line):
    with pytest.raises(ScenarioError, match=f"s.json:{line}: this is not JSON" if line else "nested too deeply"):
        read_json(text, "s.json")


EVERYTHING = """{
  "SettingsVersion": 1.2,
  "CameraDirector": {"FollowDistance": -3, "X": NaN, "Y": NaN, "Z": NaN, "Pitch": NaN, "Roll": NaN, "Yaw": NaN},
  "CameraDefaults": {
    "CaptureSettings": [{"ImageType": 0, "Width": 64, "TargetGamma": 1.0, "AutoExposureSpeed": 100}],
    "Gimbal": {"Stabilization": 1, "Pitch": NaN, "Roll": 0, "Yaw": NaN},
    "X": NaN, "Y": NaN, "Z": NaN, "Pitch": NaN, "Roll": NaN, "Yaw": NaN
  },
  "Vehicles": {
    "SimpleFlight": {
      "VehicleType": "SimpleFlight", "PawnPath": "", "X": NaN, "Y": NaN, "Z": NaN, "Yaw": NaN,
      "RC": {"RemoteControlID": 0}, "Cameras": { }
    }
  }
}"""


def test_nan_means_not_told():
    settings = read_settings(EVERYTHING)
    assert settings.vehicles["SimpleFlight"].position == (0.0, 0.0, 0.0)
    gimbal = settings.cameras.gimbal
    assert gimbal.stabilization == 1.0 and gimbal.roll == 0.0 and gimbal.pitch != gimbal.pitch
    assert settings.cameras.captures[0].gamma == 1.0 and settings.cameras.position[0] != settings.cameras.position[0]


def said(text, caplog):
    """What reading settings says, by level."""
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="volery"):
        read_settings(text, "my.json")
    return [(r.levelname, r.getMessage()) for r in caplog.records if "my.json" in r.getMessage()]


def test_keys_without_effect_are_named_once_with_line_and_reason(caplog):
    lines = said(EVERYTHING, caplog)
    assert {level for level, _ in lines} == {"INFO"} and len(lines) == len(set(lines))
    for place in ("my.json:3:CameraDirector", "my.json:5:CameraDefaults.CaptureSettings[0].AutoExposureSpeed",
                  "my.json:12:Vehicles.SimpleFlight.RC.RemoteControlID"):  # fmt: skip
        assert any(f"{place} has no effect: " in text for _, text in lines), place


@pytest.mark.parametrize(
    ("text", "place", "meant"),
    [
        ('{"ClokSpeed": 1}', "ClokSpeed", "ClockSpeed"),
        ('{"OriginGeopoint": {"Latitud": 1}}', "OriginGeopoint.Latitud", "Latitude"),
        ('{"Wind": {"x": 1}}', "Wind.x", "X"),
        ('{"TimeOfDay": {"StartDatetime": ""}}', "TimeOfDay.StartDatetime", "StartDateTime"),
        ('{"Recording": {"RecordIntervall": 1}}', "Recording.RecordIntervall", "RecordInterval"),
        ('{"Recording": {"Cameras": [{"Camera": "0"}]}}', "Recording.Cameras[0].Camera", "CameraName"),
        ('{"CameraDefaults": {"CaptureSettings": [{"Widht": 3}]}}', "CameraDefaults.CaptureSettings[0].Widht", "Width"),
        ('{"CameraDefaults": {"NoiseSettings": [{"RandContrip": 3}]}}', "CameraDefaults.NoiseSettings[0].RandContrip",
         "RandContrib"),
        ('{"CameraDefaults": {"Gimbal": {"Stabilisation": 1}}}', "CameraDefaults.Gimbal.Stabilisation",
        "Stabilization"),
        ('{"ExternalCameras": {"t": {"Pich": 1}}}', "ExternalCameras.t.Pich", "Pitch"),
        ('{"SubWindows": [{"Visibel": true}]}', "SubWindows[0].Visibel", "Visible"),
        ('{"SegmentationSettings": {"InitMetod": ""}}', "SegmentationSettings.InitMetod", "InitMethod"),
        ('{"Vehicles": {"D": {"VehicelType": "SimpleFlight"}}}', "Vehicles.D.VehicelType", "VehicleType"),
        ('{"Vehicles": {"D": {"Cameras": {"0": {"Yav": 1}}}}}', "Vehicles.D.Cameras.0.Yav", "Yaw"),
        ('{"Vehicles": {"D": {"RC": {"RemoteControlId": 1}}}}', "Vehicles.D.RC.RemoteControlId", "RemoteControlID"),
        ('{"Vehicles": {"D": {"Sensors": {"l": {"SensorType": 6, "NumberOfChanels": 3}}}}}',
         "Vehicles.D.Sensors.l.NumberOfChanels", "NumberOfChannels"),
        ('{"DefaultSensors": {"i": {"SensorType": 2, "AngularRandomWolk": 3}}}', "DefaultSensors.i.AngularRandomWolk",
         "AngularRandomWalk"),
    ],
)  # fmt: skip
def test_slips_are_named_at_every_level(text, place, meant, caplog):
    [(level, words)] = said(text, caplog)
    assert level == "WARNING" and f"my.json:1:{place} is not known" in words and f"did you mean '{meant}'" in words


def test_notes_in_the_file_are_let_be(caplog):
    assert said('{"//": "a note", "_comment": 1, "Comment": "more", "Vehicles": {"D": {"comments": 1}}}', caplog) == []


def test_every_reason_is_a_sentence():
    for table in (TOP, CAPTURE):
        assert all(len(reason.split()) > 2 and not reason.endswith(".") for reason in table.values())


def test_pawns_are_robots_of_ours():
    def model(**vehicle):
        return read_settings(json.dumps({
            "PawnPaths": {"mine": {"PawnBP": "x500"}, "theirs": {"PawnBP": "Class'/AirSim/Car.Car_C'"}},
            "Vehicles": {"D": vehicle},
        })).vehicles["D"].model  # fmt: skip

    assert model(PawnPath="") == model(PawnPath="DefaultQuadrotor") == model(PawnPath="theirs") == ""
    assert model(PawnPath="mine") == model(PawnPath="x500") == "x500"
    with pytest.raises(ScenarioError, match=r"PawnPath: 'x50' is neither.*did you mean 'x500'"):
        model(PawnPath="x50")
    with pytest.raises(ScenarioError, match="PawnPath: 'rover' is neither"):
        model(PawnPath="rover")


def test_values_of_pictures():
    def capture(**item):
        return read_settings(json.dumps({"CameraDefaults": {"CaptureSettings": [item]}})).cameras.captures[0]

    assert capture(ProjectionMode="orthographic", OrthoWidth=8.0).ortho_width == 8.0
    assert capture(ProjectionMode="perspective", OrthoWidth=8.0).ortho_width == 0.0
    assert (
        capture().auto_exposure
        and not capture(AutoExposureMinBrightness=0.5, AutoExposureMaxBrightness=0.5).auto_exposure
    )
    with pytest.raises(ScenarioError, match="did you mean 'orthographic'"):
        capture(ProjectionMode="ortographic")


def test_no_ids_from_names():
    assert read_settings("{}").ids_from_names
    assert not read_settings('{"SegmentationSettings": {"InitMethod": "None"}}').ids_from_names
    with pytest.raises(ScenarioError, match="InitMethod"):
        read_settings('{"SegmentationSettings": {"InitMethod": "Random"}}')
