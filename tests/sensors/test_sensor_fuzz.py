"""Any parameter of any sensor: a sensor that works, or an error that says what is wrong; never a crash."""

import typing
import warnings
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from volery import registry
from volery.core import geometry
from volery.core.config import SourceLocation, build
from volery.core.frames import quat_from_euler
from volery.core.material import Material
from volery.core.rng import generator
from volery.core.state import decode, encode
from volery.errors import VoleryError
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.noise import Noise
from volery.world.environment import Environment
from volery.world.generate.victims import figure
from volery.world.scene.scene import Scene
from volery.world.weather import Weather
from volery.world.wind import Wind
from volery.world.world import Placement

NAMES = [n for n in registry.names("sensors") if registry.place("sensors", n).startswith("volery.")]
MAY_BE_LOST = {
    "collision": (), "contact": ("distance",), "force_torque": ("force", "torque"),
    "gps": ("position", "velocity", "geodetic", "dop", "covariance"), "motion_capture": ("position", "attitude"),
    "sound": ("level",), "battery": ("remaining",), "rangefinder": ("range",), "sonar": ("range",), "laser": ("range",),
    "lidar": ("range", "points", "intensity"), "scanner": ("points",), "camera": ("depth", "depth_planar", "flow"),
}  # fmt: skip
"""Arrays in which a sensor says by NaN or infinity that there is nothing, as its docstring tells."""
SMALL = {
    "width": (0, 1, 2, 9), "height": (0, 1, 5), "columns": (0, 1, 7, 360), "lines": (0, 1, 4, 1024),
    "feelers": (5, 6, 100), "blur_samples": (1, 2, 3), "cones": (-1, 0, 3), "rays_per_cone": (0, 1, 5),
    "rings": (-1, 0, 5), "buffer": (0, 1, 3), "quality": ("fast",),
}  # fmt: skip
"""Sizes that would only cost time are kept small."""
ODD = st.sampled_from([None, True, "x", "", [], {}, [1, 2, 3], (0.0, 0.0, 0.0), -1, 0, 1, float("nan"), float("inf")])
check = settings(
    deadline=None, database=None, derandomize=True, max_examples=25, suppress_health_check=list(HealthCheck)
)


def number(limits):
    """Numbers in, at and beyond the limits of a parameter."""
    low, high = limits.get("low", limits.get("above", -1e3)), limits.get("high", 1e12)
    edges = [low, high, np.nextafter(low, np.inf), np.nextafter(high, -np.inf), low - 1, high * 2 + 1, 0.0, 5e-324]
    return st.one_of(st.sampled_from([float(e) for e in edges]), st.floats(low, high), st.floats(0.01, 100.0))


def value(kind, limits, name=""):
    """Values of a parameter's type, most of them allowed."""
    if name in SMALL:
        return st.sampled_from(SMALL[name])
    if name == "channel":
        return st.sampled_from([None, "solid", "nothing", "solids"])
    if "choices" in limits:
        return st.sampled_from([*limits["choices"], "none of them"])
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return st.sampled_from([*inner, "none of them"])
    if origin in (typing.Union, type(int | None)):
        return st.one_of(*[st.none() if k is type(None) else value(k, limits) for k in inner])
    if origin is tuple and Ellipsis in inner:
        return st.lists(value(inner[0], limits), max_size=4)
    if origin is tuple:
        return st.tuples(*[value(k, limits) for k in inner])
    if kind is float:
        return number(limits)
    if kind is int:
        return st.integers(int(limits.get("low", -3)) - 1, min(int(limits.get("high", 50)), 5000))
    if kind is bool:
        return st.booleans()
    if kind is str:
        return st.sampled_from(["", "rfid*", "victim*", "spin_fl", "spin_fr", "[", "*"])
    return ODD


@st.composite
def parameters(draw, config):
    """A few parameters of a sensor, as a scenario file would give them; now and then an odd one."""
    hints = typing.get_type_hints(config)
    own = [f for f in fields(config) if f.name not in ("noise", "mount", "rate")]
    chosen = draw(st.lists(st.sampled_from(own), max_size=4, unique_by=lambda f: f.name))
    data = {f.name: draw(value(hints[f.name], f.metadata, f.name)) for f in chosen}
    if chosen and draw(st.integers(0, 9)) == 0:
        data[chosen[0].name] = draw(ODD)
    data["rate"] = draw(st.sampled_from([50.0, 1.0, 1e6, 0.001]))
    if "width" in hints:
        data = {"width": 6, "height": 4, "quality": "fast", **data}
    if "columns" in hints and not data.get("columns"):
        data["columns"] = 16
    if "form" in hints:
        data = {"resolution": 1.0, "extent": 4.0, **data}
        data.update({k: max(v, 0.5) for k, v in data.items() if k == "resolution" and isinstance(v, float) and v > 0})
        data.update({k: min(v, 20.0) for k, v in data.items() if k == "extent" and isinstance(v, float)})
    return data


