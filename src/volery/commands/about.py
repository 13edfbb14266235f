"""All about one thing of the registry: its words, its parameters with units and defaults, and its controls."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from volery import registry
from volery.core.properties import words_of
from volery.robots.library import load_robot_file
from volery.scenario import load_scenario
from volery.sensors.controls import controls_of

__all__ = ["about"]

_TABLES = (("Config", "parameters"), ("Settings", "settings"), ("Options", "`motion` of a robot"))


def about(kind: str, name: str) -> str:
    """What `volery list KIND NAME` prints."""
    if kind == "scenarios":
        return f"{name}: {load_scenario(name).file.about}"
    if kind == "robots":
        file = load_robot_file(name)
        sensors = ", ".join(f"{key} ({_type(data)})" for key, data in file.sensors.items()) or "none"
        blocks = ", ".join(file.blocks) or "none"
        return f"{name}: {file.about}\n\nengine: {file.physics}\nkinds: {blocks}\nsensors: {sensors}"
    found = registry.find(kind, name)
    parts = [f"{name}: {inspect.cleandoc(found.__doc__ or '')}"]
    tables: list[tuple[Any, str]] = [(found, "parameters")] if is_dataclass(found) else []
    tables += [(getattr(found, attribute, None), title) for attribute, title in _TABLES]
    parts += [f"{title}:\n{_table(cls)}" for cls, title in tables if is_dataclass(cls) and fields(cls)]
    controls = controls_of(found)
    if controls:
        lines = [f"  {c.name}({', '.join(f'{n}: {k}' for n, k in c.parameters)})  {c.doc}" for c in controls.values()]
        parts.append("controls:\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _type(data: Any) -> str:
    return data if isinstance(data, str) else str(data.get("type", "?"))


def _table(cls: Any) -> str:
    """Name, default and words of every field."""
    words = words_of(cls)
    rows = [(f.name, _default(f), words.get(f.name, "")) for f in fields(cls) if f.init]
    width, values = max(len(row[0]) for row in rows), max(len(row[1]) for row in rows)
    return "\n".join(f"  {name:{width}}  {value:{values}}  {text}".rstrip() for name, value, text in rows)


def _default(f: Field[Any]) -> str:
    if f.default is MISSING:
        return "(must be given)" if f.default_factory is MISSING else "…"
    text = str(f.default)
    return text if len(text) <= 24 else "…"
