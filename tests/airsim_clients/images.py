"""Pictures, cameras, lenses and detections."""

import math

from client import COSYS, airsim
import numpy as np
from common import PORT, distance, near, vector

c = airsim.MultirotorClient(port=PORT)
c.confirmConnection()
R, T = airsim.ImageRequest, airsim.ImageType
c.simSetVehiclePose(airsim.Pose(airsim.Vector3r(0, 0, -3), airsim.to_quaternion(0, 0, 0)), True)
c.simPause(True)
c.simSetVehiclePose(airsim.Pose(airsim.Vector3r(0, 0, -3), airsim.to_quaternion(0, 0, 0)), True)

# Encodings
raw, compressed, depth = c.simGetImages(
    [R("0", T.Scene, False, False), R("front_center", T.Scene), R("0", T.DepthPlanar, True)]
)
assert (raw.width, raw.height) == (256, 144) and len(raw.image_data_uint8) == 256 * 144 * 3
assert raw.time_stamp == compressed.time_stamp == depth.time_stamp, "one instant"
assert compressed.image_data_uint8[:8] == b"\x89PNG\r\n\x1a\n" and compressed.compress
scene = np.frombuffer(raw.image_data_uint8, np.uint8).reshape(144, 256, 3)
assert scene[:20].mean(axis=(0, 1))[0] > scene[:20].mean(axis=(0, 1))[2], "the sky is blue, and blue comes first"
assert scene[:20].mean() > scene[-20:].mean(), "the sky is brighter than the ground"
near(raw.camera_position.x_val, 0.46, 0.05, "camera ahead")
near(raw.camera_position.z_val, -3, 0.05, "camera height")
planar = (
    airsim.get_pfm_array(depth)
    if hasattr(airsim, "get_pfm_array")
    else np.array(depth.image_data_float, np.float32).reshape(144, 256)
)
near(planar[72 + 2, 128], 33 - 0.46, 0.3, "the wall of cubes ahead")
assert planar[0, 128] > 1000, "the sky is far"

# The other types see the same wall
kinds = [
    T.DepthPerspective,
    T.DepthVis,
    T.DisparityNormalized,
    T.Segmentation,
    T.SurfaceNormals,
    T.Infrared,
    T.OpticalFlow,
    T.OpticalFlowVis,
]
floats = c.simGetImages([R("0", k, True) for k in kinds])
arrays = {k: np.array(f.image_data_float, np.float32).reshape(f.height, f.width) for k, f in zip(kinds, floats)}
corner = math.hypot(1.0, 0.5)
near(arrays[T.DepthPerspective][74, 128], planar[74, 128], 0.2, "on the axis they agree")
assert arrays[T.DepthPerspective][74, 160] > planar[74, 160] * 1.02, "along the ray it is farther"
near(arrays[T.DepthVis][74, 128], planar[74, 128] / 100, 0.01, "DepthVis")
near(arrays[T.DisparityNormalized][74, 128], 0.125 / planar[74, 128], 0.0005, "disparity")
images = c.simGetImages([R("0", k, False, False) for k in kinds])
pixels = {k: np.frombuffer(f.image_data_uint8, np.uint8).reshape(144, 256, 3) for k, f in zip(kinds, images)}
normal = pixels[T.SurfaceNormals][74, 128][::-1].astype(int)
assert normal[0] < 10 and abs(normal[1] - 128) < 4, ("the wall faces south", normal)
ground = pixels[T.SurfaceNormals][143, 128][::-1].astype(int)
assert ground[2] > 250, ("the ground faces up", ground)
cube = [n for n in c.simListSceneObjects("TemplateCube.*")]
assert c.simSetSegmentationObjectID("TemplateCube.*", 20, True) is True
assert c.simSetSegmentationObjectID("Ground", 42) is True
assert c.simGetSegmentationObjectID("ground") == 42
segmentation = c.simGetImages([R("0", T.Segmentation, False, False), R("0", T.Infrared, False, False)])
colours = np.frombuffer(segmentation[0].image_data_uint8, np.uint8).reshape(144, 256, 3)[..., ::-1]
assert tuple(colours[74, 128]) == (146, 52, 70), ("id 20", tuple(colours[74, 128]))
assert tuple(colours[143, 128]) == (92, 31, 106), ("id 42", tuple(colours[143, 128]))
assert np.frombuffer(segmentation[1].image_data_uint8, np.uint8).reshape(144, 256, 3)[74, 128, 0] == 20
assert c.simSetSegmentationObjectID("NoSuchThing", 3) is False and c.simGetSegmentationObjectID("nosuchthing") == -1

