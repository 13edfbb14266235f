"""Influence and reaction: laws settle what agents wish at once, whatever their order."""

from itertools import permutations

import numpy as np
import pytest

from agents_rig import Flight, Still, body_state, empty_world
from volery.agents import (
    Agent,
    Controller,
    Geofence,
    Land,
    LandingSlots,
    MoveByVelocity,
    Put,
    Refused,
    Separation,
    Sigma,
    SpeedLimit,
    Take,
    Taken,
    Takeoff,
    Things,
    react,
)
from volery.agents.deliveries import Deliveries, DeliveriesSettings
from volery.core.clock import SECOND
from volery.errors import SimulationError
from volery.scenario import load_scenario
from volery.sim import Simulation


def sigma(**bodies):
    return Sigma(0, 0.1, {name: body_state(*args) for name, args in bodies.items()})


def velocities(reaction):
    return {name: own[0].v_W.tolist() for name, own in reaction.gamma.items() if own}


def move(*v):
    return MoveByVelocity(v, 1.0)


def test_without_laws_all_stands():
    wish = move(1, 2, 3)
    reaction = react(sigma(a=([0, 0, 5],)), {"a": [wish]}, [])
    assert reaction.gamma == {"a": [wish]} and reaction.told == []


def test_a_speed_limit_keeps_the_direction_and_what_is_slower():
    state = sigma(a=([0, 0, 5],), b=([9, 0, 5],))
    reaction = react(state, {"a": [move(6, 8, 0)], "b": [move(1, 0, 0), Takeoff()]}, [SpeedLimit(5.0)])
    assert reaction.gamma["a"][0].v_W == pytest.approx([3, 4, 0])
    assert reaction.gamma["b"][0].v_W == pytest.approx([1, 0, 0]) and isinstance(reaction.gamma["b"][1], Takeoff)
    assert reaction.told == []


def test_a_fence_lets_nobody_out_and_everybody_along_it():
    fence = Geofence([-10, -10, 0], [10, 10, 20], brake=2.0)
    at = lambda *p: react(sigma(a=(p,)), {"a": [move(5, 3, 0)]}, [fence]).gamma["a"][0].v_W  # noqa: E731
    assert at(0, 0, 5) == pytest.approx([5, 3, 0])
    # 1 m before the fence, brake 2 m/s²: v² = 2·2·1.
    assert at(9, 0, 5) == pytest.approx([2, 3, 0])
    assert at(10, 0, 5) == pytest.approx([0, 3, 0])
    assert at(12, 0, 5) == pytest.approx([0, 3, 0])


def test_a_drone_that_flies_at_its_fence_stops_inside_it():
    p, v, dt = np.array([0.0, 0.0, 5.0]), np.zeros(3), 0.1
    fence = Geofence([-10, -10, 0], [10, 10, 20])
    for _ in range(100):
        wished = {"a": [move(8, 0, 0)]}
        v = react(Sigma(0, dt, {"a": body_state(p, v)}), wished, [fence]).gamma["a"][0].v_W
        p = p + v * dt
    assert 9.5 < p[0] <= 10.0


def test_two_that_would_meet_lose_what_closes_in_and_a_third_flies_on():
    state = sigma(a=([0, 0, 5],), b=([4, 0, 5],), c=([0, 50, 5],))
    gamma = {"a": [move(3, 1, 0)], "b": [move(-3, 1, 0)], "c": [move(3, 0, 0)]}
    found = velocities(react(state, gamma, [Separation(2.0)]))
    assert found["a"] == pytest.approx([0, 1, 0]) and found["b"] == pytest.approx([0, 1, 0])
    assert found["c"] == [3, 0, 0]


