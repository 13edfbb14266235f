"""A minute of scripts/soak.py: everything on, with faults."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "soak.py"


@pytest.mark.slow
def test_a_minute_of_everything_with_faults_holds(tmp_path):
    words = [sys.executable, str(SCRIPT), "--minutes", "1", "--out", str(tmp_path / "soak")]
    out = subprocess.run(words, capture_output=True, text=True, timeout=900)
    assert out.returncode == 0, out.stdout[-4000:] + out.stderr[-2000:]
    found = json.loads((tmp_path / "soak" / "soak.json").read_text())
    assert found["problems"] == [] and len(found["faults"]) >= 3
    assert all(client["exchanges"] > 3 for client in found["clients"].values())


def test_an_earlier_soak_is_not_written_over(tmp_path):
    (tmp_path / "first.mcap").touch()
    out = subprocess.run([sys.executable, str(SCRIPT), "--out", str(tmp_path)], capture_output=True, text=True)
    assert out.returncode == 2 and "earlier soak" in out.stderr
