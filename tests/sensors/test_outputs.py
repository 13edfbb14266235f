"""What sensors declare: outputs that become messages, and controls that check what they are told."""

from collections.abc import Sequence

import numpy as np
import pytest

from volery import registry
from volery.bus.conversion import message_of, outputs_of, topic_of
from volery.bus.ros2 import FrameNames, Ros2Config
from volery.bus.types import decode, define, encode, message_class, message_fields
from volery.errors import BusError, CommandError, SimulationError, UnknownNameError
from volery.scenario import read_scenario
from volery.sensors.controls import control, controls_of
from volery.sensors.outputs import Output, cloud_fields, image_fields
from volery.sensors.sensor import Reading, Sensor
from volery.sim import Simulation

GIVEN = {
    "camera": {"outputs": ["rgb", "depth", "events"], "baseline": 0.1, "width": 8, "height": 6},
    "odometry": {}, "contact": {"mount": {"site": ""}},
}  # fmt: skip


def scene(sensors):
    robot = f"{{type: p2at, position: [0, 0, 0.2], sensors: {sensors}}}"
    return Simulation(read_scenario(f"step: 0.1\nworld: blocks\nrobots: {{r: {robot}}}"))


NAMES = FrameNames(Ros2Config())
BUILT_IN = [name for name in registry.names("sensors") if registry.place("sensors", name).startswith("volery.")]
"""Other tests bring sensors of their own."""


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_sensor_says_what_it_tells_and_tells_it(name):
    simulation = scene({"it": {"type": name, **GIVEN.get(name, {})}})
    sensor = simulation.sensor("r", "it")
    outputs = outputs_of(sensor)
    assert outputs, "known before the first reading"
    assert len({topic_of(sensor, o) for o in outputs}) == len(outputs)
    sensor.measure(0)
    (reading,) = sensor.deliver(10**12)
    for output in outputs:
        message = message_of(output.type, output.make(reading), reading.stamp_ns, NAMES.output(sensor, output))
        again = decode(encode(message), output.type)
        assert type(again) is message_class(output.type)
        if hasattr(again, "header"):
            assert again.header.frame_id.startswith(("r/it", "map", "r/odom"))
        value = again
        for part in filter(None, output.path.replace("[0]", "").split(".")):
            assert part in [field for field, _ in message_fields(value.__msgtype__)], output
            value = getattr(value, part)


def test_a_message_is_filled_in():
    imu = message_of("sensor_msgs/msg/Imu", {"linear_acceleration": [1, 2, 3]}, 1_500_000_007, "a/b")
    assert (imu.header.stamp.sec, imu.header.stamp.nanosec, imu.header.frame_id) == (1, 500_000_007, "a/b")
    assert (imu.linear_acceleration.x, imu.linear_acceleration.z) == (1.0, 3.0)
    assert (imu.orientation.x, imu.orientation.w) == (0.0, 1.0), "no rotation, as in ROS"
    assert imu.angular_velocity_covariance.tolist() == [0.0] * 9
    pose = message_of("geometry_msgs/msg/Pose", {"position": np.arange(3), "orientation": (0.5, -0.5, 0.5, -0.5)})
    assert (pose.orientation.w, pose.orientation.x, pose.position.y) == (0.5, -0.5, 1.0)
    assert message_of("std_msgs/msg/Header", {"stamp": 5}).stamp.nanosec == 5


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("sensor_msgs/msg/Range", {"rang": 1.0}, "did you mean 'range'"),
        ("sensor_msgs/msg/Range", {"range": "far"}, "field range of sensor_msgs/msg/Range is a float32"),
        ("sensor_msgs/msg/Imu", {"linear_acceleration": [1, 2]}, "or 3 numbers"),
        ("sensor_msgs/msg/Imu", {"orientation_covariance": [1, 2]}, "has 9 numbers, not 2"),
        ("sensor_msgs/msg/LaserScan", {"ranges": "abc"}, "array of numbers"),
        ("nowhere_msgs/msg/Such", {}, "unknown message type"),
        ("sensor_msgs/msg/Range", 5, "a mapping of its fields"),
    ],
)
def test_wrong_fields_are_refused_with_words(kind, fields, words):
    with pytest.raises((BusError, UnknownNameError), match=words):
        message_of(kind, fields)


