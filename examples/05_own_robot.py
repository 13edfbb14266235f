"""Two robots of your own, one from a file like usar.ini and one from a build block, drive up to a wall side by side."""

from pathlib import Path

from volery import BodyVelocity, Joints, Placement, Simulation, Wheels, box, read_scenario

HERE = Path(__file__).parent / "own"

simulation = Simulation(
    read_scenario(
        """
world: empty
step: 0.01
robots:
  ini: {type: "usar.ini#MyBot", position: [0, 0.5, 0.12]}
  yaml: {type: mybot.yaml, position: [0, -0.5, 0.11]}
""",
        folder=HERE,
    )
)
simulation.scene.add(Placement.one("wall", box((0.1, 4.0, 1.0)), (3.0, 0.0, 0.5)))
simulation.command("ini", Wheels(4.0, 4.0))
simulation.command("yaml", BodyVelocity([0.36, 0.0, 0.0]))
simulation.command("yaml", Joints(positions={"Pan": 0.5}))
simulation.run(400)
for name in ("ini", "yaml"):
    robot = simulation.robot(name)
    print(f"{name}: {robot.p_WB[0]:.2f} m ahead at {robot.v_WB_W[0]:.2f} m/s")
heard = simulation.sensor("ini", "F1").latest.data["range"][0]
print(f"sonar F1: {heard:.2f} m, with noise and a curve that tells less")
