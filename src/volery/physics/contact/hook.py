"""The world in MuJoCo's collision table: one stand-in geom, and a callback in place of its own collision functions.

MuJoCo keeps a table of collision functions by types of geoms. The world's stand-in is a height field far larger than
any world, so our callback takes the place of the functions for height fields. Data that belong to none of our worlds
still reach MuJoCo's own functions.
"""

from __future__ import annotations

import ctypes
import weakref
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm
import mujoco
import numpy as np
from llvmlite import ir

from volery.errors import LibraryError, UnknownNameError
from volery.physics.contact import layout as at
from volery.physics.contact.callback import rows_touched, world_callback_address
from volery.physics.contact.hulls import hull_blocks
from volery.physics.contact.world import ContactWorld

__all__ = ["STAND_IN", "add_pairs", "add_world", "bind", "hardness", "install", "pair_parameters", "world_rows"]

STAND_IN = "volery-world"
"""Name of the geom that stands for the world."""
_HUGE = 1e9
"""Half extent of the stand-in [m]: MuJoCo asks only about geoms within its bounding sphere."""
_UNSAID = [0.02, 1.0]
"""MuJoCo's own solref: that of a geom whose file says nothing."""
_TYPES, _FIELD = 9, 1
_SHAPES = (at.SPHERE, at.CAPSULE, at.ELLIPSOID, at.CYLINDER, at.BOX, at.MESH)
_FIX = "run: pip install 'mujoco-core>=4.0.1,<5'"


# The table


@cache
def install() -> None:
    """Put the callback into MuJoCo's table, once for the process; MuJoCo's records are checked first."""
    table = _table()
    _probe(table)
    _layout()
    for shape in _SHAPES:
        place = _TYPES * _FIELD + shape
        table[place] = _trampoline(shape, table[place] or 0)


def _table() -> ctypes.Array:
    folder = Path(mujoco.__file__).parent
    for path in sorted([*folder.glob("libmujoco*"), *folder.glob("mujoco.dll")]):
        try:
            return (ctypes.c_void_p * (_TYPES * _TYPES)).in_dll(ctypes.CDLL(str(path)), "mjCOLLISIONFUNC")
        except (OSError, ValueError):
            continue
    raise LibraryError(f"no MuJoCo library with a table of collision functions in {folder}; {_FIX}")


@cache
def _engine() -> llvm.ExecutionEngine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def _trampoline(shape: int, native: int) -> int:
    """A function for the table: calls ours with the layout's address, and MuJoCo's own if the world is not ours.

    The cached callback cannot know addresses of this process; these few instructions are made anew in each.
    """
    word, number, real = ir.IntType(64), ir.IntType(32), ir.DoubleType()
    kind = ir.FunctionType(number, [word, word, word, number, number, real])
    longer = ir.FunctionType(number, [*kind.args, word])
    module = ir.Module(f"volery_world_{shape}")
    function = ir.Function(module, kind, f"volery_world_{shape}")
    builder = ir.IRBuilder(function.append_basic_block())
    ours = builder.inttoptr(word(world_callback_address()), longer.as_pointer())
    found = builder.call(ours, [*function.args, word(_layout().ctypes.data)])
    if native:
        with builder.if_then(builder.icmp_signed("<", found, number(0)), likely=False):
            builder.ret(builder.call(builder.inttoptr(word(native), kind.as_pointer()), function.args))
    builder.ret(builder.select(builder.icmp_signed("<", found, number(0)), number(0), found))
    engine = _engine()
    engine.add_module(llvm.parse_assembly(str(module)))
    engine.finalize_object()
    return engine.get_function_address(function.name)


# What MuJoCo's records look like

_MODEL_FIELDS = {"geom_type": at.M_TYPE, "geom_size": at.M_SIZE, "pair_friction": at.M_PAIR_FRICTION}
_DATA_FIELDS = {"geom_xpos": at.D_POSITION, "geom_xmat": at.D_AXES, "userdata": at.D_USER}


