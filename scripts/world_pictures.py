"""Makes the pictures of docs/worlds.md anew: scripts/world_pictures.py [folder] [name …].

The table says what each picture is made from, as the line under it in docs/worlds.md does. `mesh.jpg` needs a file that
is not kept here and stays as it is.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import yaml
from PIL import Image

from volery.core.noise import fractal2

_WIDE, _EVENING = 75, "2024-06-20T16:00:00+00:00"
_FOREST, _CAVE = {"type": "forest"}, {"type": "cave", "lamp_spacing": 5, "dripstone": 0.8}
_YARD = {"type": "warehouse", "roof": False}


def _arena(colour: str) -> dict:
    return {"type": "arena", "colour": colour}


def _at(clock: str) -> str:
    return f"2024-06-20T{clock}:00+00:00"


PICTURES: dict[str, tuple[dict, int, str, int, dict]] = {
    "forest-inside": (_FOREST, 1, "-3,-1.7,1.5,120,3", _WIDE, {}),
    "forest-clearing": (_FOREST, 1, "46,5,2.5,-95,2", _WIDE, {}),
    "forest-windfall": (_FOREST, 1, "-32,22,3,45,-5", _WIDE, {}),
    "forest-nursery": (_FOREST, 1, "54,-10,2.5,-50,0", _WIDE, {}),
    "forest-above": (_FOREST, 1, "-60,-60,28,45,-18", _WIDE, {"streaming": {"visible": 160}}),
    "weather-fog": (_FOREST, 1, "46,5,2.5,-95,2", _WIDE, {"weather": {"fog": 0.8}}),
    "hills": (
        {"type": "hills", "hilliness": 25, "frequency": 0.006, "octaves": 6}, 3, "0,-60,22,70,-6", _WIDE,
        {"streaming": {"visible": 900}, "sky": {"start": _EVENING}},
    ),
    "cave-hall": (_CAVE, 5, "8.16,6.5,-39.18,90,3", 85, {}),
    "cave-tunnel": (_CAVE, 5, "19.83,6.77,-38.05,-28.6,12.5", _WIDE, {}),
    "warehouse-aisle": ({"type": "warehouse"}, 1, "-22,-6,2,0,5", _WIDE, {}),
    "warehouse-racks": (_YARD | {"gates": 12}, 1, "22,-14,4,150,-3", _WIDE, {}),
    "warehouse-above": (_YARD, 1, "50,-42,32,139,-31", 62, {"sky": {"start": _at("08:00")}}),
    "arena-hall": (_arena("yellow") | {"hall": True}, 3, "-7.5,-6,3,40,-25", 80, {}),
    "arena-yellow": (_arena("yellow"), 3, "-9.5,-5,6,30,-32", 62, {"sky": {"start": _EVENING}}),
    "arena-yellow-close": (_arena("yellow"), 3, "-6.6,-1.2,2.6,5,-24", 62, {"sky": {"start": _EVENING}}),
    "arena-orange": (_arena("orange"), 1, "-9,-6.5,6,38,-32", 62, {"sky": {"start": _EVENING}}),
    "arena-orange-close": (_arena("orange"), 1, "1.5,-1.5,3.2,45,-28", 62, {"sky": {"start": _EVENING}}),
    "arena-red": (_arena("red"), 1, "-8.5,-6.5,6,38,-34", 62, {"sky": {"start": _EVENING}}),
    "arena-red-close": (_arena("red"), 1, "2,-7,3.2,45,-28", 62, {"sky": {"start": _EVENING}}),
    "silo": ({"type": "silo", "top": "open"}, 1, "0.5,-4,5,90,38", 100, {"sky": {"start": _at("11:15")}}),
    "silo-hatch": ({"type": "silo"}, 1, "4,0,26,180,-50", 100, {}),
    "ruin": ({"type": "ruin"}, 1, "-26,-20,8,38,-9", _WIDE, {"sky": {"start": _EVENING}}),
    "ruin-pond": ({"type": "ruin"}, 1, "-24,4,3,3,-3", _WIDE, {"sky": {"start": _EVENING}}),
    "sky-evening": ({"type": "ruin"}, 1, "-26,-20,8,38,-9", _WIDE, {"sky": {"start": _at("18:35")}}),
    "blocks-plain": ({"type": "blocks"}, 1, "-40,-50,16,50,-12", _WIDE, {"sky": {"start": _EVENING}}),
    "blocks-variety": (
        {"type": "blocks", "variety": True, "count": 110}, 2, "60,-30,10,150,-10", _WIDE, {"sky": {"start": _EVENING}},
    ),
    "terrain": (
        {"type": "terrain", "path": "alps.png", "spacing": 3, "high": 620, "snow_line": 330}, 1,
        "-1300,-900,620,35,-18", _WIDE, {"streaming": {"visible": 2600}, "sky": {"start": _at("15:30")}},
    ),
}  # fmt: skip
"""World, seed, camera, field of view [deg] and what else the scenario says, by name."""


def alps(path: Path, size: int = 1024) -> None:
    """A grey PNG of 16 bit: ridges of noise that rise out of valleys."""
    x, y = np.meshgrid(np.arange(size) * 3.0, np.arange(size) * 3.0)
    land, total = np.zeros((size, size)), 0.0
    for octave in range(7):
        ridge = 1.0 - np.abs(fractal2(x, y, 11 + octave, 1, 0.0008 * 2**octave)) * 2.0
        weight = 0.5**octave * (1.0 if octave == 0 else np.clip(land / total, 0.0, 1.0))
        land, total = land + weight * ridge, total + 0.5**octave
    land = np.clip((land - land.min()) / np.ptp(land), 0.0, 1.0) ** 2
    Image.fromarray((land * 65535).astype(np.uint16)).save(path)


def main() -> None:
    """Render the named pictures, or all, into the folder."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    with tempfile.TemporaryDirectory() as scratch:
        alps(Path(scratch) / "alps.png")
        for name in sys.argv[2:] or PICTURES:
            world, seed, camera, fov, more = PICTURES[name]
            scenario, raw = Path(scratch) / f"{name}.yaml", Path(scratch) / f"{name}.png"
            scenario.write_text(yaml.safe_dump({"seed": seed, "world": world, **more}))
            about = [f"--camera={camera}", f"--fov={fov}", "--size=1280x720", "--quality=best"]
            subprocess.run(["volery", "render", scenario, raw, *about], check=True)
            Image.open(raw).convert("RGB").save(folder / f"{name}.jpg", quality=88, optimize=True)


if __name__ == "__main__":
    main()
