"""Behaviours by name, of packages, and of one's own file; and the public names of volery.agents."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from volery import agents, registry
from volery.agents import Agent, add_behaviour, behaviour
from volery.agents.deliveries import Deliveries, DeliveriesSettings
from volery.cli import main
from volery.errors import LibraryError, UnknownNameError
from volery.scenario import load_scenario
from volery.sim import Simulation

ROOT = Path(__file__).parent.parent.parent
HOP = """
from volery.agents import Agent, Land, Takeoff
from hop_helper import ENOUGH

class Hop(Agent):
    period = 0.5

    def decide(self, now):
        if self.state.landed:
            self.wishes.append(Takeoff())
        elif self.pose.p_WB[2] > ENOUGH:
            self.wishes.append(Land())

class Mute(Agent):
    pass

class NoAgent:
    pass
"""


@pytest.fixture
def hop(tmp_path, monkeypatch):
    """A file with an agent, and one beside it that it imports."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "hop_helper.py").write_text("ENOUGH = 1.5\n")
    file = tmp_path / f"hop_{tmp_path.name.replace('-', '_')}.py"
    file.write_text(HOP)
    return file


def test_built_in_behaviours_have_names():
    assert {"courier", "reach", "reach_among_drones"} <= set(registry.names("behaviours"))
    assert behaviour("courier").__name__ == "Courier" and add_behaviour("courier") == "courier"
    with pytest.raises(UnknownNameError, match="did you mean 'courier'"):
        behaviour("curier")


def test_an_agent_of_ones_own_file_flies_a_mission(hop):
    name = add_behaviour(f"{hop}:Hop")
    assert name == f"{hop.stem}:Hop" and add_behaviour(f"{hop}:Hop") == name
    settings = DeliveriesSettings(drones=2, behaviour=name, parcels=1, reach=30.0)
    mission = Deliveries(Simulation(load_scenario("deliveries")), None, settings)
    heights = []
    mission.simulation.listeners.append(lambda s: heights.append(s.robots["drone1"].p_WB[2]))
    mission.simulation.run(500)
    highest = heights.index(max(heights))
    assert 1.5 < max(heights) < 2.4
    assert min(heights[highest:]) < 0.2, "up, and down again"
    assert not mission.simulation.sensors["drone1"].get("lidar"), "it asked for none"


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("{hop}:Hopp", "did you mean 'Hop'"),
        ("{hop}:NoAgent", "no subclass of volery.Agent"),
        ("{hop}:Mute", "lacks decide"),
        ("{hop}x.py:Hop", "no such file"),
        ("coureer", "did you mean 'courier'"),
        ("no.such.module:Hop", "cannot be loaded"),
    ],
)
def test_what_is_no_agent_is_refused_in_words(hop, where, words):
    with pytest.raises((LibraryError, UnknownNameError), match=words):
        add_behaviour(where.format(hop=hop))


def test_a_file_that_fails_says_how(tmp_path):
    (tmp_path / "broken_agent.py").write_text("import numpy\n1 / 0\n")
    with pytest.raises(LibraryError, match=r"broken_agent\.py: ZeroDivisionError"):
        add_behaviour(f"{tmp_path / 'broken_agent.py'}:X")


def test_the_command_line_takes_a_file_and_says_what_is_wrong(hop, capsys, tmp_path):
    words = f"run deliveries --drones 1 --headless --no-bus --speed max --duration 1 --out {tmp_path}"
    assert main([*words.split(), "--agent", f"{hop}:Hop"]) == 0
    assert f"{hop.stem}:Hop, seed 1" in capsys.readouterr().out
    assert main([*words.split(), "--agent", f"{hop}:Hopp"]) == 1
    assert "did you mean 'Hop'" in capsys.readouterr().err
    assert main(["run", "blocks", "--headless", "--no-bus", "--duration", "1", "--agent", f"{hop}:Hop"]) == 1
    assert "is not for blocks" in capsys.readouterr().err


def test_a_scenario_names_only_what_is_registered(hop):
    with pytest.raises(UnknownNameError, match="behaviour"):
        DeliveriesSettings(behaviour=f"{hop}:Hop")


def test_behaviours_are_listed_and_described(capsys):
    assert main("list behaviours".split()) == 0
    out = capsys.readouterr().out
    assert "courier" in out and "Flies at its own level" in out
    assert main("list behaviours reach".split()) == 0
    assert "deliveries: {behaviour: reach}" in capsys.readouterr().out


# Public names


def test_public_names_are_those_declared_for_type_checkers():
    tree = ast.parse((ROOT / "src/volery/agents/__init__.py").read_text())
    declared = {
        alias.asname: node.module
        for block in tree.body
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == agents._PUBLIC
    assert sorted(declared) == agents.__all__
    assert all(getattr(agents, name).__module__ == place for name, place in declared.items())


def test_public_names_and_their_parts_are_documented_and_in_the_reference():
    page = (ROOT / "docs" / "reference" / "agents.md").read_text()
    described = set(re.findall(r"^::: volery(?:\.agents)?\.(\w+)$", page, re.MULTILINE))
    assert described == set(agents.__all__)
    bare = []
    for name in agents.__all__:
        thing = getattr(agents, name)
        parts = inspect.getmembers_static(thing) if isinstance(thing, type) else []
        own = [(p, v) for p, v in parts if not p.startswith("_") and inspect.isroutine(v) and hasattr(Agent, "__mro__")]
        bare += [f"{name}.{p}" for p, _ in own if not inspect.getdoc(getattr(thing, p))]
        bare += [] if inspect.getdoc(thing) else [name]
    assert not bare


def test_an_agent_loads_neither_the_bus_nor_the_simulation():
    code = (
        "import sys; from volery.agents import Agent, MoveByVelocity; "
        "print([m for m in ('zenoh', 'volery.sim', 'msgpack', 'rosbags') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_slip_is_told_with_what_was_meant():
    with pytest.raises(AttributeError, match="did you mean 'Agent'"):
        agents.Agnet  # noqa: B018
