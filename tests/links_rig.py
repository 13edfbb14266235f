"""What tests of links share."""

import time


def wait_until(true, seconds=20.0):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


PLATE = """<mujoco model="plate"><worldbody><body name="base"><freejoint/>
<geom type="box" size="0.1 0.1 0.02" mass="1"/></body></worldbody></mujoco>"""

OBJ = "v 0.5 -2 0\nv 0.5 2 0\nv 0.5 2 3\nv 0.5 -2 3\nv 0.8 -2 0\nv 0.8 2 0\nv 0.8 2 3\nv 0.8 -2 3\n" + "\n".join(
    f"f {a} {b} {c} {d}"
    for a, b, c, d in ((1, 4, 3, 2), (5, 6, 7, 8), (1, 2, 6, 5), (4, 8, 7, 3), (1, 5, 8, 4), (2, 3, 7, 6))
)
