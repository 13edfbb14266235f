"""What is said where the native core cannot be loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from volery import _ready

NEW = "flags\t\t: fpu sse2 movbe f16c fma avx avx2 bmi1 bmi2\n"
OLD = "processor\t: 0\nflags\t\t: fpu sse2 avx\n"


@pytest.mark.parametrize(("text", "lacks"), [(NEW, None), (OLD, "avx2, bmi1"), ("model : x\n", None), ("", None)])
def test_what_a_processor_lacks_is_named(tmp_path, monkeypatch, text, lacks):
    monkeypatch.setattr(_ready, "_CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(_ready.platform, "machine", lambda: "x86_64")
    (tmp_path / "cpuinfo").write_text(text)
    problem = _ready.processor_problem()
    assert problem is None if lacks is None else f"lacks {lacks}" in problem


def test_other_processors_and_systems_are_not_judged(tmp_path, monkeypatch):
    monkeypatch.setattr(_ready, "_CPUINFO", tmp_path / "none")
    assert _ready.processor_problem() is None
    (tmp_path / "none").write_text(OLD)
    monkeypatch.setattr(_ready.platform, "machine", lambda: "aarch64")
    assert _ready.processor_problem() is None


def checkout(tmp_path, monkeypatch):
    package = tmp_path / "src" / "volery"
    package.mkdir(parents=True)
    (tmp_path / "native" / "rays").mkdir(parents=True)
    for name in ("CMakeLists.txt", "rays/cast.cpp"):
        (tmp_path / "native" / name).touch()
        os.utime(tmp_path / "native" / name, (1000, 1000))
    monkeypatch.setattr(_ready, "_PACKAGE", package)
    return package / "_native.so"


def test_a_core_that_is_missing_or_older_than_its_sources_is_said(tmp_path, monkeypatch):
    core = checkout(tmp_path, monkeypatch)
    assert "not built; run: make native" in _ready.core_problem()
    core.touch()
    os.utime(core, (2000, 2000))
    assert _ready.core_problem() is None
    os.utime(tmp_path / "native" / "rays" / "cast.cpp", (3000, 3000))
    assert "older than its sources; run: make native" in _ready.core_problem()


def test_an_installed_package_is_not_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(_ready, "_PACKAGE", tmp_path / "site-packages" / "volery")
    assert _ready.core_problem() is None


PROGRAM = """
import io, pathlib, runpy, sys
real = pathlib.Path.open
pathlib.Path.open = lambda self, *a, **k: io.StringIO({old!r}) if str(self) == "/proc/cpuinfo" else real(self, *a, **k)
"""


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="Linux tells of processors there")
def test_an_old_processor_gets_one_sentence():
    def run(rest):
        words = [sys.executable, "-c", PROGRAM.format(old=OLD) + rest]
        return subprocess.run(words, capture_output=True, text=True, timeout=60)

    imported = run("import volery")
    assert imported.returncode == 1
    assert imported.stderr.strip().splitlines()[-1].startswith("ImportError: Volery needs a processor with AVX2")
    command = run("sys.argv = ['volery', 'doctor']; runpy.run_module('volery', run_name='__main__')")
    assert command.returncode == 1 and command.stderr.count("\n") == 1
    assert command.stderr.startswith("volery: Volery needs a processor with AVX2")
