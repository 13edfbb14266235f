"""What AirSim's examples of cars do, in their order of calls, judged by tracks and pictures: hello, straight on,
collision,
reset, lidar."""

import time

from client import airsim
import numpy as np
from common import PORT, near, vector, wait_for

c = airsim.CarClient(port=PORT)
c.confirmConnection()
c.enableApiControl(True)
controls = airsim.CarControls()


def p():
    return vector(c.simGetVehiclePose().position)


def drive(seconds, **told):
    """Some simulated time with these controls."""
    for key, value in told.items():
        setattr(controls, key, value)
    c.setCarControls(controls)
    end = c.getCarState().timestamp + seconds * 1e9
    wait_for(lambda: c.getCarState().timestamp >= end)


# Hello: forward, to the right, backward, brakes, pictures
drive(3.0, throttle=0.5, steering=0)
assert c.getCarState().speed > 2.0 and p()[0] > 3.0 and abs(p()[1]) < 0.5, p()
drive(1.0, throttle=0.5, steering=0.5)
assert p()[1] > 0.3, ("right is east", p())
drive(3.0, brake=1, throttle=0, steering=0)
near(c.getCarState().speed, 0.0, 0.1, "brakes")
here = p()
drive(1.5, throttle=-0.5, is_manual_gear=True, manual_gear=-1, brake=0)
assert c.getCarState().speed < -0.4 and c.getCarState().gear == -1, c.getCarState().speed
assert np.linalg.norm(np.subtract(p(), here)) > 0.5
shots = c.simGetImages([airsim.ImageRequest("0", airsim.ImageType.DepthVis),
                        airsim.ImageRequest("1", airsim.ImageType.DepthPlanar, True),
                        airsim.ImageRequest("3", airsim.ImageType.Scene, False, False)])  # fmt: skip
assert shots[0].image_data_uint8[:4] == b"\x89PNG" and len(shots[1].image_data_float) == 256 * 144
assert np.frombuffer(shots[2].image_data_uint8, np.uint8).std() > 10, "the driver sees a street"

# Straight on, held to a speed, for as long as the street goes
c.reset()
assert c.isApiControlEnabled(), "cars stay under control"
controls = airsim.CarControls()
fastest, aside = 0.0, 0.0
while p()[0] < 120:
    state = c.getCarState()
    controls.throttle = 1.0 if state.speed < 20 else 0.0
    c.setCarControls(controls)
    fastest, aside = max(fastest, state.speed), max(aside, abs(p()[1]))
    assert not c.simGetCollisionInfo().has_collided, "the street is free"
assert 15 < fastest < 23 and aside < 1.0, (fastest, aside)
points = np.array(c.getLidarData("lidar").point_cloud).reshape(-1, 3)
ahead = points[(np.abs(points[:, 1]) < 4) & (points[:, 0] > p()[0] + 4)]
assert len(points) > 500 and (len(ahead) == 0 or ahead[:, 2].min() > -1.8), "houses stand beside the street, not on it"
assert (np.abs(points[:, 1]) > 10).any(), "houses"

# On until it strikes the wall at the street's end
drive(0.5, throttle=0.5)
assert wait_for(lambda: c.simGetCollisionInfo().object_name.startswith("Wall_north"), 60), c.simGetCollisionInfo()
hit = c.simGetCollisionInfo()
assert hit.normal.x_val < -0.7 and 180 < hit.impact_point.x_val < 190, (hit.normal, hit.impact_point)

# A pause: nothing moves
c.reset()
drive(1.5, throttle=1.0)
c.simPause(True)
a = p()
time.sleep(0.3)
assert p() == a
c.simContinueForTime(0.5)
assert p()[0] > a[0] + 0.5 and c.simIsPause()
c.simPause(False)
print("done")
