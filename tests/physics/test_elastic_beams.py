"""Wings with tables, sweep and coupling, booms, and where they break, against beams by hand; Küssner's function."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from volery.errors import RobotError, UnknownNameError
from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.statics import frequencies, rest_shape
from volery.physics.elastic.strength import Strength
from volery.robots.kinds.aircraft import Aircraft, AirfoilSection, Boom, Station, Surface, Wing
from volery.robots.kinds.airframe import Airframe
from volery.tools.theses.aircraft import helios_break_up

SMALL = 1e-3
"""A turn at which a beam is straight yet [rad]."""


def wing(halves="left", **more):
    given = {
        "span": 20.0, "chord": 1.0, "bend_stiffness": 1e4, "twist_stiffness": 1e4, "mass": 1.0, "inertia": 0.1,
        "axis": 0.5, "centre": 0.5, "bones": 20, "halves": halves,
        "section": AirfoilSection(drag=0.0, stall_deg=180.0),
    }  # fmt: skip
    return Wing(**{**given, **more})


def pushed(aircraft, force=(0.0, 0.0, 0.0), torque=(0.0, 0.0, 0.0), side="left"):
    """A clamped wing at rest under what acts at its tip [N, N m]; its tip's place [m] and axes."""
    craft = ElasticAircraft(aircraft, 0.0, fixed=True, gravity=0.0)
    frame, last = craft.frame, aircraft.wing.bones
    body = frame.body[f"{side}_{last}"]
    p, _ = tip(craft, side)
    frame.pushes[body] = np.concatenate([force, np.cross(p - frame.data.xipos[body], force) + torque])
    rest_shape(craft)
    return craft, *tip(craft, side)


def tip(craft, side):
    """Where a tip is [m], and its axes."""
    frame, beam = craft.frame, craft.aircraft.wing
    mujoco.mj_kinematics(frame.model, frame.data)
    mujoco.mj_comPos(frame.model, frame.data)
    body = frame.body[f"{side}_{beam.bones}"]
    R = frame.data.xmat[body].reshape(3, 3).copy()
    return frame.data.xpos[body] + (1 if side == "left" else -1) * R[:, 1] * beam.element / 2, R


# Tables


def test_a_beam_that_gets_softer_bends_as_by_hand():
    """EI from 2 to 1 (times 10⁴) along 10 m, dead load P at the tip: ∫ P·(L − s)² / EI ds."""
    rows = [Station(at=0.0, bend_stiffness=2e4), Station(at=1.0, bend_stiffness=1e4)]
    load = 0.01
    _, p, _ = pushed(Aircraft(wing(stations=rows)), (0.0, 0.0, load))
    s = (np.arange(20000) + 0.5) * 10.0 / 20000
    by_hand = (load * (10.0 - s) ** 2 / (2e4 - 1e3 * s)).sum() * 10.0 / 20000
    assert p[2] == pytest.approx(by_hand, rel=0.003)


def test_a_step_of_stiffness_is_where_the_table_has_it():
    """Torque T twists by T·∫ ds / GJ, exactly, though the step lies between springs."""
    rows = [Station(at=0.0, twist_stiffness=4e4), Station(at=0.37, twist_stiffness=4e4),
            Station(at=0.37, twist_stiffness=5e3), Station(at=1.0, twist_stiffness=5e3)]  # fmt: skip
    torque = 0.5
    _, _, R = pushed(Aircraft(wing(stations=rows)), torque=(0.0, -torque, 0.0))
    assert math.atan2(R[2, 0], R[0, 0]) == pytest.approx(torque * (3.7 / 4e4 + 6.3 / 5e3), rel=1e-4)


def test_masses_of_a_table_add_up():
    """Mass and its moment about the root of a wing that gets lighter, and pitch inertia about its axis."""
    rows = [Station(at=0.0, mass=3.0, inertia=0.3), Station(at=1.0, mass=1.0, inertia=0.1, centre=0.6)]
    airframe = Airframe(Aircraft(wing(stations=[replace(rows[0], centre=0.5), rows[1]])))
    lumps = [(airframe.lump(b), b) for b in airframe.pieces()]
    assert sum(k.mass for k, _ in lumps) == pytest.approx(20.0)
    assert sum(k.mass * (b.start + k.p[1]) for k, b in lumps) == pytest.approx(10 * 10 * (3 / 2 - 2 / 3))
    about_axis = sum(k.inertia[1, 1] + k.mass * k.p[0] ** 2 for k, _ in lumps)
    assert about_axis == pytest.approx(2.0)
    aft = sum(k.mass * k.p[0] for k, _ in lumps)
    assert aft == pytest.approx(-10 * (0.1 * 3 / 2 - 0.1 * 2 / 3))