def test_a_type_of_ones_own_is_defined_once():
    define("test_msgs/msg/Pair", "std_msgs/Header header\nfloat64 low\nfloat64[2] high\n")
    made = message_of("test_msgs/msg/Pair", {"low": 1, "high": [2, 3]}, 7, "f")
    assert decode(encode(made), "test_msgs/msg/Pair").high.tolist() == [2.0, 3.0] and made.header.frame_id == "f"
    with pytest.raises(BusError, match="with other fields"):
        define("test_msgs/msg/Pair", "float64 low\n")
    with pytest.raises(BusError, match="cannot be defined"):
        define("test_msgs/msg/Bad", "float64 64low\n")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "a b"}, "names are such as"), ({"type": "Range"}, "names are such as"),
        ({"frame": "world"}, "frame 'world' is none of sensor"), ({"view": "cone_"}, "did you mean 'cone'"),
    ],
)  # fmt: skip
def test_an_output_is_checked_when_it_is_declared(values, words):
    with pytest.raises(SimulationError, match=words):
        Output(**{"name": "", "type": "sensor_msgs/msg/Range", "make": lambda r: {}, **values})


def test_pictures_and_clouds_are_packed():
    picture = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    image = message_of("sensor_msgs/msg/Image", image_fields(picture, "rgb8"))
    assert (image.height, image.width, image.step, image.data.tolist()) == (2, 4, 12, list(range(24)))
    x, n = np.array([1.0, np.nan], np.float32), np.array([7, 8], "u2")
    cloud = message_of("sensor_msgs/msg/PointCloud2", cloud_fields({"x": x, "y": x, "z": x, "n": n}))
    fields = [(f.name, f.offset, f.datatype) for f in cloud.fields]
    assert fields == [("x", 0, 7), ("y", 4, 7), ("z", 8, 7), ("n", 12, 4)]
    assert (cloud.width, cloud.point_step, cloud.is_dense) == (2, 16, False)


class Device(Sensor):
    """A sensor with controls of all kinds."""

    def sense(self, now_ns):
        return {"level": np.zeros(1)}

    @control
    def all(self, on: bool, count: int, share: float, word: str, place: Sequence[float] = (0.0,)) -> list:
        """Give back what came."""
        return [on, count, share, word, place]

    @control
    def twice(self) -> None:
        """Works another."""
        self.all(True, 1, 0.5, "x")
        self.all(False, 2, 0.5, "y")

    @control
    def fails(self, share: float) -> None:
        """Refuses."""
        raise CommandError("no")


registry.add("sensors", "test_device", f"{__name__}:Device")


def test_controls_check_their_arguments():
    simulation = scene({"it": {"type": "test_device"}})
    device = simulation.sensor("r", "it")
    told = device.all(np.bool_(True), np.int64(3), 2, word="w", place=np.array([1, 2]))
    assert told == [True, 3, 2.0, "w", [1.0, 2.0]] and type(told[1]) is int and type(told[2]) is float
    for arguments in (
        (1, 3, 0.5, "w"), (True, 3.5, 0.5, "w"), (True, True, 0.5, "w"), (True, 3, np.inf, "w"), (True, 3, 0.5, 5),
        (True, 3, 0.5, "w", [1, "a"]), (True, 3, 0.5, "w", 5), (True, 3), (True, 3, 0.5, "w", [], 1),
    ):  # fmt: skip
        with pytest.raises(CommandError, match="control 'all' of sensor 'it'"):
            device.all(*arguments)
    assert len(simulation.events) == 1
    device.twice()
    assert [event.control for event in simulation.events] == ["all", "twice"], "one in another is not told"
    with pytest.raises(CommandError, match="no"):
        device.fails(1.0)
    device.twice()
    assert [event.control for event in simulation.events] == ["all", "twice", "twice"], "what fails is not told"


def test_controls_describe_themselves():
    found = controls_of(Device)
    assert set(found) == {"all", "twice", "fails"} and found["twice"].doc == "Works another."
    assert found["all"].parameters == (
        ("on", "switch"), ("count", "whole"), ("share", "number"), ("word", "text"), ("place", "numbers"),
    )  # fmt: skip
    assert (found["all"].required, found["twice"].required) == (4, 0)


def test_a_control_must_be_annotated():
    class Careless(Sensor):
        def sense(self, now_ns):
            return {}

        @control
        def turn(self, by) -> None:
            """Not said by what."""

    with pytest.raises(SimulationError, match="annotate 'by'"):
        controls_of(Careless)


def test_a_sensor_without_outputs_tells_its_arrays_from_the_first_reading_on():
    device = scene({"it": {"type": "test_device"}}).sensor("r", "it")
    device.recent.clear()
    assert outputs_of(device) is None
    device.recent.append(Reading(0, {"level": np.zeros(2), "names": np.array(["a"])}))
    assert [(o.name, o.type) for o in outputs_of(device)] == [
        ("level", "std_msgs/msg/Float64MultiArray"), ("names", "std_msgs/msg/String"),
    ]  # fmt: skip
