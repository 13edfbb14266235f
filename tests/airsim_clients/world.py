"""Things, weather, sun, drawings, recording, voxels and meshes."""

import math
import os
import sys
import time

from client import airsim
import numpy as np
from common import PORT, distance, near, vector

FOLDER = sys.argv[2]
c = airsim.VehicleClient(port=PORT)
c.confirmConnection()
R, T = airsim.ImageRequest, airsim.ImageType

# Names
names = c.simListSceneObjects()
for name in ("Ground", "OrangeBall", "PulsingCone", "SkySphere"):
    assert name in names, name
assert c.simListSceneObjects("Cylinder.*") and c.simListSceneObjects("nothing") == []
assert "1M_Cube_Chamfer" in c.simListAssets()
try:
    c.simListSceneObjects("(")
    raise AssertionError("a broken pattern must be an error")
except Exception as error:
    assert "regular expression" in str(error), error

# Where things are
ball = c.simGetObjectPose("OrangeBall")
assert math.isnan(c.simGetObjectPose("Nowhere").position.x_val)
moved = airsim.Pose(airsim.Vector3r(10, -20, -1), airsim.to_quaternion(0, 0, 0.5))
assert c.simSetObjectPose("OrangeBall", moved) is True
got = c.simGetObjectPose("OrangeBall")
assert distance(vector(got.position), [10, -20, -1]) < 1e-4
near(airsim.to_eularian_angles(got.orientation)[2], 0.5, 1e-4, "yaw of a thing")
assert c.simSetObjectPose("Nowhere", moved) is False
scale = vector(c.simGetObjectScale("OrangeBall"))
assert c.simSetObjectScale("OrangeBall", airsim.Vector3r(4, 4, 4)) is True
assert distance(vector(c.simGetObjectScale("OrangeBall")), [4, 4, 4]) < 1e-4 and scale != [4, 4, 4]
assert vector(c.simGetObjectScale("Nowhere")) == [0, 0, 0]

# One that comes, is seen, and goes
c.simSetVehiclePose(airsim.Pose(airsim.Vector3r(0, 0, -3), airsim.to_quaternion(0, 0, 0)), True)
c.simPause(True)
c.simSetVehiclePose(airsim.Pose(airsim.Vector3r(0, 0, -3), airsim.to_quaternion(0, 0, 0)), True)


