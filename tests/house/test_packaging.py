"""The package: what it carries, its types, and that its wheel and sdist work in a clean environment."""

import hashlib
import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def run(*words, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=1800, **options)
    assert done.returncode == 0, f"{words}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_the_licence_is_apache_in_its_very_words():
    digest = hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest()
    assert digest == "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
    assert PROJECT["license"] == "Apache-2.0" and "Apache License" in (ROOT / "NOTICE").read_text()


def test_the_notice_names_what_the_page_contains():
    notice, listed = (ROOT / "NOTICE").read_text().lower(), ROOT / "src/volery/viewer/page/LICENCES.txt"
    names = [line.split()[0] for line in listed.read_text().splitlines() if line[:1].isalpha() and _versioned(line)]
    assert len(names) >= 3 and all(name.split(".")[0] in notice for name in names)


def _versioned(line):
    words = line.split()
    return len(words) == 2 and words[1][:1].isdigit() and words[1].count(".") == 2


def test_types_are_published():
    assert (ROOT / "src/volery/py.typed").exists()


def test_all_of_the_source_passes_a_strict_type_checker():
    pytest.importorskip("mypy", reason="mypy is not installed: pip install -e '.[test]'")
    words = [sys.executable, "-m", "mypy"]
    out = subprocess.run(words, capture_output=True, text=True, timeout=600, cwd=ROOT)
    assert out.returncode == 0, out.stdout[-4000:] + out.stderr[-2000:]


def test_the_type_checker_passes_over_nothing():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert settings["strict"] and settings["files"] == ["src/volery"]
    assert not [o for o in settings["overrides"] if o.get("ignore_errors")]


SMOKE = """
import volery
from pathlib import Path
assert "site-packages" in volery.__file__, volery.__file__
package = Path(volery.__file__).parent
assert (package / "py.typed").exists() and (package / "viewer" / "page" / "index.html").exists()
assert not (package / "viewer" / "web").exists()
simulation = volery.Simulation(volery.read_scenario(
    "world: blocks\\nrobots: {uav1: {type: quad, sensors: {scanner: {type: scanner}}, "
    "motion: {path: [[0, 0, 12], [9, 0, 12]], speed: 5}}}"
))
simulation.run(20)
assert (simulation.sensor("uav1", "scanner").latest.data["occupancy"] == 1).any()
print("smoke passed")
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_what_is_built_works_in_a_clean_environment(tmp_path, kind):
    """Needs a package index. Builds, installs with nothing but dependencies, and runs."""
    _build(tmp_path, kind)
    (built,) = [p for p in tmp_path.iterdir() if p.name.startswith("volery-") and p.suffix in (".whl", ".gz")]
    _check_contents(built)
    venv.create(tmp_path / "clean", with_pip=True)
    python = tmp_path / "clean" / "bin" / "python"
    around = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    if kind == "wheel":
        # No compiler is found there.
        around["PATH"] = str(python.parent)
    run(python, "-m", "pip", "install", "--disable-pip-version-check", built, env=around)
    assert "smoke passed" in run(python, "-c", SMOKE, cwd=tmp_path, env=around)
    words = ("run", "blocks", "--headless", "--no-bus", "--duration", "0.2", "--speed", "max")
    assert "end at 0.200 s" in run(python, "-m", "volery", *words, cwd=tmp_path, env=around)
    assert "BAD" not in run(python, "-m", "volery", "doctor", cwd=tmp_path, env=around)


def _build(folder, kind):
    if kind == "wheel":
        run(ROOT / "scripts" / "wheel", folder)
        return
    venv.create(folder / "builder", with_pip=True)
    python = folder / "builder" / "bin" / "python"
    run(python, "-m", "pip", "install", "--disable-pip-version-check", "build")
    run(python, "-m", "build", "--sdist", "--outdir", folder, ROOT)


def _check_contents(built):
    names = zipfile.ZipFile(built).namelist() if built.suffix == ".whl" else tarfile.open(built).getnames()
    text = "\n".join(names)
    assert "LICENSE" in text and "NOTICE" in text and "py.typed" in text and "viewer/page/index.html" in text
    assert "node_modules" not in text and ".venv" not in text
    if built.suffix == ".whl":
        assert "manylinux" in built.name and text.count("_native.") == 1
    else:
        assert "native/CMakeLists.txt" in text and "_native." not in text
