"""Narrow wheels at kerbs: an edge that is nearest to the axle beyond the end of the tread is met all the same."""

import mujoco
import numpy as np
import pytest

from contact_rig import GROUND, Rig, scene_of
from volery.core.geometry import box

RADIUS, HALF, HEIGHT = 0.085, 0.014, 0.045
"""Of a rover's wheel and of a kerb lower than its hub [m]."""


def wheel(yaw, gap):
    """Contacts of a wheel that stands before a kerb along y at x = 0, its heading turned by yaw [rad]; gap: of its rim
    from the kerb's edge, straight ahead [m]."""
    kerb = box((4.0, 4.0, HEIGHT), materials=(GROUND,))
    reach = np.sqrt(RADIUS**2 - (RADIUS - HEIGHT) ** 2)
    lying = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
    turned = np.array([np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)])
    q = np.zeros(4)
    mujoco.mju_mulQuat(q, turned, lying)
    # The rim's corner nearest to the kerb is ahead by the reach along the heading and half the width across.
    x = -(reach * np.cos(yaw) + HALF * abs(np.sin(yaw))) - gap
    rig = Rig(
        scene_of(kerb=(kerb, (2.0, 0.0, HEIGHT / 2))), f'type="cylinder" size="{RADIUS} {HALF}"', (x, 0.3, RADIUS), q
    )
    mujoco.mj_forward(rig.model, rig.data)
    return [(rig.data.contact[i].dist, rig.data.contact[i].frame[:3].copy()) for i in range(rig.data.ncon)]


@pytest.mark.parametrize("degrees", [0.0, 0.5, 1.5, -1.5, 5.0, -12.0, 30.0])
def test_a_wheel_aslant_meets_the_edge_of_a_kerb(degrees):
    yaw = np.radians(degrees)
    assert not wheel(yaw, 0.001), "not yet"
    found = wheel(yaw, -0.002)
    assert found, "it must not pass through"
    dist, normal = min(found, key=lambda c: c[0])
    assert -0.004 < dist < -0.0005
    assert abs(normal[1]) < 0.02, "square to the edge"
    assert normal[0] < 0.0 < normal[2], "back and up"
    # Towards the axle, as seen along the edge.
    assert normal[2] / -normal[0] == pytest.approx(
        (RADIUS - HEIGHT) / np.sqrt(RADIUS**2 - (RADIUS - HEIGHT) ** 2), rel=0.25
    )
