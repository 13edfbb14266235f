"""State, sensors, collisions, time, and vehicles that come, through VehicleClient's methods."""

import math
import time

from client import COSYS, airsim
from common import PORT, distance, near, vector, wait_for

c = airsim.MultirotorClient(port=PORT)
c.confirmConnection()
assert c.ping() is True
assert c.getServerVersion() >= 1 and c.getMinRequiredClientVersion() <= c.getClientVersion()
assert c.getMinRequiredServerVersion() <= c.getServerVersion()
assert '"Drone1"' in c.getSettingsString()
assert c.listVehicles() == ["Drone1", "Drone2"]

# Each counts from its own start; the second began 8 m to the east, turned by 90 degrees
for name in ("Drone1", "Drone2"):
    assert distance(vector(c.simGetVehiclePose(name).position), [0, 0, -0.14]) < 0.02
near(math.degrees(airsim.to_eularian_angles(c.simGetVehiclePose("Drone2").orientation)[2]), 90, 0.5, "spawn yaw")
assert distance(vector(c.simGetObjectPose("Drone2").position), [0, 8, -0.14]) < 0.02, "world NED"
home, other = c.getHomeGeoPoint("Drone1"), c.getHomeGeoPoint("Drone2")
near(home.latitude, 47.641468, 1e-7, "origin")
near((other.longitude - home.longitude) * 111_320 * math.cos(math.radians(47.64)), 8, 0.05, "8 m east")
try:
    c.getMultirotorState("Drone3")
    raise AssertionError("an unknown vehicle must be an error")
except Exception as error:
    assert "Drone3" in str(error) and "not available" in str(error), error

# Sensors at rest
for name in ("Drone1", "Drone2"):
    c.enableApiControl(True, name)
    c.armDisarm(True, name)
assert wait_for(lambda: c.getGpsData(vehicle_name="Drone1").gnss.fix_type == 3)
imu = c.getImuData(vehicle_name="Drone1")
near(imu.linear_acceleration.z_val, -9.81, 0.2, "gravity is felt upwards")
assert abs(imu.angular_velocity.x_val) < 0.05 and abs(imu.orientation.w_val) > 0.999
baro = c.getBarometerData(vehicle_name="Drone1")
near(baro.altitude, 122, 30, "barometer")
near(baro.pressure, 99_870, 400, "pressure at 122 m")
field = vector(c.getMagnetometerData(vehicle_name="Drone1").magnetic_field_body)
near(distance(field, [0, 0, 0]), 0.53, 0.1, "Gauss near Seattle")
assert field[0] > 0.1 and field[2] > 0.3, ("north and down", field)
gps = c.getGpsData(vehicle_name="Drone1")
near(gps.gnss.geo_point.latitude, 47.641468, 1e-6, "GPS")
assert gps.is_valid and gps.gnss.eph < 3
assert c.getDistanceSensorData("below", "Drone1").distance < 0.9, "the ground is near (noise 0.2 m)"
try:
    c.getDistanceSensorData("nope", "Drone1")
    raise AssertionError("a sensor that is not there must be an error")
except Exception as error:
    assert "nope" in str(error), error
air = c.simGetGroundTruthEnvironment("Drone1")
near(air.air_density, 1.21, 0.03, "air density")
near(air.gravity.z_val, 9.81, 0.01, "gravity")
near(air.temperature, 287.4, 1, "temperature")

# In the air
assert c.takeoffAsync(vehicle_name="Drone1").get() is True
c.moveToZAsync(-10, 3, vehicle_name="Drone1").join()
near(c.getDistanceSensorData("below", "Drone1").distance, 10, 1.2, "the ground is far")
near(c.getBarometerData(vehicle_name="Drone1").altitude - baro.altitude, 10, 8, "higher")
lidar = c.getLidarData("LidarSensor1", "Drone1")
assert len(lidar.point_cloud) % 3 == 0 and len(lidar.point_cloud) > 3000
assert len(lidar.segmentation) == len(lidar.point_cloud) // 3
if not COSYS:
    assert c.simGetLidarSegmentation("LidarSensor1", "Drone1")
points = [lidar.point_cloud[i : i + 3] for i in range(0, len(lidar.point_cloud), 3)]
ground = [q for q in points if abs(q[2]) < 0.05]
assert len(ground) > 0.7 * len(points), "in the vehicle's inertial frame most points are on the ground"
local = c.getLidarData("LidarSensor2", "Drone1")
pose = local.pose
near(pose.position.z_val, -10, 0.5, "where the lidar is")
below = [local.point_cloud[i : i + 3] for i in range(0, len(local.point_cloud), 3)]
assert all(q[2] > 1 for q in below if abs(q[0]) < 8), "in the sensor's frame the ground is below"
state = c.simGetGroundTruthKinematics("Drone1")
assert distance(vector(state.position), vector(c.simGetVehiclePose("Drone1").position)) < 0.2

# Several at once
f1 = c.moveToPositionAsync(5, 0, -10, 3, vehicle_name="Drone1")
f2 = c.takeoffAsync(vehicle_name="Drone2")
assert c.ping()
assert f1.get() is True and f2.get() is True

