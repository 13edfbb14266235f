"""Bodies that fall and touch in MuJoCo."""

from volery.scenario import read_scenario
from volery.sim import Simulation

G = 9.80665

BALL = """<mujoco><worldbody><body name="ball"><freejoint/>
  <geom type="sphere" size="0.1" mass="{mass}"/></body></worldbody></mujoco>"""

BRICK = """<mujoco><worldbody><body name="brick"><freejoint/>
  <geom type="box" size="0.25 0.25 0.25" mass="10" friction="0.5 0.005 0.0001"/></body></worldbody></mujoco>"""


def make(tmp_path, robots, extra="", **models):
    """A simulation in empty air with robots of models written here; `fixed` ones come with a robot file."""
    for name, text in models.items():
        (tmp_path / f"{name}.xml").write_text(text)
    text = f"step: 0.01\nworld: empty\n{extra}\nrobots:\n" + "".join(f"  {n}: {d}\n" for n, d in robots.items())
    return Simulation(read_scenario(text, folder=tmp_path))


def entry(model, x=0.0, y=0.0, z=50.0, **more):
    values = {"type": model, "physics": "mujoco", "position": [x, y, z], **more}
    return "{" + ", ".join(f"{k}: {str(v).replace(chr(39), '')}" for k, v in values.items()) + "}"


def no_drag(tmp_path, model, name="robot.yaml", **more):
    keys = "".join(f"{k}: {v}\n" for k, v in {"drag_area": 0.0, **more}.items())
    (tmp_path / name).write_text(f"model: {model}.xml\n{keys}")
    return name