def test_one_that_wishes_nothing_is_seen_by_its_velocity_and_the_landed_not_at_all():
    gamma = {"a": [move(3, 0, 0)], "b": []}
    coming = sigma(a=([0, 0, 5],), b=([8, 0, 5], [-3, 0, 0]))
    assert velocities(react(coming, gamma, [Separation(2.0)]))["a"] == pytest.approx([0, 0, 0])
    going = sigma(a=([0, 0, 5],), b=([8, 0, 5], [3, 0, 0]))
    assert velocities(react(going, gamma, [Separation(2.0)]))["a"] == [3, 0, 0]
    landed = sigma(a=([0, 0, 5],), b=([4, 0, 5], [0, 0, 0], True))
    assert velocities(react(landed, gamma, [Separation(2.0)]))["a"] == [3, 0, 0]


@pytest.mark.parametrize("order", list(permutations("abc")))
def test_who_gets_a_thing_does_not_depend_on_the_order_of_agents(order):
    state = sigma(a=([1.0, 0, 0],), b=([0.5, 0, 0],), c=([0, 0.5, 0],))
    things = Things({"parcel": [0, 0, 0]})
    reaction = react(state, {name: [Take("parcel")] for name in order}, [things])
    assert things.holder == {"parcel": "b"}, "as near as c, and before it by name"
    assert {n: type(e).__name__ for n, e in reaction.told if isinstance(e, Refused)} == {"a": "Refused", "c": "Refused"}
    assert sorted(n for n, e in reaction.told if isinstance(e, Taken) and e.by == "b") == ["a", "b", "c"]
    assert all(own == [] for own in reaction.gamma.values())


def test_things_are_taken_near_by_one_at_a_time_and_put_where_one_is():
    things = Things({"parcel": [0, 0, 0], "letter": [0, 1, 0]})
    why = lambda state, wish: [e.why for _, e in react(state, {"a": [wish]}, [things]).told if isinstance(e, Refused)]  # noqa: E731
    assert why(sigma(a=([9, 0, 0],)), Take("parcel")) == ["it is more than 1.5 m away"]
    assert why(sigma(a=([0, 0, 0],)), Take("parsel")) == ["there is no 'parsel'"]
    assert why(sigma(a=([0, 0, 0],)), Take("parcel")) == []
    assert why(sigma(a=([0, 0, 0],)), Take("letter")) == ["it has something already"]
    assert why(sigma(a=([7, 0, 0],)), Put()) == []
    assert things.holder == {} and things.places_W["parcel"].tolist() == [7, 0, 0]


def test_of_two_that_put_and_take_at_once_the_taker_gets_what_is_put():
    things = Things({"parcel": [0, 0, 0]})
    things.holder["parcel"] = "a"
    state = sigma(a=([5, 0, 0],), b=([5, 1, 0],))
    for order in (("a", "b"), ("b", "a")):
        things.holder = {"parcel": "a"}
        wishes = {"a": [Put()], "b": [Take("parcel")]}
        react(state, {name: wishes[name] for name in order}, [things])
        assert things.holder == {"parcel": "b"}


def test_one_lands_after_the_other_where_both_want_to():
    slots = LandingSlots(apart=2.0)
    both = {"a": [Land()], "b": [Land()], "far": [Land()]}
    reaction = react(sigma(a=([0, 0, 3],), b=([1, 0, 2],), far=([9, 0, 9],)), both, [slots])
    assert isinstance(reaction.gamma["b"][0], Land) and isinstance(reaction.gamma["far"][0], Land)
    assert reaction.gamma["a"][0].v_W.tolist() == [0, 0, 0]
    assert [(n, e.why) for n, e in reaction.told] == [("a", "b lands here")]
    # b keeps its turn, though a has become lower; and a has its own when b is down.
    again = react(sigma(a=([0, 0, 0.5],), b=([1, 0, 1],)), {"a": [Land()], "b": []}, [slots])
    assert isinstance(again.told[0][1], Refused)
    down = react(sigma(a=([0, 0, 3],), b=([1, 0, 0], [0, 0, 0], True)), {"a": [Land()], "b": []}, [slots])
    assert isinstance(down.gamma["a"][0], Land) and down.told == []


