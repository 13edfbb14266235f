"""Kernels of multirotors: what they refuse, and who is near whom."""

import numpy as np
import pytest

from volery import _native
from volery.physics.multirotor.tables import AIR, BUMPER, OUTCOME, PARAMETERS, REFERENCE, STATE, TOUCH, Level
from volery.world.scene.scene import Scene

kernels = _native.multirotor


def tables(count=3):
    """Drones at rest, of one kind with one rotor."""
    state, reference, parameters = np.zeros(count, STATE), np.zeros(count, REFERENCE), np.zeros(1, PARAMETERS)
    state["q_WB"][:, 0] = 1.0
    for name in ("mass", "tau", "air_density", "rotors", "most_rpm"):
        parameters[name] = 1
    parameters["inertia"] = parameters["inverse_inertia"] = np.eye(3)
    parameters["floor"] = -np.inf
    air = np.zeros(count, AIR)
    air["share"] = 1.0
    return {"state": state, "reference": reference, "parameters": parameters, "air": air}


def fly(which=(0,), **changes):
    t = {**tables(), **changes}
    kernels.fly(np.array(which, np.int64), t["state"], t["reference"], t["parameters"], t["air"], 0.001, 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"state": np.zeros((3, 55))}, "state: expected rows of the fields p_W"),
        ({"reference": tables()["state"]}, "reference: expected rows"),
        ({"air": tables(6)["air"][::2]}, "air: .*not C-contiguous"),
        ({"state": [1.0]}, "state: .*got a list"),
    ],
)
def test_tables_of_the_wrong_kind_are_refused_by_name(changes, message):
    with pytest.raises(TypeError, match=message):
        fly(**changes)


def test_read_only_tables_are_refused_by_name():
    state = tables()["state"]
    state.flags.writeable = False
    with pytest.raises(TypeError, match=r"state: .*read-only"):
        fly(state=state)


@pytest.mark.parametrize("row", [-1, 3, 2**62])
def test_rows_that_are_not_there_are_refused(row):
    with pytest.raises(ValueError, match="which: a row"):
        fly(which=[0, row])


@pytest.mark.parametrize(
    ("table", "field", "value", "message"),
    [
        ("state", "kind", 1, "kind that is not there"),
        ("state", "kind", -1, "kind that is not there"),
        ("reference", "level", 12, "level that is not there"),
        ("reference", "level", 2**64 - 1, "level that is not there"),
        ("parameters", "rotors", 9, "rotors must be 1 to 8"),
        ("parameters", "rotors", 0, "rotors must be 1 to 8"),
        ("parameters", "shown", 8, "shown must be 0 to 7"),
    ],
)
def test_numbers_that_would_lead_astray_are_refused(table, field, value, message):
    t = tables()
    t[table][field] = value
    with pytest.raises(ValueError, match=message):
        fly(**t)


def test_too_little_air_is_refused():
    with pytest.raises(ValueError, match="air: has fewer rows"):
        fly(which=[2], air=np.zeros(2, AIR))


def test_nobody_flies_nowhere():
    t = tables()
    before = t["state"].tobytes()
    fly(which=[], **t)
    assert t["state"].tobytes() == before


def test_bumpers_and_pairs_that_are_not_there_are_refused():
    t, world = tables(), _native.contact.ContactWorld(Scene().tables)
    args = t["state"], t["reference"], t["parameters"]
    rules, log, bumpers = kernels.BumpRules(0.2, 0.8, 2.0), np.zeros(4, TOUCH), np.zeros(1, BUMPER)
    rest = t["air"], 0.001, 1, rules, log
    near, nobody = np.array([0, 1]), np.zeros((0, 2), np.int64)
    for first, count in ((0, 2), (-1, 1), (1, 1), (2**62, 2**62)):
        t["parameters"]["first_bumper"], t["parameters"]["bumpers"] = first, count
        with pytest.raises(ValueError, match="bumpers that are not there"):
            kernels.bump(world, near, nobody, *args, bumpers, *rest)
    t["parameters"]["first_bumper"], t["parameters"]["bumpers"] = 0, 1
    for pair in ([0, 2], [0, -1], [3, 0]):
        with pytest.raises(ValueError, match="pairs: a drone that is not near"):
            kernels.bump(world, near, np.array([pair]), *args, bumpers, *rest)


