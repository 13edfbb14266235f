"""Beams and wings of the literature, in the elastic engine's own code: shapes, frequencies, flutter, divergence."""

import math

import mujoco
import numpy as np
import pytest

from volery.physics.elastic.craft import ElasticAircraft
from volery.physics.elastic.strips import flap_effect, strips_of
from volery.robots.kinds.aircraft import Aircraft, AirfoilSection, Wing
from volery.tools.theses.wings import (
    ELASTICA,
    HALE_TIPS,
    beam,
    flutter,
    goland,
    hale,
    hale_frequencies,
    hale_tip,
    helios_trim,
    loaded_tip,
    tip_of,
)  # fmt: skip


@pytest.mark.parametrize("alpha", ELASTICA)
def test_elastica_within_half_a_percent(alpha):
    up, back = ELASTICA[alpha]
    tip, _ = loaded_tip(hale(), alpha * 2e4 / 16.0**2)
    assert tip[2] / 16.0 == pytest.approx(up, rel=0.005)
    assert 1.0 - tip[1] / 16.0 == pytest.approx(back, rel=0.005)


def test_more_bones_come_closer():
    errors = [abs(loaded_tip(hale(n), 5 * 2e4 / 256)[0][2] / 16.0 / ELASTICA[5.0][0] - 1) for n in (5, 11, 22)]
    assert errors[1] < errors[0] / 3 and errors[2] < errors[1] / 3


def test_geradin_cardona_cantilever():
    tip, turn = loaded_tip(beam(5.0, 9.346e6), 6e5)
    assert tip[2] == pytest.approx(2.159, rel=0.01) and 5.0 - tip[1] == pytest.approx(0.596, rel=0.01)
    assert turn == pytest.approx(0.672, rel=0.005)


def test_frequencies_of_the_beam():
    found, known = hale_frequencies()
    assert found / known - 1 == pytest.approx(np.zeros(5), abs=0.012)


def test_hale_flutter_and_divergence():
    onset = flutter(hale(), (31.0, 32.0, 33.0, 36.5, 37.5), 0.0889)
    assert onset.flutter == pytest.approx(32.21, rel=0.02)
    assert onset.frequency == pytest.approx(22.61, rel=0.03)
    assert onset.divergence == pytest.approx(37.29, rel=0.01)


@pytest.mark.parametrize("case", HALE_TIPS)
def test_hale_tip_rests_where_a_vortex_lattice_has_it(case):
    """SHARPy against itself, full wake or horseshoes, differs by 0.24 m at 4°; ours is within 0.25 m of it, 1.6 %."""
    tip = hale_tip(*case)
    assert tip[1:] == pytest.approx(HALE_TIPS[case], abs=0.25)


@pytest.mark.parametrize(("payload", "pitch", "flap"), [(0.0, 3.07, 5.96), (226.8, 4.92, 0.44)])
def test_helios_trims_as_patil_and_hodges_have_it(payload, pitch, flap):
    """A flying wing at 12.19 m/s, empty and with 500 lb: its U shape needs less flap and more angle of attack."""
    found = helios_trim(payload)
    assert math.degrees(found.pitch) == pytest.approx(pitch, abs=0.15)
    assert math.degrees(found.flaps[0]) == pytest.approx(flap, abs=1.3)


def test_goland_depends_on_the_density_that_is_chosen():
    """137.2 m/s is often quoted without its air; at sea level that is what comes out, at 1.02 kg/m³ it is not."""
    speeds = (136.0, 138.0, 145.0, 147.0)
    assert flutter(goland(), speeds, 1.225).flutter == pytest.approx(137.2, rel=0.02)
    assert flutter(goland(), speeds, 1.02).flutter == pytest.approx(146.0, rel=0.02)


@pytest.mark.parametrize(("speed", "grows"), [(30.5, False), (34.5, True)])
def test_the_step_flutters_where_its_eigenvalues_do(speed, grows):
    """Time marching with apparent mass: onset between 30.5 and 34.5 m/s, 32.6 by eigenvalues."""
    craft = ElasticAircraft(hale(), 0.002, fixed=True, gravity=0.0, wakes=False)
    craft.set_air(np.array([-speed, 0.0, 0.0]), 0.0889)
    frame = craft.frame
    twists = frame.spring_q[[n.startswith("twist") for n in frame.springs]]
    craft.qpos[twists] = 1e-3
    peaks = []
    for _ in range(4):
        seen = []
        for _ in range(100):
            assert craft.run(10)
            seen.append(craft.qpos[twists].sum())
        peaks.append(np.ptp(seen))
    assert (peaks[-1] > peaks[1]) == grows


def test_a_spring_swings_at_its_frequency_however_stiff():
    """The armature of k·dt²/4 makes the step the trapezoidal rule: no damping, and stable at any stiffness."""
    craft = ElasticAircraft(hale(edge=4e9), 0.002, fixed=True, gravity=0.0)
    craft.set_air(0.0, 0.0)
    bends = [k for k, n in enumerate(craft.frame.springs) if n.startswith("bend")]
    s = (np.arange(11) + 0.5) / 11
    craft.qpos[craft.frame.spring_q[bends]] = 1e-3 * (1 - s) ** 2
    seen = []
    for _ in range(4000):
        assert craft.run(2)
        seen.append(tip_of(craft)[0][2])
    seen = np.array(seen)
    crossings = np.flatnonzero((seen[1:] > 0) & (seen[:-1] <= 0))
    period = np.diff(crossings).mean() * 0.004
    assert 2 * math.pi / period == pytest.approx(2.247, rel=0.01)
    assert np.abs(seen[-800:]).max() == pytest.approx(np.abs(seen[:800]).max(), rel=0.02)