class Wisher(Agent):
    """Wishes the same again and again, and keeps what it hears."""

    def __init__(self, name, *wishes):
        super().__init__(name, np.zeros(3))
        self.own, self.heard = wishes, []

    def hear(self, event):
        super().hear(event)
        self.heard.append(event)

    def decide(self, now):
        self.wishes.extend(self.own)


def test_a_controller_has_bodies_follow_only_what_stands_and_tells_who_was_refused():
    agents = [Wisher("a", Take("parcel"), move(9, 0, 0)), Wisher("b", Take("parcel"))]
    bodies = [Still("a", [1, 0, 0]), Still("b", [0.2, 0, 0])]
    things = Things({"parcel": [0, 0, 0]})
    controller = Controller(agents, bodies, laws=[things, SpeedLimit(3.0)])
    controller.cycle(0)
    assert things.holder == {"parcel": "b"}
    assert [i.v_W.tolist() for i in bodies[0].done] == [[3, 0, 0]] and bodies[1].done == []
    assert [type(e).__name__ for e in agents[0].heard[-2:]] == ["Refused", "Taken"]
    assert controller.gamma["a"][0] is bodies[0].done[0], "under way"


def test_influence_alone_changes_nothing():
    agent, body = Wisher("a", move(1, 0, 0)), Still("a", [0, 0, 0])
    controller = Controller([agent], [body])
    gamma = controller.influence(0)
    assert gamma["a"][0].v_W.tolist() == [1, 0, 0] and body.done == []
    controller.react(0, gamma)
    assert body.done == gamma["a"]


def test_a_wish_that_no_law_settles_is_an_error():
    controller = Controller([Wisher("a", Take("parcel"))], [Still("a", [0, 0, 0])])
    with pytest.raises(SimulationError, match="Take of agent 'a': it needs a law"):
        controller.cycle(0)


def test_laws_know_how_long_an_instant_lasts():
    seen = []

    class Clocked(SpeedLimit):
        def settle(self, sigma, reaction):
            seen.append((sigma.now_ns, sigma.dt))

    controller = Controller([Wisher("a")], [Still("a", [0, 0, 0])], laws=[Clocked(1.0)])
    for n in range(3):
        controller.cycle(n * SECOND // 4)
    assert seen == [(0, 0.0), (SECOND // 4, 0.25), (SECOND // 2, 0.25)]


# Flown


class Ram(Agent):
    """Up, and straight at its target whoever is there."""

    def decide(self, now):
        if now < 0.3:
            self.wishes.append(Takeoff())
        elif now > 4.0:
            way = (self.errands[0] - self.pose.p_WB) * [1, 1, 0]
            self.wishes.append(MoveByVelocity(4.0 * way / np.linalg.norm(way), 0.5))


def test_two_that_fly_at_each_other_meet_without_the_law_and_do_not_with_it():
    def rammed(*laws):
        flight = Flight(empty_world(), Ram, [((0, 0), (40, 0)), ((16, 0), (-24, 0))], laws)
        flight.run(9.0)
        return flight.referee

    free, kept = rammed(), rammed(Separation(3.0, horizon=0.8))
    assert free.counts()["drone"] == 1 and free.hard >= 1
    assert kept.counts()["drone"] == 0 and kept.near_drones == 0
    ways = [np.array(log.way)[-1, 1] for log in kept.logs.values()]
    assert 1.5 < ways[1] - ways[0] < 12.0, "they stand before each other"


def test_a_missions_speed_limit_holds_for_every_behaviour():
    def fastest(**laws):
        settings = DeliveriesSettings(drones=2, behaviour="reach", parcels=1, reach=40.0, **laws)
        mission = Deliveries(Simulation(load_scenario("deliveries"), seed=3), None, settings)
        mission.simulation.run(700)
        return max(log.fastest for log in mission.referee.logs.values())

    assert fastest() > 4.0
    assert fastest(speed_limit=2.0) < 2.4
