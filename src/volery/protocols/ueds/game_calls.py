"""What the game mode's server does, by number: APIs 0.11, 0.13 and 0.14, and the thesis's dialect."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.errors import SimulationError
from volery.protocols.ueds.codec import pack, text, vector
from volery.protocols.ueds.levels import MESH_NAMES, NAMES, level_of
from volery.protocols.ueds.messages import Table, message
from volery.protocols.ueds.objects import planned
from volery.protocols.ueds.unreal import place_of
from volery.world.scene.edits import ASSETS

if TYPE_CHECKING:
    from volery.protocols.ueds.door import Mode

__all__ = ["modern", "thesis"]

_NO_PORT = pack("i", -1)


def _nothing(mode: Mode) -> bytes:
    return b""


# Drones


def get_drones(mode: Mode) -> bytes:
    """Ports of the drones that this mode's clients can speak with."""
    return vector(np.array(mode.ports(), "<i4"))


def spawn(mode: Mode) -> tuple[bytes, Future[None]]:
    """A drone at the start marker."""
    with mode.door.wire.away():
        origin = mode.door.game.origin()
    return _told(mode.spawn(origin, "x500"))


def spawn_at(mode: Mode, x: float, y: float, z: float, mesh: int | str) -> tuple[bytes, Future[None]]:
    """A drone somewhere; its mesh by number, since API 0.13 by name."""
    if isinstance(mesh, int) and not 0 <= mesh < len(MESH_NAMES):
        raise SimulationError(f"mesh {mesh}: 0 to {len(MESH_NAMES) - 1}")
    name = MESH_NAMES[mesh] if isinstance(mesh, int) else mesh
    place_of((x, y, z))
    return _told(mode.spawn((x, y, z), mode.door.game.robot_of(name)))


def _told(spawned: tuple[int, Future[None]]) -> tuple[bytes, Future[None]]:
    port, there = spawned
    return pack("i", port), there


def remove(mode: Mode, port: int) -> tuple[bytes, Future[None]]:
    """Take a drone away."""
    return b"", mode.remove(port)


def get_origin(mode: Mode) -> bytes:
    """The start marker."""
    with mode.door.wire.away():
        return pack("fff", *mode.door.game.origin())


# Settings


def _between(value: int, low: int, high: int, what: str) -> int:
    if not low <= value <= high:
        raise SimulationError(f"{what} {value}: {low} to {high}")
    return value


def set_capture(mode: Mode, capture: int) -> bytes:
    """Kept."""
    mode.door.game.capture = _between(capture, 0, 2, "capture mode")
    return b""


def set_graphics(mode: Mode, level: int) -> bytes:
    """The quality of pictures."""
    mode.door.game.graphics = _between(level, 0, 5, "graphics")
    return b""


def set_mutual(mode: Mode, on: bool) -> bytes:
    """Whether drones see and hit each other."""
    if not on and not mode.door.has_channel:
        raise SimulationError(
            f"this scenario has no channel '{mode.door.settings.channel}' to hide drones from each other"
        )
    mode.door.game.mutual = on
    return b""


# The level: answered first, done afterwards


def _want(mode: Mode, **level: Any) -> bytes:
    with mode.door.wire.away():
        mode.door.game.want(**level)
    mode.door.sure(mode.door.game.follow, "level")
    return b""


def switch(mode: Mode, world: int | str) -> bytes:
    """Another level."""
    if isinstance(world, str) and world not in NAMES:
        raise SimulationError(f"there is no level '{world}'; known: {', '.join(NAMES)}")
    done = _want(mode, level=world if isinstance(world, str) else level_of(world))
    mode.door.remove_all()
    return done


def set_density(mode: Mode, density: int) -> bytes:
    """Trees of the forest."""
    return _want(mode, density=_between(density, 1, 10, "density"))


def set_hills(mode: Mode, hills: int) -> bytes:
    """Hills of the forest; 0 is as flat as 1."""
    return _want(mode, hills=max(_between(hills, 0, 5, "hilly level"), 1))


def set_weather(mode: Mode, number: int) -> tuple[bytes, Future[None]]:
    """Weather by number."""
    game = mode.door.game
    game.checked_weather(number)
    return b"", mode.door.sure(lambda: game.set_weather(number), "weather")


def set_daytime(mode: Mode, hour: int, minute: int) -> tuple[bytes, Future[None]]:
    """The time of day."""
    if not (0 <= hour <= 24 and 0 <= minute < 60):
        raise SimulationError(f"{hour}:{minute} is no time of day")
    return b"", mode.door.sure(lambda: mode.door.game.set_daytime(hour + minute / 60.0), "daytime")


