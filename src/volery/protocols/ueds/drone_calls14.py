"""What a drone's server does since API 0.14: sensors by number, event cameras, fisheyes, devices and instances."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image

from volery.errors import SimulationError
from volery.protocols.ueds import drone_calls as before
from volery.protocols.ueds import sensor_table
from volery.protocols.ueds.codec import pack, text, vector
from volery.protocols.ueds.configs14 import Camera14, EventSetup, FisheyeSetup, Lidar14, Stereo14, bent
from volery.protocols.ueds.drone import UedsDrone
from volery.protocols.ueds.messages import Table, message
from volery.protocols.ueds.stencils import PALETTE
from volery.sensors.encode import encode

__all__ = ["table"]

_NONE = vector(b"")
_ZERO = pack("f", 0.0)
_EVENT = np.dtype([("x", "<u2"), ("y", "<u2"), ("sign", "i1"), ("stamp", "<f8")])
_CAMERAS = (sensor_table.RGB, sensor_table.SEGMENTED)
_LIDARS = (sensor_table.LIDAR, sensor_table.LIVOX)
_MOST_NUMBER = 1 << 24


def _png(picture: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "PNG", compress_level=1)
    return vector(out.getvalue())


# Sensors by number


def get_picture(drone: UedsDrone, number: int) -> bytes:
    """A colour camera's, as JPEG."""
    setup: Camera14 = drone.sensor_table.find(number, sensor_table.RGB)
    frame = drone.picture(f"rgb{number}", ("rgb",), setup)
    return vector(encode(bent(frame.views[0]["rgb"], setup.fov, setup.bend))) + pack("f", frame.stamp)


def get_pair(drone: UedsDrone, number: int) -> bytes:
    """Two eyes', as JPEG."""
    setup: Stereo14 = drone.sensor_table.find(number, sensor_table.STEREO)
    frame = drone.pair(f"stereo{number}", setup)
    left, right = (vector(encode(bent(view["rgb"], setup.fov, setup.bend))) for view in frame.views)
    return left + right + pack("f", frame.stamp)


def get_lidar(drone: UedsDrone, number: int, tags: str = "") -> bytes:
    """A scan."""
    setup: Lidar14 = drone.sensor_table.find(number, *_LIDARS)
    return pack("fff", *setup.offset) + drone.scan(tags, setup=setup)[0].packed() + pack("f", drone.door.now())


def get_segmented(drone: UedsDrone, number: int) -> bytes:
    """Colours of classes, as PNG."""
    setup: Camera14 = drone.sensor_table.find(number, sensor_table.SEGMENTED, sensor_table.RGB)
    frame = drone.picture(f"labels{number}", ("labels", "instances"), setup)
    view = frame.views[0]
    stencils = drone.door.stencils.of_picture(view["labels"], view["instances"])
    return _png(bent(PALETTE[stencils], setup.fov, setup.bend)) + pack("f", frame.stamp)


def get_range(drone: UedsDrone, number: int) -> bytes:
    """The height above what is below."""
    drone.sensor_table.find(number, sensor_table.RANGE)
    return before.get_range(drone)


def get_events(drone: UedsDrone, number: int) -> bytes:
    """What changed since the last request: column, row, sign and time of each."""
    setup: EventSetup = drone.sensor_table.find(number, sensor_table.EVENT)
    frame = drone.picture(f"events{number}", ("events",), setup)
    found = frame.views[0]["events"]
    events = np.zeros(len(found), _EVENT)
    events["x"], events["y"], events["sign"] = found[:, 1], found[:, 2], found[:, 3]
    events["stamp"] = found[:, 0] * 1e-9 if setup.by_simulation else frame.stamp
    return vector(events.tobytes(), len(events)) + pack("f", frame.stamp)


def get_fisheye(drone: UedsDrone, number: int) -> bytes:
    """A fisheye's picture, as JPEG."""
    setup: FisheyeSetup = drone.sensor_table.find(number, sensor_table.FISHEYE)
    frame = drone.picture(f"fisheye{number}", ("rgb",), setup)
    return vector(encode(frame.views[0]["rgb"])) + pack("f", frame.stamp)


def get_instances(drone: UedsDrone, number: int) -> bytes:
    """Numbers of things as colours, red + 256 green + 65,536 blue, as PNG; 0 for the sky."""
    setup: Camera14 = drone.sensor_table.find(number, sensor_table.SEGMENTED, sensor_table.RGB)
    frame = drone.picture(f"instances{number}", ("instances",), setup)
    numbers = _small(frame.views[0]["instances"])
    colours = np.stack([numbers & 0xFF, numbers >> 8 & 0xFF, numbers >> 16 & 0xFF], axis=-1).astype(np.uint8)
    return _png(colours) + pack("f", frame.stamp) + pack("i", len(np.unique(numbers[numbers > 0])))


def _small(numbers: np.ndarray) -> np.ndarray:
    """Numbers of objects that fit into a colour, 1 and up; 0 for nothing."""
    return np.where(numbers < 0, 0, numbers % (_MOST_NUMBER - 1) + 1)


