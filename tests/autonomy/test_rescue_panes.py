"""Glass and mirrors in a rescue: sonars hear what a lidar looks through, and nobody looked at what is behind it."""

import numpy as np
import pytest

from volery.autonomy.rescue.bumper import VirtualBumper
from volery.autonomy.rescue.ground import CELL, GroundMap
from volery.autonomy.rescue.looked import Looked
from volery.autonomy.rescue.panes import Panes, unseen

CONE = np.radians(10.0)


def wall(x, half=1.0):
    y, z = np.meshgrid(np.arange(-half, half, 0.05), np.arange(-0.3, 0.3, 0.05))
    return np.stack([np.full(y.size, x), y.ravel(), z.ravel()], axis=1)


def test_an_echo_is_of_a_pane_if_the_lidar_sees_nothing_as_near():
    assert unseen(wall(2.0), 0.8, CONE)
    assert not unseen(wall(2.0), 1.97, CONE) and not unseen(wall(0.8), 0.8, CONE)
    # Nothing seen at all, or only outside the cone and behind
    assert unseen(np.zeros((0, 3)), 0.8, CONE)
    aside = wall(0.8)
    assert unseen(aside[np.abs(aside[:, 1]) > 0.4], 0.8, CONE) and unseen(-wall(0.8), 0.8, CONE)


def test_two_echoes_make_a_pane_and_silence_takes_it_back():
    panes = Panes((40, 40), np.array([-2.0, -2.0]), CELL)

    def at(x, y):
        return bool(panes.taken[int((x + 2.0) / CELL), int((y + 2.0) / CELL)])

    panes.hear(np.array([0.0, 0.05]), 0.0, CONE, 1.05, True)
    assert not panes.taken.any()
    panes.hear(np.array([0.1, 0.05]), 0.0, CONE, 0.95, True)
    assert at(1.05, 0.05) and not at(0.8, 0.05) and not at(1.3, 0.05) and not at(1.05, 0.6)
    # What the lidar sees as well is left to it, and far echoes tell nothing.
    panes.hear(np.array([0.0, 0.05]), np.pi / 2, CONE, 1.0, False)
    for _ in range(3):
        panes.hear(np.array([0.0, 0.05]), np.pi, CONE, 1.9, True)
    assert not at(0.05, 1.05) and not at(-1.85, 0.05)
    for _ in range(6):
        panes.hear(np.array([0.0, 0.05]), 0.0, CONE, 1.5, False)
    assert not at(1.05, 0.05)


def test_what_a_mirror_shows_is_not_mapped():
    ground = GroundMap(np.array([-3.0, -3.0]), np.array([3.0, 3.0]), reach=5.0, climbs=0.08)
    eye, shown = np.array([0.0, 0.0, 0.5]), wall(2.0) + [0.0, 0.0, 0.4]
    ground.add(eye, shown)
    assert len(ground.walls())
    other = GroundMap(np.array([-3.0, -3.0]), np.array([3.0, 3.0]), reach=5.0, climbs=0.08)
    for yaw in np.linspace(-0.6, 0.6, 25):
        for _ in range(2):
            other.panes.hear(eye, float(yaw), CONE, 1.0 / np.cos(yaw), True)
    assert other.panes.hidden(eye, shown).mean() > 0.95
    assert not other.panes.hidden(eye, wall(0.8)).any() and not other.panes.hidden(eye, -shown).any()
    other.add(eye, shown)
    x = other.walls()[:, 0]
    assert len(x) and x.max() < 1.2


def test_nobody_looked_at_what_is_behind_a_pane():
    looked = Looked((60, 60), np.array([-3.0, -3.0]), CELL)
    nothing = np.zeros((60, 60), bool)
    looked.look(np.array([0.0, 0.0]), 0.0, 1.0, 2.5, nothing)
    assert looked.cells[50, 30] and looked.cells[35, 30]
    pane = nothing.copy()
    pane[40, :] = True
    assert looked.take_back(pane) and not looked.take_back(pane)
    assert not looked.cells[50, 30] and looked.cells[35, 30] and looked.cells[40, 30]
    # From the other side it was looked at
    looked.look(np.array([2.5, 0.0]), np.pi, 1.0, 2.5, pane)
    assert looked.cells[50, 30]
    pane[39, :3] = True
    assert looked.take_back(pane) and looked.cells[50, 30]
    behind = looked.behind(2.5, pane)
    assert behind[50, 30] and not behind[40, 30] and not behind[5:15].any()


