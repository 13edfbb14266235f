"""Hardware in the loop over a serial line: a controller in another process at the other end of a pseudo-terminal."""

import os
import subprocess
import sys
import tty

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from links_rig import wait_until
from volery.errors import ScenarioError, SimulationError
from volery.physics.multirotor.parameters import airframe_of
from volery.protocols.udp.control import Control, ControlLink, ControlSettings
from volery.protocols.udp.serial_line import framed, unframed
from volery.scenario import read_scenario
from volery.sim import Simulation

# As a board would: nothing of ours, SLIP and CRC by hand, bit by bit.
CONTROLLER = """
import os, struct, sys
line, mass, x, y, z = int(sys.argv[1]), *map(float, sys.argv[2:])
def crc(data):
    r = 0xFFFF
    for b in data:
        r ^= b << 8
        simulation.run(600)
        assert simulation.robots["uav1"].p_WB == pytest.approx([1.0, 0.5, 2.5], abs=0.05)
        assert end._datagrams.broken >= 50 and not end.gone
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        control.close()
        os.close(ours)
        os.close(theirs)


def test_lines_that_cannot_be_are_refused(tmp_path):
    (tmp_path / "file").write_text("no line")
    for device, words in ((tmp_path / "none", "cannot be used"), (tmp_path / "file", "no serial line")):
        with pytest.raises(SimulationError, match=words):
            Control(Simulation(read_scenario(SCENE)), None, ControlSettings({"uav1": ControlLink(serial=str(device))}))
    with pytest.raises(ScenarioError, match="neither"):
        ControlLink(serial="/dev/ttyUSB0", port=9880)
    with pytest.raises(ScenarioError, match="115200"):
        ControlLink(serial="/dev/ttyUSB0", baud=12345)
    assert np.isfinite(ControlLink(serial="/dev/ttyUSB0", baud=921_600).rate)
