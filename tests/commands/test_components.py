"""Each component tells all about itself: a page of the reference, outputs, and an example that is run."""

import sys
from pathlib import Path

import pytest

from volery.registry import place
from volery.report.component import component
from volery.report.component import names_of as all_names_of
from volery.scenario import read_scenario
from volery.sim import Simulation

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))


def names_of(kind):
    """Without those that other tests have registered."""
    found = all_names_of(kind)
    return found if kind == "scenarios" else [n for n in found if "test_" not in place(kind, n).partition(":")[0]]


KINDS = ("worlds", "robots", "sensors", "robot_kinds", "engines", "agents", "protocols", "scenarios")
ALL = [(kind, name) for kind in KINDS for name in names_of(kind)]
SLOW = {"forest", "cave", "hills", "warehouse"}


def test_each_has_a_page_in_the_site():
    from component_pages import component_pages

    pages = component_pages()
    index = pages["components/index.md"][1]
    for kind, name in ALL:
        text = pages[f"components/{kind}/{name}.md"][1]
        assert "## Example" in text and f"[{name}]({kind}/{name}.md)" in index
        source = pages[f"components/{kind}/{name}.md"][0]
        assert (ROOT / source).exists(), source


def test_each_that_can_be_seen_has_a_picture():
    from component_pages import PICTURES

    needs_a_file = {"mesh", "terrain", "tiles"}
    for kind in ("worlds", "robots", "scenarios"):
        for name in names_of(kind):
            if (kind == "worlds" and name in needs_a_file) or (PICTURES / f"{kind}-{name}.jpg").exists():
                continue
            pytest.fail(f"{kind}-{name}: run scripts/component_pictures.py")


@pytest.mark.parametrize("name", names_of("sensors"))
def test_each_sensor_tells_its_outputs_and_its_example_runs(name):
    found = component("sensors", name)
    assert found.outputs and all("/msg/" in o.type and "/SENSOR" in o.topic for o in found.outputs)
    with Simulation(read_scenario(found.example)) as simulation:
        simulation.run(steps=2)


@pytest.mark.parametrize(("kind", "name"), [(k, n) for k in ("worlds", "engines", "robots") for n in names_of(k)])
def test_examples_of_worlds_engines_and_robots_run(kind, name):
    found = component(kind, name)
    if any(p.default == "required" for p in found.parameters):
        assert "…" in found.example  # one that needs a file says where to put its name
        return
    if kind == "worlds" and name in SLOW:
        read_scenario(found.example)  # run by their own tests
        return
    if kind == "engines" and name in ("elastic", "external", "fmu"):
        pytest.skip("its robots are not the example's")
    with Simulation(read_scenario(found.example)) as simulation:
        simulation.run(steps=1)


@pytest.mark.parametrize(("kind", "name"), [(k, n) for k in ("agents", "protocols") for n in names_of(k)])
def test_examples_of_missions_and_protocols_are_understood(kind, name):
    found = component(kind, name)
    if not any(p.default == "required" for p in found.parameters):
        assert name in getattr(read_scenario(found.example), kind)