def test_ground_that_only_a_mirror_showed_is_forgotten():
    ground = GroundMap(np.array([-3.0, -3.0]), np.array([3.0, 3.0]), reach=5.0, climbs=0.08)
    x, y = np.meshgrid(np.arange(-1.4, 1.4, 0.04), np.arange(-1.4, 1.4, 0.04))
    eye = np.array([0.0, 0.0, 0.5])
    ground.add(eye, np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3))
    ground.look(eye, 0.0, 2.6, 2.5)
    before, behind = ground.index(np.array([[0.5, 0.0], [1.2, 0.0]]))
    assert ground.height[tuple(behind)] == 0.0 and ground.looked[tuple(behind)]
    for yaw in np.linspace(-0.9, 0.9, 37):
        for _ in range(2):
            ground.panes.hear(eye, float(yaw), CONE, 0.8 / np.cos(yaw), True)
    ground.look(eye, 0.0, 2.6, 2.5)
    assert np.isnan(ground.height[tuple(behind)]) and not ground.looked[tuple(behind)]
    assert ground.height[tuple(before)] == 0.0 and ground.looked[tuple(before)]


def test_a_bumper_stops_before_what_is_heard():
    bumper = VirtualBumper()
    bumper.hear("front", np.array([[0.44, 0.08], [0.45, 0.0], [0.44, -0.08]]))
    assert not bumper.allows(0.5, 0.0) and bumper.allows(-0.5, 0.0)
    bumper.see(np.zeros((0, 3)))
    assert not bumper.allows(0.5, 0.0)
    bumper.hear("front", None)
    assert bumper.allows(0.5, 0.0)
    # Along a mirror the echo is of the rim that is nearer to it
    bumper.hear("left", np.array([[0.45, 0.26], [0.42, 0.33], [0.36, 0.38]]))
    assert bumper.allows(0.5, 0.0)


def test_a_wall_beside_a_slope_does_not_lean_over_the_robot():
    """Walls are upright in W, however the robot stands."""
    bumper = VirtualBumper()
    bumper.place(np.array([1.0, 2.0, 0.3]), np.pi / 2)
    y, z = np.meshgrid(np.arange(1.5, 2.8, 0.05), np.arange(0.3, 1.2, 0.05))
    bumper.see(np.stack([np.full(y.size, 0.64), y.ravel(), z.ravel()], axis=1))
    assert bumper.allows(0.5, 0.0) and bumper.allows(0.0, -0.4) and not bumper.allows(0.0, 1.0)
    bumper.place(np.array([0.92, 2.0, 0.3]), np.pi / 2)
    assert not bumper.allows(0.0, -0.4)


def test_a_ramp_in_a_valley_is_no_wall():
    bumper = VirtualBumper()
    y = np.arange(-0.3, 0.3, 0.05)
    # 32° up, as from the foot of one ramp to the next: 0.2 m over the hubs half a metre ahead
    ramp = np.concatenate([np.stack([np.full(len(y), x), y, 0.62 * x - 0.1075 + 0 * y], axis=1) for x in (0.45, 0.5)])
    bumper.see(ramp)
    assert not bumper.allows(0.5, 0.0)
    bumper.see(ramp, np.full(len(ramp), 0.02))
    assert bumper.allows(0.5, 0.0)
    bumper.see(ramp, np.full(len(ramp), 0.3))
    assert not bumper.allows(0.5, 0.0)


def test_heights_over_the_mapped_ground():
    ground = GroundMap(np.array([-2.0, -2.0]), np.array([2.0, 2.0]), reach=4.0, climbs=0.08)
    x, y = np.meshgrid(np.arange(-1, 1, 0.04), np.arange(-1, 1, 0.04))
    slope = np.stack([x, y, 0.28 * (x + 1)], axis=-1).reshape(-1, 3)
    ground.add(np.array([0.0, 0.0, 0.9]), slope)
    over = ground.over(np.array([[0.5, 0.5, 0.28 * 1.5 + 0.4], [1.7, 1.7, 0.0], [99.0, 0.0, 0.0]]))
    assert over[0] == pytest.approx(0.4, abs=0.03) and np.isnan(over[1:]).all()
