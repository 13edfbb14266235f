"""What only Cosys-AirSim's client has: echoes, GPU lidars, instances, annotation, raw physics."""

import cosysairsim as airsim
import numpy as np
from common import PORT, distance, near, vector, wait_for

c = airsim.MultirotorClient(port=PORT)
c.confirmConnection()
c.enableApiControl(True)
assert c.takeoffAsync().get() is True
assert c.moveToPositionAsync(27, 0, -3, 5).get() is True
assert c.hoverAsync().get() is not None

# An echo: the wall 6 m ahead sends it back, square on
echo = c.getEchoData("echo")
rows = np.array(echo.point_cloud).reshape(-1, 6)
assert len(rows) > 0 and len(echo.groundtruth) == len(rows)
first = rows[rows[:, 5] == 1]
nearest = first[np.argmin(first[:, 4])]
front = first[np.abs(first[:, 1]) < 0.8]
assert any("Cube" in name for name in echo.groundtruth), set(echo.groundtruth)
near(front[:, 0].max(), 33 - c.simGetVehiclePose().position.x_val, 0.5, "the wall, in the sensor's axes")
near(front[:, 4].max(), 2 * front[:, 0].max(), 0.5, "out and back")

# A GPU lidar and an ordinary one with names
gpu = np.array(c.getGPULidarData("gpu").point_cloud).reshape(-1, 5)
assert len(gpu) > 300 and (gpu[:, 4] <= 1.0).all()
lidar = c.getLidarData("lidar")
assert len(lidar.groundtruth) * 3 == len(lidar.point_cloud) and "Ground" in lidar.groundtruth

# Instances: the colours of the picture are those of the client's own map
names = c.simListInstanceSegmentationObjects()
poses = c.simListInstanceSegmentationPoses()
assert len(names) == len(poses) and "Ground" in names
colours = c.simGetSegmentationColorMap()


def instances(camera):
    """The picture of instances by a camera, in the colours of the map."""
    response = c.simGetImages([airsim.ImageRequest(camera, airsim.ImageType.Segmentation, False, False)])[0]
    return np.frombuffer(response.image_data_uint8, np.uint8).reshape(response.height, response.width, 3)[..., ::-1]


def middle_of(picture):
    return tuple(picture[picture.shape[0] // 2, picture.shape[1] // 2])


index = [tuple(row) for row in colours[: len(names)]].index(middle_of(instances("0")))
assert "TemplateCube" in names[index], names[index]
assert middle_of(instances("3")) == tuple(colours[names.index("Ground")]), "the camera that looks down sees the ground"

# Layers
assert c.simSetAnnotationObjectColor("mine", "TemplateCube.*", 200, 10, 30, True) is True
assert "200" in c.simGetAnnotationObjectColor("mine", names[index])
assert names[index] in c.simListAnnotationObjects("mine")
assert len(c.simListAnnotationPoses("mine")) == len(c.simListAnnotationObjects("mine"))


def layer(camera):
    """The picture of the annotation layer by a camera."""
    response = c.simGetImages([airsim.ImageRequest(camera, airsim.ImageType.Annotation, False, False, "mine")])[0]
    return np.frombuffer(response.image_data_uint8, np.uint8).reshape(response.height, response.width, 3)[..., ::-1]


assert middle_of(layer("0")) == (200, 10, 30), "the cube ahead is painted"
assert middle_of(layer("3")) == (0, 0, 0), "the ground below is not"
assert c.simSetAnnotationObjectID("ids", "Ground", 5) is True and c.simGetAnnotationObjectID("ids", "Ground") == 5
assert c.simGetAnnotationObjectID("ids", "OrangeBall") == -1
assert c.simSetAnnotationObjectValue("grey", "Ground", 0.5) is True
near(c.simGetAnnotationObjectValue("grey", "Ground"), 0.5, 0.01, "grey")
assert c.simSetAnnotationObjectTextureByPath("tex", "Ground", "/no/such/file.png") is False
assert c.simEnableAnnotationObjectTextureByPath("tex", "Ground") is False
assert c.simGetAnnotationObjectTexturePath("tex", "Ground") == ""
tags = dict(c.simListSceneObjectsTags("Ground"))
assert tags == {"Ground": "ground"}, tags
assert c.simGetImage("0", airsim.ImageType.Annotation, "", "mine")[:4] == b"\x89PNG"

# Sensors that are put elsewhere
before = c.getLidarData("lidar").pose.position.z_val
c.simSetLidarPose("lidar", airsim.Pose(airsim.Vector3r(0, 0, -2), airsim.euler_to_quaternion(0, 0, 0)))
assert wait_for(lambda: c.getLidarData("lidar").pose.position.z_val < before - 1.5)
c.simSetGPULidarPose("gpu", airsim.Pose(airsim.Vector3r(0, 0, -1), airsim.euler_to_quaternion(0, 0, 0)))
c.simSetEchoPose("echo", airsim.Pose(airsim.Vector3r(0, 0, 0), airsim.euler_to_quaternion(0, 0, np.pi)))
assert wait_for(lambda: all("Cube" not in n for n in c.getEchoData("echo").groundtruth)), "it looks back now"
c.simSetDistanceSensorPose("ahead", airsim.Pose(airsim.Vector3r(0, 0, 0), airsim.euler_to_quaternion(0, -np.pi / 2, 0)))
assert wait_for(lambda: abs(c.getDistanceSensorData("ahead").distance - 3) < 1.2), "it looks down now"
# Radio: beacons are things by name; this drone has no sensors for them
for call in (c.getUWBData, c.getUWBSensorData, c.getWifiData, c.getWifiSensorData):
    try:
        call()
        raise AssertionError("there are no radios here")
    except Exception as error:
        assert "No UWB sensor" in str(error) or "No Wifi sensor" in str(error), error

# Raw physics
state = c.simGetPhysicsRawKinematics()
assert distance(vector(state.position), vector(c.simGetVehiclePose().position)) < 0.3
state.position = airsim.Vector3r(0, 0, -6)
c.simSetPhysicsRawKinematics(state)
assert distance(vector(c.simGetVehiclePose().position), [0, 0, -6]) < 0.5
c.simSetExtForce(airsim.Vector3r(0, 2.0, 0))
assert c.moveByRollPitchYawZAsync(0, 0, 0, -6, 2).get() is True
assert c.getMultirotorState().kinematics_estimated.linear_velocity.y_val > 1.5, "2 N push 1 kg east"
c.simSetExtForce(airsim.Vector3r(0, 0, 0))
lamp = c.simSpawnObject("Lamp", "SpotLightBP", airsim.Pose(), airsim.Vector3r(1, 1, 1))
assert (
    c.simSetWorldLightIntensity(lamp, 3000)
    and c.simSetWorldLightVisibility(lamp, False)
    and c.simSetLightIntensity(lamp, 10)
)
assert (
    c.simSetVehicleLightVisibility("", "front", True) is False
    and c.simSetVehicleLightIntensity("", "front", 1.0) is False
)
assert c.simGetObjectPose("Ground", False).position.x_val == 0
vision = airsim.ComputerVisionClient(port=PORT)
assert vision.getComputerVisionState().timestamp > 0
print("done")
