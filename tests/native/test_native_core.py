"""The border of the native core: arrays, tables, threads, noise."""

import inspect
import os
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import numpy as np
import pytest

from volery import _native
from volery._native import core
from volery.core.parallel import set_threads, threads

ROOT = Path(__file__).parent.parent.parent
X = np.linspace(0.0, 5.0, 7)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("x: expected float64 [*], got float32 of shape (7,)", (X.astype(np.float32), X, np.empty(7))),
        ("x: expected float64 [*], got int64 of shape (7,)", (np.arange(7), X, np.empty(7))),
        ("y: expected float64 [*], got a list", (X, [1.0], np.empty(7))),
        ("x: expected float64 [*], got float64 of shape (1, 7)", (X[None], X, np.empty(7))),
        ("out: expected float64 [*], got float64 of shape (4,), which is not C-contiguous", (X, X, np.empty(7)[::2])),
    ],
)
def test_an_array_that_does_not_fit_is_named(name, arguments):
    *given, out = arguments
    with pytest.raises(TypeError) as error:
        core.fractal2(*given, 3, 2, 1.0, out)
    assert str(error.value) == name


def test_an_array_that_cannot_be_written_is_named():
    out = np.empty(7)
    out.setflags(write=False)
    with pytest.raises(TypeError, match=r"out: .* which is read-only"):
        core.fractal2(X, X, 3, 2, 1.0, out)


def test_arrays_of_different_lengths_are_named():
    with pytest.raises(ValueError, match="y: has 3 rows; expected 7"):
        core.fractal2(X, X[:3].copy(), 3, 2, 1.0, np.empty(7))


def test_no_argument_takes_the_process_down():
    """Whatever a kernel is called with, an error is raised or the call returns."""
    junk = [None, 3, -1, 2.5, "x", b"abc", X, X.astype(np.float32), np.zeros((0, 3)), np.zeros((2, 3, 4)), [], object()]
    rng = np.random.default_rng(1)
    for room in rooms():
        for name, function in vars(room).items():
            if name.startswith("_") or inspect.isclass(function) or not callable(function) or name == "set_threads":
                continue
            for count in range(18):
                words = [junk[i] for i in rng.integers(0, len(junk), count)]
                try:
                    function(*words)
                except (TypeError, ValueError, RuntimeError, OverflowError):
                    pass


def rooms():
    return [room for room in vars(_native).values() if isinstance(room, types.ModuleType)]


def tables():
    return [(f"{r.__name__}.{n}", t) for r in rooms() for n, t in vars(r).items() if isinstance(t, np.dtype)]


@pytest.mark.parametrize(("name", "table"), tables())
def test_every_field_of_a_struct_is_in_its_table(name, table):
    """A field that was left out would leave a hole larger than what alignment takes."""
    parts = sorted((offset, field.itemsize) for field, offset in (entry[:2] for entry in table.fields.values()))
    ends = [0, *(offset + size for offset, size in parts)]
    starts = [*(offset for offset, _ in parts), table.itemsize]
    for end, start in zip(ends, starts, strict=True):
        assert 0 <= start - end < 8, f"{name}: {start - end} bytes at {end} belong to no field"


def test_the_types_that_editors_see_are_those_of_the_core(tmp_path):
    """After a change of the core's functions: scripts/native-stubs."""
    pytest.importorskip("nanobind", reason="it comes with scripts/setup")
    environment = {**os.environ, "PYTHON": sys.executable}
    subprocess.run([ROOT / "scripts" / "native-stubs", tmp_path], check=True, env=environment)
    kept = ROOT / "src" / "volery" / "_native"
    made, there = ({f.relative_to(d): f.read_text() for f in d.rglob("*.pyi")} for d in (tmp_path / "_native", kept))
    assert made == there


def test_noise_is_zero_at_whole_numbers_and_smooth():
    assert core.perlin2(3.0, -7.0, 5) == 0.0 and core.perlin3(3.0, -7.0, 2.0, 5) == 0.0
    assert abs(core.perlin2(0.3, 0.4, 5) - core.perlin2(0.3001, 0.4, 5)) < 1e-3
    assert core.hash_cell(-1, -2, -3, -4) == core.hash_cell(-1, -2, -3, -4) != core.hash_cell(1, 2, 3, 4)
    assert 0.0 <= core.uniform_cell(7, 1, 2, 3) < 1.0
    assert core.perlin2(float("nan"), 0.0, 1) != core.perlin2(float("nan"), 0.0, 1)


PROGRAM = """
import os, sys
import numpy as np
from volery.core.geometry import sphere
from volery.world.scene.scene import Scene
from volery.world.world import Placement

scene = Scene()
scene.add(Placement.one("ball", sphere(2.0, 64)))
d = np.random.default_rng(1).normal(size=(20_000, 3))
before = scene.cast([0.1, 0.0, 5.0], d).distance
if os.fork() == 0:
    after = scene.cast([0.1, 0.0, 5.0], d).distance
    os._exit(0 if np.array_equal(before, after) else 3)
_, status = os.wait()
print("child", os.waitstatus_to_exitcode(status))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_casts_as_its_parent_does():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert done.stdout == "child 0\n", done.stderr


def test_python_threads_call_at_once():
    out = [np.empty(200_000) for _ in range(6)]
    x = np.linspace(-50, 50, 200_000)
    workers = [threading.Thread(target=core.fractal3, args=(x, x, x, 1, 4, 1.0, o)) for o in out]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(o, out[0]) for o in out)


def test_the_interpreter_is_free_while_a_kernel_runs():
    x, out, ticks = np.linspace(-50, 50, 2_000_000), np.empty(2_000_000), []
    worker = threading.Thread(target=core.fractal3, args=(x, x, x, 1, 4, 1.0, out))
    worker.start()
    while worker.is_alive():
        ticks.append(time.monotonic())
        time.sleep(0.001)
    assert len(ticks) > 20


def test_threads_can_be_chosen():
    before = threads()
    try:
        for count in (1, 2, 4):
            set_threads(count)
            assert threads() == count
    finally:
        set_threads(before)
