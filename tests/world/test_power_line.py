"""Towers in a row, and wires between them that sag, that rays meet thinly, and that chunks of any size share out."""

from dataclasses import replace

import numpy as np
import pytest

from volery.core.geometry import merge
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.generate.power_line import PowerLine
from volery.world.scene.scene import Scene


def all_of(world, name, columns):
    """Every vertex of the things of a name in some chunks, in W [n, 3]."""
    found = []
    for key in columns:
        for p in world.generate(key):
            if p.name == name:
                found += [p.meshes[0].vertices @ X[:, :3].T + X[:, 3] for X in p.X_WO]
    return np.concatenate(found)


def test_wires_hang_from_tower_to_tower():
    world = PowerLine(seed=2, span=200.0, sag=0.04)
    wires = world.wires(0)
    assert wires.shape[0] == 7 and wires[:, 0, 0] == pytest.approx(0.0) and wires[:, -1, 0] == pytest.approx(200.0)
    a, b, middle = wires[:6, 0, 2], wires[:6, -1, 2], wires[:6, wires.shape[1] // 2, 2]
    assert (a + b) / 2 - middle == pytest.approx(0.04 * 200.0)
    assert world.wires(1)[:, 0] == pytest.approx(wires[:, -1]), "the next begins where this one ends"
    ground = world.height(wires[..., 0], wires[..., 1])
    assert (wires[..., 2] - ground).min() > 5.0


def test_chunks_share_the_line_out_without_gaps():
    """Whatever the size of chunks, the same pieces are there, each once."""
    span = 250.0
    points = []
    for size in (50.0, 100.0):
        world = PowerLine(seed=2, chunk_size=size, span=span)
        n = int(span / size)
        found = all_of(world, "wires", [(i, 0) for i in range(-1, n + 1)])
        inside = found[(found[:, 0] > 1.0) & (found[:, 0] < span - 1.0)]
        points.append(np.unique(np.round(inside, 2), axis=0))
    assert len(points[0]) == len(points[1]) and np.abs(points[0] - points[1]).max() < 0.02


def test_a_lidar_meets_wires_thinly():
    world = PowerLine(seed=1)
    scene = Scene()
    for i in range(0, 5):
        for placement in world.generate((i, 0)):
            scene.add(replace(placement, name=f"{i}/{placement.name}"))
    target = world.wires(0)[0]
    eye = target[10] + [0.0, -12.0, 0.0]
    angles = np.radians(np.arange(-15.0, 15.0, 0.2))
    up = np.stack([0 * angles, np.cos(angles), np.sin(angles)], axis=1)
    hits = scene.cast(eye, up, max_range=40.0)
    met = [i for i, name in enumerate(hits.names) if name and name.endswith("/wires")]
    assert len(met) <= 4, "28 mm at 12 m are 0.13°: between none and one ray a wire"
    fine = np.radians(np.arange(-15.0, 15.0, 0.01))
    hits = scene.cast(eye, np.stack([0 * fine, np.cos(fine), np.sin(fine)], axis=1), max_range=40.0)
    met = [i for i, name in enumerate(hits.names) if name and name.endswith("/wires")]
    assert len(met) >= 10 and hits.distance[met].min() == pytest.approx(12.0, abs=0.1)


def test_it_runs_and_stands_where_it_says():
    simulation = Simulation(read_scenario("world: {type: power_line}\nseed: 3\nrobots: {uav1: {type: quad}}\n"))
    simulation.run(2)
    item = simulation.scene.objects["chunk_0_0/0/towers"]
    assert item.X_WO[0][:, 3] == pytest.approx(simulation.world.foot(0))
    tower = merge([m for p in simulation.world.generate((0, 0)) if p.name == "towers" for m in p.meshes])
    assert tower.vertices[:, 2].max() == pytest.approx(34.0, abs=0.2)
    simulation.close()
