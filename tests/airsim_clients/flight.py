"""Every flight command of MultirotorClient, by what the drone does."""

import math
import time

from client import airsim
from common import PORT, distance, near, vector, wait_for

c = airsim.MultirotorClient(port=PORT)
c.confirmConnection()


def p():
    return vector(c.simGetVehiclePose().position)


def v():
    return vector(c.getMultirotorState().kinematics_estimated.linear_velocity)


def yaw():
    return math.degrees(airsim.to_eularian_angles(c.simGetVehiclePose().orientation)[2])


def off(a, b):
    return (a - b + 180) % 360 - 180


def rest():
    """Wait until it hangs still; its loops swing a little."""
    calm = 0
    while calm < 10:
        calm = calm + 1 if distance(v(), [0, 0, 0]) < 0.25 else 0
        time.sleep(0.02)


# Nobody has control yet
near(p()[2], -0.14, 0.01, "on the ground")
assert not c.isApiControlEnabled()
assert c.armDisarm(True) is False, "arming needs API control"
assert c.takeoffAsync().get() is False, "without control nothing moves"
near(p()[2], -0.14, 0.01, "still on the ground")
c.enableApiControl(True)
assert c.isApiControlEnabled()
assert c.armDisarm(True) is True
assert c.getMultirotorState().landed_state == airsim.LandedState.Landed

# Up
assert c.takeoffAsync(timeout_sec=20).get() is True
state = c.getMultirotorState()
assert state.landed_state == airsim.LandedState.Flying
near(p()[2], -2.14, 0.3, "takeoff")
try:
    c.moveByVelocityAsync(2, 0, 0, 30)
    wait_for(lambda: v()[0] > 1.5)
    c.takeoffAsync().get()
    raise AssertionError("takeoff while moving must be an error")
except Exception as error:
    assert "moving" in str(error), error
c.cancelLastTask()
c.hoverAsync().join()

# To places
assert c.moveToZAsync(-6, 2).get() is True
near(p()[2], -6, 0.4, "moveToZ")
assert c.moveToPositionAsync(4, -3, -7, 4).get() is True
assert distance(p(), [4, -3, -7]) < 0.5, p()
time.sleep(0.5)
assert distance(p(), [4, -3, -7]) < 0.4, "it stays there"
corners = [airsim.Vector3r(8, -3, -7), airsim.Vector3r(8, 3, -7), airsim.Vector3r(0, 3, -7)]
nose_first = airsim.YawMode(False, 0)
path = c.moveOnPathAsync(corners, 4, 120, airsim.DrivetrainType.ForwardOnly, nose_first, -1, 1)
highest = 0.0
future_yaw = None
while distance(p(), [0, 3, -7]) > 0.6:
    here = p()
    highest = max(highest, here[0])
    if here[1] > 2 and here[0] < 6:
        future_yaw = yaw()
    time.sleep(0.01)
assert path.get() is True
near(highest, 8.9, 0.7, "the far corner, past which its loops let it swing")
near(abs(future_yaw), 180, 20, "nose first on the way back")
try:
    c.moveOnPathAsync(corners, 4, 10, airsim.DrivetrainType.ForwardOnly, airsim.YawMode(True, 0), -1, 1).get()
    raise AssertionError("ForwardOnly with a rate must be an error")
except Exception as error:
    assert "ForwardOnly" in str(error), error
try:
    c.moveToPositionAsync(0, 0, -5, 3, lookahead=0).get()
    raise AssertionError("lookahead 0 must be an error")
except Exception as error:
    assert "lookahead" in str(error), error
home = c.getHomeGeoPoint()
here = c.getMultirotorState().gps_location
goal = c.moveToGPSAsync(home.latitude + 3e-5, home.longitude, home.altitude + 6, 3).get()
assert goal is True
near(p()[0], 3e-5 * 111_170, 0.5, "3e-5 degrees north")
near(p()[1], 0.0, 0.5, "moveToGPS east")
near(p()[2], -6, 0.5, "moveToGPS up")
near(here.altitude - home.altitude, 7, 0.6, "altitude grows upward")

# By velocity
a = p()
assert c.moveByVelocityAsync(0, 2, 0, 3).get() is True
b = p()
near(b[1] - a[1], 4.2, 0.5, "2 m/s for 3 s, reached with a time constant of 0.9 s")
near(b[2], a[2], 0.3, "level")
rest()
assert c.moveByVelocityZAsync(-2, 0, -4, 4).get() is True
near(p()[2], -4, 0.4, "height of moveByVelocityZ")
assert c.rotateToYawAsync(90).get() is True
near(off(yaw(), 90), 0, 5, "rotateToYaw")
rest()
a = p()
assert c.moveByVelocityBodyFrameAsync(2, 0, 0, 2).get() is True
b = p()
assert b[1] - a[1] > 2 and abs(b[0] - a[0]) < 0.5, "forward is east now"
assert c.moveByVelocityZBodyFrameAsync(0, 2, -5, 3).get() is True
assert p()[0] < b[0] - 2, "right is south now"
assert c.rotateByYawRateAsync(30, 2).get() is True
near(off(yaw(), 150), -6, 8, "30 deg/s for 2 s")
assert c.moveByVelocityAsync(0, 0, 0, 2, yaw_mode=airsim.YawMode(False, -90)).get() is True
wait_for(lambda: abs(off(yaw(), -90)) < 5, 5)
assert c.rotateToYawAsync(175).get() and abs(off(yaw(), 175)) < 5
assert c.rotateToYawAsync(-175).get() and abs(off(yaw(), -175)) < 5, "the short way over 180"
assert c.rotateToYawAsync(0).get()

