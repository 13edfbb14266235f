"""The shape of the house: who imports whom, how large things are, and how light the import is."""

import ast
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

from volery import registry

SOURCE = Path(__file__).parent.parent.parent / "src" / "volery"
FILES = sorted(SOURCE.rglob("*.py"))

# A folder may import only those before it; the last group never import each other. Robots know nothing of engines.
ORDER = [
    *("_native", "errors", "core", "registry", "world", "render", "robots", "physics", "sensors", "events", "bus"),
    *("client", "built_in", "scenario", "led", "settings", "ground", "showing", "sim", "loop"),
]
LAST = ["protocols", "viewer", "agents", "autonomy", "learn", "campaign", "report"]
TOP = ["tools", "commands", "notebook", "cli", "api", "__main__", "__init__"]
TOOLS_FOR = {"commands/measure.py", "commands/report.py"}
"""Who may import `tools`: benchmarks and reports of theses, which no run needs."""
UPWARD = {("showing", "notebook"), ("showing", "sim")}
"""Imported upwards, in a call or for types alone: people look for the picture and the page at the simulation."""
HARD_FILE, HARD_FUNCTION = 500, 60


_TREES = {path: ast.parse(path.read_text()) for path in FILES}


def layer(path):
    part = path.relative_to(SOURCE).parts[0]
    return part.removesuffix(".py")


def imported_layers(path):
    for node in ast.walk(_TREES[path]):
        names = []
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{a.name}" for a in node.names] if node.module == "volery" else [node.module]
        for name in names:
            if name.startswith("volery."):
                yield name.split(".")[1]


def may_import(own, other):
    if other in (own, "__version__") or (own, other) in UPWARD:
        return True
    if own in LAST:
        return other in ORDER
    return other in ORDER and ORDER.index(other) < ORDER.index(own)


def test_imports_go_one_way():
    wrong = {
        f"{path.relative_to(SOURCE)} imports {other}"
        for path in FILES
        if layer(path) not in TOP
        for other in imported_layers(path)
        if not may_import(layer(path), other)
    }
    assert not wrong


def test_files_and_functions_stay_small():
    large = [
        f"{path.relative_to(SOURCE)}: {length} lines"
        for path in FILES
        if (length := len(path.read_text().splitlines())) > HARD_FILE
    ]
    for path, tree in _TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > HARD_FUNCTION:
                large.append(f"{path.relative_to(SOURCE)}: {node.name} ends in line {node.end_lineno}")
    assert not large


def test_no_class_name_means_two_things():
    """Who reads or searches for a class finds one; test classes and names of two functions' insides are their own."""
    found = {}
    for path, tree in _TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(path.relative_to(SOURCE).as_posix())
    assert not {name: paths for name, paths in found.items() if len(paths) > 1}


def test_runs_import_no_benchmarks_and_no_reports_of_theses():
    wrong = [
        path.relative_to(SOURCE).as_posix()
        for path in FILES
        if layer(path) != "tools" and "tools" in imported_layers(path)
    ]
    assert set(wrong) == TOOLS_FOR
    for path in TOOLS_FOR:
        outside = [node for node in _TREES[SOURCE / path].body if isinstance(node, ast.ImportFrom)]
        assert not [n.module for n in outside if (n.module or "").startswith("volery.tools")], "import it in the call"


def test_each_package_has_a_readme_that_names_its_modules():
    """A page for each: what, how data flows, how to extend. Wire specifications of protocols name no modules."""
    wrong = []
    for folder in sorted({path.parent for path in FILES}):
        readme = folder / "README.md"
        if not readme.exists():
            above = folder.parent / "README.md"
            if not (above.exists() and f"{folder.name}/" in above.read_text()):
                wrong.append(f"{folder.relative_to(SOURCE)} has no README.md")
            continue
        if folder.parent.name == "protocols" and folder.name != "firmware":
            continue
        named = re.findall(r"[\w*/]+\.py\b", readme.read_text())
        own = [p.name for p in folder.glob("*.py") if not p.name.startswith("__")]
        wrong += [f"{readme.relative_to(SOURCE)} misses {n}" for n in own if not any(fnmatch(n, w) for w in named)]
        there = {p.relative_to(folder).as_posix() for p in folder.rglob("*.py")} | {
            p.name for p in folder.rglob("*.py")
        }
        roots = (SOURCE, SOURCE.parent.parent)
        wrong += [
            f"{readme.relative_to(SOURCE)} names {w}, which is not there"
            for w in named
            if not any(fnmatch(n, w) for n in there) and not any((root / w).exists() for root in roots)
        ]
    assert not wrong