def test_outcomes_tell_whether_all_is_within_measure():
    t = tables()
    out = np.empty(3, OUTCOME)
    assert kernels.outcomes(t["state"], t["parameters"], 10.0, out)
    for value in (11.0, -11.0, np.nan, np.inf):
        for field in ("p_W", "v_W", "w_B"):
            state = t["state"].copy()
            state[field][1, 2] = value
            assert not kernels.outcomes(state, t["parameters"], 10.0, out)
    with pytest.raises(ValueError, match="state: has fewer rows"):
        kernels.outcomes(t["state"], t["parameters"], 10.0, np.empty(4, OUTCOME))


@pytest.mark.parametrize("size", [3.0, 15.0])
def test_pairs_are_those_whose_reaches_meet(size):
    rng, t = np.random.default_rng(1), tables(300)
    t["state"]["p_W"] = rng.uniform(-size, size, (300, 3))
    t["state"]["v_W"] = rng.uniform(-3, 3, (300, 3))
    t["parameters"] = np.repeat(t["parameters"], 2)
    t["parameters"]["reach"] = [0.3, 0.0]
    t["state"]["kind"][::7] = 1
    found = kernels.find_pairs(t["state"], t["parameters"], 250, 0.1)
    p, reach = t["state"]["p_W"][:250], 0.35 + 0.1 * np.linalg.norm(t["state"]["v_W"][:250], axis=1)
    reach[::7] = 0.0
    apart = np.linalg.norm(p[:, None] - p[None], axis=2)
    wanted = np.argwhere(np.triu((apart < reach[:, None] + reach) & (reach[:, None] > 0) & (reach > 0), 1))
    assert len(wanted) > 3 and sorted(map(tuple, found)) == sorted(map(tuple, wanted))


def test_drones_without_a_place_meet_nobody():
    t = tables(4)
    t["parameters"]["reach"] = 0.3
    t["state"]["p_W"] = [[np.nan] * 3, [np.inf] * 3, [1e300] * 3, [-1e300] * 3]
    assert kernels.find_pairs(t["state"], t["parameters"], 4, 0.1).shape == (0, 2)


def test_the_first_of_each_part_is_chosen():
    rng = np.random.default_rng(2)
    places = rng.uniform(-100, 100, (500, 3))
    _, first = np.unique(np.floor(places / 32.0), axis=0, return_index=True)
    assert np.array_equal(kernels.one_of_each_part(places, 32.0), places[np.sort(first)])
    assert kernels.one_of_each_part(np.zeros((0, 3)), 32.0).shape == (0, 3)


def test_the_farthest_is_as_far_as_it_may_come():
    t, seen = tables(), np.array([[0.0, 0, 0], [3, 4, 0]])
    t["state"]["v_W"][1] = [0, 0, 2.0]
    assert kernels.farthest(t["state"], seen, 0.5) == 6.0
    t["state"]["p_W"][0, 0] = np.nan
    assert kernels.farthest(t["state"], seen, 0.5) == np.inf


def test_thin_air_is_linear_between_heights_and_constant_beyond():
    t, densities = tables(4), np.array([3.0, 2.0, 1.0])
    t["state"]["p_W"][:, 2] = [-50.0, 5.0, 1e9, np.nan]
    t["parameters"]["air_density"] = 2.0
    kernels.thin_air(t["state"], t["parameters"], 0.0, 10.0, densities, t["air"])
    assert t["air"]["share"][:3] == pytest.approx([1.5, 1.25, 0.5], abs=1e-6)


def test_levels_are_those_of_the_reference():
    assert [int(level) for level in Level] == list(range(12))
    assert Level.CRASHED == 11 and Level(1).name == "POSITION"
