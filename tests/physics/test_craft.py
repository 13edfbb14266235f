"""Crafts against closed forms: vanes and their trim, momentum theory, laws of contact, friction, nearness of walls."""

import math
from dataclasses import replace

import numpy as np
import pytest

from contact_rig import floor, scene_of
from volery import _native
from volery.core.geometry import box
from volery.core.material import Material
from volery.errors import CommandError, RobotError, ScenarioError
from volery.physics.contact.world import ContactWorld
from volery.physics.craft.contact_point import tool_table
from volery.physics.craft.near import Surfaces
from volery.physics.craft.thrust import fan_table, vane_table
from volery.robots.commands import Dock
from volery.robots.kinds.craft import Craft, Fan, Flapping, Nearness, Vanes
from volery.robots.kinds.tool import Tool

G, RHO = 9.80665, 1.2
VANES = Vanes(count=8, spread=0.2, drop=0.25, area=0.005)
DUCT = Craft((Fan(40.0, 0.18, spin="ccw", torque_ratio=0.012, vanes=VANES),))


coefficients, outflow = _native.craft.coefficients, _native.craft.outflow


def made(craft):
    """A craft with its fans and vanes at rest."""
    fans, vanes = fan_table(craft), vane_table(craft)
    native = _native.craft.Craft(np.zeros(1, _native.craft.Gains), fans, vanes)
    return native, np.zeros(len(fans), _native.craft.FanState), np.zeros(len(vanes))


def push(craft, thrust, angle=None, tilt=None, climb=0.0):
    native, fans, angles = made(craft)
    fans["thrust"], out = thrust, np.empty(6)
    angles[:] = 0.0 if angle is None else angle
    fans["tilt"] = 0.0 if tilt is None else tilt
    _native.craft.wrench(native, fans, angles, RHO, np.full(len(fans), climb), out)
    return out


def shares(craft, wanted, centre=(0.0, 0.0, 0.0)):
    native, fans, angles = made(craft)
    _native.craft.allocate(
        native, np.array(centre), np.array(wanted, float), RHO, np.zeros(len(fans)), fans, angles
    )  # fmt: skip
    return fans["thrust"], angles, fans["tilt"]


# Vanes


def test_a_single_vane_twists_by_the_papers_arm():
    """r_i = (½ d_T sin(γ_i − π/4), ½ d_T cos(γ_i − π/4), d) in the paper's axes, y to the right and z down."""
    area, thrust, angle = math.pi * 0.18**2, 20.0, math.radians(6.0)
    speed = math.sqrt(thrust / (RHO * area))
    lift, drag = (c * 0.5 * RHO * speed**2 * 0.005 for c in coefficients(angle))
    for i in range(8):
        gamma = 2 * math.pi * i / 8
        r = np.array([0.1 * math.sin(gamma - math.pi / 4), -0.1 * math.cos(gamma - math.pi / 4), -0.25])
        direction = np.cross([0, 0, 1], r) / 0.1
        # All others at 0 still drag, but evenly: they turn nothing about x and y, and lift nothing
        rest = 0.5 * RHO * speed**2 * 0.005 * coefficients(0.0)[1]
        angles = np.zeros(8)
        angles[i] = angle
        torque = np.cross(r, lift * direction - (drag - rest) * np.array([0, 0, 1.0]))
        out = push(DUCT, [thrust], angles)
        assert out[3:] == pytest.approx(torque - [0, 0, 0.012 * thrust], abs=1e-12)
        assert out[:3] == pytest.approx(lift * direction + [0, 0, thrust - 7 * rest - drag], abs=1e-12)


def test_hover_trim_of_the_vanes_does_not_depend_on_the_thrust():
    """All at one angle cancel the fan's torque: 8·R·q·S·Cl = ratio·T with q = T/2A, so Cl = ratio·A/(4·R·S)."""
    needed = 0.012 * math.pi * 0.18**2 / (4 * 0.1 * 0.005)
    below = np.radians([0, 2, 4, 6, 8, 10, 12, 14, 15])
    trim = float(np.interp(needed, [coefficients(a)[0] for a in below], below))
    for weight in (10.0, 20.0, 30.0):
        thrust, angle, _ = shares(DUCT, [weight, 0, 0, 0])
        assert angle == pytest.approx(np.full(8, trim), rel=1e-6)
        drag = 8 * 0.005 * coefficients(trim)[1] / (2 * math.pi * 0.18**2)
        assert thrust[0] == pytest.approx(weight / (1 - drag), rel=1e-9)