def test_the_walks_name_files_that_are_there():
    """docs/architecture.md and docs/glossary.md say where things are; names may be globs."""
    root = SOURCE.parent.parent
    wrong = []
    for page in ("architecture.md", "glossary.md"):
        text = (root / "docs" / page).read_text()
        for name in re.findall(r"`([\w*/]+/[\w*/]*(?:\.\w+)?)`", text):
            if name.startswith("/") or not re.search(r"\.(py|cpp|hpp|ts)$|/$", name):
                continue
            places = (SOURCE, root, SOURCE / "viewer", SOURCE / "render", SOURCE / "world")
            if not any(any(place.glob(name.rstrip("/"))) for place in places):
                wrong.append(f"{page}: {name}")
    assert not wrong


def test_public_names_are_documented():
    bare = []
    for path, tree in _TREES.items():
        if not ast.get_docstring(tree) and path.name not in ("__init__.py", "__main__.py"):
            bare.append(f"{path.relative_to(SOURCE)}: the module")
        for node in tree.body:
            public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            overload = "overload" in [getattr(d, "id", "") for d in getattr(node, "decorator_list", ())]
            if public and not overload and not ast.get_docstring(node):
                bare.append(f"{path.relative_to(SOURCE)}: {node.name}")
    assert not bare


def test_no_global_random_state_and_no_wall_clock_in_the_core():
    for path in FILES:
        text = path.read_text()
        assert "np.random.seed" not in text and "np.random.rand" not in text, path
        # When a client is answered, and which part of a late step took long, are no part of the state.
        timeless = ("core", "world", "render", "robots", "physics", "sensors", "sim")
        if layer(path) in timeless and path.stem not in ("requests", "gate", "meter"):
            assert "time.time(" not in text and "perf_counter" not in text and "monotonic" not in text, path


def test_bus_page_recorder_and_settings_name_no_component():
    """What they need of sensors, kinds and engines stands in those components' own files."""
    neutral = {
        "sensors": {"sensor", "outputs", "controls", "noise", "renew"},
        "robots": {"robot", "commands", "description", "kinematics", "kind", "library"},
        "physics": {"engine", "motion"},
    }
    # These speak the topic names of other systems, for robots and sensors that those had.
    dialects = ("bus/mrs.py", "bus/mrs_api.py", "bus/elaha.py", "bus/flightlog.py", "bus/link.py", "bus/timing.py")
    judged = [p for p in FILES if layer(p) in ("bus", "viewer", "events", "settings", "registry", "scenario", "sim")]
    for path in judged:
        if path.relative_to(SOURCE).as_posix() in dialects:
            continue
        for node in ast.walk(_TREES[path]):
            if isinstance(node, ast.ImportFrom) and node.module:
                _, part, module, *_ = *node.module.split("."), "", ""
                assert part not in neutral or module in neutral[part], f"{path.name} imports {node.module}"
    names = {*registry.names("sensors"), *registry.names("robot_kinds"), *registry.names("engines")}
    # Words that are also something else: a way of looking, an icon, a kind of light, what touches.
    names -= {"camera", "contact", "collision", "sound", "victim", "external", "build", "drive"}
    for path in (SOURCE / "viewer" / "web" / "src").rglob("*.ts"):
        if path.name == "messages.ts":
            continue  # made of ROS 2 types, whose fields have names of their own
        words = set(re.findall(r"[\"']([a-z_]+)[\"']", path.read_text()))
        assert not words & names, f"{path.name} names {words & names}"
        assert "sensor.type ===" not in path.read_text(), path


def test_importing_volery_is_light():
    heavy = "mujoco,trimesh,numpy,yaml,PIL"
    code = f"import sys, volery; print([m for m in '{heavy}'.split(',') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_no_test_imports_another():
    """What tests share is in modules that are no tests, `*_rig.py`."""
    tests = Path(__file__).parent.parent
    wrong = []
    for path in tests.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            wrong += [f"{path.name} imports {name}" for name in names if name.split(".")[-1].startswith("test_")]
    assert not wrong
