"""CONTROL: the client without a body that makes, moves and takes away things."""

import numpy as np
import pytest

from gamebots_rig import FLAT, fields, floats, one, stepped, value


@pytest.fixture
def world():
    with stepped(FLAT, errors=True) as server:
        raw = server.connect("udk")
        server.say(raw, "INIT {ClassName USARBotAPI.WorldController} {Name WC}")
        assert not server.simulation.robots, "it has no body"
        yield server, raw


def things(server, raw):
    """Place of each object, as GetSTA tells it."""
    line = one(server.say(raw, "CONTROL {Type GetSTA}"), "STA")
    pairs = fields(line)[1]
    assert [k for k, _ in pairs] == ["Name", "Size", "Location", "Rotation"] * (len(pairs) // 4)
    names, places = pairs[::4], pairs[2::4]
    return {n[1]: floats(p[1]) for n, p in zip(names, places, strict=True)}


def test_things_are_made_moved_and_taken_away(world):
    server, raw = world
    server.say(
        raw, "CONTROL {Type Create} {ClassName Box} {Name crate} {Location 2,1,-0.5} {Rotation 0,0,0.5} {Scale 2,1,1}"
    )
    assert things(server, raw) == {"crate": [2.0, 1.0, -0.5]}
    line = one(server.say(raw, "CONTROL {Type GetSTA} {Name CRATE}"), "STA")
    assert floats(value(line, "Size")) == pytest.approx([2, 1, 1])
    assert floats(value(line, "Rotation")) == pytest.approx([0, 0, 0.5], abs=1e-3)
    hits = server.simulation.scene.cast(np.array([2.0, -1.0, 5.0]), np.array([[0.0, 0.0, -1.0]]))
    assert hits.distance[0] == pytest.approx(4.0, abs=1e-3), "rays meet it"
    server.say(raw, "CONTROL {Type AbsMove} {Name crate} {Location 5,0,-0.5} {Rotation 0,0,0}")
    server.say(raw, "CONTROL {Type RelMove} {Name crate} {Location 0,1,-1} {Rotation 0,0,0}")
    assert things(server, raw)["crate"] == pytest.approx([5, 1, -1.5])
    assert "already" in one(server.say(raw, "CONTROL {Type Create} {ClassName Box} {Name Crate}"), "ERR")
    server.say(raw, "CONTROL {Type Kill} {Name crate}")
    assert things(server, raw) == {} and not server.simulation.environment.edits.made


def test_loose_things_fall_and_robots_can_be_put_elsewhere(world):
    server, raw = world
    server.say(
        raw,
        "CONTROL {Type Create} {ClassName USARPhysObj.Brick} {Name b} {Location 3,0,-1} {Physics RigidBody}",
        steps=100,
    )
    assert things(server, raw)["b"][2] == pytest.approx(-0.03, abs=0.05)
    other = server.connect()
    server.say(other, "INIT {ClassName USARBot.P2AT} {Name R1} {Location 0,0,0}")
    server.say(raw, "CONTROL {Type AbsMove} {Name R1} {Location 7,0,-0.2} {Rotation 0,0,0}")
    assert server.robot().p_WB[0] == pytest.approx(7.0, abs=0.01)
    server.say(raw, "CONTROL {Type KillAll} {MinPos -10,-10,-10} {MaxPos 10,10,10}")
    assert list(server.simulation.robots) == ["R1"]


def test_things_turn_and_follow_waypoints(world):
    server, raw = world
    server.say(raw, "CONTROL {Type Create} {ClassName Sphere} {Name s} {Location 0,0,-1}")
    server.say(raw, "CONTROL {Type Rotate} {Name s} {Speed 0,0,1}", steps=101)
    line = one(server.say(raw, "CONTROL {Type GetSTA}"), "STA")
    assert floats(value(line, "Rotation"))[2] == pytest.approx(1.0, abs=0.05)
    server.say(raw, "CONTROL {Type SetWP} {Name s} {Speed 1} {WP 0,0,-1;2,0,-1}")
    server.say(raw, "CONTROL {Type AddWP} {Name s} {WP 2,2,-1}", steps=300)
    assert things(server, raw)["s"] == pytest.approx([2, 1.03, -1], abs=0.05)
    server.step(200)
    assert things(server, raw)["s"] == pytest.approx([2, 2, -1])
    server.say(raw, "CONTROL {Type SetWP} {Name s} {Time 2} {Loop true} {WP 0,0,-1;1,0,-1}", steps=150)
    assert things(server, raw)["s"] == pytest.approx([0.5, 0, -1], abs=0.05), "there and half the way back"
    server.say(raw, "CONTROL {Type ClearWP} {Name s}")
    assert things(server, raw)["s"] == [0, 0, -1]


def test_what_cannot_be_done_is_said(world):
    server, raw = world
    for line, why in (
        ("CONTROL {Type Fly}", "cannot 'fly'"), ("CONTROL {Type Kill} {Name x}", "no object 'x'"),
        ("CONTROL {Type Create} {ClassName Castle}", "not 'castle'"), ("CONTROL {Type Conveyor} {Name c}", "conveyors"),
        ("CONTROL {Type AbsMove} {Name x} {Location 1e20,0,0}", "too far"),
    ):  # fmt: skip
        assert why in one(server.say(raw, line), "ERR")
    other = server.connect()
    assert "WorldController" in one(server.say(other, "CONTROL {Type GetSTA}"), "ERR")


def test_things_go_with_their_client_but_for_permanent_ones(world):
    server, raw = world
    server.say(raw, "CONTROL {Type Create} {ClassName Box} {Name a} {Location 2,0,0}")
    server.say(raw, "CONTROL {Type Create} {ClassName Box} {Name b} {Location 4,0,0} {Permanent true}")
    server.say(raw, "CONTROL {Type Create} {ClassName Barrel} {Name c} {Location 6,0,-1} {Physics Falling}")
    raw.close()
    server.until(lambda: server.door.wire.clients[0].gone)
    server.step()
    assert list(server.simulation.environment.edits.made) == ["wc_b"] and not server.simulation.robots
