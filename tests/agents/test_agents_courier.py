"""Our behaviour: the chart it remembers things in, ways round and over them, and how it gives way."""

import numpy as np
import pytest

from agents_rig import Flight, empty_world
from volery.agents.chart import Chart
from volery.agents.courier import Courier
from volery.agents.evasion import candidates, choose
from volery.agents.reactive import ReachLocation

NOBODY = np.empty((0, 3))
# A pocket open to the east, 14 m deep and 12 m wide, with walls of 12 m: the straight way west ends in it.
POCKET = [(-20, 0, 0, 1, 13, 12), (-13, 6, 0, 15, 1, 12), (-13, -6, 0, 15, 1, 12)]


def wall(x, low, high, z=(2, 7)):
    y, h = np.meshgrid(np.arange(low, high, 0.25), np.arange(*z, 0.25))
    return np.stack([np.full(y.size, x), y.ravel(), h.ravel()], axis=1)


def length(start, way):
    return np.linalg.norm(np.diff(np.vstack([start, way]), axis=0), axis=1).sum()


def test_a_chart_remembers_cells_and_tells_when_something_is_new():
    chart = Chart(np.zeros(3), 30.0)
    chart.add(np.array([[5.1, 2.1, 4.1], [5.2, 2.2, 4.2]]))
    assert chart.version == 1
    chart.add(np.array([[5.3, 2.3, 4.3]]))
    assert chart.version == 1
    assert chart.near(np.array([4.0, 2.0, 4.0]), 3.0, 1.0) == pytest.approx(np.array([[5.25, 2.25, 4.25]]))
    assert len(chart.near(np.array([4.0, 2.0, 8.0]), 3.0, 1.0)) == 0
    chart.add(np.array([[1e3, 0.0, 4.0], [0.0, 0.0, 0.2], [0.0, 0.0, 99.0]]))
    assert chart.version == 1


def test_the_way_is_straight_where_nothing_stands():
    way = Chart(np.zeros(3), 60.0).way(np.array([0.0, 0.0, 4.0]), np.array([40.0, 7.0, 0.0]), 1.0)
    assert way[0] == pytest.approx([40.0, 7.0])


def test_the_way_goes_round_a_wall_and_under_or_over_it_by_height():
    chart = Chart(np.zeros(3), 60.0)
    chart.add(wall(10.0, -8.0, 12.0))
    start, goal = np.array([0.0, 0.0, 4.0]), np.array([20.0, 0.0, 0.0])
    way = chart.way(start, goal, 1.0)
    at_wall = way[np.argmin(np.abs(way[:, 0] - 10.0))]
    assert at_wall[1] < -9.0
    assert 25.0 < length(start[:2], way) < 40.0
    assert chart.way(np.array([0.0, 0.0, 9.0]), goal, 1.0)[0] == pytest.approx([20.0, 0.0])


def test_there_is_no_way_out_of_a_closed_ring():
    chart = Chart(np.zeros(3), 60.0)
    angle = np.linspace(0, 2 * np.pi, 400)
    chart.add(np.stack([6 * np.cos(angle), 6 * np.sin(angle), np.full(400, 4.0)], axis=1))
    assert len(chart.way(np.array([0.0, 0.0, 4.0]), np.array([20.0, 0.0, 0.0]), 1.0)) == 0


def test_a_way_to_a_goal_outside_ends_at_the_edge_of_the_chart():
    chart = Chart(np.array([100.0, 0, 0]), 30.0)
    way = chart.way(np.array([100.0, 0.0, 4.0]), np.array([300.0, 100.0, 0.0]), 1.0)
    assert way[-1] == pytest.approx([129.5, 14.75])
    assert chart.covers(np.array([120.0, 0, 4]), 9.0) and not chart.covers(np.array([122.0, 0, 4]), 9.0)


@pytest.mark.slow
def test_beyond_its_first_chart_it_goes_on_with_another():
    wall_there = [(170, 0, 0, 1, 14, 9)]
    flight = Flight(empty_world(wall_there), Courier, [((0, 0), (185, 0))])
    flight.run(80, lambda: ("Delivered", "drone1") in flight.said)
    assert ("Delivered", "drone1") in flight.said
    assert flight.referee.collisions == []


def pick(p, v, wish, cells=NOBODY, others=NOBODY, speeds=NOBODY):
    options = candidates(np.array(wish, float), 5.0)
    best = choose(np.array(p, float), np.array(v, float), options[0], options, cells, others, speeds, 0.8)
    return options[best]


def test_without_anything_near_the_wish_is_flown():
    assert pick([0, 0, 4], [5, 0, 0], [5, 0, 0]) == pytest.approx([5, 0, 0])


def test_two_who_meet_head_on_both_turn_right():
    east = pick([0, 0, 4], [4, 0, 0], [5, 0, 0], others=np.array([[8.0, 0, 4]]), speeds=np.array([[-4.0, 0, 0]]))
    west = pick([8, 0, 4], [-4, 0, 0], [-5, 0, 0], others=np.array([[0.0, 0, 4]]), speeds=np.array([[4.0, 0, 0]]))
    assert east[2] == west[2] == 0.0
    assert east[1] < -0.5 and west[1] > 0.5


def test_it_stops_before_a_wall_that_fills_its_sight():
    cells = wall(3.0, -20.0, 20.0, (0, 20))
    v = pick([0, 0, 4], [2, 0, 0], [5, 0, 0], cells=cells)
    assert v[0] < 1.6


@pytest.mark.slow
def test_it_gets_out_of_a_dead_end_and_the_reports_behaviour_does_not():
    errand = [((0, 0), (-30, 0))]
    ours = Flight(empty_world(POCKET), Courier, errand)
    ours.run(90, ours.home)
    assert ours.said == [("Delivered", "drone1"), ("Returned", "drone1")]
    assert ours.referee.collisions == []
    free, held = Flight(empty_world(), ReachLocation, errand), Flight(empty_world(POCKET), ReachLocation, errand)
    free.run(30)
    assert free.said[:1] == [("Delivered", "drone1")], "without walls it gets there"
    held.run(60)
    assert held.said == []


def test_it_climbs_out_where_there_is_no_way_round():
    # A court of 10 × 10 m with walls of 9 m round the base.
    court = [(5, 0, 0, 1, 11, 9), (-5, 0, 0, 1, 11, 9), (0, 5, 0, 11, 1, 9), (0, -5, 0, 11, 1, 9)]
    flight = Flight(empty_world(court), Courier, [((0, 0), (20, 4))])
    highest = []
    flight.simulation.listeners.append(lambda s: highest.append(s.robots["drone1"].p_WB[2]))
    flight.run(90, flight.home)
    assert flight.said == [("Delivered", "drone1"), ("Returned", "drone1")]
    assert flight.referee.collisions == []
    assert max(highest) > 9.5


def test_drones_that_change_places_do_not_touch():
    angle = np.arange(8) * (2 * np.pi / 8)
    ring = 10 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    flight = Flight(empty_world(), Courier, [(tuple(p), tuple(-0.8 * p)) for p in ring])
    flight.run(90, flight.home)
    assert flight.home()
    assert flight.referee.collisions == [] and flight.referee.near_drones == 0
