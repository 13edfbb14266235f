"""How a sensor says what it tells: for each output its topic, ROS 2 message type, frame, and view on the page.

An output gives the fields of its message as plain data: numbers, texts, arrays, mappings of the fields of messages
inside. What is left out is zero or empty, a `header` is filled in, a Vector3 or Point may be [x, y, z] and a Quaternion
[w, x, y, z]. So a sensor needs to know nothing of the bus, and the bus, the page and recordings nothing of sensors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from volery.errors import SimulationError, did_you_mean

if TYPE_CHECKING:
    from volery.sensors.sensor import Reading

__all__ = [  # noqa: PLE0604
    *("Fields", "Output", "OutputFrame", "PageView", "array_output", "arrays_of", "cloud_fields", "float_fields"),
    *("image_fields", "jpeg_fields", "text_output"),
]

Fields = Mapping[str, Any]
"""The fields of a message."""
OutputFrame = Literal["sensor", "optical", "map", "odom"]
"""Where an output's numbers hold: the sensor's frame (x ahead, y left, z up); that of a camera's picture in ROS (z
ahead, x right, y down); W; or where the robot thinks it began."""
PageView = Literal["", "image", "points", "rays", "cone", "fan", "arrow", "series", "text"]
"""How the page shows it: not by itself; a picture (Image or CompressedImage); points (PointCloud2), or rays that end in
them; a cone (fields range, max_range and field_of_view); a fan (LaserScan); a vector at the sensor, a number over time,
or a text beside the sensor (the field at `path`)."""
_TYPE = re.compile(r"[a-z][a-z0-9_]*/msg/[A-Z][A-Za-z0-9]*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)*|")
_CLOUD_TYPES = {"f4": 7, "f8": 8, "u1": 2, "i1": 1, "u2": 4, "i2": 3, "u4": 6, "i4": 5}
"""PointField's numbers of numpy's types."""


@dataclass(frozen=True)
class Output:
    """One topic of a sensor."""

    name: str
    """After /robot/sensor; empty: the sensor's name is the topic."""
    type: str
    """ROS 2's name of the message type, such as sensor_msgs/msg/Range."""
    make: Callable[[Reading], Fields]
    """The message's fields of a reading. It may be called later and in any thread: it uses the reading and what never
    changes."""
    frame: OutputFrame = "sensor"
    view: PageView = ""
    path: str = ""
    """Field that the view is of, such as twist.linear."""
    definition: str = ""
    """Of a type of one's own: its text as in a .msg file."""

    def __post_init__(self) -> None:
        if not _TYPE.fullmatch(self.type) or not _NAME.fullmatch(self.name):
            raise SimulationError(
                f"output '{self.name}' of type '{self.type}': names are such as scan and pkg/msg/Type"
            )
        for what, value, known in (
            ("frame", self.frame, get_args(OutputFrame)),
            ("view", self.view, get_args(PageView)),
        ):
            if value not in known:
                raise SimulationError(
                    f"output '{self.name}': {what} '{value}' is none of {', '.join(filter(None, known))}"
                    f"{did_you_mean(value, known)}"
                )


def array_output(name: str, view: PageView = "") -> Output:
    """An array of the reading as plain numbers [any shape]."""
    path = "data[0]" if view == "series" else ""
    return Output(name, "std_msgs/msg/Float64MultiArray", lambda r: float_fields(r.data[name]), view=view, path=path)


def text_output(name: str) -> Output:
    """An array of texts of the reading as a JSON list."""
    return Output(name, "std_msgs/msg/String", lambda r: {"data": json.dumps(r.data[name].tolist())})


def arrays_of(reading: Reading) -> list[Output]:
    """All arrays of a reading, each on a topic of its own: what a sensor tells that says nothing else."""
    kinds = {name: array.dtype.kind for name, array in reading.data.items()}
    return [text_output(name) if kind == "U" else array_output(name) for name, kind in kinds.items()]


def image_fields(picture: np.ndarray, encoding: str) -> Fields:
    """An Image of a picture [h, w] or [h, w, channels], with ROS's name of its encoding."""
    data = np.ascontiguousarray(picture)
    height, width = data.shape[:2]
    shape = {"height": height, "width": width, "step": data.nbytes // height}
    return {**shape, "encoding": encoding, "data": data.reshape(-1).view(np.uint8)}


def jpeg_fields(picture: np.ndarray) -> Fields:
    """A CompressedImage of a picture uint8 [h, w, 3]."""
    # Only who sends pictures needs what packs them.
    from volery.sensors.encode import encode

    return {"format": "jpeg", "data": np.frombuffer(encode(picture), np.uint8)}


def cloud_fields(fields: dict[str, np.ndarray]) -> Fields:
    """A PointCloud2: one array [n] per field, x, y and z [m] among them, in this order, each at a multiple of its size
    so that C++ reads it in place."""
    kind = np.dtype([(name, array.dtype) for name, array in fields.items()], align=True)
    count = len(next(iter(fields.values())))
    packed = np.zeros(count, kind)
    for name, array in fields.items():
        packed[name] = array
    described = [
        {"name": name, "offset": int(place[1]), "datatype": _CLOUD_TYPES[place[0].str[1:]], "count": 1}
        for name, place in (kind.fields or {}).items()
    ]
    return {
        "height": 1,
        "width": count,
        "fields": described,
        "point_step": kind.itemsize,
        "row_step": kind.itemsize * count,
        "data": packed.view(np.uint8),
        "is_dense": bool(all(np.isfinite(fields[axis]).all() for axis in ("x", "y", "z"))),
    }


def float_fields(array: np.ndarray) -> Fields:
    """A Float64MultiArray of numbers of any shape."""
    array = np.asarray(array)
    dim = [
        {"label": f"axis{i}", "size": size, "stride": int(np.prod(array.shape[i:], dtype=int))}
        for i, size in enumerate(array.shape)
    ]
    return {"layout": {"dim": dim}, "data": np.ascontiguousarray(array, np.float64).reshape(-1)}
