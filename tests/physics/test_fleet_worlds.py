"""Drones flown into the things of the worlds: they crash there, fall and come to rest, and say what they struck."""

import numpy as np
import pytest

from volery.robots.commands import Pose, Velocity
from volery.scenario import read_scenario
from volery.sim import Simulation


def started(world, position=None, seed=1):
    where = "" if position is None else f", position: {list(position)}"
    robot = f"{{type: quad, physics: fleet{where}, sensors: {{scanner: off}}}}"
    return Simulation(read_scenario(f"seed: {seed}\nworld: {world}\nrobots:\n  a: {robot}\n"))


def look_round(simulation, p_W, reach):
    """Level rays: directions, hits."""
    turn = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    directions = np.stack([np.cos(turn), np.sin(turn), np.zeros(720)], axis=1)
    return directions, simulation.scene.cast(p_W, directions, max_range=reach, ignore="a")


def fly_into(simulation, direction, speed, seconds):
    """Fly level that way until something is struck; the first contact."""
    simulation.command("a", Velocity(speed * np.asarray(direction)))
    robot = simulation.robots["a"]
    for _ in range(round(seconds * 100)):
        simulation.step()
        if robot.contacts:
            return robot.contacts[0]
    raise AssertionError("nothing was struck")


def falls_and_rests(simulation, seconds=12.0):
    """Motion of a crashed drone that must come to rest; its energy may only fall."""
    robot = simulation.robots["a"]
    struck = robot.p_WB.copy()
    simulation.run(round(seconds * 100))
    assert np.isfinite(robot.p_WB).all()
    assert np.linalg.norm(robot.v_WB_W) < 0.02 and np.linalg.norm(robot.w_WB_W) < 0.1
    assert robot.p_WB[2] < struck[2] + 0.5
    assert robot.contacts, "it lies on something"
    simulation.command("a", Pose(struck + [0, 0, 3]))
    simulation.run(100)
    assert robot.p_WB[2] < struck[2] + 0.5
    return robot.p_WB


def test_into_a_trunk():
    simulation = started("forest", (-3, -2, 2.1))
    simulation.run(5)
    directions, hits = look_round(simulation, np.array([-3, -2, 2.1]), 25.0)
    # The trunk that most neighbouring rays see, so that the drone meets it squarely
    trunks = np.array([label == "trunk" for label in hits.labels])
    runs = np.convolve(np.r_[trunks[-3:], trunks, trunks[:3]].astype(float), np.ones(7), "valid")
    best = int(np.argmax(np.where(hits.distance > 3.0, runs, 0)))
    assert runs[best] == 7
    contact = fly_into(simulation, directions[best], 5.0, 10.0)
    assert simulation.engines["fleet"].crashed("a")
    row = simulation.scene.objects[contact.other]
    assert row is not None
    # Struck from the side it came from, near where the ray had met the trunk
    assert contact.normal_W @ directions[best] < -0.3
    assert np.linalg.norm(contact.p_W[:2] - hits.points[best][:2]) < 0.8
    assert contact.impulse_W @ contact.normal_W > 1.0
    end = falls_and_rests(simulation)
    assert np.linalg.norm(end[:2] - contact.p_W[:2]) < 6.0


def test_into_the_wall_of_a_cave():
    simulation = started("cave", (30.8, 4.3, -38.9), seed=5)
    simulation.run(5)
    directions, hits = look_round(simulation, np.array([30.8, 4.3, -38.9]), 40.0)
    best = int(np.argmin(np.where(hits.distance > 3.0, hits.distance, np.inf)))
    contact = fly_into(simulation, directions[best], 4.0, 10.0)
    assert simulation.engines["fleet"].crashed("a")
    assert contact.normal_W @ directions[best] < 0.0
    inside = simulation.scene.cast(simulation.robots["a"].p_WB, directions, max_range=100.0, ignore="a")
    assert not inside.back.any()
    falls_and_rests(simulation)
    # Still in the tunnel, not in the rock
    around = simulation.scene.cast(simulation.robots["a"].p_WB + [0, 0, 0.1], directions, max_range=100.0, ignore="a")
    assert around.hit.mean() > 0.9 and not around.back.any()


