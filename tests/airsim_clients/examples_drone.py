"""What AirSim's examples of drones do, in their order of calls, judged by tracks and pictures: hello, path, orbit,
several
drones, pause and continue, lights, events of two frames, and the loop of a learner."""

import math
import sys
import threading
import time

from client import airsim
import numpy as np
from common import PORT, distance, near, vector, wait_for

c = airsim.MultirotorClient(port=PORT)
c.confirmConnection()
T, R = airsim.ImageType, airsim.ImageRequest
FORWARD, FREE = airsim.DrivetrainType.ForwardOnly, airsim.DrivetrainType.MaxDegreeOfFreedom
A, B = "Drone1", "Drone2"


class Track(threading.Thread):
    """Where a drone is, as often as can be asked, by a connection of its own."""

    def __init__(self, name):
        super().__init__(daemon=True)
        self.name_of, self.rows, self.going = name, [], True
        self.start()

    def run(self):
        mine = airsim.MultirotorClient(port=PORT)
        while self.going:
            pose = mine.simGetVehiclePose(self.name_of)
            self.rows.append([*vector(pose.position), airsim.to_eularian_angles(pose.orientation)[2]])
            time.sleep(0.005)

    def end(self):
        self.going = False
        self.join()
        return np.array(self.rows)


def p(name=A):
    return vector(c.simGetVehiclePose(name).position)


def scene(kind=T.Scene, camera="0", name=A):
    """A picture [h, w, 3] or, as floats, [h, w]."""
    floats = kind in (T.DepthPlanar, T.DepthPerspective)
    r = c.simGetImages([R(camera, kind, floats, False)], name)[0]
    if floats:
        return np.array(r.image_data_float, float).reshape(r.height, r.width)
    return np.frombuffer(r.image_data_uint8, np.uint8).reshape(r.height, r.width, 3)


def ready(name):
    c.enableApiControl(True, name)
    assert c.armDisarm(True, name) is True


# Hello: states, up, to a place, four pictures, back
assert c.getMultirotorState(A).landed_state == airsim.LandedState.Landed, "from the first call on"
ready(A)
near(c.getImuData(vehicle_name=A).linear_acceleration.z_val, -9.8, 0.3, "at rest")
near(c.getBarometerData(vehicle_name=A).altitude, 122.0, 12.0, "the origin's height")
assert np.linalg.norm(vector(c.getMagnetometerData(vehicle_name=A).magnetic_field_body)) > 0.2
assert wait_for(lambda: c.getGpsData(vehicle_name=A).is_valid), "satellites take a second"
near(c.getGpsData(vehicle_name=A).gnss.geo_point.latitude, 47.64, 0.01, "the origin's latitude")
c.takeoffAsync(vehicle_name=A).join()
assert c.getMultirotorState(A).landed_state == airsim.LandedState.Flying
c.moveToPositionAsync(-10, 10, -10, 5, vehicle_name=A).join()
assert distance(p(), [-10, 10, -10]) < 0.5, p()
c.hoverAsync(vehicle_name=A).join()
asked = [R("0", T.DepthVis), R("1", T.DepthPerspective, True), R("1", T.Scene), R("1", T.Scene, False, False)]
vis, depth, png, raw = c.simGetImages(asked, A)
assert vis.image_data_uint8[:4] == png.image_data_uint8[:4] == b"\x89PNG"
metres = np.array(depth.image_data_float).reshape(depth.height, depth.width)
# The ground along the ray of a pixel half way down: height over the sine of its angle
down = math.atan((108.5 - 72) / 128)
near(np.median(metres[108, 100:156]), -p()[2] / math.sin(down), 1.5, "the ground ahead")
assert len(raw.image_data_uint8) == raw.width * raw.height * 3
below = scene(T.DepthPlanar, "3")
near(np.median(below), -p()[2] - 0.1, 0.3, "the ground below")

# A path at 5 m, nose first: a square down the free lane, and home
c.moveToPositionAsync(0, 0, -5, 5, vehicle_name=A).join()
corners = [airsim.Vector3r(x, y, -5) for x, y in ((20, 0), (20, -14), (0, -14), (0, 0))]
c.simGetCollisionInfo(A)
track = Track(A)
done = c.moveOnPathAsync(corners, 6, 120, FORWARD, airsim.YawMode(False, 0), -1, 1, vehicle_name=A).get()
rows = track.end()
assert done is True and distance(p(), [0, 0, -5]) < 0.5
assert np.abs(rows[:, 2] + 5).max() < 0.25, ("at 5 m all the way", rows[:, 2].min(), rows[:, 2].max())
assert 19.5 < rows[:, 0].max() < 24 and -18 < rows[:, 1].min() < -13.5, "all corners"
for corner in corners:
    assert np.linalg.norm(rows[:, :2] - [corner.x_val, corner.y_val], axis=1).min() < 2.6, "near each of them"
assert not c.simGetCollisionInfo(A).has_collided, "its lane is free"
east = rows[(rows[:, 1] < -4) & (rows[:, 1] > -10) & (rows[:, 0] > 14)]
near(np.median(east[:, 3]), -math.pi / 2, 0.4, "nose to the west on the second leg")

