"""What a drone's server does, by number: API 0.11 with depth, 0.13, and the thesis's dialect."""

from __future__ import annotations

from functools import partial

import numpy as np

from volery.protocols.ueds.codec import pack, vector
from volery.protocols.ueds.configs import LidarSetup, PictureSetup, StereoSetup
from volery.protocols.ueds.drone import UedsDrone
from volery.protocols.ueds.messages import Table, message
from volery.protocols.ueds.stencils import PALETTE
from volery.protocols.ueds.sweep import Swept
from volery.protocols.ueds.unreal import where
from volery.sensors.encode import encode

__all__ = ["modern", "thesis"]

_NOTHING = vector(b"")
_ZERO = pack("f", 0.0)
_MOVED = bytes(24 + 1 + 24)
_MOVED_BOTH = bytes(24 + 24 + 1 + 24)
_FARTHEST = 65_504.0
"""Largest half-precision number, told for the sky [cm]."""
_SHOWN = 100.0
"""Depth that is white in pictures of it [m]."""


# Moves


def _impact(swept: Swept) -> bytes:
    return pack("bfff", swept.hit, *(where(swept.impact_W) if swept.hit else (0.0, 0.0, 0.0)))


def get_location(drone: UedsDrone) -> bytes:
    """Where it is."""
    return pack("fff", *drone.location)


def set_location(drone: UedsDrone, x: float, y: float, z: float, stop: bool) -> bytes:
    """Go there, stopping at what is in the way if that is wanted."""
    swept = drone.go((x, y, z), None, stop)
    return pack("fff", *drone.location) + _impact(swept)


def get_rotation(drone: UedsDrone) -> bytes:
    """How it is turned."""
    return pack("fff", *drone.rotator)


def set_rotation(drone: UedsDrone, pitch: float, yaw: float, roll: float) -> bytes:
    """Turn."""
    swept = drone.turn((pitch, yaw, roll))
    return pack("fff", *drone.rotator) + _impact(swept)


def set_both(
    drone: UedsDrone, x: float, y: float, z: float, pitch: float, yaw: float, roll: float, stop: bool = True
) -> bytes:
    """Go there and turn."""
    swept = drone.go((x, y, z), (pitch, yaw, roll), stop)
    return pack("ffffff", *drone.location, *drone.rotator) + _impact(swept)


def set_both_later(
    drone: UedsDrone, x: float, y: float, z: float, pitch: float, yaw: float, roll: float, stop: bool
) -> bytes:
    """The same between two steps, without waiting; a hit is a crash for ever."""

    def go() -> None:
        if (move := drone.take_move()) is not None and drone.door.has(drone):
            drone.crashed |= drone.go(*move).hit

    # Only where it is told to be last counts: a move that was not begun is replaced.
    if drone.keep_move(((x, y, z), (pitch, yaw, roll), stop)):
        drone.door.soon(go, drone)
    return b""


# Rays


def get_lidar(drone: UedsDrone, tags: str = "", stamped: bool = False) -> bytes:
    """A scan."""
    scan, _ = drone.scan(tags)
    stamp = pack("f", drone.door.now()) if stamped else b""
    return pack("fff", *drone.lidar.offset) + scan.packed() + stamp


def get_lidar_old(drone: UedsDrone, tags: str = "") -> bytes:
    """A scan with the sensor's place in the world, as the thesis's clients know it."""
    scan, p_W = drone.scan(tags, drone.door.settings.thesis_rays)
    return pack("fff", *where(p_W)) + scan.packed()


def get_range(drone: UedsDrone) -> bytes:
    """The height above what is below."""
    return pack("f", drone.range())


# Pictures


def get_picture(drone: UedsDrone, stamped: bool = True) -> bytes:
    """The colour camera's, as JPEG."""
    frame = drone.picture("rgb", ("rgb",))
    return vector(encode(frame.views[0]["rgb"])) + (pack("f", frame.stamp) if stamped else b"")


def get_pair(drone: UedsDrone) -> bytes:
    """The two eyes', as JPEG."""
    frame = drone.pair()
    left, right = (vector(encode(view["rgb"])) for view in frame.views)
    return left + right + pack("f", frame.stamp)