def get_names(drone: UedsDrone) -> bytes:
    """Names of things by those numbers."""
    objects = sorted(list(drone.door.simulation.scene.objects.values()), key=lambda item: item.number)
    body = b"".join(pack("it", int(_small(np.array(item.number))), item.name) for item in objects)
    return vector(body, len(objects))


# Adding and removing


def add_sensor(drone: UedsDrone, kind: int) -> bytes:
    """A sensor more."""
    return pack("i", drone.sensor_table.add(kind))


def remove_sensor(drone: UedsDrone, number: int) -> bytes:
    """A sensor less."""
    drone.sensor_table.remove(number)
    return b""


def list_sensors(drone: UedsDrone) -> bytes:
    """Numbers and kinds."""
    numbers, kinds = drone.sensor_table.listed()
    return vector(np.array(numbers, "<i4")) + vector(np.array(kinds, "<i4"))


def add_device(drone: UedsDrone, name: str, *values: Any) -> bytes:
    """A ready set of sensors at a place."""
    if name not in sensor_table.DEVICES:
        raise SimulationError(f"there is no device '{name}'; known: {', '.join(sensor_table.DEVICES)}")
    _, kind, make = sensor_table.DEVICES[name]
    number = drone.sensor_table.add(kind, make(values[:3], values[3:6]))
    return vector(np.array([number], "<i4")) + vector(np.array([kind], "<i4"))


def list_devices(drone: UedsDrone) -> bytes:
    """Names and descriptions."""
    names = b"".join(text(name) for name in sensor_table.DEVICES)
    words = b"".join(text(about) for about, *_ in sensor_table.DEVICES.values())
    return vector(names, len(sensor_table.DEVICES)) + vector(words, len(sensor_table.DEVICES))


def _setter(make: Callable[[tuple[Any, ...]], Any], *kinds: int) -> Callable[..., bytes]:
    def act(drone: UedsDrone, number: int, *values: Any) -> bytes:
        drone.sensor_table.set(number, make(values), *kinds)
        drone.door.studio.forget(drone.name)
        return b""

    return act


def _getter(tell: Callable[[Any], bytes], *kinds: int) -> Callable[..., bytes]:
    return lambda drone, number: tell(drone.sensor_table.find(number, *kinds))


def _sets(
    letters: str, get: int, name: str, setup: Any, tell: Callable[..., Any], make: Callable[..., Any], *kinds: int
) -> Table:
    """The two messages of a set-up."""
    longer = getattr(setup, "LONG", None)
    return {
        get: message(f"get_{name}", "i", _getter(tell, *kinds), tell(setup()), "now"),
        get + 1: message(
            f"set_{name}", "i" + letters, _setter(make, *kinds), where="now", longer=longer and "i" + longer
        ),
    }  # fmt: skip


def table() -> Table:
    """Messages of API 0.14."""
    scan = bytes(24) + _NONE + _ZERO
    picture = _NONE + _ZERO
    return {
        **before.modern((0, 13)),
        4: message("get_rgb_camera_data", "i", get_picture, picture, "now"),
        5: message("get_stereo_camera_data", "i", get_pair, _NONE + picture, "now"),
        9: message("get_lidar_data", "i", get_lidar, scan, "soon"),
        18: message("get_rgb_seg_camera_data", "i", get_segmented, picture, "now"),
        19: message("get_lidar_seg", "i", lambda d, n: get_lidar(d, n, "label"), scan, "soon"),
        22: message("get_lidar_int", "i", lambda d, n: get_lidar(d, n, "material"), scan, "soon"),
        23: message("get_rangefinder_data", "i", get_range, pack("f", -1.0), "soon"),
        24: message("add_sensor", "i", add_sensor, pack("i", -1), "now"),
        25: message("remove_sensor", "i", remove_sensor, where="now"),
        26: message("list_sensors", "", list_sensors, _NONE + _NONE, "now"),
        27: message("get_event_camera_data", "i", get_events, picture, "now"),
        30: message("get_fisheye_camera_data", "i", get_fisheye, picture, "now"),
        33: message("add_device", "tffffffb", add_device, _NONE + _NONE, "now"),
        34: message("list_devices", "", list_devices, _NONE + _NONE, "now"),
        35: message("get_instance_seg_data", "i", get_instances, picture + bytes(4), "now"),
        36: message("get_instance_map", "", get_names, _NONE),
        **_sets(Lidar14.LETTERS, 10, "lidar_config", Lidar14, lambda s: s.packed(), Lidar14.of14, *_LIDARS),
        **_sets(Camera14.LETTERS, 12, "rgb_camera_config", Camera14, Camera14.packed14, Camera14.of14, *_CAMERAS),
        **_sets(
            Stereo14.LETTERS14,
            14,
            "stereo_camera_config",
            Stereo14,
            Stereo14.packed14,
            Stereo14.of14,
            sensor_table.STEREO,
        ),
        **_sets(
            EventSetup.LETTERS,
            28,
            "event_camera_config",
            EventSetup,
            EventSetup.packed,
            EventSetup.of,
            sensor_table.EVENT,
        ),
        **_sets(
            FisheyeSetup.LETTERS,
            31,
            "fisheye_config",
            FisheyeSetup,
            FisheyeSetup.packed,
            FisheyeSetup.of,
            sensor_table.FISHEYE,
        ),
    }
