"""Environments for learning: importing this registers them with Gymnasium, as `volery/Hover-v0` and so on.

`gymnasium.make("volery.learn:volery/Hover-v0")` needs no import. `DeliverySwarm` is PettingZoo's kind, in `deliveries`.
"""

from __future__ import annotations

from typing import Any

from volery.errors import LibraryError

try:
    import gymnasium
except ImportError:
    raise LibraryError("volery.learn needs Gymnasium; install it with: pip install volery[learn]") from None

__all__ = ["ENVIRONMENTS"]

_DRONE = {"entry_point": "volery.learn.single:DroneEnv", "vector_entry_point": "volery.learn.vector:DroneVectorEnv"}

ENVIRONMENTS: dict[str, dict[str, Any]] = {
    "volery/Hover-v0": {**_DRONE, "kwargs": {"task": "hover"}},
    "volery/Waypoint-v0": {**_DRONE, "kwargs": {"task": "waypoint"}},
    "volery/ForestNavigation-v0": {**_DRONE, "kwargs": {"task": "navigation"}},
    "volery/GateRace-v0": {**_DRONE, "kwargs": {"task": "gates"}},
    "volery/WallDocking-v0": {"entry_point": "volery.learn.docking:WallDocking"},
    "volery/RoverToGoal-v0": {"entry_point": "volery.learn.rover:RoverToGoal"},
}
"""What is registered, by id."""

for _name, _about in ENVIRONMENTS.items():
    if _name not in gymnasium.registry:
        gymnasium.register(_name, **_about)
