"""Every example runs, and the README shows what the first one does."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example_runs(path):
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() and not done.stderr


def test_the_readme_shows_the_first_example():
    code = EXAMPLES[0].read_text().split('"""', 2)[2].strip().splitlines()
    readme = (ROOT / "README.md").read_text()
    assert all(line.split("#")[0].strip() in readme for line in code)


def test_pages_that_the_readme_links_are_there():
    import re

    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text()):
        assert (ROOT / target).exists(), target
