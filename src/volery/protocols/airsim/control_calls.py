"""Calls about the connection, who has control, time, and vehicles that come."""

from __future__ import annotations

import logging
import math
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from volery.core.frames import euler_from_quat
from volery.errors import SimulationError
from volery.protocols.airsim.arguments import NedPose, colour, finite, finite_pose, flag, number, rpc, text, whole
from volery.protocols.airsim.ned import geo_map, to_enu
from volery.protocols.airsim.object_calls import check_room
from volery.protocols.airsim.settings import VehicleSettings, vehicle_kind, vehicle_sensors

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

_log = logging.getLogger("volery")
SERVER_VERSION, LEAST_CLIENT = 4, 1
"""What clients of AirSim (1) and Cosys-AirSim (4) are pleased with."""
_ROOM = {"drone": 1.0, "car": 6.0, "eye": 0.0}
"""Distance to others that a vehicle needs to come in [m]."""
_LONGEST = 1e6
"""Most simulated time that can be run at once [s]."""


@rpc("ping", where="now")
def ping(door: AirSim) -> bool:
    """Whether anybody is there."""
    return True


@rpc("getServerVersion", where="now")
def server_version(door: AirSim) -> int:
    """Of the protocol."""
    return SERVER_VERSION


@rpc("getMinRequiredClientVersion", where="now")
def least_client(door: AirSim) -> int:
    """Oldest client that works."""
    return LEAST_CLIENT


@rpc("getSettingsString", where="now")
def settings_string(door: AirSim) -> str:
    """The settings.json as it was read."""
    return door.settings.text


@rpc("listVehicles", where="now")
def list_vehicles(door: AirSim) -> list[str]:
    """Names of all vehicles."""
    return sorted(door.vehicles)


@rpc("reset")
def reset(door: AirSim) -> None:
    """All vehicles back to their start."""
    door.reset()


@rpc("enableApiControl", flag, text)
def enable_api(door: AirSim, on: bool, vehicle: str) -> None:
    """Let clients command a vehicle, or not."""
    door.controlled(vehicle).set_api(on)


@rpc("isApiControlEnabled", text, where="now")
def is_api(door: AirSim, vehicle: str) -> bool:
    """Whether clients command a vehicle."""
    return door.controlled(vehicle).api


@rpc("armDisarm", flag, text)
def arm(door: AirSim, on: bool, vehicle: str) -> bool:
    """Let motors turn, or stop them."""
    return door.controlled(vehicle).arm(on)


@rpc("cancelLastTask", text, least=0)
def cancel(door: AirSim, vehicle: str = "") -> None:
    """End what a drone does."""
    found = door.controlled(vehicle)
    if hasattr(found, "cancel"):
        found.cancel()


@rpc("getHomeGeoPoint", text, where="now")
def home(door: AirSim, vehicle: str) -> dict[str, float]:
    """Where on Earth a vehicle began."""
    return geo_map(door.geo(door.controlled(vehicle).home_W))


@rpc("simPause", flag)
def pause(door: AirSim, on: bool) -> None:
    """Hold the clock or let it go on."""
    if on:
        door.loop.pause()
    else:
        door.loop.resume()


@rpc("simIsPaused", where="now")
def is_paused(door: AirSim) -> bool:
    """Whether the clock is held."""
    return door.loop.paused


@rpc("simContinueForTime", number)
def run_for_time(door: AirSim, seconds: float) -> Future[Any] | None:
    """Run for exactly so much simulated time, then hold the clock; answered when that is done."""
    if not 0.0 <= seconds <= _LONGEST:
        raise SimulationError(f"{seconds:g} s: must be 0 to {_LONGEST:g}")
    steps = math.ceil(seconds / door.step - 1e-6)
    return run_for_frames(door, steps)


@rpc("simContinueForFrames", whole)
def run_for_frames(door: AirSim, frames: int) -> Future[Any] | None:
    """Run for so many steps of the clock, then hold it; answered when that is done."""
    if not 0 <= frames <= _LONGEST / door.step:
        raise SimulationError(f"{frames} frames: must be 0 or more, and at most {_LONGEST:g} s")
    if frames == 0:
        door.loop.pause()
        return None
    return _without_result(door.run_for(frames))


def _without_result(future: Future[Any]) -> Future[Any]:
    """The same future, with nothing to tell."""
    told: Future[Any] = Future()
    future.add_done_callback(lambda _: told.set_result(None))
    return told


@rpc("simPrintLogMessage", text, text, whole, where="now")
def print_message(door: AirSim, message: str, parameter: str, severity: int) -> None:
    """A line in the log."""
    level = {1: logging.INFO, 2: logging.WARNING}.get(severity, logging.INFO)
    _log.log(level, "AirSim: %s%s", message[:1000], parameter[:1000])


@rpc("simRunConsoleCommand", text, where="now")
def console(door: AirSim, command: str) -> bool:
    """Unreal's console is not here: nothing is done, and that is said."""
    _log.info("AirSim: the console command '%s' means nothing here", command[:200])
    return False


@rpc("simAddVehicle", text, text, finite_pose, text, least=3)
def add_vehicle(door: AirSim, name: str, kind: str, pose: NedPose, pawn: str = "") -> bool:
    """A vehicle more, at a pose in world NED, or to the east of it where others stand already."""
    check_room(door)
    base = VehicleSettings(name, vehicle_kind(kind))
    roll, pitch, yaw = np.degrees(euler_from_quat(pose.q_wxyz)).tolist()
    p = pose.p.copy()
    while any(
        np.linalg.norm(v.robot.p_WB - door.origin_W - to_enu(p)) < _ROOM[base.kind] for v in door.vehicles.values()
    ):
        p[1] += _ROOM[base.kind]
    door.add(replace(
        base, position=tuple(p.tolist()), attitude_deg=(roll, pitch, yaw),
        sensors=vehicle_sensors(base.kind, [], door.settings.default_sensors),
    ))  # fmt: skip
    return True


@rpc("simLoadLevel", text)
def load_level(door: AirSim, level: str) -> bool:
    """Worlds are chosen by the scenario: only the one that is there can be loaded."""
    known = door.simulation.scenario.world_type
    if level.lower() != known.lower():
        raise SimulationError(f"there is no level '{level}' in this run, only '{known}'; start another scenario for it")
    door.reset()
    return True


@rpc("simSetTraceLine", colour, finite, text)
def trace(door: AirSim, rgba: tuple[float, float, float, float], thickness: float, vehicle: str) -> None:
    """Draw a line behind a vehicle."""
    door.vehicle(vehicle).trace = (rgba, thickness)