def test_apparent_mass_slows_a_wing_in_thick_air():
    """A light wing in water-like air: the first bending frequency goes with √(m / (m + πρb²))."""
    rho = 3.0
    aircraft = hale()
    craft = ElasticAircraft(aircraft, 0.0, fixed=True, gravity=0.0, wakes=False)
    craft.set_air(0.0, rho)
    craft.settle()
    model, data = craft.frame.model, craft.frame.data
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    bends = craft.frame.spring_v[[n.startswith("bend") for n in craft.frame.springs]]
    K = np.diag(craft.frame.stiffness[[n.startswith("bend") for n in craft.frame.springs]])
    lowest = math.sqrt(np.linalg.eigvals(np.linalg.solve(M[np.ix_(bends, bends)], K)).real.min())
    share = math.sqrt(0.75 / (0.75 + math.pi * rho * 0.25))
    assert lowest == pytest.approx(2.247 * share, rel=0.005)


def test_apparent_mass_of_a_falling_plate():
    """A free wing let go in still thick air starts to fall with m·g/(m + πρb²): nothing else acts yet."""
    rho, craft = 3.0, ElasticAircraft(hale(halves="both"), 1e-4, wakes=False)
    craft.set_air(0.0, rho)
    craft.frame.data.qpos[craft.frame.spring_q] = 0.0
    assert craft.run(1)
    share = 0.75 / (0.75 + math.pi * rho * 0.25)
    assert craft.qvel[2] / 1e-4 == pytest.approx(-9.80665 * share, rel=0.01)


def test_wagner_lift_grows_as_it_should():
    """A rigid wing set at an angle at once: half the lift at first, then as R. T. Jones has it."""
    rigid = hale(factor=1e6)
    craft = ElasticAircraft(rigid, 0.001, fixed=True, gravity=0.0, wakes=False)
    a, speed, rho = 0.05, 20.0, 1.0
    craft.set_air(speed * np.array([-math.cos(a), 0.0, math.sin(a)]), rho)
    craft.air.lag[:] = 0.0
    whole = rho * speed**2 * 0.5 * 2 * math.pi * a * 16.0
    for travelled in (0.0, 2.0, 10.0, 40.0):
        steps = round(travelled * 0.5 / speed / 0.001) - round(craft.frame.data.time / 0.001)
        if steps > 0:
            craft.run(steps)
        craft.run(1)
        s = (craft.frame.data.time - 0.001) * speed / 0.5
        expected = 1 - 0.165 * math.exp(-0.0455 * s) - 0.335 * math.exp(-0.3 * s)
        assert craft.frame.data.xfrc_applied[:, 2].sum() / whole == pytest.approx(expected, rel=0.01)


def test_induced_drag_and_slope_of_a_rectangular_wing():
    """Prandtl's lifting line for aspect ratio 20 by Glauert's series; a surface loads its tips less, which makes up to
    8 % of induced drag there."""
    aircraft = Aircraft(Wing(
        span=20.0, chord=1.0, bend_stiffness=1e9, twist_stiffness=1e9, mass=1.0, inertia=0.1, axis=0.25, centre=0.25,
        bones=40, section=AirfoilSection(drag=0.0, stall_deg=90.0),
    ))  # fmt: skip
    craft = ElasticAircraft(aircraft, 0.0, fixed=True, gravity=0.0)
    a = 0.05
    craft.set_air(20.0 * np.array([-math.cos(a), 0.0, math.sin(a)]), 1.0)
    craft.settle()
    force = craft.frame.data.xfrc_applied[:, :3].sum(axis=0)
    lift, drag = force[2] * math.cos(a) + force[0] * math.sin(a), force[2] * math.sin(a) - force[0] * math.cos(a)
    area = 0.5 * 400.0 * 20.0
    slope, oswald = _glauert(20.0)
    assert lift / area / a == pytest.approx(slope, rel=0.02)
    assert (lift / area) ** 2 / (math.pi * 20.0 * drag / area) == pytest.approx(oswald, rel=0.08)


def _glauert(ratio: float, terms: int = 60) -> tuple[float, float]:
    """Lift slope [1/rad] and span efficiency of a rectangular wing."""
    theta = (np.arange(1, terms + 1) - 0.5) * math.pi / (2 * terms)
    n = 2 * np.arange(1, terms + 1) - 1
    mu = 2 * math.pi / (4 * ratio)
    A = np.linalg.solve(np.sin(np.outer(theta, n)) * (mu * n + np.sin(theta)[:, None]), mu * np.sin(theta))
    return math.pi * ratio * A[0], float(1 / (1 + (n[1:] * (A[1:] / A[0]) ** 2).sum()))


def test_flaps_by_thin_aerofoil_theory():
    """A quarter-chord flap: dα/dδ = 0.609, dcm/dδ = −0.650; a surface that turns whole: 1 and 0."""
    assert flap_effect(0.25) == pytest.approx((0.6090, -0.6495), abs=1e-4)
    assert flap_effect(1.0) == (1.0, 0.0)


def test_strips_cover_the_wing_once():
    aircraft = hale(7, "both")
    strips = strips_of(aircraft).rows
    assert strips["length"].sum() == pytest.approx(32.0)
    assert (strips["ends_B"][:, 1, 1] > strips["ends_B"][:, 0, 1]).all(), "the first end is the right one"


def test_a_wing_bends_ninety_degrees_tip_to_tip():
    """Each end stands at 45° and more, with the ten bones a half that the aircraft has."""
    tip, turn = loaded_tip(hale(10), 3 * 2e4 / 16.0**2)
    assert math.degrees(turn) > 45.0 and 9.5 < tip[2] < 10.0
