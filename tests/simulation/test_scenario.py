"""Scenario files: what is right is read, what is wrong is told with file, line, what and why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volery.built_in import built_in_scenarios
from volery.core.yaml import parse_yaml
from volery.errors import ScenarioError, VoleryError
from volery.scenario import load_scenario, plan_robot, read_scenario

GOOD = """
seed: 3
step: 0.02
world: {type: blocks, count: 10}
robots:
  uav1:
    type: quad
    position: [1, 2, 30]
    attitude_deg: [0, 0, 90]
    sensors:
      imu: {rate: 50}
      gps: off
      second: {type: scanner, form: ray, mount: {site: front}}
  uav2: quad
"""


def test_a_good_scenario():
    s = read_scenario(GOOD)
    assert s.file.seed == 3 and s.world.count == 10 and s.world.seed == 3
    sensors = s.robots["uav1"].sensors
    assert sensors["imu"][1].rate == 50
    assert sensors["imu"][1].mount.site == "centre"  # kept from the robot file
    assert set(sensors) == {"imu", "second"}
    assert s.robots["uav2"].entry.type == "quad"


def test_a_sensor_can_be_taken_away():
    s = read_scenario("robots:\n  a: {type: quad, sensors: {gps: off}}")
    assert set(s.robots["a"].sensors) == {"imu"}


@pytest.mark.parametrize("name", built_in_scenarios())
def test_built_in_scenarios_are_good(name):
    assert load_scenario(name).file.about


def test_a_folder_of_its_name_does_not_hide_a_built_in_scenario(tmp_path, monkeypatch):
    (tmp_path / "demo").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load_scenario("demo").name == "demo"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("seed: 1\nstpe: 0.01", 2, "unknown key 'stpe', did you mean 'step'?"),
        ("seed: one", 1, "expected a whole number, found 'one'"),
        ("seed: 1\nstep: -0.1", 2, "too small"),
        ("pace: fats", 1, "did you mean 'fast'"),
        ("world: bloks", 1, "unknown world 'bloks', did you mean 'blocks'?"),
        ("world:\n  type: blocks\n  cuont: 3", 3, "unknown key 'cuont', did you mean 'count'?"),
        ("world:\n  type: blocks\n  count: -3", 3, "too small"),
        ("robots:\n  uav1: {type: quat}", 2, "unknown robot 'quat', did you mean 'quad'?"),
        ("robots:\n  uav1:\n    type: quad\n    position: [1, 2]", 4, "expected 3 values, found 2"),
        ("robots:\n  uav1:\n    type: quad\n    position: [1, 2, .nan]", 4, "not a finite number"),
        ("robots:\n  uav1:\n    type: probe\n    sensors:\n      scanner: {resolution: -2}", 5, "greater than 0"),
        ("robots:\n  uav1:\n    type: quad\n    sensors:\n      s: {type: scaner}", 5, "did you mean 'scanner'"),
        (
            "robots:\n  uav1:\n    type: quad\n    sensors:\n      imu: {mount: {site: bely}}",
            5,
            "did you mean 'belly'",
        ),
        ("robots:\n  uav1:\n    type: quad\n    joints: {spin: 1}", 4, "unknown joint 'spin'"),
        ("robots:\n  uav1:\n    type: quad\n    physics: mujoko", 4, "unknown engine 'mujoko'"),
        ("robots:\n  uav1:\n    type: quad\n    motion: {sped: 3}", 4, "did you mean 'speed'"),
        ("robots:\n  1uav: quad", 2, "starting with a letter"),
        ("robots: [quad]", 1, "expected a mapping"),
        ("seed: 1\nseed: 2", 2, "a second time"),
        ("a: [1, 2\nb: 3", 2, "this is not YAML"),
        ("robots:\n\tuav1: quad", 2, "this is not YAML"),
        ("world: {type: mesh, path: none.obj}", 1, "none.obj"),
    ],
)
def test_errors_say_file_line_what_and_why(tmp_path, text, line, words):
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        load_scenario(path)
    message = str(caught.value)
    assert words in message
    assert f"{path}:{line}" in message, message


def test_missing_and_unreadable_files(tmp_path):
    with pytest.raises(ScenarioError, match=r"nowhere.yaml: does not exist"):
        load_scenario(tmp_path / "nowhere.yaml")
    with pytest.raises(VoleryError, match="did you mean 'blocks'"):
        load_scenario("bloks")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ScenarioError, match=r"not UTF-8|not YAML"):
        load_scenario(tmp_path / "binary.yaml")


def test_a_robot_planned_later_is_checked_the_same_way():
    with pytest.raises(ScenarioError, match=r"robots.b.postion: unknown key 'postion', did you mean 'position'"):
        plan_robot("b", {"type": "quad", "postion": [0, 0, 0]})


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_data_or_a_clear_error(text):
    try:
        parse_yaml(text, "fuzz")
    except ScenarioError:
        pass


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "seed", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["seed", "step", "pace", "speed", "duration", "world", "channels", "robots", "about"]), _VALUES)
def test_any_value_under_any_key_is_taken_or_refused_clearly(key, value):
    import yaml

    text = yaml.safe_dump({key: value})
    try:
        read_scenario(text)
    except VoleryError:
        pass


@pytest.mark.parametrize("value", ["!!int ", "!!bool perhaps", "!!timestamp soon", "!!float ''"])
def test_tags_that_do_not_fit_their_text_are_refused(value):
    with pytest.raises(ScenarioError, match=r"scenario:1: .* cannot be read as a value; put it in quotes"):
        read_scenario(f"a: {value}")


def test_aliases_of_a_few_hundred_bytes_do_not_become_billions_of_values():
    levels = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    levels += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(ScenarioError, match=r"bomb.yaml:\d+: aliases repeat more than 10000 values"):
        parse_yaml("\n".join(levels), "bomb.yaml")
    with pytest.raises(ScenarioError, match=r"aliases repeat|nested more than"):
        parse_yaml("&a [*a, *a]", "bomb.yaml")


def test_aliases_in_moderation_are_plain_data():
    data, lines = parse_yaml("a: &a {x: 1}\nb: *a\nc: [*a, *a]", "fine.yaml")
    assert data == {"a": {"x": 1}, "b": {"x": 1}, "c": [{"x": 1}, {"x": 1}]}
    assert lines[("b",)] == 2


def test_a_text_larger_than_a_file_may_be_is_refused():
    with pytest.raises(ScenarioError, match="objects: larger than 4 MB"):
        parse_yaml("a" * 4_000_001, "objects")
