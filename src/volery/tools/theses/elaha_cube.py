"""The ELAHA thesis' collision experiment: a cube that knows the world by its scanner's points, on ground and stair."""

from __future__ import annotations

from typing import Any

import numpy as np

from volery.core import geometry
from volery.core.frames import transform
from volery.core.material import Material
from volery.core.rng import generator
from volery.physics.contact.scanpoints import ScanBody, ScanContact, ScanMaterial, Touch
from volery.report.picture import camera_pose, picture
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.scanner import Scanner, ScannerConfig
from volery.world.atmosphere import GRAVITY
from volery.world.environment import Environment
from volery.world.scene.scene import Scene
from volery.world.world import Placement

__all__ = ["CASES", "EDGE", "MASS", "SPACING", "Cube", "cube_pictures", "energy", "measures", "run_cube"]

MASS, SPACING, EDGE = 100.0, 0.022, 1.0
"""Of the cube [kg]; distance of its scanner's rays [m]; edge of the cube [m]."""
_STEP = 0.01
_PAINT = Material("cube", (0.8, 0.25, 0.12))
CASES = {
    "flat ground": ((0.0, 0.0, 0.8), {"ground": (geometry.plane(40.0), (0.0, 0.0, 0.0))}, 1.5),
    "stair edge": (
        (0.107, 0.0, 0.5),
        {"stair": (geometry.box((4.0, 6.0, 2.0)), (-2.0, 0.0, -1.0)), "ground": (geometry.plane(40.0), (0, 0, -2.0))},
        3.0,
    ),
}
"""Where the cube begins [m], what is there, and how long it is watched [s]."""


class Cube:
    """A cube with a real box scanner in a scene; what it touches it knows from its scans only."""

    def __init__(
        self, p_W: tuple[float, float, float], things: dict[str, Any], material: ScanMaterial | None = None
    ) -> None:
        scene = Scene()
        for name, (mesh, place) in things.items():
            scene.add(Placement.one(name, mesh, place))
        self._robot = Robot("cube", load_robot_file("probe").description())
        self._robot.show(scene)
        config = ScannerConfig(resolution=SPACING, extent=0.55, range=1.0)
        self._scanner = Scanner("scanner", config, self._robot, Environment(scene), generator(0, "cube"))
        turn, still = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
        inertia = np.eye(3) * MASS * EDGE**2 / 6
        self.body = ScanBody(MASS, inertia, np.array(p_W, float), turn, still, still, com_B=still)
        self.contact = ScanContact(geometry.box((EDGE, EDGE, EDGE)), SPACING, material)

    def step(self) -> Touch:
        """10 ms by the scan of now, in single precision as the bus carries it; force and torque are means over it."""
        body = self.body
        self._robot.set_pose(body.p_WB, body.q_WB_wxyz)
        self._robot.update()
        data = self._scanner.sense(0)
        points, occupancy = (data[k].astype(np.float32) for k in ("points", "occupancy"))
        self.contact.look(points, occupancy, transform(body.q_WB_wxyz, body.p_WB))
        return self.contact.advance(body, _STEP)


def energy(body: ScanBody) -> float:
    """Of motion and height over z = 0 [J]."""
    spin = float(body.w_WB_W @ body.w_WB_W) * MASS * EDGE**2 / 6
    return 0.5 * MASS * float(body.v_WB_W @ body.v_WB_W) + 0.5 * spin + MASS * GRAVITY * float(body.p_WB[2])


def run_cube(case: str, seconds: float | None = None) -> dict[str, np.ndarray]:
    """What is plotted over time [s], each [n] or [n, 3], attitude as axis times angle [rad]; seconds: instead of the
    case's own."""
    begin, things, long = CASES[case]
    cube = Cube(begin, things)
    rows: dict[str, list[Any]] = {
        k: [] for k in ("points", "penetration", "force", "torque", "p", "attitude", "energy")
    }
    count = round((seconds or long) / _STEP)
    for _ in range(count):
        touch, body = cube.step(), cube.body
        found = (touch.points, touch.penetration, touch.force_W, touch.torque_W, body.p_WB.copy(),
                 body.q_WB_wxyz.copy(), energy(body))  # fmt: skip
        for values, value in zip(rows.values(), found, strict=True):
            values.append(value)
    series = {k: np.array(v) for k, v in rows.items()}
    turns = _turns(series["attitude"])
    return {"t": (np.arange(count) + 1) * _STEP, **series, "q": series["attitude"], "attitude": turns}


def cube_pictures(case: str, series: dict[str, np.ndarray], count: int = 4) -> list[tuple[int, np.ndarray]]:
    """The cube on its way as a camera sees it: numbers of frames, and pictures, RGB."""
    begin, things, _ = CASES[case]
    scene = Scene()
    for name, (mesh, place) in things.items():
        scene.add(Placement.one(name, mesh, place))
    cube = scene.add(Placement.one("cube", geometry.box((EDGE,) * 3).of(_PAINT), begin), moving=True)
    eye = camera_pose(
        np.array([5.5, -5.5, 2.0 if case == "flat ground" else 1.2]), np.radians(135.0), np.radians(-14.0)
    )
    found = []
    for number in np.linspace(0, len(series["t"]) - 1, count).round().astype(int):
        cube.move(transform(series["q"][number], series["p"][number])[None])
        found.append(
            (int(number) + 1, picture(Environment(scene), 0, eye, "colour", 240, 180, float(np.radians(50.0))))
        )
    return found


def _turns(q: np.ndarray) -> np.ndarray:
    """Attitudes [n, 4] as turns from the first, axis times angle [n, 3] [rad], without jumps at half a turn."""
    away = np.sign(np.sum(q[1:] * q[:-1], axis=1))
    q = q * np.concatenate([[np.sign(q[0, 0])], np.sign(q[0, 0]) * np.cumprod(away)])[:, None]
    length = np.linalg.norm(q[:, 1:], axis=1, keepdims=True)
    return 2.0 * np.arctan2(length, q[:, :1]) * q[:, 1:] / np.maximum(length, 1e-300)


def measures(series: dict[str, np.ndarray]) -> dict[str, Any]:
    """What a run comes to: mostly its last quarter second."""
    last = series["t"] > series["t"][-1] - 0.25
    rises = np.diff(series["energy"]).max()
    return {
        "points": int(series["points"][last].max()),
        "penetration": float(series["penetration"][last].max()),
        "force": series["force"][last].mean(axis=0).tolist(),
        "torque": float(np.abs(series["torque"][last]).max()),
        "height": float(series["p"][-1, 2]),
        "attitude": np.degrees(series["attitude"][-1]).tolist(),
        "creep": float(np.ptp(np.degrees(series["attitude"][last]), axis=0).max()),
        "energy": [float(series["energy"][0]), float(series["energy"][-1])],
        "energy_rise": float(max(rises, 0.0)),
    }