# Put elsewhere
pose = airsim.Pose(airsim.Vector3r(2, 3, -5), airsim.to_quaternion(0, 0, 1.0))
c.simSetVehiclePose(pose, True, "Drone2")
got = c.simGetVehiclePose("Drone2")
assert distance(vector(got.position), [2, 3, -5]) < 0.3
near(airsim.to_eularian_angles(got.orientation)[2], 1.0, 0.1, "yaw")
c.simSetVehiclePose(
    airsim.Pose(airsim.Vector3r(float("nan"), float("nan"), -6), airsim.Quaternionr(float("nan"), 0, 0, 0)),
    True,
    "Drone2",
)
got = vector(c.simGetVehiclePose("Drone2").position)
assert distance(got, [2, 3, -6]) < 0.5, ("NaN keeps", got)
wanted = airsim.KinematicsState()
wanted.position, wanted.orientation = airsim.Vector3r(0, 0, -8), airsim.to_quaternion(0, 0, 0)
wanted.linear_velocity = airsim.Vector3r(0.5, 0, 0)
wanted.angular_velocity = wanted.linear_acceleration = wanted.angular_acceleration = airsim.Vector3r()
c.simSetKinematics(wanted, True, "Drone2")
assert distance(vector(c.simGetGroundTruthKinematics("Drone2").position), [0, 0, -8]) < 0.5

# Time: held, and on by exact amounts
c.hoverAsync("Drone1").join()
c.simPause(True)
assert c.simIsPause() is True
t0 = c.getMultirotorState("Drone1").timestamp
time.sleep(0.2)
assert c.getMultirotorState("Drone1").timestamp == t0
c.simContinueForTime(0.35)
assert c.getMultirotorState("Drone1").timestamp - t0 == 350_000_000
c.simContinueForFrames(7)
assert c.getMultirotorState("Drone1").timestamp - t0 == 420_000_000
task = c.moveByVelocityAsync(1, 0, 0, 0.5, vehicle_name="Drone1")
c.simContinueForTime(0.6)
assert task.get() is True and c.simIsPause()
c.simPause(False)
assert wait_for(lambda: c.getMultirotorState("Drone1").timestamp - t0 > 1.2e9)

# Wind pushes
c.simSetWind(airsim.Vector3r(0, 9, 0))
assert c.moveByRollPitchYawZAsync(0, 0, 0, -10, 4, vehicle_name="Drone1").get() is True
assert c.getMultirotorState("Drone1").kinematics_estimated.linear_velocity.y_val > 0.2, "drifts with the wind"
c.simSetWind(airsim.Vector3r(0, 0, 0))

# Into a wall: told once, and motors go on
assert c.moveToPositionAsync(5, 0, -4, 4, vehicle_name="Drone1").get() is True
c.simGetCollisionInfo("Drone1")
assert c.simGetCollisionInfo("Drone1").has_collided is False, "asking clears it"
ram = c.moveByVelocityAsync(8, 0, 0, 6, vehicle_name="Drone1")
assert wait_for(lambda: c.getMultirotorState("Drone1").collision.has_collided, 40), "the wall of cubes is 35 m north"
hit = c.simGetCollisionInfo("Drone1")
assert "Cube" in hit.object_name, hit.object_name
assert hit.normal.x_val < -0.7, "the wall pushes back south"
near(hit.impact_point.x_val, 33, 1.5, "where the wall is")
assert hit.object_id >= 0 and hit.time_stamp > 0
assert ram.get() is True, "nothing stops it"
assert c.moveToPositionAsync(5, 0, -4, 4, vehicle_name="Drone1").get() is True, "it flies on"
assert distance(vector(c.simGetVehiclePose("Drone1").position), [5, 0, -4]) < 0.5
c.reset()
c.enableApiControl(True, "Drone1")
assert c.takeoffAsync(vehicle_name="Drone1").get() is True, "after a reset"

# One more
assert c.simAddVehicle("Drone3", "simpleflight", airsim.Pose(airsim.Vector3r(-8, 0, 0), airsim.Quaternionr(0, 0, 0, 0)))
assert c.listVehicles() == ["Drone1", "Drone2", "Drone3"]
c.enableApiControl(True, "Drone3")
assert c.takeoffAsync(vehicle_name="Drone3").get() is True
assert distance(vector(c.simGetObjectPose("Drone3").position), [-8, 0, -2.14]) < 0.4
try:
    c.simAddVehicle("Drone4", "submarine", airsim.Pose())
    raise AssertionError("an unknown kind must be an error")
except Exception as error:
    assert "submarine" in str(error), error

# Sight
ahead = c.getHomeGeoPoint("Drone1")
far = airsim.GeoPoint()
far.latitude, far.longitude, far.altitude = ahead.latitude + 50 / 111_170, ahead.longitude, ahead.altitude + 3
assert c.simTestLineOfSightToPoint(far, "Drone1") is False, "the wall is between"
far.altitude = ahead.altitude + 60
assert c.simTestLineOfSightToPoint(far, "Drone1") is True
low = airsim.GeoPoint()
low.latitude, low.longitude, low.altitude = ahead.latitude, ahead.longitude, ahead.altitude + 2
far.altitude = ahead.altitude + 3
assert c.simTestLineOfSightBetweenPoints(low, far) is False
corners = c.simGetWorldExtents()
assert corners[0].latitude < ahead.latitude < corners[1].latitude and corners[1].altitude > ahead.altitude + 3
c.simPrintLogMessage("a line", " and more", 1)
assert c.simRunConsoleCommand("stat fps") is False
assert c.simLoadLevel("blocks") is True
print("done")
