"""A tool that touches: a ball at a site of a robot's model, and the law by which surfaces press on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from volery.core.config import Checked, param
from volery.errors import RobotError

__all__ = ["LAWS", "Tool"]

LAWS = ("hunt_crossley", "spring_damper", "virtual_mass")


@dataclass(frozen=True)
class Tool(Checked):
    """The tip of a tool. Geoms of the model there should not collide themselves.

    With δ the depth and δ' its rate, the surface presses by

    - `hunt_crossley`: stiffness·δ^exponent·(1 + 1.5·loss·δ'),
    - `spring_damper`: stiffness·δ + damping·δ',
    - `virtual_mass`: a small mass is drawn to the tip by stiffness and damping, and held back by the surface; what
      draws it is the force, as in the AIRobots simulator.

    It never pulls. Along the surface a bristle of `shear` holds the tip in its place until it is bent by more than
    stiction; then it slides.
    """

    site: str = "tool"
    """Where its middle is in the model."""
    radius: float = param(0.02, above=0, high=10.0)
    """[m]; more than it is pressed in by, force over stiffness, or it comes out behind thin walls."""
    law: Literal["hunt_crossley", "spring_damper", "virtual_mass"] = "hunt_crossley"
    stiffness: float = param(1500.0, above=0, high=1e7)
    """[N/m], or [N/m^exponent] for Hunt–Crossley."""
    exponent: float = param(1.0, low=1.0, high=3.0)
    """1.5 for a ball on a plane, 1 for a pad."""
    loss: float = param(1.0, low=0.0, high=1e3)
    """[s/m]; speeds of v come back as about (1 − loss·v)·v."""
    damping: float = param(40.0, low=0.0, high=1e6)
    """[N s/m]."""
    mass: float = param(0.02, above=0, high=100.0)
    """The virtual one [kg]."""
    shear: float = param(1500.0, above=0, high=1e7)
    """Stiffness of the bristle [N/m]."""
    shear_damping: float = param(10.0, low=0.0, high=1e6)
    """[N s/m]."""
    friction: float = param(0.5, low=0.0, high=100.0)
    """Coulomb coefficient while it slides; times that of the material touched."""
    stiction: float = param(0.6, low=0.0, high=100.0)
    """The same while it holds."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stiction < self.friction:
            raise RobotError(f"tool: stiction {self.stiction:g} must not be below friction {self.friction:g}")
