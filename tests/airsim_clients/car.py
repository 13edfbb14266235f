"""CarClient: throttle, brake, steering, gears, state, collision, pause and reset."""

import time

from client import airsim
from common import PORT, distance, near, vector, wait_for

c = airsim.CarClient(port=PORT)
c.confirmConnection()
assert c.listVehicles() == ["Car1"]
state = c.getCarState()
near(state.speed, 0, 0.1, "at rest")
near(state.kinematics_estimated.position.z_val, 0, 0.1, "on the ground")
assert c.simGetCollisionInfo().has_collided is False, "wheels on the ground do not count"

# Without control nothing moves
controls = airsim.CarControls(throttle=0.6)
c.setCarControls(controls)
time.sleep(0.5)
near(c.getCarState().speed, 0, 0.1, "no control")
c.enableApiControl(True)
assert c.isApiControlEnabled() and c.armDisarm(True) is True


def moving(speed):
    return wait_for(lambda: c.getCarState().speed > speed)


# Straight ahead
c.setCarControls(controls)
assert c.getCarControls().throttle == 0.6
assert moving(5), c.getCarState()
state = c.getCarState()
assert state.gear >= 1 and 0 < state.rpm <= state.maxrpm
position = state.kinematics_estimated.position
assert position.x_val > 1 and abs(position.y_val) < 0.3, ("straight north", position)

# Brake
c.setCarControls(airsim.CarControls(brake=1.0))
assert wait_for(lambda: abs(c.getCarState().speed) < 0.2)

# Back
back = airsim.CarControls(throttle=-0.5, is_manual_gear=True, manual_gear=-1)
c.setCarControls(back)
assert wait_for(lambda: c.getCarState().speed < -2)
assert c.getCarState().gear == -1
c.setCarControls(airsim.CarControls(brake=1.0))
assert wait_for(lambda: abs(c.getCarState().speed) < 0.2)

# To the right
c.setCarControls(airsim.CarControls(throttle=0.4, steering=1.0))
assert wait_for(lambda: airsim.to_eularian_angles(c.simGetVehiclePose().orientation)[2] > 0.7), (
    "positive steering turns right"
)
c.setCarControls(airsim.CarControls(handbrake=True))
assert wait_for(lambda: abs(c.getCarState().speed) < 0.3)
assert c.getCarState().handbrake is True

# Held time
c.setCarControls(airsim.CarControls(throttle=0.5))
c.simPause(True)
a = vector(c.getCarState().kinematics_estimated.position)
time.sleep(0.3)
assert vector(c.getCarState().kinematics_estimated.position) == a
c.simPause(False)

# Back to the start; control stays
c.reset()
assert c.isApiControlEnabled()
assert distance(vector(c.getCarState().kinematics_estimated.position), [0, 0, 0]) < 0.15
assert c.getCarControls().throttle == 0.0

# What it sees and feels
images = c.simGetImages(
    [airsim.ImageRequest("0", airsim.ImageType.DepthPlanar, True), airsim.ImageRequest("fpv", airsim.ImageType.Scene)]
)
near(images[0].image_data_float[144 // 2 * 256 + 128], 33 - 2.0, 0.5, "the wall ahead of the front camera")
near(images[0].camera_position.z_val, -1.0, 0.15, "camera height")
gps = c.getGpsData()
assert wait_for(lambda: c.getGpsData().is_valid)
lidar = c.getLidarData("lidar")
assert wait_for(lambda: len(c.getLidarData("lidar").point_cloud) > 300)
try:
    c.getImuData()
    raise AssertionError("this car has no IMU")
except Exception as error:
    assert "IMU" in str(error), error
try:
    c.client.call("takeoff", 20.0, "Car1")
    raise AssertionError("cars do not fly")
except Exception as error:
    assert "fly" in str(error), error

# Into the wall
c.setCarControls(airsim.CarControls(throttle=1.0))
assert wait_for(lambda: c.simGetCollisionInfo().has_collided, 60), c.getCarState()
hit = c.simGetCollisionInfo()
assert "Cube" in hit.object_name, hit.object_name
near(c.getCarState().kinematics_estimated.position.x_val, 33 - 2.15, 1.5, "the bumper is at the wall")

# Another comes
assert c.simAddVehicle("Car2", "physxcar", airsim.Pose(airsim.Vector3r(-10, 0, 0), airsim.Quaternionr(0, 0, 0, 0)), "")
c.enableApiControl(True, "Car2")
c.setCarControls(airsim.CarControls(throttle=0.5), "Car2")
assert wait_for(lambda: c.getCarState("Car2").speed > 2)
print("done")
