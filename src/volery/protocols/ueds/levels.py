"""UEds's worlds, weathers and drones by number, and what of ours takes their place."""

from __future__ import annotations

from typing import Any

from volery.errors import UnknownNameError

__all__ = ["MESHES", "MESH_NAMES", "NAMES", "WEATHERS", "forest", "level_named", "level_of"]

_RACE = {"type": "warehouse", "fill": 0.3, "length": 80.0, "width": 50.0}
_LEVELS: dict[str, dict[str, Any]] = {
    "valley": {"type": "hills", "hilliness": 25.0, "frequency": 0.01},
    "forest": {"type": "forest"},
    "infinite_forest": {"type": "forest"},
    "warehouse": {"type": "warehouse"},
    "cave": {"type": "cave"},
    "erding_airbase": {"type": "airbase"},
    "temesvar": {"type": "ruin"},
    "electric_towers": {"type": "power_line"},
    "race_1": {**_RACE, "gates": 8},
    "race_2": {**_RACE, "gates": 16},
    "industrial_warehouse": {"type": "warehouse", "length": 120.0, "width": 80.0, "height": 14.0},
    "service_tunnel": {
        "type": "cave",
        "radius": [1.6, 2.2],
        "chamber": [1.8, 2.4],
        "dripstone": 0.0,
        "lamp_spacing": 6.0,
    },
    "dead_spruce_forest": {"type": "forest", "undergrowth": 0.15, "dead_wood": 1.0, "windfalls": 0.3},
    "race_3": {**_RACE, "gates": 30},
}
"""By name, in the order of their numbers. For the castle stands the nearest of ours."""
NAMES = tuple(_LEVELS)
_UNKNOWN = "infinite_forest"

MESH_NAMES = ("x500", "t650", "a300", "robofly", "wing", "wing_2", "gimbal", "empty")
MESHES: dict[str, str] = {
    "x500": "x500", "t650": "t650", "a300": "a300", "robofly": "robofly", "wing": "fixedwing",
    "wing_2": "flyingwing", "gimbal": "x500_gimbal", "empty": "probe",
}  # fmt: skip
"""Robots by name of the mesh."""

WEATHERS: tuple[dict[str, float], ...] = (
    {}, {"clouds": 0.5}, {"fog": 0.55}, {"rain": 0.5, "clouds": 0.9}, {"rain": 0.2, "clouds": 0.7},
    {"rain": 0.9, "clouds": 1.0}, {"dust": 0.35}, {"dust": 0.8}, {"snow": 0.4, "clouds": 0.9},
    {"snow": 0.9, "fog": 0.3, "clouds": 1.0}, {"clouds": 1.0},
)  # fmt: skip
"""By number: sunny, cloudy, foggy, rain, light rain, thunderstorm, calm dust, dust storm, snow, blizzard, overcast;
levels of `environment.weather`, and the sky's clouds."""


def forest(density: int, hills: int) -> dict[str, Any]:
    """Parameters of the forest: density 1 (dense) to 10 (sparse), hills 1 (flat) to 5."""
    return {"density": round(1.05 - 0.1 * density, 2), "hilliness": (0.5, 2.5, 5.0, 9.0, 14.0)[hills - 1]}


def level_of(number: int) -> str:
    """The name of a world's number; one that is not known is the endless forest."""
    return NAMES[number] if 0 <= number < len(NAMES) else _UNKNOWN


def level_named(name: str, density: int, hills: int) -> dict[str, Any]:
    """Type and parameters of a world by UEds's name."""
    if name not in _LEVELS:
        raise UnknownNameError("UEds world", name, NAMES)
    parameters = dict(_LEVELS[name])
    if parameters["type"] == "forest":
        parameters.update(forest(density, hills))
    return parameters