@cache
def _layout() -> np.ndarray:
    """The record of offsets and living worlds, int64; offsets are found by the addresses of the arrays themselves."""
    found: dict[str, set[int]] = {}
    for xml in _SAMPLES:
        model = mujoco.MjModel.from_xml_string(f'<mujoco><size nuserdata="3"/>{xml}</mujoco>')
        data = mujoco.MjData(model)
        for record, fields, size in ((model, _MODEL_FIELDS, 8_000), (data, _DATA_FIELDS, 162_000)):
            words = np.frombuffer((ctypes.c_char * size).from_address(record._address), np.uint64)
            for name in fields:
                here = set((8 * np.flatnonzero(words == getattr(record, name).ctypes.data)).tolist())
                found[name] = found.get(name, here) & here
    layout = np.zeros(at.LAYOUT_WORDS, np.int64)
    for name, word in (_MODEL_FIELDS | _DATA_FIELDS).items():
        if len(found[name]) != 1:
            raise LibraryError(f"MuJoCo {mujoco.__version__}: '{name}' is not where it is expected; {_FIX}")
        layout[word] = found[name].pop()
    return layout


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


def _probe(table: ctypes.Array) -> None:
    """Call one of MuJoCo's own functions, a box on a plane, and see that its contacts are written as we write ours."""
    xml = '<geom type="plane" size="1 1 1"/><body pos="1 2 .45"><geom type="box" size=".5 .5 .5"/></body>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{xml}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_double
    )
    told = np.full((50, at.PRE_CONTACT), np.nan)
    count = kind(table[at.BOX])(model._address, data._address, told.ctypes.data, 0, 1, 0.0)
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
    """Give a model the stand-in geom of the world, and room for the world's address in its data."""
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
    set, since the world's address is kept in data.userdata[0]."""
    install()
    stand_in = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, STAND_IN)
    if stand_in < 0 or model.nuserdata < 1:
        raise LibraryError(f"the model has no geom '{STAND_IN}'; call add_world(spec) before it is compiled")
    pair = np.full(model.ngeom, -1, np.int64)
    for k in np.flatnonzero(model.pair_geom1 == stand_in):
        pair[model.pair_geom2[k]] = k
    pair[(model.geom_type == _FIELD) & (np.arange(model.ngeom) != stand_in)] = -2
    geoms = np.flatnonzero(pair >= 0).tolist()
    blocks = hull_blocks(model, geoms)
    hulls = np.zeros(model.ngeom, np.int64)
    for geom, block in blocks.items():
        hulls[geom] = block.ctypes.data
    slip = np.zeros(model.ngeom)
    slip[geoms] = model.geom_friction[geoms, 0]
    world.set_word(at.W_GEOMS, model.ngeom)
    log = np.zeros((model.ngeom, at.LOG))
    for word, table in ((at.W_PAIR, pair), (at.W_HULL, hulls), (at.W_SLIP, slip), (at.W_LOG, log)):
        world.keep(word, table)
    world.bound = (stand_in, blocks)
    _live(world)
    data.userdata[:1].view(np.int64)[0] = world.address


def world_rows(model: mujoco.MjModel, data: mujoco.MjData, world: ContactWorld) -> np.ndarray:
    """The scene row that each contact of data touches, int64 [ncon]; -1: it is not with the world."""
    rows = np.empty(data.ncon, np.int64)
    if data.ncon:
        geoms, p_W = np.ascontiguousarray(data.contact.geom), np.ascontiguousarray(data.contact.pos)
        rows_touched(world.address, world.bound[0], geoms, p_W, rows)
    return rows


_worlds: list[int] = []
_listed = np.zeros(16, np.int64)


def _live(world: ContactWorld) -> None:
    """Put a world on the list of those that live, for as long as it does."""
    if world.address not in _worlds:
        weakref.finalize(world, _gone, world.address)
        _worlds.append(world.address)
    _list()


def _gone(address: int) -> None:
    _worlds.remove(address)
    _list()


def _list() -> None:
    global _listed
    layout = _layout()
    alive = np.array(_worlds, np.int64)
    if len(alive) > len(_listed):
        _listed = np.zeros(2 * len(alive), np.int64)
    _listed[: len(alive)] = alive
    layout[at.L_WORLDS], layout[at.L_ALIVE] = _listed.ctypes.data, len(alive)
