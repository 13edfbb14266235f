"""Agents that talk and are organised: spaces with a range, holons, roles; and parcels given out by auction."""

import numpy as np
import pytest

from agents_rig import Still
from volery.agents import (
    Agent,
    Assigned,
    Context,
    Controller,
    MoveByVelocity,
    Notice,
    Organisation,
    Role,
    Space,
    Text,
    Utterance,
    holarchy,
)
from volery.core.clock import SECOND
from volery.errors import SimulationError


class Listener(Agent):
    """Keeps what it hears; says what it was given."""

    def __init__(self, name, place=None):
        super().__init__(name, np.zeros(3) if place is None else np.array(place, float))
        self.heard, self.script = [], []

    def hear(self, event):
        super().hear(event)
        if not hasattr(event, "now_ns"):
            self.heard.append(event)

    @property
    def place_W(self):
        return self.base_W

    def decide(self, now):
        for words in self.script:
            self.emit(*words)
        self.script = []

    @property
    def texts(self):
        return [e.content for e in self.heard if isinstance(e, Text)]


def text(sender, content):
    return Text(sender, content)


# Spaces


def in_a_row(space, *x):
    agents = [Listener(f"a{i}", [v, 0, 0]) for i, v in enumerate(x)]
    for agent in agents:
        space.register(agent)
    return agents


def test_words_carry_as_far_as_their_space_lets_them():
    space = Space("radio", range=10.0)
    agents = in_a_row(space, 0, 10, 10.01, 300)
    space.say(agents[0], Utterance(text("a0", "hello")), 0)
    assert [a.texts for a in agents] == [[], ["hello"], [], []]
    assert (space.said, space.heard, space.unreached) == (1, 1, 2)


def test_words_to_a_name_are_heard_by_it_alone():
    space = Space("all")
    agents = in_a_row(space, 0, 1, 2)
    space.say(agents[0], Utterance(text("a0", "you"), to=("a2",)), 0)
    assert [a.texts for a in agents] == [[], [], ["you"]]


def test_a_share_of_words_gets_lost_and_the_same_ones_with_the_same_seed():
    def heard(seed):
        space = Space("radio", loss=0.3, seed=seed)
        agents = in_a_row(space, 0, 1)
        for n in range(2000):
            space.say(agents[0], Utterance(text("a0", n)), 0)
        assert space.heard + space.lost == 2000
        return agents[1].texts

    first = heard(1)
    # The standard deviation of a share of 2,000 is 1 %.
    assert len(first) / 2000 == pytest.approx(0.7, abs=0.04)
    assert heard(1) == first and heard(2) != first


