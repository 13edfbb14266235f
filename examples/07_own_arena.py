"""An arena of your own: drawn with letters, a robot finds the victims in it, and a page tells how it went."""

import tempfile
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from volery import Checked, ChunkKey, Material, Placement, Simulation, World, box, param, poses, read_scenario, registry
from volery.autonomy.rescue.mission import Rescue, RescueSettings
from volery.report.rescue import write
from volery.world.generate.parts import CONCRETE, WOOD, flat_ground
from volery.world.generate.victims import Victim, figure

GLASS = Material("pane", (0.7, 0.8, 0.85), label="glass", transparency=0.9)
PLAN = """
##########
#....#..V#
#.##.#.#.#
#.#..G.#.#
#.#.##.#.#
#V#......#
##########
"""


@dataclass(frozen=True, eq=False)
class Drawn(Checked, World):
    """Walls (#), panes of glass (G) and victims (V) where the letters are; north is up, the middle is the origin."""

    seed: int = 0
    plan: str = PLAN
    cell: float = param(1.2, low=0.6, high=10.0)
    """What a letter covers [m]."""

    @cached_property
    def places(self) -> dict[str, list[np.ndarray]]:
        """Middles of the cells by letter, [3] each [m]."""
        lines = self.plan.split()
        out: dict[str, list[np.ndarray]] = {}
        for row, line in enumerate(lines):
            for column, letter in enumerate(line):
                x, y = column - (len(line) - 1) / 2, (len(lines) - 1) / 2 - row
                out.setdefault(letter, []).append(np.array([x * self.cell, y * self.cell, 0.0]))
        return out

    @property
    def victims(self) -> tuple[Victim, ...]:
        """Who is to be found: with this a mission can keep the score."""
        there = enumerate(self.places.get("V", []))
        return tuple(Victim(f"victim_{n + 1}", tuple(p.tolist()), 0.0, "surface", "aware") for n, p in there)

    def spawn(self) -> tuple[float, float, float]:
        """Where the first robot enters [m]."""
        return tuple((self.places["."][0] + [0, 0, 0.2]).tolist())

    def generate(self, key: ChunkKey) -> list[Placement]:
        """All that stands there. Placements of equal things share one mesh."""
        if key != (0, 0):
            return []
        height = np.array([0.0, 0.0, 0.6])
        out = [Placement.one("ground", flat_ground(60.0, CONCRETE))]
        for name, letter, size, material in (("wall", "#", self.cell, WOOD), ("glass", "G", 0.02, GLASS)):
            if letter in self.places:
                mesh = box((size, self.cell, 1.2), materials=(material,))
                out.append(Placement(name, (mesh,), poses(np.array(self.places[letter]) + height)))
        return out + [Placement.one(v.name, figure(v.kind, v.state), v.p) for v in self.victims]


if __name__ == "__main__":
    registry.add("worlds", "drawn", "07_own_arena:Drawn")
    simulation = Simulation(read_scenario("{step: 0.01, world: drawn}"))
    mission = Rescue(simulation, None, RescueSettings(robots=1, limit=60.0, area=(-6.0, -4.2, 6.0, 4.2)))
    while not mission.over:
        simulation.step()
    result = mission.result()
    print(f"{result['found']} of {len(result['victims'])} victims found, {100 * result['covered']:.0f} % looked at")
    print(f"the map is {result['map_error']:.2f} m off, {result['collisions']} collisions")
    assert write(mission.sheet(), tempfile.mkdtemp()).exists()