# The next command pushes the one before aside, in order
first = c.moveByVelocityAsync(0, 0, -1, 30)
second = c.moveByVelocityAsync(0, 0, 1, 0.5)
assert first.get() is False and second.get() is True
many = [c.moveByVelocityZAsync(1, 0, -5, 10) for _ in range(100)]
last = c.moveByVelocityZAsync(-1, 0, -5, 1)
assert last.get() is True and not any(f.get() for f in many)
c.cancelLastTask()
task = c.moveToPositionAsync(100, 0, -5, 1)
c.cancelLastTask()
assert task.get() is False
assert c.moveToPositionAsync(100, 0, -5, 1, timeout_sec=0.5).get() is False, "out of time"
assert c.moveByVelocityAsync(1, 0, 0, 0).get() is True, "no time at all"

# By angles: the client's pitch is nose down, its yaw counter-clockwise
rest()
a = p()
assert c.moveByRollPitchYawZAsync(0, 0.15, 0, a[2], 2).get() is True
assert v()[0] > 1.0, ("nose down flies north", v())
near(p()[2], a[2], 0.5, "height")
c.hoverAsync().join()
rest()
assert c.moveByRollPitchYawrateZAsync(0.15, 0, 0, p()[2], 2).get() is True
assert v()[1] > 1.0, ("right side down flies east", v())
c.hoverAsync().join()
rest()
assert c.moveByRollPitchYawThrottleAsync(0, 0, 0, 0.7, 1).get() is True
assert v()[2] < -1, ("more throttle than hover climbs", v())
assert c.moveByRollPitchYawrateThrottleAsync(0, 0, 0, 0.5, 1).get() is True
assert v()[2] > -1.5, "less brings it down again"
c.hoverAsync().join()
rest()
a = yaw()
assert c.moveByAngleRatesZAsync(0, 0, -0.5, p()[2], 2).get() is True
near(off(yaw(), a), 57, 12, "0.5 rad/s clockwise for 2 s")
assert c.moveByAngleRatesThrottleAsync(0, 0, 0, 0.6, 0.5).get() is True
assert c.moveByAngleZAsync(0.05, 0.0, p()[2], 0.0, 0.5).get() is True
assert c.moveByAngleThrottleAsync(0.0, 0.0, 0.59, 0.0, 0.5).get() is True
c.hoverAsync().join()
rest()
assert c.moveByMotorPWMsAsync(0.66, 0.66, 0.66, 0.66, 0.8).get() is True
assert v()[2] < -0.5, ("all motors up climbs", v())
rotors = c.getRotorStates().rotors
assert len(rotors) == 4 and all(1 < r["thrust"] < 5 and r["speed"] > 100 for r in rotors), rotors
assert rotors[0]["torque_scaler"] * rotors[2]["torque_scaler"] < 0, "they turn against each other"
c.hoverAsync().join()

# By remote control
rc = airsim.RCData(pitch=-1.0, throttle=0.5, is_initialized=True, is_valid=True)
c.moveByRC(rc)
rest()
a = p()
assert c.moveByManualAsync(2, 2, -1, 2).get() is True
assert distance(p(), a) > 1.0, "sticks move it"
assert c.getMultirotorState().rc_data.is_valid
c.moveByRC(airsim.RCData())
for setter, gains in (
    (c.setAngleRateControllerGains, airsim.AngleRateControllerGains()),
    (c.setAngleLevelControllerGains, airsim.AngleLevelControllerGains()),
    (c.setVelocityControllerGains, airsim.VelocityControllerGains()),
    (c.setPositionControllerGains, airsim.PositionControllerGains()),
):
    setter(gains)

# Home and down
assert c.moveToPositionAsync(0, 0, -3, 4).get() is True
assert c.goHomeAsync(timeout_sec=2).get() is False, "half a metre a second takes longer"
assert c.landAsync().get() is True
assert c.getMultirotorState().landed_state == airsim.LandedState.Landed
near(p()[2], -0.14, 0.02, "landed")
assert c.armDisarm(False) is True
assert c.takeoffAsync().get() is False, "disarmed"

# After a reset control is gone, and comes back
c.reset()
assert distance(p(), [0, 0, -0.14]) < 0.02
assert not c.isApiControlEnabled()
c.enableApiControl(True)
assert c.takeoffAsync().get() is True, "armed by default"
print("done")