# An orbit: a velocity every turn of a loop, never joined, the nose to the middle
middle, radius, start = np.array([5.0, 0.0]), 5.0, time.time()
track, angle = Track(A), math.pi
while time.time() - start < 2.5:
    here = np.array(p()[:2]) - middle
    angle = math.atan2(here[1], here[0])
    ahead = angle + 0.4
    goal = radius * np.array([math.cos(ahead), math.sin(ahead)])
    v = 2.0 * (goal - here) / np.linalg.norm(goal - here)
    inward = math.degrees(angle) + 180.0
    c.moveByVelocityZAsync(float(v[0]), float(v[1]), -5, 1, FREE, airsim.YawMode(False, inward), A)
rows = track.end()[-200:]
far = np.linalg.norm(rows[:, :2] - middle, axis=1)
assert 3.5 < far.min() and far.max() < 6.5 and np.abs(rows[:, 2] + 5).max() < 0.4, (far.min(), far.max())
off = np.angle(np.exp(1j * (rows[:, 3] - np.arctan2(*(middle - rows[:, :2]).T[::-1]))))
assert np.abs(off).max() < 0.9 and np.median(np.abs(off)) < 0.35, ("it looks at the middle", np.abs(off).max())
c.cancelLastTask(A)

# Two at once
ready(B)
f1, f2 = c.hoverAsync(A), c.takeoffAsync(vehicle_name=B)
f1.join(), f2.join()
f1 = c.moveToPositionAsync(-5, 5, -10, 5, vehicle_name=A)
f2 = c.moveToPositionAsync(5, -5, -10, 5, vehicle_name=B)
assert f1.get() is True and f2.get() is True
assert distance(p(A), [-5, 5, -10]) < 0.5 and distance(p(B), [5, -5, -10]) < 0.5
apart = np.array(vector(c.simGetObjectPose(B).position)) - vector(c.simGetObjectPose(A).position)
assert np.abs(apart - [10, -2, 0]).max() < 0.8, ("8 m lie between their zeros", apart)

# Pause and continue: nothing moves while held, and time passes by what is told
c.moveByVelocityZAsync(2, 0, -10, 30, vehicle_name=A)
time.sleep(0.5)
c.simPause(True)
held, stamp = p(), c.getMultirotorState(A).timestamp
before = scene()
time.sleep(0.3)
assert p() == held and np.array_equal(scene(), before)
c.simContinueForTime(2.0)
assert c.simIsPause() and c.getMultirotorState(A).timestamp - stamp == 2_000_000_000
near(p()[0] - held[0], 3.8, 0.6, "2 s at almost 2 m/s")

# Events of two frames: a drone that flew on sees edges move, one that is held sees none
after = scene().astype(float).mean(axis=2)
first = before.astype(float).mean(axis=2)
changed = np.abs(np.log(after + 1.0) - np.log(first + 1.0)) > 0.2
assert 0.002 < changed.mean() < 0.6, changed.mean()
assert not (np.abs(np.log(scene().mean(axis=2) + 1.0) - np.log(after + 1.0)) > 0.2).any()
c.simPause(False)
c.cancelLastTask(A)

# Lights: one goes, one comes at its place
lights = c.simListSceneObjects("PointLight.*")
where = c.simGetObjectPose(lights[0])
assert c.simDestroyObject(lights[0]) is True
fresh = c.simSpawnObject("PointLight", "PointLightBP", where, airsim.Vector3r(1, 1, 1), False, True)
assert distance(vector(c.simGetObjectPose(fresh).position), vector(where.position)) < 1e-3
assert all(c.simSetLightIntensity(fresh, i * 1000.0) for i in range(3))


# A learner: reset, five moves of exact length, each with a picture, a pose and whether it struck something
def act(task, seconds):
    c.simContinueForTime(seconds)
    return task.get()


def episode(speed):
    c.simPause(True)
    c.reset()
    ready(A)
    assert act(c.takeoffAsync(vehicle_name=A), 9.0) is True
    c.simGetCollisionInfo(A)
    places = []
    for _ in range(5):
        act(c.moveByVelocityAsync(speed, 0, 0, 1.0, vehicle_name=A), 1.05)
        places.append(p()[0])
        assert scene(T.DepthPlanar).shape == (144, 256)
        if c.simGetCollisionInfo(A).has_collided:
            return places, True
    return places, False


one, struck = episode(2.0)
two, _ = episode(2.0)
assert not struck and np.abs(np.subtract(one, two)).max() < 0.01, ("an episode begins as the last one did", one, two)
assert np.all(np.diff(one) > 1.2) and 7.5 < one[-1] < 10
assert c.simIsPause(), "time goes on by the learner's steps alone"
wall = c.simSpawnObject("Goal", "1M_Cube", airsim.Pose(airsim.Vector3r(8, 0, -2)), airsim.Vector3r(1, 8, 6))
places, struck = episode(4.0)
assert struck and places[-1] < 8.0, "the wall ends it"
assert c.simDestroyObject(wall)
print("done")
sys.stdout.flush()