# One by one
assert c.simGetImage("0", T.Scene)[:4] == b"\x89PNG"
assert c.simGetImage("bottom_center", T.Scene)[:4] == b"\x89PNG"
bottom = c.simGetImages([R("3", T.DepthPlanar, True)])[0]
near(np.median(bottom.image_data_float), 2.9, 0.2, "the ground is 3 m below")
try:
    c.simGetImages([R("nose", T.Scene)])
    raise AssertionError("an unknown camera must be an error")
except Exception as error:
    assert "nose" in str(error), error

# Where cameras look
info = c.simGetCameraInfo("0")
near(info.fov, 90, 1e-3, "fov")
assert distance(vector(info.pose.position), [0.46, 0, -3]) < 0.05
matrix = np.array(info.proj_mat.matrix)
near(matrix[0, 1], 1.0, 1e-6, "projection")
c.simSetCameraPose("0", airsim.Pose(airsim.Vector3r(0, 0, 0), airsim.to_quaternion(0, 0, math.pi / 2)))
near(airsim.to_eularian_angles(c.simGetCameraInfo("0").pose.orientation)[2], math.pi / 2, 0.01, "looks east")
c.simSetCameraPose("0", airsim.Pose(airsim.Vector3r(0.46, 0, 0), airsim.to_quaternion(0, 0, 0)))
c.simSetCameraFov("0", 40)
near(c.simGetCameraInfo("0").fov, 40, 1e-3, "fov 40")
narrow = np.array(c.simGetImages([R("0", T.DepthPlanar, True)])[0].image_data_float).reshape(144, 256)
near(narrow[74, 80], planar[74, 128], 0.5, "the wall is wider in the narrow view")
assert planar[74, 80] > 100
c.simSetCameraFov("0", 90)
assert c.simGetDistortionParams("0") == [0.0] * 5
c.simSetDistortionParam("0", "K1", 0.3)
assert c.simGetDistortionParams("0")[0] == 0.3
bent = c.simGetImages([R("0", T.Scene, False, False)])[0]
assert bent.image_data_uint8 != raw.image_data_uint8
c.simSetDistortionParams("0", {"K1": 0.0, "K2": 0.0})

# Lenses
assert "Universal Zoom" in c.simGetPresetLensSettings("0")
c.simSetPresetLensSettings("50mm Prime f/1.8", "0")
assert "50mm" in c.simGetLensSettings("0")
near(c.simGetFocalLength("0"), 50, 1e-3, "focal length")
assert "16:9 Film" in c.simGetPresetFilmbackSettings("0")
c.simSetPresetFilmbackSettings("16:9 Film", "0")
assert "24" in c.simGetFilmbackSettings("0")
near(c.simSetFilmbackSettings(24.0, 12.0, "0"), 2.0, 1e-6, "aspect")
c.simSetFocalLength(12.0, "0")
near(c.simGetFocalLength("0"), 12.0, 1e-6, "focal length")
near(c.simGetCameraInfo("0").fov, 90, 0.01, "12 mm before 24 mm sees 90 degrees")
c.simEnableManualFocus(True, "0")
c.simSetFocusDistance(500.0, "0")
near(c.simGetFocusDistance("0"), 500, 1e-3, "focus")
c.simSetFocusAperture(4.0, "0")
near(c.simGetFocusAperture("0"), 4.0, 1e-3, "aperture")
c.simEnableFocusPlane(True, "0")
assert "90.00" in c.simGetCurrentFieldOfView("0")

# Detections
c.simAddDetectionFilterMeshName("0", T.Scene, "TemplateCube*")
c.simSetDetectionFilterRadius("0", T.Scene, 80 * 100)
found = c.simGetDetections("0", T.Scene)
assert found and all("TemplateCube" in d.name for d in found), [d.name for d in found]
wall = [
    d for d in found if d.box2D.min.x_val <= 128 <= d.box2D.max.x_val and d.box2D.min.y_val <= 74 <= d.box2D.max.y_val
]
assert wall, "a cube is in the middle"
near(wall[0].box3D.min.x_val, 33 - 0.46, 0.5, "its near side, in camera axes")
near(wall[0].relative_pose.position.x_val, 35 - 0.46, 0.6, "its middle")
assert wall[0].geo_point.latitude > 47.6414
c.simSetDetectionFilterRadius("0", T.Scene, 10 * 100)
assert c.simGetDetections("0", T.Scene) == []
c.simClearDetectionMeshNames("0", T.Scene)
assert c.simGetDetections("0", T.Scene) == []

# A camera of the world
if not COSYS:
    outside = c.simGetImages([R("tower", T.Scene, False, False), R("tower", T.DepthPlanar, True)], external=True)
    assert (outside[0].width, outside[0].height) == (64, 48)
    assert distance(vector(outside[0].camera_position), [0, 0, -30]) < 1e-3
    near(np.median(outside[1].image_data_float), 30, 1.0, "looks straight down from 30 m")
c.simPause(False)
print("done")
