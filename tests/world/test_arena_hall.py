"""The hall round an arena: no daylight, lamps, a dark end where a headlight matters; and panels of several looks."""

import numpy as np
import pytest

from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.generate.arena import Arena
from volery.world.generate.arena_hall import MARGIN
from volery.world.generate.arena_parts import BOARDS, CELL, panel

HALL = "world: {type: arena, colour: yellow, hall: true, debris_count: 0}\nseed: 3\nstep: 0.02\n"


def brightness(x, yaw, lit=False):
    """Mean of the floor in a P2AT's picture at one exposure, beside the arena, north of it, 0 to 255."""
    simulation = Simulation(
        read_scenario(
            f"{HALL}robots: {{bot: {{type: p2at, position: [{x}, 6.5, 0.11], attitude_deg: [0, 0, {yaw}],"
            " sensors: {Camera: {enabled: true, auto_exposure: false, exposure: 2},"
            f" HeadLight: {{lit: {str(lit).lower()}}}}}}}}}"
        )
    )
    simulation.run(20)
    return float(np.asarray(simulation.sensor("bot", "Camera").latest.data["rgb"])[160:].mean())


def test_lamps_leave_the_far_end_dark_and_a_headlight_helps_there():
    lit, dark, shone = brightness(-4.0, 180), brightness(9.0, -90), brightness(9.0, -90, lit=True)
    assert lit > 3.0 * dark
    assert shone > 3.0 * dark


def test_no_daylight_comes_into_the_hall():
    simulation = Simulation(read_scenario(HALL))
    assert simulation.scene.dark and not Simulation(read_scenario(HALL.replace("hall: true", "hall: false"))).scene.dark
    half = 0.5 * CELL * np.array([10, 8]) + MARGIN - 0.1
    x, y = np.meshgrid(*(np.linspace(-h, h, 9) for h in half))
    eyes = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 3.0)])
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    out = np.stack([np.cos(turn), np.sin(turn), np.zeros(16)], axis=1)
    for eye in eyes:
        assert simulation.scene.cast(eye, np.array([[0.0, 0.0, 1.0]]), max_range=4.0).hit.all(), "a roof"
        assert simulation.scene.cast(eye, out, max_range=40.0).hit.all(), "walls all round"


def test_robots_start_in_the_hall():
    arena = Arena(hall=True)
    half = 0.5 * CELL * np.array([arena.columns, arena.rows]) + MARGIN
    assert all(abs(x) < half[0] - 0.5 and abs(y) < half[1] - 0.5 for x, y, _, _ in arena.starts)


@pytest.mark.parametrize("kind", BOARDS)
def test_what_hangs_on_a_panel_is_as_thin_as_paper_and_changes_no_way(kind):
    mesh = panel(kind, 1.2)
    low, high = mesh.bounds
    assert (low[0], high[0]) == pytest.approx((0.0, CELL)) and high[2] == pytest.approx(1.2)
    assert max(-low[1], high[1]) <= 0.0125
    assert {m.label_name for m in mesh.materials} == {"wall"} and {m.reflectivity for m in mesh.materials} == {0.5}


def test_arenas_have_panels_of_several_kinds_and_the_same_ways():
    names = {p.name for p in Arena(seed=3).generate((0, 0))}
    assert len(names & {f"wall_{k}" for k in BOARDS}) >= 6
    assert Arena(seed=3)._maze[0].tobytes() == Arena(seed=3, hall=True)._maze[0].tobytes()