def test_authority_falls_with_thrust_and_ends_at_stall():
    half, full = (push(DUCT, [t], np.full(8, 0.1))[5] + 0.012 * t for t in (10.0, 20.0))
    assert half == pytest.approx(full / 2)
    lifts = [coefficients(math.radians(a))[0] for a in (5, 10, 15, 17, 20)]
    assert lifts[0] < lifts[1] < lifts[2] > lifts[3] > lifts[4]
    assert coefficients(-0.2) == (-coefficients(0.2)[0], coefficients(0.2)[1])
    assert coefficients(math.pi / 2)[0] == pytest.approx(0.0, abs=1e-12)


def test_outflow_is_that_of_momentum_theory():
    assert outflow(20.0, 0.1, RHO, 0.0) == pytest.approx(math.sqrt(20.0 / (RHO * 0.1)))
    v = outflow(20.0, 0.1, RHO, 3.0)
    assert RHO * 0.1 * v * (v - 3.0) == pytest.approx(20.0)


@pytest.mark.parametrize("centre", [(0.0, 0.0, 0.0), (0.002, -0.004, 0.03)])
def test_what_is_allocated_gives_what_was_wanted(centre):
    double = Craft((
        Fan(40.0, 0.18, position=(0, 0.22, 0), spin="ccw", torque_ratio=0.012, vanes=VANES),
        Fan(40.0, 0.18, position=(0, -0.22, 0), spin="cw", torque_ratio=0.012, vanes=VANES),
    ))  # fmt: skip
    heli = Craft((
        Fan(80.0, 0.6, position=(0, 0, 0.2), spin="cw", torque_ratio=0.04, flapping=Flapping(stiffness=10.0)),
        Fan(6.0, 0.1, least_thrust=-6.0, position=(-0.8, 0, 0.1), axis=(0, 1, 0), torque_ratio=0.0),
    ))  # fmt: skip
    for craft, wanted in ((DUCT, (19.0, 0.05, -0.04, 0.02)), (double, (36.0, 0.4, -0.2, 0.1)),
                          (heli, (39.0, 0.3, -0.5, 0.4))):  # fmt: skip
        thrust, angle, tilt = shares(craft, wanted, centre)
        out = push(craft, thrust, angle, tilt)
        torque = out[3:] - np.cross(centre, out[:3])
        assert [out[2], *torque] == pytest.approx(wanted, rel=1e-3, abs=1e-4)


def test_lift_roll_and_pitch_come_before_yaw():
    thrust, angle, _ = shares(DUCT, [20.0, 0.1, 0.0, 5.0])
    out = push(DUCT, thrust, angle)
    assert np.abs(angle).max() == pytest.approx(math.radians(14.0), rel=1e-6)
    assert out[2] == pytest.approx(20.0, rel=0.02) and out[3] == pytest.approx(0.1, abs=0.02)
    assert 0.0 < out[5] < 5.0


def test_actuators_follow_with_their_lags():
    native, told, told_angles = made(DUCT)
    _, now, angle = made(DUCT)
    told["thrust"], told["tilt"], told_angles[:] = 99.0, 1.0, 1.0
    for _ in range(80):
        _native.craft.follow(native, told, told_angles, 0.001, now, angle)
    assert now["thrust"][0] == pytest.approx(40.0 * (1 - math.exp(-0.08 / 0.08)))
    assert angle == pytest.approx(np.full(8, math.radians(14.0) * (1 - math.exp(-0.08 / 0.02))))
    assert not now["tilt"].any()


# Nearness


