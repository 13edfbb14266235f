"""`volery run --autopilot`: it starts the firmware it is given, tells it of the robot, and refuses what is wrong."""

import argparse
import sys

import pytest

from autopilot_rig import CLIENTS, free_ports
from volery.cli import main
from volery.commands.autopilots import with_autopilot
from volery.errors import RobotError, VoleryError
from volery.protocols.firmware.layouts import LAYOUTS, fit
from volery.scenario import load_scenario, read_scenario
from volery.sim import Simulation

PROGRAM = """#!{python}
import os, sys
words = sys.argv[1:]
assert words[words.index("--model") + 1] == "JSON:127.0.0.1", words
assert "-I0" in words and os.path.exists(words[words.index("--defaults") + 1])
os.execv("{python}", ["{python}", "{standin}", "{port}", "--speedup", "0", "--until", "3"])
"""


def options(**given):
    return argparse.Namespace(autopilot=None, silent=None, autopilot_args=None, **given)


def test_a_firmware_is_started_and_flies(tmp_path, capsys):
    port = free_ports()
    program = tmp_path / "arducopter"
    program.write_text(PROGRAM.format(python=sys.executable, standin=CLIENTS / "ardupilot_standin.py", port=port))
    program.chmod(0o755)
    file = tmp_path / "wood.yaml"
    file.write_text(
        "world: empty\nrobots: {uav1: {type: quad, position: [0, 0, 2], motion: {path: [[0, 0, 3], [9, 0, 3]]}}}\n"
        f"protocols: {{ardupilot: {{port: {port}}}}}\n"
    )
    out = tmp_path / "out"
    words = ["run", str(file), "--headless", "--no-bus", "--duration", "2.5", "--out", str(out)]
    assert main([*words, "--autopilot", f"ardupilot:{program}"]) == 0
    assert "end at 2.5" in capsys.readouterr().out
    folder = out / "ardupilot" / "uav1"
    assert "FRAME_CLASS 1\nFRAME_TYPE 1" in (folder / "volery.parm").read_text()
    told = [line.split() for line in (folder / "firmware.log").read_text().splitlines() if line[:1].isdigit()]
    assert float(told[-1][3]) < float(told[0][3]) - 0.4


def test_a_scenario_is_made_ready():
    given = options()
    given.autopilot, given.silent = "px4", "go-on"
    plan = with_autopilot(load_scenario("forest"), given)
    assert plan.file.step == 0.004 and plan.protocols["px4"].silent == "go_on"
    assert plan.robots["uav1"].engine == "fleet" and plan.robots["uav1"].motion is None
    given.autopilot = "ardupilott"
    with pytest.raises(VoleryError, match="ardupilot"):
        with_autopilot(load_scenario("forest"), given)


def test_no_program_no_run(tmp_path, capsys):
    file = tmp_path / "one.yaml"
    file.write_text(f"world: empty\nrobots: {{uav1: x500}}\nprotocols: {{ardupilot: {{port: {free_ports()}}}}}\n")
    words = ["run", str(file), "--headless", "--no-bus", "--autopilot", f"ardupilot:{tmp_path / 'nothing'}"]
    assert main(words) != 0
    assert "no program" in capsys.readouterr().err


def order(firmware, kind):
    robot = Simulation(read_scenario(f"world: empty\nrobots: {{r: {{type: {kind}, physics: fleet}}}}")).robots["r"]
    return fit(firmware, robot)


def test_robots_fit_the_frames_of_firmwares():
    """Orders as the firmwares' documents draw them, against where each robot's file has its rotors."""
    for kind in ("x500", "f330", "f450", "t650", "a300", "robofly", "quad", "simpleflight"):
        # Front right, rear left, front left, rear right.
        assert order("ardupilot", kind).order == (0, 1, 2, 3) and order("px4", kind).order == (0, 1, 2, 3)
        # Rear right, front right, rear left, front left.
        assert order("betaflight", kind).order == (3, 0, 1, 2)
        assert order("betaflight", kind).layout.name == "QUADX" and not order("ardupilot", kind).turned
    # The hexacopter's rotors count from the front left, counter-clockwise.
    assert order("ardupilot", "hexa").order == (4, 1, 0, 3, 5, 2) == order("px4", "hexa").order
    assert order("betaflight", "hexa").order == (3, 5, 2, 0, 4, 1)
    assert order("ardupilot", "f550").turned and order("ardupilot", "f550").order == (1, 0, 4, 5, 2, 3)
    assert order("ardupilot", "octo").order == (7, 3, 6, 4, 0, 2, 1, 5)
    assert {order(f, "naki").layout.coaxial for f in LAYOUTS} == {True}


def test_a_robot_that_fits_no_frame_is_refused(tmp_path):
    simulation = Simulation(read_scenario("world: empty\nrobots: {r: {type: hexa, physics: fleet}}"))
    robot = simulation.robots["r"]
    from dataclasses import replace

    block = robot.file.multirotor
    rotors = tuple(replace(r, spin="cw" if k < 3 else "ccw") for k, r in enumerate(block.rotors))
    robot.file = robot.file.with_block("multirotor", replace(block, rotors=rotors))
    with pytest.raises(RobotError, match="none of px4's frames"):
        fit("px4", robot)
