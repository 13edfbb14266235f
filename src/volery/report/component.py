"""What there is to know of a component: its words, and its parameters with unit, range and default."""

from __future__ import annotations

import inspect
import textwrap
import typing
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Any, Literal, get_args, get_origin

from volery import registry
from volery.built_in import built_in_scenarios
from volery.core.properties import unit_of, words_of
from volery.errors import VoleryError
from volery.sensors.controls import controls_of

__all__ = ["Component", "ComponentOutput", "Parameter", "component", "names_of", "summary"]

_HOST = "x500"
"""The robot that examples put sensors on."""
_DEEPEST = 3
"""Parameters of parameters are followed so far."""


@dataclass(frozen=True)
class Parameter:
    """One line of a component's table."""

    name: str
    """With dots where it is a part of another."""
    unit: str
    default: str
    bounds: str
    doc: str


@dataclass(frozen=True)
class ComponentOutput:
    """A topic of a sensor."""

    topic: str
    """With ROBOT and SENSOR for their names."""
    type: str
    """ROS 2's name of the message type."""
    frame: str
    view: str
    """How the page shows it."""


@dataclass(frozen=True)
class Component:
    """A registered thing, told."""

    kind: str
    """As the registry has it: sensors, robots, worlds …"""
    name: str
    about: str
    """Its docstring, or what its file says it is about."""
    parameters: list[Parameter]
    outputs: list[ComponentOutput]
    """Of a sensor with its default parameters."""
    controls: list[str]
    """What it can be told while it runs, with kinds of arguments and words."""
    example: str
    """Lines of a scenario file that use it."""


def names_of(kind: str) -> list[str]:
    """All names of a kind, scenarios included."""
    return list(built_in_scenarios()) if kind == "scenarios" else registry.names(kind)


def summary(kind: str, name: str) -> str:
    """A sentence about a component."""
    try:
        if kind in ("scenarios", "robots"):
            return _about_file(kind, name)
        found = registry.find(kind, name)
    except VoleryError as error:
        # A plug-in that is broken hides no other.
        return f"({error})"
    words = getattr(found, "about", None)
    return words if isinstance(words, str) else _paragraph(found).split(". ")[0].rstrip(".")


def component(kind: str, name: str) -> Component:
    """All about one of them."""
    if kind in ("scenarios", "robots"):
        return Component(kind, name, _whole_file(kind, name), [], [], [], _example(kind, name, []))
    cls = registry.find(kind, name)
    config = next((c for c in (cls, *(getattr(cls, a, None) for a in ("Config", "Settings"))) if is_dataclass(c)), None)
    rows = _rows(config, "", 0) if isinstance(config, type) and is_dataclass(config) else []
    controls = [
        f"{c.name}({', '.join(f'{n}: {k}' for n, k in c.parameters)})  {c.doc}" for c in controls_of(cls).values()
    ]
    example = getattr(cls, "example", "") or _example(kind, name, rows)
    outputs = _outputs(name) if kind == "sensors" else []
    about = inspect.cleandoc(cls.__doc__ or "")
    return Component(kind, name, about, rows, outputs, controls, example)


def _outputs(name: str) -> list[ComponentOutput]:
    """What a sensor of this name tells on a robot in a world with nothing in it."""
    from volery.bus.conversion import outputs_of, topic_of
    from volery.scenario import read_scenario
    from volery.sim import Simulation

    text = f"robots: {{ROBOT: {{type: {_HOST}, sensors: {{SENSOR: {{type: {name}}}}}}}}}"
    try:
        with Simulation(read_scenario(text)) as simulation:
            sensor = simulation.sensor("ROBOT", "SENSOR")
            found = outputs_of(sensor) or ()
            return [ComponentOutput(topic_of(sensor, o), o.type, o.frame, o.view) for o in found]
    except VoleryError:
        # One that needs a robot of its own, or parameters, has none to show.
        return []