def test_ground_ceiling_and_walls_by_their_closed_forms():
    fans, near = fan_table(DUCT), Nearness(ceiling=0.5)
    surfaces = Surfaces(fans, np.zeros(1, _native.craft.FanState), near, "a")
    assert surfaces.gain[0] == 1.0 and not surfaces.pull.any()
    for yaw in (0.0, 0.3):
        scene = scene_of(floor=floor(), wall=(box((0.2, 9.0, 9.0)), (0.6, 0.0, 0.0)))
        c, s = math.cos(yaw), math.sin(yaw)
        R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        surfaces.look(scene, np.array([0.0, 0.0, 0.3]), R)
        assert surfaces.gain[0] == pytest.approx(1 / (1 - (0.18 / (4 * 0.3)) ** 2), rel=1e-5)
        pull = R @ surfaces.pull[0]
        assert pull[0] == pytest.approx(0.03 * (0.18 / 0.5) ** 2, rel=0.03) and abs(pull[1]) < 4e-4
    roof = scene_of(roof=(box((9.0, 9.0, 0.2)), (0.0, 0.0, 1.0)))
    surfaces.look(roof, np.array([0.0, 0.0, 0.5]), np.eye(3))
    assert surfaces.gain[0] == pytest.approx(1 + 0.5 * (1 / (1 - (0.18 / (4 * 0.4)) ** 2) - 1), rel=1e-5)


# The tip


SLIP = 0.8
PLANE = Material("plane", friction=SLIP)


class Drop:
    """A point mass with a tip over a wall at x = 0; it comes from x < 0 and presses to +x."""

    def __init__(self, tool, mass=2.0, dt=1e-4):
        self.scene = scene_of(wall=(box((1.0, 4.0, 4.0), materials=(PLANE,)), (0.5, 0.0, 0.0)))
        self.world = ContactWorld(self.scene)
        self.tool, self.mass, self.dt = tool_table(tool), mass, dt
        self.tip, self.felt = np.zeros(1, _native.craft.Tip), np.zeros(1, _native.craft.Felt)
        self.tip["x_W"] = np.inf
        self.p, self.v = np.array([-tool.radius - 1e-4, 0.0, 0.0]), np.zeros(3)
        self.world.refresh(self.p[None], set())

    def step(self, force=(0.0, 0.0, 0.0)):
        _native.craft.press(self.world.native, self.tool, self.p, self.v, self.dt, self.tip, self.felt)
        self.v = self.v + self.dt * (self.felt["force_W"][0] + force) / self.mass
        self.p = self.p + self.dt * self.v

    def bounce(self, speed):
        self.v[0] = speed
        touched = False
        for _ in range(40000):
            self.step()
            touched |= self.felt["row"][0] >= 0
            if touched and self.felt["row"][0] < 0:
                return -self.v[0]
        raise AssertionError("it never came off")


def test_restitution_of_hunt_and_crossley():
    """v dv/(1 + 1.5·loss·v) = −k/m δⁿ dδ, integrated in and out."""
    for exponent, loss, speed in ((1.0, 2.0, 0.3), (1.5, 1.0, 0.2), (1.0, 6.0, 0.15)):
        tool = Tool(stiffness=4000.0, exponent=exponent, loss=loss)
        d = 1.5 * loss
        level = speed / d - math.log(1 + d * speed) / d**2
        low, high = 0.0, min(speed, 1 / d - 1e-12)
        for _ in range(80):
            out = 0.5 * (low + high)
            low, high = (out, high) if -out / d - math.log(1 - d * out) / d**2 < level else (low, out)
        assert Drop(tool).bounce(speed) == pytest.approx(out, rel=0.01)


def test_restitution_of_a_spring_with_a_damper_that_does_not_pull():
    k, m = 2000.0, 2.0
    for zeta in (0.1, 0.4):
        tool = Tool(law="spring_damper", stiffness=k, damping=2 * zeta * math.sqrt(k * m))
        root = math.sqrt(1 - zeta**2)
        # It lets go when the force is gone, before the spring is at its length
        expected = math.exp(-zeta / root * (math.pi - math.atan2(2 * zeta * root, 1 - 2 * zeta**2)))
        drop = Drop(tool)
        drop.v[0] = 0.3
        load = 1.0
        for _ in range(40000):
            drop.step()
            if drop.felt["row"][0] >= 0 and drop.felt["force_W"][0, 0] == 0.0 and load < 0.0:
                break
            load = drop.felt["force_W"][0, 0] if drop.felt["row"][0] >= 0 else load
        assert -drop.v[0] == pytest.approx(0.3 * expected, rel=0.01)