def test_a_table_that_says_what_the_wing_does_changes_nothing():
    even = [Station(at=0.0, bend_stiffness=1e4, mass=1.0), Station(at=1.0, bend_stiffness=1e4, mass=1.0)]
    found = [frequencies(ElasticAircraft(Aircraft(wing(stations=rows)), 0.0, fixed=True)) for rows in ([], even)]
    assert found[1] == pytest.approx(found[0], rel=1e-4)


def test_tables_that_cannot_be_are_refused():
    for rows, said in (
        ([Station(at=0.5, mass=1.0), Station(at=0.2, mass=1.0)], "from the root"),
        ([Station(at=0.5, bend_twist=2e4)], "bend_twist"),
        ([Station(at=0.5, centre=1.0, inertia=0.01)], "inertia"),
    ):
        with pytest.raises(RobotError, match=said):
            wing(stations=rows)


# Coupling and sweep


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_coupled_beam_turns_its_nose_as_by_hand(side):
    """A bending moment M on [[EI, K], [K, GJ]]: M·L·GJ / (EI·GJ − K²) up, M·L·K / (EI·GJ − K²) nose down."""
    bend, twist, coupled, moment, sign = 1e4, 6e3, 3e3, 1.0, 1.0 if side == "left" else -1.0
    aircraft = Aircraft(wing(side, twist_stiffness=twist, bend_twist=coupled))
    _, _, R = pushed(aircraft, torque=(sign * moment, 0.0, 0.0), side=side)
    scale = moment * 10.0 / (bend * twist - coupled**2)
    assert sign * math.atan2(R[2, 1], R[1, 1]) == pytest.approx(scale * twist, rel=1e-3)
    assert math.atan2(R[2, 0], R[0, 0]) == pytest.approx(-scale * coupled, rel=1e-3)


def test_a_swept_wing_lifts_by_its_normal_flow():
    """Simple sweep theory for a rigid wing at 30°: lift slope 2π·cos Λ of its own area; the tip lies aft by L·sin Λ."""
    sweep, a, speed = math.radians(30.0), 0.02, 20.0
    rigid = wing("both", bend_stiffness=1e10, twist_stiffness=1e10, sweep=[(0.0, 30.0)])
    craft = ElasticAircraft(Aircraft(rigid), 0.0, fixed=True, gravity=0.0, wakes=False)
    craft.set_air(speed * np.array([-math.cos(a), 0.0, math.sin(a)]), 1.0)
    craft.settle()
    for side in ("left", "right"):
        p, _ = tip(craft, side)
        assert p[0] == pytest.approx(-10.0 * math.sin(sweep)) and abs(p[1]) == pytest.approx(10.0 * math.cos(sweep))
    force = craft.frame.data.xfrc_applied.sum(axis=0)
    lift = force[2] * math.cos(a) + force[0] * math.sin(a)
    assert lift / (0.5 * speed**2 * 20.0) == pytest.approx(2 * math.pi * math.cos(sweep) * a, rel=0.005)
    assert abs(force[1]) < 1e-6 * lift, "both halves are mirrors of each other"


def test_a_swept_beam_washes_out_when_it_bends():
    """Bent up, sections along the flow stand at less: a swept wing diverges later than a straight one."""
    loads = []
    for degrees in (0.0, 30.0):
        soft = wing("both", bend_stiffness=3e3, twist_stiffness=3e3, axis=0.4, centre=0.4, sweep=[(0.0, degrees)])
        craft = ElasticAircraft(Aircraft(soft), 0.0, fixed=True, gravity=0.0, wakes=False)
        craft.set_air(12.0 * np.array([-math.cos(0.02), 0.0, math.sin(0.02)]), 1.0)
        craft.settle()
        stiff = craft.frame.data.xfrc_applied[:, 2].sum()
        rest_shape(craft)
        loads.append(craft.frame.data.xfrc_applied[:, 2].sum() / stiff)
    assert loads[0] > 1.0 > loads[1]


# Booms


def with_boom(**more):
    boom = Boom("boom", 6.0, 5e3, 2e3, 0.5, position=(-0.5, 0.0, 0.0), bones=12)
    tail = Surface("elevator", side="right", position=(-6.5, 0.0, 0.0), span=1.0, chord=0.5, mass=0.8, on="boom")
    return Aircraft(wing("both"), booms=[boom], surfaces=[replace(tail, **more)])