def test_into_the_ground():
    simulation = started("blocks", (0, 0, 15))
    simulation.run(5)
    contact = fly_into(simulation, [0, 0, -1], 5.0, 10.0)
    assert contact.other == "Ground" and contact.normal_W == pytest.approx([0, 0, 1], abs=1e-6)
    assert simulation.engines["fleet"].crashed("a")
    falls_and_rests(simulation, 6.0)


def test_leaves_do_not_stop_a_drone_but_are_seen():
    simulation = started("forest", (-3, -2, 2.1))
    simulation.run(5)
    materials = simulation.scene.materials.all
    turn = np.random.default_rng(0).normal(size=(4000, 3))
    turn[:, 2] = np.abs(turn[:, 2])
    hits = simulation.scene.cast(np.array([-3, -2, 2.1]), turn, max_range=30.0, ignore="a")
    soft = np.array([i >= 0 and not materials[i].solid for i in hits.material])
    assert soft.any()
    # Put the drone among leaves: twigs may touch it here and there, but where there are only leaves it feels nothing
    points = hits.points[soft][:: max(1, soft.sum() // 12)]
    free = 0
    for point in points:
        simulation.place("a", point, np.array([1.0, 0, 0, 0]))
        simulation.run(2)
        free += not simulation.robots["a"].contacts
    assert free >= 3


def test_two_of_three_drones_meet_in_the_air():
    text = "world: {type: blocks, count: 0}\nrobots:\n"
    for name, x, y in (("a", -4, 0), ("b", 4, 0), ("c", 0, 9)):
        text += f"  {name}: {{type: quad, physics: fleet, position: [{x}, {y}, 10], sensors: {{scanner: off}}}}\n"
    simulation = Simulation(read_scenario(text))
    simulation.command("a", Velocity([3, 0, 0]))
    simulation.command("b", Velocity([-3, 0, 0]))
    simulation.run(600)
    engine = simulation.engines["fleet"]
    assert engine.crashed("a") and engine.crashed("b") and not engine.crashed("c")
    for name in ("a", "b"):
        robot = simulation.robots[name]
        assert robot.p_WB[2] < 0.5 and {c.other for c in robot.contacts} <= {"Ground", "a", "b"}
    assert simulation.robots["c"].p_WB == pytest.approx([0, 9, 10], abs=0.05)


def test_a_drone_stands_on_a_moving_robot_of_another_engine_and_feels_it():
    text = """
world: {type: blocks, count: 0}
robots:
  a: {type: quad, physics: fleet, position: [0, 0, 3], sensors: {scanner: off}}
  under: {type: probe, physics: kinematic, position: [0, 0, 1], sensors: {scanner: off}}
"""
    simulation = Simulation(read_scenario(text))
    simulation.command("a", Velocity([0, 0, -0.8]))
    for _ in range(300):
        simulation.step()
        if simulation.robots["a"].contacts:
            break
    assert simulation.robots["a"].contacts[0].other == "under"
    assert simulation.robots["a"].contacts[0].normal_W[2] > 0.5


def test_free_air_is_remembered_and_ends_in_time():
    """A fleet that remembers free air flies the same bytes as one that asks the scene at every step."""

    def flown(remember):
        simulation = started("blocks", (0, 0, 9))
        simulation.spawn(
            "b", {"type": "quad", "physics": "fleet", "position": [6, 0, 9], "sensors": {"scanner": "off"}}
        )
        sky = simulation.engines["fleet"]._sky
        asked, holds = 0, sky._clearance.holds

        def counted(batch, span):
            nonlocal asked
            known = holds(batch, span) if remember else False
            asked += not known
            return known

        sky._clearance.holds = counted
        simulation.command("a", Velocity([1.5, 0, -0.4]))
        states = []
        for k in range(900):
            if k == 500:
                # Something new comes into free air
                at = simulation.robots["b"].p_WB + [0, 0, -0.6]
                simulation.spawn("c", {"type": "probe", "position": at.tolist(), "sensors": {"scanner": "off"}})
            simulation.step()
            states.append(simulation.engines["fleet"].batch.state[:2].tobytes())
        return states, asked, [r.contacts for r in simulation.robots.values()]

    (with_memory, few, _), (without, many, _) = flown(True), flown(False)
    assert with_memory == without
    assert few < 0.75 * many