def test_the_virtual_mass_reads_what_presses():
    tool = Tool(law="virtual_mass", stiffness=800.0, damping=40.0)
    drop = Drop(tool)
    for _ in range(30000):
        drop.step(force=(3.0 - 5.0 * drop.v[0], 0.0, 0.0))
    assert drop.felt["force_W"][0, 0] == pytest.approx(-3.0, rel=1e-3)
    assert drop.p[0] + tool.radius == pytest.approx(3.0 / 800.0, rel=1e-2)
    assert drop.tip["x_W"][0, 0] == pytest.approx(-tool.radius, abs=1e-6)


def test_in_a_corner_both_sides_press_by_their_depths():
    scene = scene_of(
        floor=(box((4.0, 4.0, 1.0), materials=(PLANE,)), (0.0, 0.0, -0.5)),
        wall=(box((1.0, 4.0, 4.0), materials=(PLANE,)), (0.5, 0.0, 2.0)),
    )
    world = ContactWorld(scene)
    world.refresh(np.zeros((1, 3)), set())
    for x, z in ((0.005, 0.005), (0.005, 0.002), (0.005, -0.001)):
        found = np.zeros(1, _native.craft.Felt)
        _native.craft.feel(world.native, np.array([-0.02 + x, 0.0, 0.02 - z]), 0.02, found)
        expected = np.array([-x, 0.0, max(z, 0.0)])
        assert found["normal_W"][0] == pytest.approx(expected / np.linalg.norm(expected), abs=1e-4)
        assert found["depth"][0] == pytest.approx(max(x, z), abs=1e-6)


@pytest.mark.parametrize("law", ["hunt_crossley", "spring_damper", "virtual_mass"])
def test_it_sticks_within_the_friction_cone_and_slides_beyond(law):
    tool = Tool(law=law, stiffness=1500.0, damping=60.0, loss=5.0, friction=0.5, stiction=0.75)
    load = 10.0

    def pushed(drop, side, steps, before=None):
        """Slowly from one force to the other, or the tip would swing beyond."""
        before = side if before is None else before
        for k in range(steps):
            now = before + (side - before) * min(1.0, 2 * k / steps)
            drop.step(force=(load - 20 * drop.v[0], now - 20 * drop.v[1], 0.0))

    drop = Drop(tool, dt=5e-4)
    pushed(drop, 0.0, 3000)
    pushed(drop, 0.95 * SLIP * 0.75 * load, 6000, 0.0)
    held = drop.p[1]
    assert abs(held) < 0.006 and abs(drop.v[1]) < 1e-4 and drop.tip["holds"][0] == 1
    assert drop.felt["force_W"][0, 1] == pytest.approx(-0.95 * SLIP * 0.75 * load, rel=0.01)
    pushed(drop, 1.1 * SLIP * 0.75 * load, 4000)
    # Once it slides, friction is the smaller one, and it goes on at the speed at which the drag takes the rest
    assert drop.tip["holds"][0] == 0
    assert drop.felt["force_W"][0, 1] == pytest.approx(-SLIP * 0.5 * load, rel=0.02)
    assert drop.v[1] == pytest.approx((1.1 * 0.75 - 0.5) * SLIP * load / 20, rel=0.02)
    pushed(drop, 0.4 * SLIP * load, 6000)
    assert drop.tip["holds"][0] == 1 and abs(drop.v[1]) < 1e-3


# Refusals


def test_what_makes_no_sense_is_refused():
    with pytest.raises(RobotError, match="1 to 8 fans"):
        Craft(())
    with pytest.raises(RobotError, match="below most_thrust"):
        Fan(4.0, 0.1, least_thrust=5.0)
    with pytest.raises(RobotError, match="null vector"):
        Fan(4.0, 0.1, axis=(0.0, 0.0, 0.0))
    with pytest.raises(RobotError, match="stiction"):
        Tool(friction=0.9)
    with pytest.raises(ScenarioError, match="hunt_crosley"):
        Tool(law="hunt_crosley")
    with pytest.raises(CommandError, match="null vector"):
        Dock([0, 0, 0], [0, 0, 0], 3.0)
    with pytest.raises(CommandError, match="must be 0 to"):
        replace(Dock([0, 0, 0], [1, 0, 0], 3.0), force=-1.0)