def _about_file(kind: str, name: str) -> str:
    if kind == "scenarios":
        from volery.scenario import load_scenario

        return load_scenario(name).file.about
    from volery.robots.library import load_robot_file

    return load_robot_file(name).about


def _whole_file(kind: str, name: str) -> str:
    """What the file says, and of a robot what it is made of."""
    about = _about_file(kind, name)
    if kind == "scenarios":
        return about
    from volery.robots.library import load_robot_file

    file = load_robot_file(name)
    types = {key: data if isinstance(data, str) else data.get("type", key) for key, data in file.sensors.items()}
    sensors = ", ".join(f"{key} ({kind})" for key, kind in types.items()) or "none"
    return f"{about}\n\nengine: {file.physics}\nkinds: {', '.join(file.blocks) or 'none'}\nsensors: {sensors}"


def _paragraph(thing: Any) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join(inspect.cleandoc(thing.__doc__ or "").split("\n\n")[0].split())


def _rows(cls: type, prefix: str, depth: int) -> list[Parameter]:
    hints, words = typing.get_type_hints(cls), words_of(cls)
    rows: list[Parameter] = []
    for f in fields(cls):
        if not f.init or f.name.startswith("_"):
            continue
        hint, text = hints[f.name], words.get(f.name, "")
        inner = next((h for h in (hint, *get_args(hint)) if isinstance(h, type) and is_dataclass(h)), None)
        one = inner is not None and get_origin(hint) not in (dict, list, tuple)
        rows.append(Parameter(prefix + f.name, unit_of(text), _default(f, inner is not None), _bounds(f, hint), text))
        if one and inner is not None and depth < _DEEPEST:
            rows += _rows(inner, f"{prefix}{f.name}.", depth + 1)
    return rows


def _default(f: Field[Any], group: bool) -> str:
    if f.default is not MISSING:
        value = f.default
    elif f.default_factory is not MISSING:
        value = f.default_factory()
    else:
        return "required"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if group and (is_dataclass(value) or not value):
        return ""
    if isinstance(value, tuple | list):
        return "[" + ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _bounds(f: Field[Any], hint: Any) -> str:
    choices = next(
        (get_args(h) for h in (hint, *get_args(hint)) if get_origin(h) is Literal), f.metadata.get("choices")
    )
    if choices:
        return " | ".join(map(str, choices))
    low, above, high = (f.metadata.get(key) for key in ("low", "above", "high"))
    least = f"≥ {low:g}" if low is not None else f"> {above:g}" if above is not None else ""
    return " and ".join(part for part in (least, f"≤ {high:g}" if high is not None else "") if part)


def _example(kind: str, name: str, rows: list[Parameter]) -> str:
    """A few lines that can be pasted; the first parameters that have a plain default."""
    shown = [p for p in rows if "." not in p.name and p.default not in ("", "none", "required")]
    needed = [f"{p.name}: …" for p in rows if p.default == "required"]
    own = ", ".join([*needed, *(f"{p.name}: {p.default}" for p in shown[:2])])
    more = f", {own}" if own else ""
    lines = {
        "robot_kinds": f"# in the file of a robot, beside `model`\n{name}: {{{own}}}",
        "scenarios": f"volery run {name}",
        "robots": f"robots:\n  r1: {{type: {name}, position: [0, 0, 5]}}",
        "worlds": f"world: {{type: {name}{more}}}",
        "sensors": f"robots:\n  r1:\n    type: x500\n    sensors:\n      mine: {{type: {name}{more}}}",
        "engines": f"engines:\n  {name}: {{{own}}}\nrobots:\n  r1: {{type: x500, physics: {name}}}",
        "protocols": f"protocols:\n  {name}: {{{own}}}",
        "agents": f"agents:\n  {name}: {{{own}}}",
        "behaviours": f"agents:\n  deliveries: {{behaviour: {name}}}",
    }
    return textwrap.dedent(lines.get(kind, ""))