def test_a_boom_bends_under_its_tail_as_by_hand():
    """P·L³/3EI of the tail's weight, which hangs a quarter of its chord aft, and m·g·L⁴/8EI of its own."""
    craft = ElasticAircraft(with_boom(), 0.0, fixed=True, gravity=9.80665 * 1e-3)
    rest_shape(craft)
    sag = -craft.frame.data.xpos[craft.frame.body["elevator"], 2]
    g, arm = 9.80665e-3, 0.125
    by_hand = 0.8 * g * (6.0**3 / 3 + arm * 6.0**2 / 2) / 5e3 + 0.5 * g * 6.0**4 / 8 / 5e3
    assert sag == pytest.approx(by_hand, rel=0.01)
    roll = craft.frame.data.xmat[craft.frame.body["elevator"]].reshape(3, 3)[2, 1]
    assert roll == pytest.approx(0.8 * g * 0.5 * 6.0 / 2e3, rel=0.01), "the one elevator twists it"


def test_masses_with_a_boom_agree_with_the_model():
    aircraft = with_boom()
    craft = ElasticAircraft(aircraft)
    assert craft.frame.model.body_mass.sum() == pytest.approx(Airframe(aircraft).mass, rel=1e-9)
    with pytest.raises(UnknownNameError, match="boom"):
        with_boom(on="bom")


# Breaking


def test_a_wing_breaks_where_it_is_weakest_and_not_before():
    """Even moments along the beam, and a table with a notch at half of it."""
    rows = [Station(at=0.0, bend_strength=200.0), Station(at=0.4, bend_strength=200.0),
            Station(at=0.45, bend_strength=140.0), Station(at=0.5, bend_strength=200.0)]  # fmt: skip
    aircraft = Aircraft(wing(bones=10, stations=rows))
    for moment, broken in ((130.0, None), (150.0, "left_5"), (-150.0, "left_5")):
        craft, *_ = pushed(aircraft, torque=(moment, 0.0, 0.0))
        shares = Strength(craft.frame).shares(craft.spring_moments())
        assert shares[0] == pytest.approx(abs(moment) / 200.0, rel=1e-3)
        assert craft.break_overloaded() == broken


def test_moments_of_different_kinds_add_up():
    """Half of what it stands in bending and the same in twisting: together 0.71 of it, though the hinges lean."""
    aircraft = Aircraft(wing(bend_twist=4e3, bend_strength=100.0, twist_strength=40.0))
    craft, *_ = pushed(aircraft, torque=(50.0 * SMALL, -20.0 * SMALL, 0.0))
    assert Strength(craft.frame).shares(craft.spring_moments()) / SMALL == pytest.approx(
        np.full(20, 0.5**0.5), rel=0.01
    )


def test_helios_breaks_up_when_it_is_heavy():
    """Heavy in its middle, the wing bends into a U; then its swings in pitch and speed grow by themselves, as before
    the mishap of June 2003, until a spar that stands twice the load of level flight breaks. Light, it flies on."""
    heavy, light = helios_break_up(227.0), helios_break_up(0.0)
    assert light.broken == () and np.ptp(light.airspeed[-500:]) < np.ptp(light.airspeed[:500]) + 0.2
    assert heavy.broken and heavy.broken[0][1].startswith(("left", "right"))
    before = heavy.t < heavy.broken[0][0]
    assert heavy.dihedral[before].max() > 1.3 * heavy.dihedral[0], "it bent further and further"
    assert np.isfinite(heavy.p_W).all()


# Gusts


def test_a_sharp_gust_lifts_as_kuessner_has_it():
    """A rigid wing flies into air that rises: 1 − ½·e^(−0.13 s) − ½·e^(−s), nothing at first; by Wagner half."""
    rigid = wing(bend_stiffness=1e10, twist_stiffness=1e10)
    craft = ElasticAircraft(Aircraft(rigid), 0.001, fixed=True, gravity=0.0, wakes=False)
    speed, gust = 20.0, 0.4
    craft.set_air(np.array([-speed, 0.0, 0.0]), 1.0)
    assert craft.run(50)
    craft.set_air(np.array([-speed, 0.0, gust]), 1.0)
    whole, steps = speed * 0.5 * 2 * math.pi * gust * 10.0, 0
    for travelled in (0.0, 0.5, 2.0, 10.0, 40.0):
        wanted = round(travelled * 0.5 / speed / 0.001)
        craft.run(wanted - steps) if wanted > steps else None
        craft.run(1)
        steps = wanted + 1
        s = wanted * 0.001 * speed / 0.5
        expected = 1 - 0.5 * math.exp(-0.13 * s) - 0.5 * math.exp(-s)
        assert craft.frame.data.xfrc_applied[:, 2].sum() / whole == pytest.approx(expected, rel=0.01, abs=1e-6)


def test_steady_wind_is_no_gust_however_the_wing_turns():
    """What the wing does in a wind that stays is motion: lags of the wind say what the wind is."""
    craft = ElasticAircraft(Aircraft(wing("both")), 0.002)
    craft.set_air(np.array([-20.0, 3.0, 0.5]), 0.5)
    craft.qvel[3] = 0.5
    assert craft.run(200)
    assert (craft.air.gust == craft.air.wind[:, None]).all()
