"""The public interface: its names, what they cost to import, and what editors and type checkers see of them."""

import ast
import inspect
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import jedi
import pytest

import volery
from volery import api

ROOT = Path(__file__).parent.parent.parent
API = ROOT / "src" / "volery" / "api.py"
NAMES = sorted(set(volery.__all__) - {"__version__", "registry"})
ALIASES = ("Casting", "ChunkKey", "OutputFrame", "PageView")
"""Names of types that are no classes; what they are stands under them in the source."""


def run(code, *options):
    words = [sys.executable, *options, "-c", textwrap.dedent(code)]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)


def test_the_names_are_those_that_the_interface_declares():
    declared = {
        alias.asname: node.module
        for node in ast.parse(API.read_text()).body
        if isinstance(node, ast.ImportFrom) and node.module not in ("__future__", "volery")
        for alias in node.names
    }
    assert declared == volery._PUBLIC
    renamed = [name for name in declared if name not in ALIASES and getattr(api, name).__name__ != name]
    assert not renamed


def test_each_name_is_the_thing_itself_and_has_one_path():
    for name in NAMES:
        assert getattr(volery, name) is getattr(api, name), name
    for module in ("volery.learn", "volery.commands", "volery.viewer"):
        assert module.split(".")[1] not in NAMES, f"{module} is a module, not a name"


def test_all_names_are_listed_before_any_is_imported():
    code = """
        import sys, volery
        print("numpy" in sys.modules, *dir(volery))
    """
    heavy, *listed = run(code).stdout.split()
    assert heavy == "False"
    assert {"Simulation", "Loop", "Scenario", "World", "Sensor", "Engine", "param", "registry"} <= set(listed)
    assert not {"annotations", "import_module", "TYPE_CHECKING"} & set(listed), "only what is public is shown"


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(AttributeError, match="did you mean 'Simulation'"):
        volery.Simulaton  # noqa: B018
    with pytest.raises(ImportError, match="Scenarios"):
        from volery import Scenarios  # noqa: F401


def test_a_simulation_is_touched_without_what_only_some_runs_need():
    """These cost more than all of the simulation together; what needs them imports them."""
    code = """
        import sys, volery
        volery.Simulation
        heavy = "trimesh PIL zenoh rosbags mcap websockets asyncio scipy gymnasium ray pymavlink matplotlib"
        print([name for name in heavy.split() if name in sys.modules], len(sys.modules))
    """
    heavy, _, count = run(code).stdout.rpartition(" ")
    assert heavy == "[]", "touching Simulation imports what it does not need"
    assert int(count) < 450


def _public_parts(cls):
    """Methods, properties and fields of a class that it defines itself or has from a class of Volery."""
    for name, value in inspect.getmembers_static(cls):
        owner = next(c for c in cls.__mro__ if name in vars(c))
        if not name.startswith("_") and owner.__module__.startswith("volery"):
            yield name, value


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ALIASES])
def test_every_public_name_and_part_of_it_is_documented(name):
    thing = getattr(volery, name)
    if not isinstance(thing, type):
        assert thing.__doc__, name
        return
    bare = [] if thing.__doc__ and not thing.__doc__.startswith(f"{name}(") else [name]
    for part, value in _public_parts(thing):
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if inspect.isfunction(function) and not inspect.getdoc(getattr(thing, part)):
            bare.append(f"{name}.{part}")
    assert not bare


def test_every_public_name_is_in_the_reference():
    pages = "\n".join(page.read_text() for page in (ROOT / "docs" / "reference").glob("*.md"))
    described = set(re.findall(r"^::: volery\.(\w+)$", pages, re.MULTILINE))
    assert described == {*NAMES, "registry"} - set(ALIASES)
    assert all(f"`volery.{name}`" in pages for name in ALIASES)


MYPY = ["-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary"]


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What a type checker says of scripts of users, each line with its text: all in one run."""

    def check(scripts):
        folder = tmp_path_factory.mktemp("scripts")
        for name, text in scripts.items():
            (folder / f"{name}.py").write_text(textwrap.dedent(text))
        words = [sys.executable, *MYPY, "--cache-dir", str(ROOT / ".mypy_cache")]
        done = subprocess.run(
            [*words, *map(str, sorted(folder.glob("*.py")))], capture_output=True, text=True, cwd=ROOT
        )
        assert not done.stderr, done.stderr
        found = {name: [] for name in scripts}
        for line in done.stdout.splitlines():
            # What was found of the same text before is told with the folder of then.
            name = Path(line.split(":")[0]).stem
            if " error: " in line and name in found:
                found[name].append(line.split(" error: ")[1])
        return found

    return check(
        {
            "good": """
                from pathlib import Path
                import numpy as np
                import volery

                with volery.Simulation("warehouse", seed=3) as sim:
                    sim.run(500)
                    sim.run(seconds=5.0)
                    reading: volery.Reading | None = sim.sensor("uav1", "lidar").latest
                    if reading is not None:
                        points: np.ndarray = reading.points + reading["points"]
                    where: np.ndarray = sim.robot("uav1").position
                    sim.command("uav1", volery.Velocity([1.0, 0.0, 0.0]))
                volery.Simulation(Path("my.yaml"))
                volery.Placement.one("wall", volery.box((1, 1, 1)))
                print(volery.registry.names("worlds"), volery.__version__)
            """,
            "slip": "import volery\nsim = volery.Simulation('demo')\nsim.stepp(3)\n",
            "word": "import volery\nsim = volery.Simulation('demo')\nsim.run('five')\n",
            "name": "import volery\nvolery.Simulatoin('demo')\n",
            "direct": "from volery import Simulation\nSimulation('demo').run(seconds='five')\n",
            "seed": "import volery\nvolery.Simulation('demo', sede=3)\n",
            "type": "import volery\nx: int = volery.Simulation('demo').robot('uav1').position\n",
        }
    )


def test_a_type_checker_accepts_a_right_script(checked):
    assert checked["good"] == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("slip", 'has no attribute "stepp"'),
        ("word", 'incompatible type "str"; expected "int | None"'),
        ("name", "has no attribute"),
        ("direct", 'incompatible type "str"; expected "float | None"'),
        ("seed", 'Unexpected keyword argument "sede"'),
        ("type", "Incompatible types in assignment"),
    ],
)
def test_a_type_checker_catches_slips_of_a_users_script(checked, script, words):
    assert len(checked[script]) == 1 and words in checked[script][0], checked[script]


def completions(text):
    project, environment = jedi.Project(ROOT / "src"), jedi.InterpreterEnvironment()
    return {c.name for c in jedi.Script(text, project=project, environment=environment).complete()}


def test_an_editor_completes_names_and_attributes(monkeypatch):
    # What imports a checkout that is installed to be edited is not understood by jedi; an installed wheel has no such.
    finders = [f for f in sys.meta_path if not type(f).__module__.startswith("_editable")]
    monkeypatch.setattr(sys, "meta_path", finders)
    assert {"Simulation", "Scenario", "World", "Velocity"} <= completions("import volery\nvolery.")
    wanted = {"step", "run", "robot", "sensor", "spawn", "command", "clock", "scene", "show", "close", "robots"}
    assert wanted <= completions("import volery\nsim = volery.Simulation('demo')\nsim.")
    assert wanted <= completions("from volery import Simulation\nwith Simulation('demo') as sim:\n    sim.")
    assert {"position", "orientation", "velocity", "p_WB"} <= completions(
        "import volery\nvolery.Simulation('demo').robot('uav1')."
    )
    assert {"latest", "config", "X_WS"} <= completions("import volery\nvolery.Simulation('demo').sensor('a', 'b').")
