"""The world in MuJoCo's collision table: one stand-in geom, and a callback in place of its own collision functions.

MuJoCo keeps a table of collision functions by types of geoms. The world's stand-in is a height field far larger than
any world, so our callback takes the place of the functions for height fields. Data that belong to none of our worlds
still reach MuJoCo's own functions.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mujoco
import numpy as np

from volery._native.contact import CollisionTable, ShapeKind, pointer_offsets
from volery.errors import LibraryError, UnknownNameError
from volery.physics.contact.hulls import hulls_of
from volery.physics.contact.world import ContactWorld

__all__ = ["STAND_IN", "add_pairs", "add_world", "bind", "hardness", "install", "pair_parameters", "world_rows"]

STAND_IN = "volery-world"
"""Name of the geom that stands for the world."""
_HUGE = 1e9
"""Half extent of the stand-in [m]: MuJoCo asks only about geoms within its bounding sphere."""
_UNSAID = [0.02, 1.0]
"""MuJoCo's own solref: that of a geom whose file says nothing."""
_FIX = "run: pip install 'mujoco-core>=4.0.1,<5'"


# The table


@cache
def install() -> None:
    """Put the callback into MuJoCo's table, once for the process; MuJoCo's records are checked first."""
    table = _table()
    _probe(table)
    table.install(**_offsets())


def _table() -> CollisionTable:
    folder = Path(mujoco.__file__).parent
    for path in sorted([*folder.glob("libmujoco*"), *folder.glob("mujoco.dll")]):
        try:
            return CollisionTable(str(path))
        except RuntimeError:
            continue
    raise LibraryError(f"no MuJoCo library with a table of collision functions in {folder}; {_FIX}")


# What MuJoCo's records look like

_MODEL_FIELDS = ("geom_size", "pair_friction")
_DATA_FIELDS = ("geom_xpos", "geom_xmat", "userdata")
_MODEL_SIZE, _DATA_SIZE = 5_700, 162_000
"""As far as the records are searched [bytes]: less than they have, for nothing behind them may be read."""


def _offsets() -> dict[str, int]:
    """Where the callback finds arrays in MuJoCo's records [bytes]."""
    found: dict[str, set[int]] = {}
    for xml in _SAMPLES:
        model = mujoco.MjModel.from_xml_string(f'<mujoco><size nuserdata="3"/>{xml}</mujoco>')
        data = mujoco.MjData(model)
        for record, fields, size in ((model, _MODEL_FIELDS, _MODEL_SIZE), (data, _DATA_FIELDS, _DATA_SIZE)):
            for name in fields:
                here = set(pointer_offsets(record._address, size, getattr(record, name)))
                found[name] = found.get(name, here) & here
    for name, places in found.items():
        if len(places) != 1:
            raise LibraryError(f"MuJoCo {mujoco.__version__}: '{name}' is not where it is expected; {_FIX}")
    return {name: places.pop() for name, places in found.items()}


_BODIES = (
    "<body><geom name='b' size='.1'/></body>",
    "<body><joint name='j'/><geom name='b' size='.1'/><site/></body><camera/><light/>",
    "<body><freejoint/><geom name='b' size='.1'/><geom size='.2'/></body><body mocap='true'><geom size='.3'/></body>",
)
_REST = (
    "",
    "<sensor><clock/></sensor><actuator><intvelocity joint='j' actrange='0 1'/></actuator>"
    "<equality><joint joint1='j'/></equality>",
    "<equality><weld body1='world' body2='c'/></equality>",
)
_SAMPLES = tuple(
    f"<worldbody><geom name='a' size='.1'/>{bodies}<body name='c'/></worldbody>"
    f"<contact><pair geom1='a' geom2='b'/></contact>{rest}"
    for bodies, rest in zip(_BODIES, _REST, strict=True)
)
"""Small models that differ in what they have: an array without entries has the address of the next."""