def world():
    scene = Scene()
    scene.define_channel("solid", ["ground", "pillar"])
    scene.define_channel("nothing", ["no such thing"])
    scene.add(Placement.one("ground", geometry.plane(200.0)))
    scene.add(Placement.one("pillar", geometry.box((1, 1, 6)), (4, 1, 3)))
    scene.add(Placement.one("victim_1", figure("surface", "aware"), (3, -1, 0)))
    scene.add(Placement.one("rfid_4", geometry.box((0.1, 0.1, 0.1)), (1, 1, 0.1)))
    scene.add(Placement.one("bell", geometry.sphere(0.1, 8, materials=(Material("bell", sound=1e-4),)), (0, 3, 1)))
    around = Environment(scene, wind=Wind(steady=(3, 0, 0), turbulence="light"), weather=Weather(rain=0.3))
    return around


WORLD, QUAD = world(), load_robot_file("quad").description()


def put(robot, i):
    robot.set_pose(np.array([0.2 * i, 0.0, 1.0 + 0.1 * i]), quat_from_euler(np.array([0.1 * i, 0.05, 0.4 * i])))
    robot.set_twist(np.array([2.0, 0.0, 0.5]), np.array([0.3, 0.1, 1.0]))
    robot.set_joint("spin_fl", 0.5 * i)
    robot.update()


def use(name, config):
    """A sensor's readings while its robot moves, and the same again from a snapshot."""
    cls = registry.find("sensors", name)
    robot = Robot("uav1", QUAD)
    robot.show(WORLD.scene)
    try:
        sensors = [cls("s", config, robot, WORLD, generator(3, "uav1/s")) for _ in range(2)]
        for i in range(3):
            put(robot, i)
            sensors[0].measure(i * 20_000_000)
        sensors[1].restore(decode(encode(sensors[0].state())))
        sensors[1].generator.bit_generator.state = sensors[0].generator.bit_generator.state
        put(robot, 3)
        for sensor in sensors:
            sensor.measure(60_000_000)
        assert encode(sensors[0].state()) == encode(sensors[1].state())
        for reading in sensors[0]._waiting:
            yield reading.data
    finally:
        robot.hide(WORLD.scene)
        WORLD.lights.clear()
        WORLD.tags.clear()


@pytest.mark.parametrize("name", NAMES)
@given(st.data())
@check
def test_any_parameter_gives_a_working_sensor_or_a_clear_error(name, data):
    cls = registry.find("sensors", name)
    given_ = data.draw(parameters(cls.Config))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            config = build(cls.Config, given_, SourceLocation())
            readings = list(use(name, config))
        except VoleryError as error:
            assert len(str(error)) > 15
            return
    for reading in readings:
        for array, values in reading.items():
            if values.dtype.kind == "f" and array not in MAY_BE_LOST.get(name, ()):
                assert np.isfinite(values).all(), (array, values)


NOISES = st.builds(
    dict,
    kind=st.sampled_from(["gaussian", "uniform"]), relative=st.sampled_from([0.0, 10.0]) | st.floats(0, 10),
    absolute=st.sampled_from([0.0, 1e12, 5e-324]) | st.floats(0, 10),
    density=st.sampled_from([0.0, 1e12]) | st.floats(0, 1), bias=st.sampled_from([0.0, -1e12, 1e12]),
    bias_spread=st.sampled_from([0.0, 1e12, 0.1]), walk=st.sampled_from([0.0, 1e12, 0.1]),
    quantum=st.sampled_from([0.0, 5e-324, 1e12, 0.25]),
    curve=st.sampled_from([(), ((0.0, 0.0),), ((-1e12, 1e12), (1e12, -1e12)), ((0.0, 1.0), (5e-324, 2.0))]),
    dropout=st.sampled_from([0.0, 0.0, 0.5, 1.0]), fault=st.sampled_from(["none", "none", "stuck", "dead"]),
)  # fmt: skip


@pytest.mark.parametrize("name", [n for n in NAMES if registry.find("sensors", n).noisy])
@given(NOISES, st.integers(0, 100))
@check
def test_any_noise_leaves_a_reading_of_the_same_kind(name, noise, which):
    """The same arrays and types as without; NaN only where elements may be lost."""
    cls = registry.find("sensors", name)
    size = {"width": 6, "height": 4, "quality": "fast"} if name == "camera" else {}
    size = {"columns": 16} if name == "lidar" else {"resolution": 1.0, "extent": 4.0} if name == "scanner" else size
    plain = list(use(name, build(cls.Config, size, SourceLocation())))
    array = [a for a in cls.noisy if a in plain[0]][which % sum(a in plain[0] for a in cls.noisy)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        noisy = list(use(name, build(cls.Config, {**size, "noise": {array: Noise(**noise)}}, SourceLocation())))
    assert len(noisy) == len(plain)
    for a, b in zip(plain, noisy, strict=True):
        assert set(a) == set(b)
        assert all(a[k].dtype.kind == b[k].dtype.kind and a[k].ndim == b[k].ndim for k in a)
        whole = noise["dropout"] == 0 and noise["fault"] != "dead" and array not in MAY_BE_LOST.get(name, ())
        assert not whole or not np.isnan(b[array]).any(), (array, b[array])
