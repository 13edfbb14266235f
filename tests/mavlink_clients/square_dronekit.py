"""DroneKit flies a square: python square_dronekit.py PORT; the vehicle tells that port from the beginning."""

import math
import sys
import time

from dronekit import Command, LocationGlobalRelative, VehicleMode, connect
from pymavlink import mavutil

SIDE, HEIGHT = 20.0, 6.0


def until(condition, what):
    end = time.time() + 120
    while not condition():
        assert time.time() < end, what
        time.sleep(0.1)


vehicle = connect(f"127.0.0.1:{sys.argv[1]}", wait_ready=True, heartbeat_timeout=60)
until(lambda: vehicle.is_armable, "it is not armable")
vehicle.mode = VehicleMode("GUIDED")
until(lambda: vehicle.mode.name == "GUIDED", "no guided mode")
vehicle.armed = True
until(lambda: vehicle.armed, "it does not arm")
vehicle.simple_takeoff(HEIGHT)
until(lambda: vehicle.location.global_relative_frame.alt > HEIGHT * 0.95, "it does not take off")

# A short way by hand first, then the square.
start = vehicle.location.global_relative_frame
north = math.degrees(SIDE / 6_370_000)
east = north / math.cos(math.radians(start.lat))
vehicle.simple_goto(LocationGlobalRelative(start.lat, start.lon + 0.25 * east, HEIGHT))
until(lambda: vehicle.location.global_relative_frame.lon > start.lon + 0.22 * east, "it does not go")

cmds = vehicle.commands
cmds.download()
cmds.wait_ready()
cmds.clear()
for n, e in [(0, 1), (1, 1), (1, 0), (0, 0)]:
    where = (start.lat + n * north, start.lon + e * east, HEIGHT)
    frame, kind = mavutil.mavlink.MAV_FRAME_GLOBAL_RELATIVE_ALT, mavutil.mavlink.MAV_CMD_NAV_WAYPOINT
    cmds.add(Command(0, 0, 0, frame, kind, 0, 0, 0, 0, 0, 0, *where))
cmds.add(
    Command(
        0,
        0,
        0,
        mavutil.mavlink.MAV_FRAME_GLOBAL_RELATIVE_ALT,
        mavutil.mavlink.MAV_CMD_NAV_LAND,
        0,
        0,
        0,
        0,
        0,
        0,
        start.lat,
        start.lon,
        0,
    )
)
cmds.upload()
cmds.download()
cmds.wait_ready()
assert len(cmds) == 5, len(cmds)
vehicle.commands.next = 0
vehicle.mode = VehicleMode("AUTO")
until(lambda: not vehicle.armed, "it does not land")
vehicle.close()
print("done")