def _probe(table: CollisionTable) -> None:
    """Call one of MuJoCo's own functions, a box on a plane, and see that its contacts are written as we write ours."""
    xml = '<geom type="plane" size="1 1 1"/><body pos="1 2 .45"><geom type="box" size=".5 .5 .5"/></body>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{xml}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    told = np.full((50, 10), np.nan)
    count = table.ask_plane(ShapeKind.box, model._address, data._address, 0, 1, told)
    corners = {(x, y) for x in (0.5, 1.5) for y in (1.5, 2.5)}
    right = (
        count == 4
        and np.allclose(told[:4, 0], -0.05)
        and {(round(float(x), 6), round(float(y), 6)) for x, y in told[:4, 1:3]} == corners
        and np.allclose(told[:4, 3:7], [-0.025, 0, 0, 1])
        and bool(np.isnan(told[4:]).all())
    )
    if not right:
        raise LibraryError(f"MuJoCo {mujoco.__version__} writes contacts otherwise than expected; {_FIX}")


# Models


def add_world(spec: mujoco.MjSpec) -> None:
    """Give a model the stand-in geom of the world, and room in its data to note which world it is."""
    field = spec.add_hfield(name=STAND_IN, nrow=2, ncol=2, size=[_HUGE, _HUGE, _HUGE, _HUGE])
    field.userdata = [0.0] * 4
    kind = mujoco.mjtGeom.mjGEOM_HFIELD
    spec.worldbody.add_geom(name=STAND_IN, type=kind, hfieldname=STAND_IN, contype=0, conaffinity=0)
    spec.nuserdata = max(spec.nuserdata, 1)


def pair_parameters(step: float) -> dict[str, list[float]]:
    """Stiffness of contacts for a step [s]: as hard as the step allows, but friction softer, or fast bodies hop."""
    return {"solref": [2.0 * step, 1.0], "solreffriction": [max(0.05, 5.0 * step), 1.0]}


def hardness(geom: mujoco.MjsGeom, step: float) -> list[float]:
    """solref of a geom's contacts: as its file says, such as for a tyre of rubber; else as hard as the step allows."""
    hardest = pair_parameters(step)["solref"]
    own = [float(v) for v in geom.solref]
    return hardest if own == _UNSAID or 0 < own[0] < hardest[0] else own


def add_pairs(spec: mujoco.MjSpec, geom_names: list[str], step: float) -> None:
    """Let geoms touch the world: one explicit pair each; step of the engine [s].

    The sliding friction of a contact is the geom's own times that of the material it touches.
    """
    for name in geom_names:
        geom = spec.geom(name)
        if geom is None:
            raise UnknownNameError("geom", name, [g.name for g in spec.geoms])
        slide, spin, roll = geom.friction
        pair = spec.add_pair(geomname1=STAND_IN, geomname2=name, condim=geom.condim, margin=geom.margin, gap=geom.gap)
        pair.friction = [slide, slide, spin, roll, roll]
        pair.solimp = geom.solimp
        for key, value in pair_parameters(step).items():
            setattr(pair, key, value)
        pair.solref = hardness(geom, step)


# Data


def bind(model: mujoco.MjModel, data: mujoco.MjData, world: ContactWorld) -> None:
    """Let data touch a world; again after each compilation, after mj_resetData, and after a state with user data was
    set, since the world's mark is kept in data.userdata[0]."""
    install()
    stand_in = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, STAND_IN)
    if stand_in < 0 or model.nuserdata < 1:
        raise LibraryError(f"the model has no geom '{STAND_IN}'; call add_world(spec) before it is compiled")
    pair = np.full(model.ngeom, -1, np.int64)
    for k in np.flatnonzero(model.pair_geom1 == stand_in):
        pair[model.pair_geom2[k]] = k
    hull, hulls = hulls_of(model, np.flatnonzero(pair >= 0).tolist())
    world.native.bind_geoms(stand_in, pair, np.ascontiguousarray(model.geom_friction[:, 0]), hull, hulls)
    data.userdata[0] = world.native.mark()


def world_rows(model: mujoco.MjModel, data: mujoco.MjData, world: ContactWorld) -> np.ndarray:
    """The scene row that each contact of data touches, int64 [ncon]; -1: it is not with the world."""
    rows = np.empty(data.ncon, np.int64)
    if data.ncon:
        geoms, p_W = np.ascontiguousarray(data.contact.geom), np.ascontiguousarray(data.contact.pos)
        world.native.rows_touched(geoms, p_W, rows)
    return rows