def test_delayed_words_are_heard_in_their_order_and_not_before_their_time():
    space = Space("radio", delay=0.25)
    agents = in_a_row(space, 0, 1)
    for n in range(3):
        space.say(agents[0], Utterance(text("a0", n)), n * SECOND // 10)
    space.deliver(SECOND // 5)
    assert agents[1].texts == []
    space.deliver(SECOND * 35 // 100)
    assert agents[1].texts == [0, 1]
    space.unregister(agents[1])
    space.deliver(SECOND)
    assert agents[1].texts == [0, 1], "who has left hears nothing that was on its way"


def test_who_has_no_body_is_heard_everywhere():
    space = Space("radio", range=5.0)
    (far,) = in_a_row(space, 1000)
    ground = Listener("ground")
    ground.base_W = None
    space.register(ground)
    space.say(ground, Utterance(text("ground", "come home")), 0)
    assert far.texts == ["come home"]


@pytest.mark.parametrize("wrong", [{"range": 0.0}, {"loss": 1.5}, {"delay": -1.0}, {"range": float("nan")}])
def test_a_space_that_cannot_be_is_refused(wrong):
    with pytest.raises(SimulationError, match="space 'x'"):
        Space("x", **wrong)


def test_agents_of_a_controller_hear_each_other_within_range():
    agents = [Listener("a", [0, 0, 0]), Listener("b", [8, 0, 0]), Listener("c", [16, 0, 0])]
    agents[1].script = [(text("b", "here"),)]
    agents[0].script = [(text("a", "hi"), "c"), (Notice("a", np.zeros(3), np.zeros(3)),)]
    overheard = []
    controller = Controller(agents, [Still(a.name, a.base_W) for a in agents], space=Space("radio", range=10.0))
    controller.hearers.append(lambda e: overheard.append(type(e).__name__))
    controller.cycle(0)
    assert [a.texts for a in agents] == [["here"], [], ["here"]], "c is too far from a"
    assert list(agents[1].others) == ["a"] and agents[2].others == {}
    assert overheard == ["Text", "Notice", "Text"], "a mission hears all"


# Contexts and holons


def test_members_hear_of_each_other_coming_and_going_and_in_spaces_they_joined():
    context = Context("yard")
    a, b, c = (Listener(n) for n in "abc")
    context.join(a)
    context.join(b)
    side = context.space("side", range=50.0)
    assert context.space("side") is side
    side.register(a)
    context.join(c)
    context.leave(b)
    assert [(type(e).__name__, e.member) for e in a.heard] == [
        ("MemberJoined", "b"), ("MemberJoined", "c"), ("MemberLeft", "b"),
    ]  # fmt: skip
    assert [type(e).__name__ for e in b.heard] == ["MemberJoined"]
    assert context.default.participants == ("a", "c") and side.participants == ("a",)
    with pytest.raises(SimulationError, match="no member"):
        context.leave(b)


def test_a_holon_is_whole_outside_and_a_community_inside():
    fleet, pair, a, b = (Listener(n) for n in ("fleet", "pair", "a", "b"))
    fleet.inner.join(pair)
    pair.inner.join(a)
    pair.inner.join(b)
    assert holarchy(fleet) == {"pair": {"a": {}, "b": {}}}
    pair.inner.default.say(a, Utterance(text("a", "inside")), 0)
    assert b.texts == pair.texts == ["inside"] and fleet.texts == []
    with pytest.raises(SimulationError, match="inside it"):
        a.inner.join(fleet)
    with pytest.raises(SimulationError, match="inside it"):
        fleet.inner.join(fleet)


# Roles


class Scout(Role):
    most = 1

    def hear(self, event):
        if isinstance(event, Text):
            self.agent.base_W[2] += 1


class Watcher(Role):
    least = 2


def test_roles_are_played_by_as_many_as_may_and_hear_what_is_said_among_them():
    team = Organisation("team", (Scout, Watcher))
    a, b, c = (Listener(n) for n in "abc")
    scout = team.play(a, Scout)
    with pytest.raises(SimulationError, match="1 play 'Scout'"):
        team.play(b, Scout)
    team.play(b, Watcher)
    assert not team.complete
    watcher = team.play(c, Watcher)
    assert team.complete and team.players(Watcher) == [b, c]
    team.default.say(watcher, Utterance(text("c", "look")), 0)
    assert a.base_W[2] == 1.0 and a.texts == b.texts == ["look"] and c.texts == []
    team.quit(scout)
    assert a.roles == [] and a not in team.members
    team.leave(c)
    assert not team.complete and team.default.participants == ("b", "b"), "the agent and its role"
    with pytest.raises(SimulationError, match="no role"):
        team.play(a, Role)


# A scenario: a holon that gives parcels to its members by auction (contract net)


class Dispatcher(Agent):
    """Has no body: it calls out one parcel after the other, and gives it to the lowest bid."""

    embodied, period = False, 0.5

    def __init__(self, name, targets):
        super().__init__(name, np.zeros(3))
        self.open, self.bids, self.given = list(targets), {}, {}

    def hear(self, event):
        super().hear(event)
        if isinstance(event, Text):
            self.bids[event.sender] = event.content

    def decide(self, now):
        target = self.open[0] if self.open else None
        if self.bids:
            winner = min(self.bids, key=lambda n: (self.bids[n], n))
            self.given[winner] = tuple(self.open.pop(0))
            self.emit(Assigned(target), winner, self.inner.default)
            self.bids = {}
        elif self.open:
            self.emit(Text(self.name, target), space=self.inner.default)


class Bidder(Role):
    """Bids its way to the target while it has nothing to do."""

    def hear(self, event):
        if isinstance(event, Text) and event.sender == "dispatcher" and not self.agent.errands:
            self.offer = float(np.linalg.norm(self.agent.pose.p_WB - event.content))
            self.agent.emit(Text(self.name, self.offer), "dispatcher", self.agent.home)


class Carrier(Agent):
    def decide(self, now):
        if self.errands:
            self.wishes.append(MoveByVelocity([0, 0, 1], 0.1))


def test_a_holon_gives_parcels_to_the_nearest_that_is_free():
    targets = np.array([[9.0, 0, 0], [11.0, 0, 0], [-9.0, 0, 0]])
    dispatcher = Dispatcher("dispatcher", targets)
    carriers = [Carrier(f"d{i}", np.array([x, 0.0, 0])) for i, x in enumerate((10.0, 6.0, -7.0))]
    guild = Organisation("guild", (Bidder,))
    for carrier in carriers:
        dispatcher.inner.join(carrier)
        carrier.home = dispatcher.inner.default
        role = guild.play(carrier, Bidder)
        dispatcher.inner.default.register(role)
    bodies = [Still(c.name, c.base_W) for c in carriers]
    controller = Controller([dispatcher, *carriers], bodies)
    for n in range(40):
        controller.cycle(n * SECOND // 4)
    # 9 is 1 m from d0, which is then busy; 11 goes to d1, not to d2; the last one to d2.
    assert dispatcher.given == {"d0": (9, 0, 0), "d1": (11, 0, 0), "d2": (-9, 0, 0)}
    assert [len(b.done) > 0 for b in bodies] == [True] * 3
    assert holarchy(dispatcher) == {"d0": {}, "d1": {}, "d2": {}}


def test_an_agent_without_a_body_that_wishes_to_fly_is_an_error():
    ghost = Dispatcher("ghost", [])
    ghost.wishes.append(MoveByVelocity([1, 0, 0], 1.0))
    with pytest.raises(SimulationError, match="'ghost': it has no body"):
        Controller([ghost], []).cycle(0)
