"""Typed dataclasses from plain data: every slip is an error that says where, what and why."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volery.core.config import Checked, SourceLocation, build, param
from volery.errors import ScenarioError

check = settings(deadline=None, database=None, derandomize=True, max_examples=300)


@dataclass(frozen=True)
class Mount(Checked):
    name: str
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Sensor(Checked):
    kind: Literal["scanner", "camera"] = "scanner"
    resolution: float = param(1.0, above=0)
    rays: int = param(51, low=1, high=10_000)
    enabled: bool = True
    colours: tuple[float, ...] = param((), low=0, high=1)
    mount: Mount | None = None
    frame: str = param("world", choices=("world", "body"))


@dataclass(frozen=True)
class Robot(Checked):
    model: str
    sensors: dict[str, Sensor] = field(default_factory=dict)
    path: list[tuple[float, float]] = field(default_factory=list)
    speed: float | Literal["max"] = 1.0
    count: int | None = None
    extra: Any = None


def refused(data, cls=Robot, place=None):
    with pytest.raises(ScenarioError) as caught:
        build(cls, data, place or SourceLocation())
    return str(caught.value)


def test_nested_data_becomes_nested_dataclasses():
    robot = build(
        Robot,
        {
            "model": "quad",
            "sensors": {"front": {"kind": "camera", "rays": 4, "mount": {"name": "nose", "offset": [1, 2, 3]}}},
            "path": [[0, 1], [2.5, 3]],
        },
        SourceLocation(),
    )
    assert robot.sensors["front"] == Sensor("camera", rays=4, mount=Mount("nose", (1.0, 2.0, 3.0)))
    assert robot.path == [(0.0, 1.0), (2.5, 3.0)]
    assert isinstance(robot.path[0][0], float)
    assert robot.count is None


def test_nothing_means_all_defaults_and_a_made_dataclass_is_taken_as_it_is():
    assert build(Sensor, None, SourceLocation()) == Sensor()
    sensor = Sensor(rays=7)
    assert build(Robot, {"model": "q", "sensors": {"a": sensor}}, SourceLocation()).sensors["a"] is sensor
    assert build(Robot, {"model": "q", "sensors": None}, SourceLocation()).sensors == {}


@pytest.mark.parametrize(
    "data, text",
    [
        ({"model": 5}, "model: expected text, found 5 (int)"),
        ({"model": None}, "model: expected text, found None"),
        ({"model": "q", "count": 1.5}, "count: expected a whole number, found 1.5 (float)"),
        ({"model": "q", "count": True}, "count: expected a whole number, found True"),
        ({"model": "q", "count": "3"}, "count: expected a whole number, found '3'"),
        ({"model": "q", "count": math.inf}, "count: expected a whole number"),
        ({"model": "q", "path": 3}, "path: expected a list, found 3"),
        ({"model": "q", "path": "ab"}, "path: expected a list, found 'ab'"),
        ({"model": "q", "path": {"a": 1}}, "path: expected a list"),
        ({"model": "q", "path": [[1]]}, "path.0: expected 2 values, found 1"),
        ({"model": "q", "path": [[1, 2], [1, 2, 3]]}, "path.1: expected 2 values, found 3"),
        ({"model": "q", "path": [[1, "x"]]}, "path.0.1: expected a number, found 'x' (str)"),
        ({"model": "q", "path": [[1, None]]}, "path.0.1: expected a number, found None"),
        ({"model": "q", "path": [[1, [2]]]}, "path.0.1: expected a number, found [2]"),
        ({"model": "q", "sensors": [1]}, "sensors: expected a mapping, found [1] (list)"),
        ({"model": "q", "sensors": {"a": 3}}, "sensors.a: expected a mapping of kind, resolution"),
        ({"model": "q", "sensors": {1: {}}}, "sensors.1: expected text, found 1"),
        ({"model": "q", "sensors": {"a": {"enabled": 1}}}, "sensors.a.enabled: expected true or false, found 1"),
        ({"model": "q", "sensors": {"a": {"enabled": "yes"}}}, "enabled: expected true or false"),
        ({"model": "q", "sensors": {"a": {"resolution": True}}}, "resolution: expected a number, found True"),
        ([], "expected a mapping of model, sensors"),
        ("text", "expected a mapping of model, sensors"),
    ],
)
def test_wrong_type_says_path_and_what_was_found(data, text):
    assert text in refused(data)


def test_number_that_yaml_reads_as_text_gets_a_hint():
    assert "write 1.0e-3" in refused({"resolution": "1e-3"}, Sensor)


def test_long_values_are_cut_short_in_the_message():
    assert len(refused({"model": ["x" * 1000]})) < 120


@pytest.mark.parametrize(
    "data, text",
    [
        ({"rays": 0}, "rays: 0 is too small; the least is 1"),
        ({"rays": -(10**400)}, "too small; the least is 1"),
        ({"rays": 10_001}, "too large; the most is 10000"),
        ({"rays": 10**400}, "too large; the most is 10000"),
        ({"resolution": 0}, "resolution: 0 must be greater than 0"),
        ({"resolution": -1.5}, "resolution: -1.5 must be greater than 0"),
        ({"resolution": 1e13}, "resolution: 1e+13 is too large"),
        ({"resolution": 10**400}, "resolution"),
        ({"colours": [0.5, 2]}, "colours.1: 2 is too large; the most is 1"),
        ({"colours": [-0.5]}, "colours.0: -0.5 is too small"),
        ({"frame": "wrold"}, "'wrold' is not one of world, body, did you mean 'world'?"),
        ({"kind": "camra"}, "'camra' is not one of scanner, camera, did you mean 'camera'?"),
        ({"kind": ["camera"]}, "is not one of scanner, camera"),
    ],
)
def test_value_out_of_range_says_the_limit(data, text):
    assert text in refused(data, Sensor)


@pytest.mark.parametrize("rays", [1, 10_000])
def test_limits_belong_to_the_range(rays):
    assert build(Sensor, {"rays": rays}, SourceLocation()).rays == rays


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float32("nan")])
def test_not_a_number_is_refused_everywhere(value):
    assert "not a finite number" in refused({"resolution": value}, Sensor)
    assert "not a finite number" in refused({"model": "q", "path": [[0, value]]})
    assert "not a finite number" in refused({"name": "m", "offset": [value, 0, 0]}, Mount)


def test_unknown_key_gets_a_did_you_mean_and_the_list():
    text = refused({"resolutoin": 1}, Sensor)
    assert "resolutoin: unknown key 'resolutoin', did you mean 'resolution'?" in text
    assert "known: kind, resolution, rays" in text
    assert "did you mean" not in refused({"zzzz": 1}, Sensor)
    assert "unknown key 'None'" in refused({None: 1}, Sensor)
    assert "unknown key '3'" in refused({3: 1}, Sensor)


def test_missing_key_is_named():
    assert "'model' is missing" in refused({})
    assert "sensors.a.mount: 'name' is missing" in refused({"model": "q", "sensors": {"a": {"mount": {}}}})


def test_union_takes_each_of_its_kinds_and_tells_about_the_first():
    assert build(Robot, {"model": "q", "speed": 3}, SourceLocation()).speed == 3.0
    assert build(Robot, {"model": "q", "speed": "max"}, SourceLocation()).speed == "max"
    assert build(Robot, {"model": "q", "count": 2.0}, SourceLocation()).count == 2
    assert "speed: expected a number, found 'fast'" in refused({"model": "q", "speed": "fast"})
    assert "mount.nam: unknown key 'nam', did you mean 'name'?" in refused({"mount": {"nam": "a"}}, Sensor)
    assert build(Sensor, {"mount": None}, SourceLocation()).mount is None


def test_numpy_numbers_and_arrays_are_numbers():
    sensor = Sensor(resolution=np.float32(0.5), rays=np.int64(4), colours=np.array([0.25, 1.0]))
    assert (sensor.resolution, sensor.rays, sensor.colours) == (0.5, 4, (0.25, 1.0))
    assert type(sensor.rays) is int


def test_any_takes_anything():
    thing = object()
    assert build(Robot, {"model": "q", "extra": thing}, SourceLocation()).extra is thing


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: Sensor(resolution=-1), "Sensor.resolution: -1 must be greater than 0"),
        (lambda: Sensor(rays="many"), "Sensor.rays: expected a whole number"),
        (lambda: Mount("a", (1, 2)), "Mount.offset: expected 3 values, found 2"),
        (lambda: Mount("a", (1, math.nan, 2)), "Mount.offset.1: nan is not a finite number"),
    ],
)
def test_dataclasses_made_by_hand_are_checked_too(make, text):
    with pytest.raises(ScenarioError) as caught:
        make()
    assert text in str(caught.value)


# Places


LINES = {("robots",): 3, ("robots", "a"): 4, ("robots", "a", "model"): 5}


def test_error_starts_with_file_and_line_of_the_key():
    place = SourceLocation("town.yaml", lines=LINES).at("robots").at("a").at("model")
    assert str(place.error("no")) == "town.yaml:5: robots.a.model: no"


def test_error_of_a_key_without_a_line_takes_the_line_of_what_holds_it():
    place = SourceLocation("town.yaml", lines=LINES).at("robots").at("a").at("model").at(3)
    assert str(place.error("no")) == "town.yaml:5: robots.a.model.3: no"
    assert str(SourceLocation("town.yaml", lines=LINES).at("wind").error("no")) == "town.yaml: wind: no"


def test_error_without_a_file_has_only_the_path_and_at_the_top_only_the_text():
    assert str(SourceLocation(lines=LINES).at("robots").error("no")) == "robots: no"
    assert str(SourceLocation("town.yaml").error("no")) == "town.yaml: no"
    assert str(SourceLocation().error("no")) == "no"


def test_build_passes_the_place_on_to_the_innermost_key():
    place = SourceLocation("town.yaml", ("robots", "a"), {**LINES, ("robots", "a", "sensors", "s", "rays"): 9})
    text = refused({"model": "q", "sensors": {"s": {"rays": -1}}}, place=place)
    assert text == "town.yaml:9: robots.a.sensors.s.rays: -1 is too small; the least is 1"


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["model", "sensors", "path", "speed", "count", "rays", "mount", "offset", "name", "kind", "x"]
            )
            | st.integers(),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(plain)
@check
def test_whatever_the_file_holds_the_answer_is_a_robot_or_a_scenario_error(data):
    for whole in (data, {"model": "q", "sensors": {"a": data}}, {"model": "q", "path": data, "speed": data}):
        try:
            assert isinstance(build(Robot, whole, SourceLocation("f.yaml")), Robot)
        except ScenarioError as error:
            assert str(error).startswith("f.yaml")