def ahead():
    return c.simGetImages([R("0", T.DepthPlanar, True)])[0].image_data_float[144 // 2 * 256 + 128]


before = ahead()
where = airsim.Pose(airsim.Vector3r(8, 0, -3), airsim.to_quaternion(0, 0, 0))
cube = c.simSpawnObject("MyCube", "1M_Cube_Chamfer", where, airsim.Vector3r(2, 2, 2))
assert cube == "MyCube" and cube in c.simListSceneObjects("MyCube.*")
near(ahead(), 7 - 0.46, 0.05, "its near face")
assert (
    c.simSpawnObject("MyCube", "1M_Cube", airsim.Pose(airsim.Vector3r(0, 30, 0)), airsim.Vector3r(1, 1, 1)) == "MyCube1"
)
try:
    c.simSpawnObject("X", "NoSuchAsset", where, airsim.Vector3r(1, 1, 1))
    raise AssertionError("an unknown asset must be an error")
except Exception as error:
    assert "NoSuchAsset" in str(error), error
far = airsim.Pose(airsim.Vector3r(60, 0, -3), airsim.to_quaternion(0, 0, 0))
assert c.simSetObjectPose(cube, far, teleport=False) is True
stopped = c.simGetObjectPose(cube).position.x_val
assert 20 < stopped < 33, ("the wall stops it", stopped)
assert c.simDestroyObject(cube) is True and cube not in c.simListSceneObjects("MyCube.*")
assert c.simDestroyObject("Nowhere") is False
near(ahead(), before, 0.05, "as before")

# Looks
colour = lambda: (
    np.frombuffer(c.simGetImages([R("0", T.Scene, False, False)])[0].image_data_uint8, np.uint8)
    .reshape(144, 256, 3)[74, 120:136]
    .mean(axis=0)
)
grey = colour()
wall = [d for d in names if d.startswith("TemplateCube")]
painted = c.simSwapTextures("TemplateCube", 3)
assert set(painted) == set(wall)
assert abs(colour() - grey).max() > 8, "painted"
assert c.simSetObjectMaterial("OrangeBall", "paint_blue") is True
assert c.simSetObjectMaterial("OrangeBall", "no_such_material") is False
assert c.simSetObjectMaterialFromTexture("OrangeBall", os.path.join(FOLDER, "no.png")) is False
lamp = c.simSpawnObject(
    "Lamp", "PointLightBP", airsim.Pose(airsim.Vector3r(3, 3, -3)), airsim.Vector3r(1, 1, 1), False, True
)
assert c.simSetLightIntensity(lamp, 20000) is True and c.simSetLightIntensity("Nowhere", 1) is False

# Sun and weather
bright = lambda: np.frombuffer(c.simGetImages([R("0", T.Scene, False, False)])[0].image_data_uint8, np.uint8).mean()
shadow = lambda: c.simGetImages([R("0", T.Scene, False, False)])[0].image_data_uint8
c.simSetTimeOfDay(True, "2024-06-20 12:00:00", False, 1, 1, True)
noon, noon_picture = bright(), shadow()
c.simSetTimeOfDay(True, "2024-06-20 23:30:00", False, 1, 1, True)
lit = shadow()
assert c.simSetLightIntensity(lamp, 0) is True
assert bright() < 0.75 * noon, ("night is darker", bright(), noon)
assert shadow() != lit, "the lamp was to be seen"
c.simSetTimeOfDay(True, "2024-06-20 12:00:00", False, 1, 1, True)
try:
    c.simSetTimeOfDay(True, "noon")
    raise AssertionError("a broken date must be an error")
except Exception as error:
    assert "noon" in str(error), error
contrast = lambda: np.frombuffer(shadow(), np.uint8).reshape(144, 256, 3)[60:90].astype(float).std()
clear = contrast()
c.simSetWeatherParameter(airsim.WeatherParameter.Fog, 1.0)
assert abs(contrast() - clear) < 0.2 * clear, "not switched on yet"
c.simEnableWeather(True)
assert contrast() < 0.6 * clear, ("fog hides", contrast(), clear)
for kind in range(8):
    c.simSetWeatherParameter(kind, 0.0)
c.simEnableWeather(False)
c.simSetWind(airsim.Vector3r(1, 0, 0))
c.simSetWind(airsim.Vector3r(0, 0, 0))
c.simSetTimeOfDay(False)
c.simPause(False)

# Drawings
line = [airsim.Vector3r(0, 0, -1), airsim.Vector3r(5, 0, -1), airsim.Vector3r(5, 5, -1), airsim.Vector3r(0, 5, -1)]
c.simPlotPoints(line, [1, 0, 0, 1], 20, 100, True)
c.simPlotLineStrip(line, [0, 1, 0, 1], 5, 100, False)
c.simPlotLineList(line, [0, 0, 1, 1], 5, 100, False)
c.simPlotArrows(line[:2], line[2:], [1, 1, 0, 1], 5, 2, 100, False)
c.simPlotStrings(["one", "two"], line[:2], 5, [1, 1, 1, 1], 100)
c.simPlotTransforms([airsim.Pose(line[0])], 5, 5, 100, False)
c.simPlotTransformsWithNames([airsim.Pose(line[0])], ["here"], 5, 5, 10, [1, 1, 1, 1], 100)
c.simSetTraceLine([1, 0, 1, 1], 3.0)
print("drawn")
sys.stdout.flush()
assert sys.stdin.readline() == "go\n"
c.simFlushPersistentMarkers()

# Recording
assert c.isRecording() is False
c.startRecording()
assert c.isRecording() is True
time.sleep(1.0)
c.stopRecording()
assert c.isRecording() is False

# Voxels: a box of 20 x 20 x 10 m about a point in the wall's plane
grid = os.path.join(FOLDER, "map.binvox")
assert c.simCreateVoxelGrid(airsim.Vector3r(35, 0, -4), 20, 20, 10, 0.5, grid) is True
with open(grid, "rb") as file:
    assert file.readline() == b"#binvox 1\n"
    dim = [int(n) for n in file.readline().split()[1:]]
    while file.readline() != b"data\n":
        pass
    runs = np.frombuffer(file.read(), np.uint8).reshape(-1, 2)
voxels = np.repeat(runs[:, 0], runs[:, 1]).reshape(dim[2], dim[1], dim[0])
assert dim == [40, 20, 40] and voxels.size == 40 * 20 * 40
east, up, north = voxels.nonzero()
assert voxels[20, 10, 20] == 1, "inside the middle cube"
assert voxels[20, 10, 2] == 0, "10 m before it there is nothing"
assert voxels[:, 1:3, :].mean() > 0.2 and voxels[:, :, :].mean() < 0.4

# Meshes
meshes = c.simGetMeshPositionVertexBuffers()
ground = next(m for m in meshes if m.name == "ground")
assert max(ground.indices) < len(ground.vertices) // 3 and len(ground.indices) % 3 == 0
cubes = [m for m in meshes if m.name.startswith("templatecube") and abs(m.position.x_val - 3500) < 1]
assert cubes, "centimetres, x north"
size = np.ptp(np.array(cubes[0].vertices).reshape(-1, 3), axis=0)
near(size[0], 400, 1, "a cube of 4 m")
print("done")