def _stencils(drone: UedsDrone) -> tuple[np.ndarray, float]:
    frame = drone.picture("labels", ("labels", "instances"))
    view = frame.views[0]
    return PALETTE[drone.door.stencils.of_picture(view["labels"], view["instances"])], frame.stamp


def get_segmented(drone: UedsDrone) -> bytes:
    """Colours of classes, not encoded: blue, green, red."""
    picture, stamp = _stencils(drone)
    return vector(picture[..., ::-1].tobytes()) + pack("f", stamp)


def get_segmented_old(drone: UedsDrone) -> bytes:
    """The same as JPEG."""
    return vector(encode(_stencils(drone)[0], quality=100))


def get_depth(drone: UedsDrone) -> bytes:
    """Depth along the axis [cm] as bits of half-precision numbers."""
    frame = drone.picture("depth", ("depth_planar",))
    metres = np.minimum(np.nan_to_num(frame.views[0]["depth_planar"], nan=np.inf), _FARTHEST / 100.0)
    depth = np.minimum(metres * 100.0, _FARTHEST)
    return vector(depth.astype("<f2").reshape(-1)) + pack("f", frame.stamp)


def _share(drone: UedsDrone) -> np.ndarray:
    """Depth as a share of what is white, uint8 [h, w]."""
    depth = drone.picture("depth", ("depth_planar",)).views[0]["depth_planar"]
    return (np.clip(np.nan_to_num(depth, nan=np.inf) / _SHOWN, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def get_depth_old(drone: UedsDrone) -> bytes:
    """Depth in grey, white from 100 m on, as JPEG."""
    return vector(encode(np.repeat(_share(drone)[..., None], 3, axis=2), quality=95))


def get_depth_colours(drone: UedsDrone) -> bytes:
    """Depth in colours from red (near) to blue (far), as JPEG."""
    share = _share(drone)[..., None] / 255.0
    picture = np.clip(1.5 - np.abs(4.0 * share - [1.0, 2.0, 3.0]), 0.0, 1.0)
    return vector(encode((picture * 255.0 + 0.5).astype(np.uint8), quality=95))


# Set-up


def set_lidar(drone: UedsDrone, *values: object) -> bytes:
    """Set the lidar up."""
    drone.lidar = LidarSetup.of(values)
    return b""


def set_lidar_old(drone: UedsDrone, *values: object) -> bytes:
    """The same, in the thesis's dialect."""
    drone.lidar = LidarSetup.of_old(values)
    return b""


def set_camera(drone: UedsDrone, *values: object) -> bytes:
    """Set the colour camera up."""
    drone.camera = PictureSetup.of(values)
    drone.door.studio.forget(drone.name)
    return b""


def set_camera_old(drone: UedsDrone, *values: object) -> bytes:
    """The same, in the thesis's dialect."""
    drone.camera = drone.camera.old(values)
    drone.door.studio.forget(drone.name)
    return b""


def set_stereo(drone: UedsDrone, *values: object, apart: bool = False) -> bytes:
    """Set the two eyes up."""
    drone.stereo = StereoSetup.of_apart(values) if apart else StereoSetup.of(values)
    drone.door.studio.forget(drone.name)
    return b""


def set_line(drone: UedsDrone, visible: bool) -> bytes:
    """Kept."""
    drone.line_visible = visible
    return b""


def _nothing(drone: UedsDrone) -> bytes:
    return b""


def modern(api: tuple[int, int]) -> Table:
    """Messages of APIs 0.11 and 0.13."""
    new = api >= (0, 13)
    scan, empty = partial(get_lidar, stamped=new), bytes(24) + _NOTHING + (_ZERO if new else b"")
    stereo = StereoSetup.APART if new else StereoSetup.LETTERS
    told = (lambda d: d.stereo.packed_apart()) if new else (lambda d: d.stereo.packed())
    return {
        1: message("ping", "", _nothing, where="now"),
        2: message("get_location", "", get_location, bytes(24), "now"),
        3: message("set_location", "fffb", set_location, _MOVED, "soon"),
        4: message("get_rgb_camera_data", "", get_picture, _NOTHING + _ZERO, "now"),
        5: message("get_stereo_camera_data", "", get_pair, _NOTHING + _NOTHING + _ZERO, "now"),
        6: message("get_rotation", "", get_rotation, bytes(24), "now"),
        7: message("set_rotation", "fff", set_rotation, _MOVED, "soon"),
        8: message("set_location_and_rotation", "ffffffb", set_both, _MOVED_BOTH, "soon"),
        9: message("get_lidar_data", "", scan, empty, "soon"),
        10: message("get_lidar_config", "", lambda d: d.lidar.packed(), LidarSetup().packed(), "now"),
        11: message("set_lidar_config", LidarSetup.LETTERS, set_lidar, where="now"),
        12: message("get_rgb_camera_config", "", lambda d: d.camera.packed(), PictureSetup().packed(), "now"),
        13: message("set_rgb_camera_config", PictureSetup.LETTERS, set_camera, where="now"),
        14: message("get_stereo_camera_config", "", told, where="now"),
        15: message("set_stereo_camera_config", stereo, partial(set_stereo, apart=new), where="now"),
        16: message("get_move_line_visible", "", lambda d: pack("b", d.line_visible), bytes(1), "now"),
        17: message("set_move_line_visible", "b", set_line, where="now"),
        18: message("get_rgb_seg_camera_data", "", get_segmented, _NOTHING + _ZERO, "now"),
        19: message("get_lidar_seg", "", partial(scan, tags="label"), empty, "soon"),
        20: message("set_location_and_rotation_async", "ffffffb", set_both_later, where="now"),
        21: message("get_crash_state", "", lambda d: pack("b", d.crashed), bytes(1), "now"),
        22: message("get_lidar_int", "", partial(scan, tags="material"), empty, "soon"),
        23: message("get_rangefinder_data", "", get_range, pack("f", -1.0), "soon"),
        24: message("get_depth_camera_data", "", get_depth, _NOTHING + _ZERO, "now"),
    }


def thesis() -> Table:
    """Messages of the thesis's dialect, whose numbers were written in hexadecimal."""
    empty = bytes(24) + _NOTHING
    return {
        0x01: message("ping", "", _nothing, where="now"),
        0x02: message("get_location", "", get_location, bytes(24), "now"),
        0x03: message("set_location", "fffb", set_location, _MOVED, "soon"),
        0x04: message("get_camera_data", "", partial(get_picture, stamped=False), _NOTHING, "now"),
        0x05: message("get_rotation", "", get_rotation, bytes(24), "now"),
        0x06: message("set_rotation", "fff", set_rotation, _MOVED, "soon"),
        0x07: message("set_location_and_rotation", "ffffff", set_both, _MOVED_BOTH, "soon"),
        0x08: message("get_lidar_data", "", get_lidar_old, empty, "soon"),
        0x09: message("get_lidar_config", "", lambda d: d.lidar.packed_old(), LidarSetup().packed_old(), "now"),
        0x10: message("set_lidar_config", LidarSetup.OLD, set_lidar_old, where="now"),
        0x11: message("get_camera_config", "", lambda d: d.camera.packed_old(), PictureSetup().packed_old(), "now"),
        0x12: message(
            "set_camera_config", PictureSetup.OLD, set_camera_old, where="now", longer=PictureSetup.OLD + "ii"
        ),
        0x13: message("get_move_line_visible", "", lambda d: pack("b", d.line_visible), bytes(1), "now"),
        0x14: message("set_move_line_visible", "b", set_line, where="now"),
        0x15: message("get_depth_image", "", get_depth_old, _NOTHING, "now"),
        0x16: message("get_segmented_image", "", get_segmented_old, _NOTHING, "now"),
        0x17: message("get_lidar_seg", "", partial(get_lidar_old, tags="label"), empty, "soon"),
        0x18: message("get_depth_colour_image", "", get_depth_colours, _NOTHING, "now"),
    }
