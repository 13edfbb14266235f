"""Computer-vision mode: cameras that are put where one likes."""

from client import airsim
import numpy as np
from common import PORT, distance, near, vector

c = airsim.VehicleClient(port=PORT)
c.confirmConnection()
assert c.listVehicles() == ["ComputerVision"]
for call in (
    lambda: c.enableApiControl(True),
    lambda: c.armDisarm(True),
    lambda: c.getHomeGeoPoint(),
    lambda: c.isApiControlEnabled(),
):
    try:
        call()
        raise AssertionError("there is no vehicle to control")
    except Exception as error:
        assert "not available" in str(error), error
for i in range(3):
    c.simSetVehiclePose(airsim.Pose(airsim.Vector3r(2.0 * i, 0, -3), airsim.to_quaternion(0, 0, 0.1 * i)), True)
    got = c.simGetVehiclePose()
    assert distance(vector(got.position), [2.0 * i, 0, -3]) < 1e-4, "it stays where it was put"
c.simSetVehiclePose(airsim.Pose(airsim.Vector3r(5, 0, -3), airsim.to_quaternion(0, 0, 0)), True)
c.simSetCameraPose("0", airsim.Pose(airsim.Vector3r(0, 0, 0), airsim.to_quaternion(0.2, 0, 0)))
infos = [c.simGetCameraInfo(str(i)) for i in range(5)]
near(airsim.to_eularian_angles(infos[0].pose.orientation)[0], 0.2, 1e-3, "pitch up")
near(infos[2].pose.position.y_val, -0.125, 1e-3, "left eye")
kinds = [
    airsim.ImageType.DepthVis,
    airsim.ImageType.DepthPerspective,
    airsim.ImageType.Segmentation,
    airsim.ImageType.Scene,
]
responses = c.simGetImages([airsim.ImageRequest("1", k, k == airsim.ImageType.DepthPerspective, False) for k in kinds])
assert all(r.width == 256 for r in responses)
depth = np.array(responses[1].image_data_float).reshape(144, 256)
near(depth[74, 128], 28, 0.5, "the wall")
c.reset()
assert distance(vector(c.simGetVehiclePose().position), [0, 0, -1.5]) < 0.05, "above the ground"
print("done")
