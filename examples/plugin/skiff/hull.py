"""A robot kind of one's own: the block `hull` of a robot file, which makes the model too."""

from dataclasses import dataclass
from typing import ClassVar

from volery import RobotError, RobotKind, param

_MJCF = """
<mujoco model="{name}">
  <worldbody>
    <body name="hull">
      <freejoint/>
      <geom type="box" size="{x} {y} {z}" mass="{mass}" rgba="0.85 0.86 0.88 1"/>
      <geom type="box" pos="{front} 0 {z}" size="{cabin} {cabin} {cabin}" mass="1" rgba="0.1 0.25 0.5 1"/>
      <site name="keel" pos="0 0 -{z}"/>
    </body>
  </worldbody>
</mujoco>
"""


@dataclass(frozen=True)
class Hull(RobotKind):
    """A boat: its size, and how it moves through the water. The origin is amidships at the waterline."""

    tunable: ClassVar[bool] = True
    from_start: ClassVar[tuple[str, ...]] = ("length", "beam", "draught")
    drives: ClassVar[bool] = True
    makes_model: ClassVar[bool] = True

    length: float = param(above=0, high=500.0)
    """[m]."""
    beam: float = param(above=0, high=100.0)
    """[m]."""
    draught: float = param(0.2, above=0, high=50.0)
    """[m]."""
    thrust: float = param(100.0, low=0.0, high=1e7)
    """Most thrust of the propeller, ahead or astern [N]."""
    drag: float = param(30.0, above=0, high=1e7)
    """Resistance per speed squared [N s²/m²]."""
    turn: float = param(0.6, above=0, high=10.0)
    """Most rate of turning [rad/s]."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beam >= self.length:
            raise RobotError(f"hull: a beam of {self.beam:g} m is not below its length of {self.length:g} m")

    @property
    def mass(self) -> float:
        """Of the water it displaces [kg]."""
        return 500.0 * self.length * self.beam * self.draught

    def mjcf(self, name: str) -> str:
        """A box with a cabin, and the site `keel` below."""
        half = {"x": self.length / 2, "y": self.beam / 2, "z": self.draught}
        return _MJCF.format(name=name, mass=self.mass, front=self.length / 5, cabin=self.beam / 4, **half)
