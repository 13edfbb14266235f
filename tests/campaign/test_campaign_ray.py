"""Campaigns on Ray: the same rows and report as without it, and lost workers are begun again."""

import os
import secrets
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from campaign_rig import GRID, report_bytes, wait_for, written
from volery.campaign.rayed import RaySlot
from volery.campaign.worker import LostError
from volery.cli import main


class LostActorError(Exception):
    """What Ray raises when an actor is gone."""


class StandIn:
    """As much of Ray as a slot uses; actors made later live, the first is lost at its first run."""

    def __init__(self):
        self.made, self.killed = [], []
        other = type("Other", (Exception,), {})
        self.exceptions = SimpleNamespace(RayActorError=LostActorError, WorkerCrashedError=other, ObjectLostError=other)

    def remote(self, num_cpus):
        return lambda cls: SimpleNamespace(remote=self._make)

    def _make(self, threads):
        self.made.append(threads)
        number = len(self.made)
        return SimpleNamespace(run=SimpleNamespace(remote=lambda request, limit: (number, request)))

    def get(self, answer):
        number, request = answer
        if number == 1:
            raise LostActorError
        return request

    def kill(self, actor):
        self.killed.append(actor)


def test_a_lost_actor_is_replaced_and_a_killed_process_is_told():
    ray = StandIn()
    slot = RaySlot(ray, 1)
    with pytest.raises(LostError, match="Ray worker"):
        slot.run({"measures": {}}, 1.0)
    assert slot.run({"measures": {}}, 1.0) == {"measures": {}} and ray.made == [1, 1]
    with pytest.raises(LostError, match="SIGKILL"):
        slot.run({"lost": "SIGKILL"}, 1.0)
    slot.close()
    assert len(ray.killed) == 1
    with pytest.raises(LostError, match="end"):
        slot.run({}, 1.0)


@pytest.mark.slow
def test_a_cluster_gives_the_same_report(tmp_path):
    """Needs Ray: pip install -e '.[ray]'."""
    pytest.importorskip("ray")
    path = written(tmp_path, f"{GRID}\nseeds: 4")
    assert main(["campaign", str(path), "--out", str(tmp_path / "alone")]) == 0
    ray = str(Path(sys.executable).parent / "ray")
    head = [ray, "start", "--head", "--block", "--num-cpus", "2", "--include-dashboard", "false", "--port", "6399"]
    # A cluster of its own, with a token of its own.
    around = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    cluster = subprocess.Popen(head, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: socket.socket().connect_ex(("127.0.0.1", 6399)) == 0)
        for i, where in enumerate((["--ray", "auto"], ["--ray", "127.0.0.1:6399"])):
            words = ["campaign", str(path), "--out", str(tmp_path / str(i)), *where]
            subprocess.run([sys.executable, "-m", "volery", *words], check=True, timeout=600, env=around)
            assert report_bytes(tmp_path / str(i)) == report_bytes(tmp_path / "alone")
    finally:
        cluster.terminate()
        cluster.wait(timeout=60)
