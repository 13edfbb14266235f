"""The native core's kernels of autonomy and agents: closed forms, places outside, and arguments that do not fit."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from volery import _native

agents, autonomy = _native.agents, _native.autonomy

SHAPE = (7, 8, 9)


def window(fill=-1):
    return np.full(SHAPE, fill, np.int8)


def test_clearances_are_steps_of_three_four_and_five():
    evidence, clear = window(), np.empty(SHAPE, np.uint8)
    evidence[3, 4, 4] = 1
    autonomy.clearances(evidence, clear)
    i, j, k = np.abs(np.indices(SHAPE) - np.array([3, 4, 4])[:, None, None, None])
    low, mid, high = np.sort(np.stack([i, j, k]), axis=0)
    assert np.array_equal(clear, 5 * low + 4 * (mid - low) + 3 * (high - mid))
    autonomy.clearances(window(), clear)
    assert (clear == 60).all(), "nothing is near"


def test_beams_that_lead_nowhere_say_nothing():
    grid = autonomy.OccupancyGrid(0.4, 30.0, 0.6)
    autonomy.occupancy_add(grid, np.zeros(3), np.array([[np.nan, 0, 0], [np.inf, 0, 0], [0.1, 0, 0]]))
    assert autonomy.occupancy_bounds(grid).shape == (0, 3)
    for far in (1e300, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"^origin"):
            autonomy.occupancy_add(grid, np.array([far, 0, 0]), np.ones((1, 3)))


def test_a_map_may_be_asked_while_it_grows():
    grid = autonomy.OccupancyGrid(0.4, 30.0, 0.6)
    ends = np.random.default_rng(1).normal(size=(2000, 3)) * 20

    def add(n):
        for k in range(10):
            autonomy.occupancy_add(grid, np.array([10.0 * n, 5.0 * k, 0.0]), ends)

    def ask(_):
        out = np.zeros((60, 60, 20), np.int8)
        for _ in range(40):
            autonomy.occupancy_window(grid, np.array([-30, -30, -10]), out)
            assert len(autonomy.occupancy_middles(grid, True)) >= 0
        return out

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask, n) for n in range(2)]
        for task in [pool.submit(add, n) for n in range(2)] + asked:
            task.result()
    assert autonomy.occupancy_count(grid, True) == len(autonomy.occupancy_middles(grid, True)) > 0


def test_searches_begin_inside():
    price, clear = np.ones(SHAPE, np.float32), np.full(SHAPE, 60, np.uint8)
    way, reached = autonomy.search_way(price, clear, np.zeros(3), np.array([6.0, 7.0, 8.0]), 1.0)
    assert reached and way[0].tolist() == [0, 0, 0]
    for start in ([0, 0, 9.0], [-2.0, 0, 0], [np.nan, 0, 0]):
        with pytest.raises(ValueError, match=r"^start"):
            autonomy.search_way(price, clear, np.array(start), np.zeros(3), 1.0)
    with pytest.raises(ValueError, match=r"^start"):
        autonomy.flood(price, clear, window(), np.array([0, 8, 0]))
    with pytest.raises(ValueError, match=r"^clear"):
        autonomy.flood(price, clear[1:].copy(), window(), np.zeros(3, int))


def test_lines_beyond_the_window_are_dear_not_wrong():
    price = np.ones(SHAPE, np.float32)
    way = np.array([[0.0, 0, 0], [1e5, 0, 0], [3.0, 3, 3]])
    assert len(autonomy.straightened(price, way)) == 2
    with pytest.raises(ValueError, match=r"^way"):
        autonomy.straightened(price, np.array([[0.0, 0, 0], [np.nan, 0, 0]]))
    with pytest.raises(ValueError, match=r"^way"):
        autonomy.smoothed(price, np.zeros((0, 3)), 0.6, 1)


def test_a_chart_takes_what_lies_outside_for_nothing():
    columns, corner = np.zeros((8, 8), np.uint64), np.zeros(3)
    points = np.array([[1e300, 0, 1], [np.nan, 0, 1], [-0.1, 0, 1], [1, 1, 0.2], [1, 1, 40], [1.2, 1.2, 1.2]])
    assert agents.chart_note(columns, corner, points, np.zeros((0, 3)), 0.5) == 1
    assert agents.chart_near(columns, corner, np.array([1.0, 1, 1]), 1.0, 1.0).tolist() == [[1.25, 1.25, 1.25]]
    assert len(agents.chart_near(columns, corner, np.array([-50.0, 1, 1]), 1.0, 1.0)) == 0
    assert len(agents.chart_near(columns, corner, np.array([1e300, np.nan, 1]), 1.0, 1.0)) == 0
    costs = agents.chart_costs(columns, 0b100)
    assert costs.shape == (4, 4) and costs[1, 1] == 1e9 and costs[0, 0] == 30.0
    for goal in ([4.0, 0.0], [0.0, -1.0], [np.nan, 0.0]):
        with pytest.raises(ValueError, match=r"^start, goal"):
            agents.chart_search(costs, np.zeros(2), np.array(goal))
