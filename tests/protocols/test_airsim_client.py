"""AirSim's clients, unchanged, against our server: state, sensors, pictures, things, cars and cameras alone."""

import itertools
import os
import re
import subprocess

import pytest

from airsim_rig import CAR, HERE, TOWER, TWO, python_of, run_client, served

SCRIPTS = HERE / "airsim_clients"


@pytest.mark.parametrize(
    ("script", "settings"),
    [("state.py", TWO), ("images.py", TOWER), ("car.py", CAR), ("vision.py", {"SimMode": "ComputerVision"})],
)
def test_the_airsim_client(script, settings, tmp_path):
    with served(settings, tmp_path) as server:
        assert "done" in run_client("airsim", script, server.port)


def test_the_airsim_client_and_the_world(tmp_path):
    settings = {"SettingsVersion": 1.2, "Recording": {"Folder": str(tmp_path), "RecordInterval": 0.2}}
    with served(settings, tmp_path) as server:
        server.door.out = tmp_path
        command = [str(python_of("airsim")), "world.py", str(server.port), str(tmp_path)]
        client = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=SCRIPTS,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )  # fmt: skip
        said = ""
        for line in client.stdout:
            said += line
            if line == "drawn\n":
                drawn = server.simulation.environment.drawings.snapshot(server.simulation.clock.now_ns)
                kinds = [d.kind for d in drawn]
                assert kinds.count("line") == 1 + 2 + 6 and kinds.count("arrows") == 1 and kinds.count("text") == 2, (
                    kinds
                )
                assert drawn[0].kind == "points" and drawn[0].p_W[1].tolist() == pytest.approx([0, 5, 1])
                client.stdin.write("go\n")
                client.stdin.flush()
        assert client.wait(timeout=60) == 0 and said.endswith("done\n"), said[-3000:]
    [folder] = [f for f in tmp_path.iterdir() if f.is_dir()]
    table = (folder / "airsim_rec.txt").read_text().splitlines()
    assert table[0].split("\t")[:5] == ["VehicleName", "TimeStamp", "POS_X", "POS_Y", "POS_Z"]
    assert len(table) > 3
    rows = [dict(zip(table[0].split("\t"), line.split("\t"), strict=True)) for line in table[1:]]
    assert rows[0]["VehicleName"] == "SimpleFlight"
    steps = [int(b["TimeStamp"]) - int(a["TimeStamp"]) for a, b in itertools.pairwise(rows)]
    assert set(steps) <= {200, 199, 201}, steps
    assert (folder / "images" / rows[0]["ImageFile"]).read_bytes()[:4] == b"\x89PNG"


def test_every_public_method_of_the_airsim_clients_is_called():
    code = (
        "import airsim; print(*[m for k in (airsim.MultirotorClient, airsim.CarClient) for m in dir(k) if m[0] != '_'])"
    )
    listed = subprocess.run(
        [str(python_of("airsim")), "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    used = set()
    for script in SCRIPTS.glob("*.py"):
        used |= set(re.findall(r"\bc\.(\w+)", script.read_text()))
    missing = set(listed.stdout.split()) - used
    assert missing == set()
