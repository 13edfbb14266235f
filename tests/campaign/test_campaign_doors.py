"""Campaigns whose runs have doors, firmwares, physics elsewhere and programs beside them, each at ports of its own."""

import json
import sys
import time
from pathlib import Path

import pytest

from campaign_rig import written
from volery.campaign.ports import PortBlock
from volery.campaign.programs import worded
from volery.cli import main
from volery.errors import CampaignError

CLIENTS = Path(__file__).parent.parent / "autopilot_clients"
FIRMWARE = """
world: empty
step: 0.0025
pace: fast
robots:
  uav1: {type: x500, physics: fleet, position: [0, 0, 0.5], sensors: {imu: off, rangefinder: off}}
protocols:
  ardupilot: {patience: 20}
"""
CIRCLE = """
import sys
from volery import Client
with Client("uav1", sys.argv[1]) as robot:
    for state in robot.states(timeout=5):
        robot.move(state, p_WB=state.p_WB + [0.02, 0, 0], q_WB_wxyz=state.q_WB_wxyz)
        if state.p_WB[0] > 0.5:
            break
"""


def rows(folder):
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def campaign(tmp_path, text, scenario, *words, **files):
    path, out = written(tmp_path, "", scenario, **files), tmp_path / "out"
    path.write_text(f"scenario: flight.yaml\n{text}\n")
    code = main(["campaign", str(path), "--out", str(out), "--jobs", "2", *words])
    return code, rows(out)


def test_flight_code_is_tried_in_two_runs_at_once(tmp_path):
    """Two firmwares' stand-ins fly at once, each at a port of its own, and say in the end whether all was well."""
    standin = CLIENTS / "ardupilot_standin.py"
    code, found = campaign(
        tmp_path,
        f"duration: 30\nseeds: 2\ndoors: [ardupilot]\nlimit: 120\n"
        f"programs: {{copter: '{sys.executable} {standin} {{ardupilot.port}} --speedup 0 --until 8 --rise 6'}}",
        FIRMWARE,
    )  # fmt: skip
    assert code == 0, found
    assert [row["measures"]["programs.copter"] for row in found] == [0, 0]
    assert all(row["time"] < 29 and row["measures"]["uav1.z"] > 1.0 for row in found), "over when the programs are"


def test_a_program_that_fails_fails_the_run(tmp_path):
    code, found = campaign(
        tmp_path, f"duration: 5\ndoors: [bus]\nprograms: {{bad: '{sys.executable} bad.py {{bus}}'}}",
        "world: empty\nrobots: {uav1: {type: quad, physics: kinematic, position: [0, 0, 5]}}\n",
        bad="import sys\nprint('it fell from', sys.argv[1][:14])\nsys.exit(3)\n",
    )  # fmt: skip
    assert code == 1 and "program 'bad' ended with 3: it fell from tcp/127.0.0.1:" in found[0]["error"]


def test_physics_elsewhere_moves_a_robot_over_the_bus(tmp_path):
    scenario = """
world: empty
step: 0.02
engines: {external: {exchange: lockstep, timeout: 20.0}}
robots: {uav1: {type: quad, physics: external, position: [0, 0, 5], sensors: {scanner: off}}}
"""
    code, found = campaign(
        tmp_path, f"duration: 60\nseeds: 2\ndoors: [bus]\nprograms: {{circle: '{sys.executable} circle.py {{bus}}'}}",
        scenario, circle=CIRCLE,
    )  # fmt: skip
    assert code == 0, found
    assert all(0.5 < row["measures"]["uav1.x"] < 1.0 for row in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("doors: [ardupilt]", "did you mean 'ardupilot'"),
        ("doors: [ardupilot]\nfirmwares: {px4: /bin/true}", "none of the `doors`"),
        ("set: {robots.uav1.physics: external}", "name the outside programs"),
    ],
)
def test_doors_that_cannot_be_are_refused_before(tmp_path, text, words, capsys):
    path = written(tmp_path, text, FIRMWARE)
    assert main(["campaign", str(path), "--out", str(tmp_path / "out")]) == 1
    assert words in capsys.readouterr().err


def test_nothing_that_a_run_started_outlives_its_limit(tmp_path):
    mark = tmp_path / "alive"
    loop = f"import time\nwhile True:\n    open({str(mark)!r}, 'w').write(str(time.time()))\n    time.sleep(0.05)\n"
    code, found = campaign(
        tmp_path,
        "duration: 1000\nlimit: 6\ndoors: [ardupilot]\nretries: 0\n"
        f"programs: {{endless: '{sys.executable} endless.py'}}",
        FIRMWARE,
        endless=loop,
    )
    assert code == 1 and "took longer than 6 s" in found[0]["error"]
    last = mark.read_text()
    time.sleep(0.3)
    assert mark.read_text() == last


def test_ports_are_held_by_one_run_at_a_time():
    one, other = PortBlock(100), PortBlock(100)
    try:
        mine, theirs = [*range(one.take(10), 10**6)][:10], [*range(other.take(90), 10**6)][:90]
        assert not set(mine) & set(theirs) and one.take(1) not in {*mine, *theirs}
        with pytest.raises(CampaignError, match="more than its"):
            one.take(1000)
    finally:
        one.close()
        other.close()


def test_words_of_commands_are_filled_in():
    assert worded("fly 'a b' udp:127.0.0.1:{mavlink.station}", {"mavlink.station": "7"}) == [
        "fly",
        "a b",
        "udp:127.0.0.1:7",
    ]
    with pytest.raises(CampaignError, match=r"no \{px4.port\}; known: bus"):
        worded("fly {px4.port}", {"bus": "tcp/…"})
