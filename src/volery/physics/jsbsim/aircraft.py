"""Which of JSBSim's aircraft a robot is, and how it is loaded."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar
from xml.etree import ElementTree

from volery.core.config import param
from volery.errors import LibraryError, RobotError, UnknownNameError
from volery.physics.plane_pilot import PlaneGains
from volery.robots.description import Description
from volery.robots.kind import RobotKind
from volery.robots.robot import Robot

__all__ = ["JsbsimAircraft", "load_aircraft"]


@dataclass(frozen=True)
class JsbsimAircraft(RobotKind):
    """Which of JSBSim's aircraft a robot is, and how the robot's model goes with it."""

    tunable: ClassVar[bool] = True
    from_start: ClassVar[tuple[str, ...]] = ("aircraft", "root", "origin", "cruise", "gains", "joints", "properties",
                                             "propellers")  # fmt: skip
    aircraft: str = "c172x"
    """Name of a folder under `aircraft`."""
    root: str = ""
    """Folder with JSBSim's `aircraft`, `engine` and `systems`, relative to the robot's file; empty: the package's."""
    origin: tuple[float, float, float] | None = None
    """Where the root of our model is in JSBSim's structural frame: aft, right, up [m]; none: the centre of mass."""
    cruise: float = param(55.0, above=0.0, high=1000.0)
    """Airspeed at which it starts and flies if it is told no other [m/s]."""
    flaps: float = param(0.0, low=0.0, high=1.0)
    """Commanded share of the flaps; may be changed while running."""
    gear: float = param(1.0, low=0.0, high=1.0)
    """0: gear up, 1: gear down; may be changed while running."""
    brakes: float = param(0.0, low=0.0, high=1.0)
    """Of the wheels; may be changed while running."""
    gains: PlaneGains = field(default_factory=PlaneGains)
    """Of the autopilot."""
    joints: dict[str, str] = field(default_factory=dict)
    """Joints of our model, by the property that each shows [rad or m]; a minus before it turns it round."""
    propellers: list[str] = field(default_factory=list)
    """Joints that turn with the engines, in their order."""
    properties: dict[str, float] = field(default_factory=dict)
    """JSBSim's properties that are set before it starts, in JSBSim's units."""

    def check(self, description: Description) -> None:
        """Refuse joints that the model does not have."""
        for name in (*self.joints, *self.propellers):
            description.joint(name)


def load_aircraft(robot: Robot, block: JsbsimAircraft, dt: float) -> Any:
    """A JSBSim with the aircraft in it, for steps of dt [s]."""
    try:
        import jsbsim
    except ImportError:
        raise LibraryError(
            "the engine 'jsbsim' needs the package jsbsim, which is not installed: pip install 'volery[jsbsim]'"
        ) from None
    base: Any = jsbsim.FGJSBBase
    base().debug_lvl = 0
    near = Path(robot.file.source).parent if robot.file is not None else Path()
    root = Path(near / block.root if block.root else jsbsim.get_default_root_dir())
    known = sorted(p.name for p in (root / "aircraft").glob("*") if (p / f"{p.name}.xml").is_file())
    if block.aircraft not in known:
        raise RobotError(f"robot '{robot.name}': {UnknownNameError('aircraft of JSBSim', block.aircraft, known)}")
    fdm = jsbsim.FGFDMExec(str(root))
    fdm.set_debug_level(0)
    fdm.set_aircraft_path(str(_silent(root / "aircraft" / block.aircraft).parent))
    # Before the model: its filters are made for the step.
    fdm.set_dt(dt)
    fdm.load_model(block.aircraft)
    return fdm


@cache
def _silent(folder: Path) -> Path:
    """An aircraft's folder without the files that its model writes as it flies: they would lie about, and JSBSim
    complains of them when it starts twice."""
    copy = Path(_scratch().name) / f"{zlib.crc32(bytes(folder)):08x}" / folder.name
    copy.mkdir(parents=True)
    for path in folder.iterdir():
        (copy / path.name).symlink_to(path.resolve())
    model = copy / f"{folder.name}.xml"
    tree = ElementTree.parse(model)
    for element in tree.getroot().findall("output"):
        tree.getroot().remove(element)
    model.unlink()
    tree.write(model)
    return copy


@cache
def _scratch() -> TemporaryDirectory[str]:
    """A folder that goes with the process."""
    return TemporaryDirectory(prefix="volery-jsbsim-")
