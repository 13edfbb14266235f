"""The shape of the house: who imports whom, how large things are, and how light the import is."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "volery"
FILES = sorted(SOURCE.rglob("*.py"))

# A folder may import only those before it; the last group never import each other. Robots know nothing of engines.
ORDER = [
    *("_native", "errors", "core", "registry", "world", "render", "robots", "physics", "sensors", "bus", "client"),
    *("scenario", "settings", "ground", "sim", "loop"),
]
LAST = ["protocols", "viewer", "agents", "autonomy", "learn", "campaign", "report"]
TOP = ["commands", "cli", "__main__", "__init__"]
HARD_FILE, HARD_FUNCTION = 500, 60


def layer(path):
    part = path.relative_to(SOURCE).parts[0]
    return part.removesuffix(".py")


def imported_layers(path):
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{a.name}" for a in node.names] if node.module == "volery" else [node.module]
        for name in names:
            if name.startswith("volery."):
                yield name.split(".")[1]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_one_way(path):
    own = layer(path)
    if own in TOP:
        return
    for other in imported_layers(path):
        if other == own or other == "__version__":
            continue
        if own in LAST:
            assert other in ORDER, f"{own} imports {other}"
        else:
            assert other in ORDER and ORDER.index(other) < ORDER.index(own), f"{own} imports {other}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_files_and_functions_stay_small(path):
    text = path.read_text()
    assert len(text.splitlines()) <= HARD_FILE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= HARD_FUNCTION, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_public_names_are_documented(path):
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree) or path.name in ("__init__.py", "__main__.py"), "the module has no docstring"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"


def test_no_global_random_state_and_no_wall_clock_in_the_core():
    for path in FILES:
        text = path.read_text()
        assert "np.random.seed" not in text and "np.random.rand" not in text, path
        # The scheduler of clients' requests may look at the clock: when a client is answered is no part of the state.
        timeless = ("core", "world", "render", "robots", "physics", "sensors", "sim")
        if layer(path) in timeless and path.stem not in ("requests", "gate"):
            assert "time.time(" not in text and "perf_counter" not in text and "monotonic" not in text, path


def test_importing_volery_is_light():
    heavy = "mujoco,trimesh,numpy,yaml,PIL"
    code = f"import sys, volery; print([m for m in '{heavy}'.split(',') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
