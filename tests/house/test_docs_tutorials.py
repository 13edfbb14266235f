"""What the tutorials say is what happens: their files, commands and programs, and what they print."""

import re
import shutil
import subprocess
import sys

import pytest

from docs_rig import AIRSIM, ROOT, TUTORIALS, Reader, blocks

LONG = ("first_flight", "your_airsim_script", "your_ros2_node")
"""They run in real time or in the forest; what they use has quick tests elsewhere."""
RUN = [page for page in TUTORIALS if any(block.what == "run" for block in blocks(page))]
EXAMPLES = sorted({b.detail for p in TUTORIALS for b in blocks(p) if b.what == "prints" and b.detail.endswith(".py")})


@pytest.mark.parametrize("page", [pytest.param(p, marks=[pytest.mark.slow] * (p.stem in LONG), id=p.stem) for p in RUN])
def test_a_tutorial_does_what_it_says(page, tmp_path):
    if page.stem == "your_airsim_script" and not AIRSIM.exists():
        pytest.skip("AirSim's client is not installed; `make test` installs it")
    if page.stem == "your_rigged_mesh" and shutil.which("octave-cli") is None:
        pytest.skip("no Octave here; `make test` installs it where it can")
    with Reader(tmp_path) as reader:
        for block in blocks(page):
            reader.do(block)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda p: p.stem)
def test_no_code_is_shown_untested(page):
    for block in blocks(page):
        included = re.search(r'--8<-- "([^":]+)', block.text)
        if included:
            assert (ROOT / included[1]).exists(), included[1]
        elif block.language in ("python", "sh", "yaml"):
            assert block.what in ("file", "start", "run", "shown"), (
                f"{page.name}: a block without a mark:\n{block.text}"
            )
        for path in re.findall(r"(?:tests|examples)/[\w/]+\.\w+", block.detail):
            assert (ROOT / path).exists(), f"{page.name} names {path}, which is not there"


def test_the_marks_mean_something():
    known = {"", "file", "start", "run", "prints", "shown"}
    assert all(block.what in known for page in TUTORIALS for block in blocks(page))
    assert len(RUN) >= 7 and len(TUTORIALS) >= 14


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_print_what_the_tutorials_show(example):
    printed = subprocess.run([sys.executable, str(ROOT / example)], capture_output=True, text=True, timeout=300).stdout
    shown = [b.text for p in TUTORIALS for b in blocks(p) if b.what == "prints" and b.detail == example]
    assert all(text.strip() == printed.strip() for text in shown), printed
