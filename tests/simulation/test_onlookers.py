"""Who looks on changes nothing: the same hashes with and without a page, a recorder and a listener on the bus."""

import json
import os
import re
import subprocess
import sys

import pytest
import zenoh

from bus_rig import free_port
from program_rig import Volery

SCENARIOS = ["blocks", "rover", "ruin", "boiler", "warehouse", "crash"]


def hashes(out):
    """What a run ended with: its state and its readings."""
    found = re.findall(r"^(?:end at|readings) .*", out, re.M)
    assert len(found) == 2, out
    return found


def listen(port):
    """A peer of Zenoh that takes all there is."""
    config = zenoh.Config()
    for key, value in (("mode", "client"), ("connect/endpoints", [f"tcp/127.0.0.1:{port}"])):
        config.insert_json5(key, json.dumps(value))
    session, seen = zenoh.open(config), set()
    session.declare_subscriber("**", lambda sample: seen.add(str(sample.key_expr)))
    return session, seen


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_same_hashes_with_and_without_onlookers(tmp_path, name):
    words = ["run", name, "--hash", "--duration", "0.6"]
    alone = [sys.executable, "-m", "volery", *words, "--headless", "--no-bus", "--speed", "max"]
    before = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert before.returncode == 0, before.stderr
    port = free_port()
    watched = ("--no-browser", "--viewer", "127.0.0.1:0", "--listen", f"tcp/127.0.0.1:{port}", "--record", "run.mcap")
    volery = Volery(*words, *watched, "--speed", "0.2", cwd=tmp_path)
    page = volery.page()
    while page.until("welcome", timeout=240)[0]["scenario"] != name:
        pass
    session, seen = listen(port)
    page.ask("view", p=[0, 0, 5], radius=50)
    topics = [{"topic": "/clock", "rate": 20}, {"topic": "/tf", "rate": 20}]
    page.ask("want", topics=topics, table=True)
    assert page.until("topic", timeout=60)
    out = volery.lines[0] + volery.process.communicate(timeout=300)[0]
    page.close()
    session.close()
    assert volery.process.returncode == 0 and hashes(out) == hashes(before.stdout)
    assert len(seen) > 2 and os.path.getsize(tmp_path / "run.mcap") > 1000