# Objects, since API 0.13


def read_objects(mode: Mode, yaml: str) -> tuple[Any]:
    """What is described; read by the client's own thread, since that may take longer than a step."""
    with mode.door.wire.away():
        try:
            return (planned(yaml),)
        except SimulationError as error:
            return (error,)


def spawn_objects(mode: Mode, plans: list[dict[str, Any]] | SimulationError) -> bytes:
    """Things of a description; numbers of what was made, and what was wrong."""
    try:
        if isinstance(plans, SimulationError):
            raise plans
        return vector(np.array(mode.door.objects.spawn(plans), "<i4")) + text("")
    except SimulationError as error:
        return vector(np.zeros(0, "<i4")) + text(str(error))


def remove_object(mode: Mode, number: int) -> bytes:
    """Take a thing away, or all with a negative number; how many went."""
    return pack("i", mode.door.objects.remove(number))


# Objects, since API 0.14


def move_object(mode: Mode, number: int, *values: float) -> bytes:
    """Put a thing elsewhere: position [m], roll, pitch, yaw [deg], scale."""
    mode.door.objects.move(number, values[:3], values[3:6], values[6:9])
    return b""


def list_objects(mode: Mode) -> bytes:
    """Things with assets, stencils and places."""
    found = mode.door.objects.listed()
    return vector(b"".join(pack("iti" + "f" * 9, *row) for row in found), len(found))


def export_scene(mode: Mode) -> bytes:
    """Things as a description that `spawn_objects_from_yaml` takes."""
    return text(mode.door.objects.exported())


def list_assets(mode: Mode, path: str, wanted: str) -> bytes:
    """Names of assets that hold a word; all of them lie in one place here."""
    names = [name for name in ASSETS if wanted.lower() in name.lower()]
    return vector(b"".join(text(name) for name in names), len(names)) + pack("b", False)


def thesis() -> Table:
    """Messages that were there from the beginning."""
    return {
        1: message("ping", "", _nothing, where="now"),
        2: message("get_drones", "", get_drones, vector(b""), "now"),
        3: message("spawn_drone", "", spawn, _NO_PORT, "sure"),
        4: message("remove_drone", "i", remove, where="sure"),
        5: message("get_camera_capture_mode", "", lambda m: pack("h", m.door.game.capture), bytes(2), "now"),
        6: message("set_camera_capture_mode", "h", set_capture, where="now"),
        7: message("get_fps", "", lambda m: pack("F", m.door.fps()), bytes(4), "now"),
    }


def modern(api: tuple[int, int]) -> Table:
    """Messages of APIs 0.11 to 0.14; two of the original's replies bear another type than their request."""
    mesh, level = ("t", "t") if api >= (0, 13) else ("i", "s")
    table = {
        **thesis(),
        8: message("get_time", "", lambda m: pack("f", m.door.now()), bytes(8), "now"),
        9: message("get_api_version", "", lambda m: pack("ii", *api), bytes(8), "now"),
        10: message("set_graphics_settings", "i", set_graphics, where="now"),
        11: message("switch_world_level", level, switch, where="now"),
        12: message("set_forest_density", "i", set_density, where="now"),
        13: message("set_forest_hilly_level", "i", set_hills, where="now"),
        14: message("get_world_origin", "", get_origin, bytes(24), "now"),
        15: message("spawn_drone_at_location", "fff" + mesh, spawn_at, _NO_PORT, "sure", code=3),
        16: message("set_weather", "i", set_weather, where="sure"),
        17: message("set_daytime", "ii", set_daytime, where="sure", code=16),
        18: message("set_mutual_visibility", "b", set_mutual, where="now"),
    }
    if api >= (0, 13):
        busy = vector(b"") + text("busy; ask again")
        table[19] = message("spawn_objects_from_yaml", "t", spawn_objects, busy, before=read_objects)
        table[20] = message("remove_spawned_object", "i", remove_object, bytes(4))
    if api >= (0, 14):
        table[21] = message("move_spawned_object", "i" + "f" * 9, move_object)
        table[22] = message("list_spawned_objects", "", list_objects, vector(b""))
        table[23] = message("export_scene", "", export_scene, text(""))
        table[24] = message("list_assets", "tt", list_assets, vector(b"") + bytes(1), "now")
    return table
