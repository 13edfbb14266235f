"""MAVSDK flies a square: python square_mavsdk.py PORT; the vehicle tells that port from the beginning."""

import asyncio
import math
import socket
import sys

from mavsdk import System
from mavsdk.mission import MissionItem, MissionPlan

SIDE, HEIGHT = 20.0, 6.0
NONE = float("nan")


def item(latitude, longitude, height, speed=5.0):
    camera, vehicle = MissionItem.CameraAction.NONE, MissionItem.VehicleAction.NONE
    return MissionItem(
        latitude, longitude, height, speed, False, NONE, NONE, camera, 0.0, NONE, 1.0, NONE, NONE, vehicle
    )


async def fly():
    # A port of its own for the server that comes with it: another client may run on this machine.
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    drone = System(port=port)
    await drone.connect(system_address=f"udpin://127.0.0.1:{sys.argv[1]}")
    async for state in drone.core.connection_state():
        if state.is_connected:
            break
    async for health in drone.telemetry.health():
        if health.is_global_position_ok and health.is_home_position_ok and health.is_armable:
            break
    async for home in drone.telemetry.home():
        break
    north = math.degrees(SIDE / 6_370_000)
    east = north / math.cos(math.radians(home.latitude_deg))
    corners = [(0, 1), (1, 1), (1, 0), (0, 0)]
    lat, lon = home.latitude_deg, home.longitude_deg
    plan = MissionPlan([item(lat + n * north, lon + e * east, HEIGHT) for n, e in corners])
    await drone.mission.set_return_to_launch_after_mission(False)
    await drone.mission.upload_mission(plan)
    back = await drone.mission.download_mission()
    assert len(back.mission_items) == 4, back
    await drone.action.set_takeoff_altitude(HEIGHT)
    await drone.action.arm()
    await drone.action.takeoff()
    async for position in drone.telemetry.position():
        if position.relative_altitude_m > HEIGHT - 0.5:
            break
    await drone.mission.start_mission()
    async for progress in drone.mission.mission_progress():
        if progress.current == progress.total:
            break
    assert await drone.mission.is_mission_finished()
    await drone.action.land()
    async for armed in drone.telemetry.armed():
        if not armed:
            break
    async for state in drone.telemetry.in_air():
        if not state:
            break
    print("done")


asyncio.run(fly())
