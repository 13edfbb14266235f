"""USARSim's robots on level ground, ramps, steps and step fields."""

import mujoco
import numpy as np

from volery.core.clock import nanoseconds
from volery.core.frames import euler_from_quat
from volery.core.geometry import box, merge
from volery.core.material import Material
from volery.robots.commands import BodyVelocity
from volery.robots.library import load_robot_file
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.generate.parts import wedge
from volery.world.world import Placement

GROUND = Material("test_ground", friction=0.8)


def simulate(kind, *things, z=None, attitude=(0, 0, 0), sensors=None, more=""):
    """A robot on level ground with things that stand there, after it has settled; sensors: those to keep."""
    file = load_robot_file(kind)
    height = (file.drive.radius + 0.002 if file.drive else 0.13) if z is None else z
    kept = {} if sensors is None else sensors
    off = ", ".join([f"{n}: off" for n in file.sensors if n not in kept])
    simulation = Simulation(
        read_scenario(f"""
seed: 1
step: 0.01
world: empty
robots:
  bot: {{type: "{kind}", position: [0, 0, {height}], attitude_deg: {list(attitude)}, sensors: {{{off}}}}}
{more}
""")
    )
    for thing in things:
        simulation.scene.add(thing)
    run(simulation, 0.3)
    return simulation


def run(simulation, seconds):
    simulation.run(nanoseconds(seconds) // simulation.clock.step_ns)


def drive(simulation, v, yaw_rate=0.0, seconds=1.0):
    simulation.command("bot", BodyVelocity([v, 0.0, 0.0], yaw_rate))
    run(simulation, seconds)


def yaw_rate(simulation, seconds):
    """Mean rate of turning [rad/s]."""
    robot, angles = simulation.robot("bot"), []
    for _ in range(int(seconds * 20)):
        run(simulation, 0.05)
        angles.append(euler_from_quat(robot.q_WB_wxyz)[2])
    angles = np.unwrap(angles)
    return (angles[-1] - angles[0]) / (0.05 * (len(angles) - 1))


def tilt(simulation):
    """Roll and pitch [degrees]."""
    return np.degrees(euler_from_quat(simulation.robot("bot").q_WB_wxyz))[:2]


def step_at(x, height, length=4.0):
    """A block across the way, from x on."""
    return Placement.one("block", box((length, 4.0, height), materials=(GROUND,)), (x + length / 2, 0, height / 2))


def slope(degrees, length=4.0, x=0.8):
    """A ramp up along +x that begins at x."""
    rise = length * np.tan(np.radians(degrees))
    return Placement.one("slope", wedge(length, 6.0, rise, GROUND), (x + length / 2, 0, 0))


def step_field(seed, levels=(0.0, 0.05, 0.10), posts=24):
    """Posts of 10 cm with random heights [m], as of a half-cubic step field; a clearing in the middle."""
    heights = np.random.default_rng(seed).choice(levels, (posts, posts))
    middle = slice(posts // 2 - 3, posts // 2 + 3)
    heights[middle, middle] = 0.0
    shapes = [
        box((0.1, 0.1, float(z)), materials=(GROUND,)).moved(
            p=((i - posts / 2 + 0.5) * 0.1, (j - posts / 2 + 0.5) * 0.1, z / 2)
        )
        for (i, j), z in np.ndenumerate(heights)
        if z > 0
    ]
    return Placement.one("field", merge(shapes, "field"), (0, 0, 0))


def energy(simulation):
    """Of the whole engine, kinetic and potential [J]."""
    assembly = simulation.engines["mujoco"]._model.assembly
    model, data = assembly.model, assembly.data
    speed = np.zeros(model.nv)
    mujoco.mj_mulM(model, data, speed, data.qvel)
    height = float(np.dot(model.body_mass[1:], data.xipos[1:, 2]))
    return 0.5 * float(data.qvel @ speed) + 9.80665 * height
