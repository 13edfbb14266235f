"""Real clients, unmodified, arm, take off, fly a square mission and land; the truth of the run says what was flown."""

import math
import os
import subprocess

import numpy as np
import pytest

from mavlink_rig import CLIENTS, Flown, python_of, run_client, visits

SIDE, HEIGHT = 20.0, 6.0
SQUARE = [(SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE), (0.0, 0.0)]
"""East and north [m]: the corners that all clients fly."""
ON_GROUND = 0.1406
"""z of the x500's origin when it stands [m]."""
# A busy machine makes a fast simulation run ahead of its client: it must not disarm while the client thinks.
PATIENT = {"ardupilot": {"DISARM_DELAY": 0}, "px4": {"COM_DISARM_PRFLT": 0}}


def check_square(flown, ground_xy, tolerance=1.5):
    """Corners in their order, the height kept between them, straight legs, and at rest on the ground at the end."""
    path = flown.path()
    z = HEIGHT + ON_GROUND
    visits(path, [np.array([x, y, z]) for x, y in SQUARE], tolerance)
    aloft = path[path[:, 2] > z - 1.0]
    assert len(aloft) > 100 and aloft[:, 2].max() < z + 0.5
    assert aloft[:, :2].min() > -1.0 and aloft[:, :2].max() < SIDE + 1.0
    # Between corners it is on a side of the square: never more than a metre inside.
    inside = np.minimum(np.abs(aloft[:, :2]), np.abs(aloft[:, :2] - SIDE)).min(axis=1)
    assert inside.max() < 1.0
    assert path[-1][2] == pytest.approx(ON_GROUND, abs=0.02)
    assert path[-1][:2] == pytest.approx(ground_xy, abs=1.2)
    vehicle = flown.vehicle
    assert not vehicle.armed and vehicle.resting and not vehicle.crashed
    assert np.linalg.norm(flown.ask(lambda: vehicle.robot.v_WB_W.copy())) < 0.01


@pytest.mark.parametrize(("client", "autopilot"), [("mavsdk", "px4"), ("dronekit", "ardupilot")])
def test_a_python_client_flies_a_square(client, autopilot):
    with Flown(autopilot=autopilot, parameters=PATIENT[autopilot]) as flown:
        assert "done" in run_client(client, f"square_{client}.py", flown.station)
        check_square(flown, (0.0, 0.0))


def mission_file(flown, path):
    """The square and a landing, as MAVProxy and ground stations keep missions."""
    latitude, longitude, _ = flown.vehicle.earth.geodetic(flown.vehicle.earth.home_W)
    north = math.degrees(SIDE / 6_370_000)
    east = north / math.cos(math.radians(latitude))
    rows = [(0, 1, 0, 16, latitude, longitude, 0)]
    corners = [(latitude + y / SIDE * north, longitude + x / SIDE * east) for x, y in SQUARE]
    rows += [(i, 0, 3, 16, *corner, HEIGHT) for i, corner in enumerate(corners, 1)]
    rows.append((5, 0, 3, 21, latitude, longitude, 0))
    lines = [
        f"{n}\t{now}\t{frame}\t{kind}\t0\t0\t0\t0\t{a:.9f}\t{b:.9f}\t{z}\t1" for n, now, frame, kind, a, b, z in rows
    ]
    path.write_text("\n".join(["QGC WPL 110", *lines, ""]))


def test_mavproxy_flies_a_square(tmp_path):
    python = python_of("mavproxy")
    with Flown(parameters=PATIENT["ardupilot"]) as flown:
        mission_file(flown, tmp_path / "square.txt")
        command = [
            str(python), str(CLIENTS / "mavproxy/bin/mavproxy.py"), f"--master=udpin:127.0.0.1:{flown.station}",
            f"--state-basedir={tmp_path}",
        ]  # fmt: skip
        env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"HOME": str(tmp_path)}
        log = tmp_path / "said.txt"
        with log.open("w") as said:
            proxy = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=said, stderr=subprocess.STDOUT, text=True, cwd=tmp_path,
                env={**env, "PYTHONUNBUFFERED": "1"},
            )  # fmt: skip
        try:
            drive_mavproxy(flown, proxy, tmp_path)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{log.read_text()[-3000:]}") from None
        finally:
            proxy.kill()
            proxy.wait(timeout=30)
        check_square(flown, (0.0, 0.0))


def drive_mavproxy(flown, proxy, folder):
    """Type what a pilot types, each line when the one before was done."""
    vehicle = flown.vehicle

    def say(line):
        proxy.stdin.write(line + "\n")
        proxy.stdin.flush()

    log = folder / "said.txt"
    flown.until(lambda: "Received" in log.read_text() and "parameters" in log.read_text(), 60)
    say(f"wp load {folder / 'square.txt'}")
    flown.until(lambda: len(vehicle.plans.mission) == 6)
    say("mode GUIDED")
    flown.until(lambda: vehicle.mode == 4)
    say("arm throttle")
    flown.until(lambda: vehicle.armed)
    say(f"takeoff {HEIGHT}")
    flown.until(lambda: vehicle.robot.p_WB[2] > HEIGHT - 0.2)
    say("mode AUTO")
    flown.until(lambda: vehicle.mode == 3)
    flown.until(lambda: not vehicle.armed, 120)
