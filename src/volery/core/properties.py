"""Parameters as a tree that people and pages can read: value, unit, limits, choices and words of every field of nested
dataclasses; and a dataclass changed at one place of that tree, checked as when it was made.

A leaf is {name, path, kind, value, default, doc, editable} and, where they are known, unit, low, high, above, choices,
size, optional and why (it cannot change). Kinds: number, whole, switch, text, choice, several (of choices), vector,
list, data (anything else, as plain data). A group is {name, path, doc, editable, items}; one that is a list of groups
also has `list` and its plain `value`; one that may be nothing at all is `optional`.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, asdict, fields, is_dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

from volery.core.config import SourceLocation, convert_field
from volery.errors import VoleryError, did_you_mean

__all__ = ["changed", "group", "leaf", "plain", "tree", "unit_of", "words_of"]

Node = dict[str, Any]
"""A leaf or a group, as plain data."""

_KINDS = {bool: "switch", int: "whole", float: "number", str: "text"}
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")
_SHAPE = re.compile(r".*,.*|[bchknw]|\d+")
"""What stands in brackets and is no unit: a shape, such as n, 3."""


def tree(instance: Any, name: str, path: str, fixed: Mapping[str, str] | str = "") -> Node:
    """The group of a dataclass; fixed: why all of it, or some fields by name, cannot change now."""
    why = fixed if isinstance(fixed, str) else ""
    doc = inspect.cleandoc(type(instance).__doc__ or "").split("\n\n")[0].replace("\n", " ")
    cls: Any = type(instance)
    hints, words = _hints(cls), words_of(cls)
    items = []
    for f in fields(instance):
        if f.init and not f.name.startswith("_"):
            reason = why or (fixed.get(f.name, "") if isinstance(fixed, Mapping) else "")
            value, text = getattr(instance, f.name), words.get(f.name, "")
            items.append(_node(f, value, hints[f.name], f"{path}.{f.name}", text, reason))
    return group(name, path, doc, items, why)


def group(name: str, path: str, doc: str, items: list[Node], why: str = "") -> Node:
    """Nodes under one name."""
    return {"name": name, "path": path, "doc": doc, "items": items, **_editable(why)}


def leaf(name: str, path: str, kind: str, value: Any, doc: str = "", why: str = "", **more: Any) -> Node:
    """A single value; more: unit, low, high, choices …"""
    node = {"name": name, "path": path, "kind": kind, "value": plain(value), "doc": doc, **_editable(why)}
    return node | {key: plain(v) for key, v in more.items() if v is not None}


def changed(instance: Any, keys: Sequence[str], value: Any, place: SourceLocation) -> Any:
    """A copy of a dataclass with another value at the end of the keys; a wrong one is an error that says where."""
    key, *rest = keys
    known = [f.name for f in fields(instance) if f.init]
    if key not in known:
        raise place.at(key).error(f"unknown property '{key}'{did_you_mean(key, known)}; known: {', '.join(known)}")
    inner = _inside(getattr(instance, key), rest, value, place.at(key)) if rest else value
    inner = convert_field(type(instance), key, inner, place.at(key))
    try:
        return replace(instance, **{key: inner})
    except VoleryError as error:
        # Fields that do not go together
        raise place.at(key).error(str(error)) from None


def plain(value: Any) -> Any:
    """Dataclasses, tuples and arrays as dicts and lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value


@cache
def words_of(cls: type) -> Mapping[str, str]:
    """What is written under each field of a class and of those it inherits from; nothing where there is no source."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        found |= _words_in(base.__module__).get(base.__qualname__, {})
    return types.MappingProxyType(found)


@cache
def _words_in(module: str) -> dict[str, dict[str, str]]:
    """What is written under fields in a module, by class."""
    try:
        statements = ast.parse(inspect.getsource(sys.modules[module])).body
    except (OSError, TypeError, SyntaxError, KeyError):
        return {}
    return {node.name: _words_below(node) for node in statements if isinstance(node, ast.ClassDef)}


def _words_below(node: ast.ClassDef) -> dict[str, str]:
    found = {}
    for field, below in pairwise(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            text = getattr(below.value, "value", None)
            if isinstance(text, str):
                found[field.target.id] = " ".join(text.split())
    return found


_hints = cache(typing.get_type_hints)


@cache
def unit_of(words: str) -> str:
    """The unit that words about a field name in brackets: 'Height above ground [m].' has m; empty if none."""
    for found in _BRACKETS.findall(words):
        if not _SHAPE.fullmatch(found):
            return found
    return ""


def _editable(why: str) -> Node:
    return {"editable": not why, "why": why} if why else {"editable": True}


def _node(f: Field[Any], value: Any, hint: Any, path: str, words: str, why: str) -> Node:
    kinds = [k for k in _alternatives(hint) if k is not type(None)]
    optional = len(kinds) < len(_alternatives(hint))
    parts = _parts(value)
    if parts is not None or (value is not None and _lists_groups(kinds[0])):
        node = _group_of(f.name, value, parts or [], path, words, why)
        return node | ({"optional": True} if optional else {})
    limits = {k: f.metadata[k] for k in ("low", "high", "above", "choices") if k in f.metadata}
    shape = _shape(kinds[0]) if len(kinds) == 1 else {"kind": "data"}
    if "choices" in limits:
        shape = {"kind": "choice"}
    more = {**shape, **limits, "unit": unit_of(words) or None, "optional": optional or None, "default": _default(f)}
    return leaf(f.name, path, more.pop("kind"), value, words, why, **more)


def _parts(value: Any) -> list[tuple[str, Any]] | None:
    """The dataclasses in a field, with what they are called there; None: it holds something else."""
    if is_dataclass(value):
        return [("", value)]
    items: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        items = [(str(key), v) for key, v in value.items()]
    elif isinstance(value, list | tuple):
        items = [(str(i), v) for i, v in enumerate(value)]
    return items if items and all(is_dataclass(v) for _, v in items) else None


def _group_of(name: str, value: Any, parts: list[tuple[str, Any]], path: str, words: str, why: str) -> Node:
    if is_dataclass(value):
        node = tree(value, name, path, why)
        return node | {"doc": words or node["doc"]}
    node = group(name, path, words, [tree(v, key, f"{path}.{key}", why) for key, v in parts], why)
    return node | ({} if isinstance(value, dict) else {"list": True, "value": plain(value)})


def _lists_groups(hint: Any) -> bool:
    """Whether a type is a list of dataclasses."""
    return get_origin(hint) in (tuple, list) and is_dataclass(get_args(hint)[0])


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _shape(hint: Any) -> Node:
    """How a value of a type is shown and asked for."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"kind": "choice", "choices": list(arguments)}
    if origin in (tuple, list):
        each = arguments[0]
        if origin is tuple and Ellipsis not in arguments:
            same = len(set(arguments)) == 1 and each in _KINDS
            return {"kind": "vector", "size": len(arguments), "of": _KINDS[each]} if same else {"kind": "data"}
        if get_origin(each) is Literal:
            return {"kind": "several", "choices": list(get_args(each))}
        return {"kind": "list", "of": _KINDS[each]} if each in _KINDS else {"kind": "data"}
    return {"kind": _KINDS.get(hint, "data")}


def _default(f: Field[Any]) -> Any:
    if f.default is not MISSING:
        return f.default
    return f.default_factory() if f.default_factory is not MISSING else None


def _inside(value: Any, keys: Sequence[str], new: Any, place: SourceLocation) -> Any:
    """A field's value with something in it exchanged."""
    if is_dataclass(value):
        return changed(value, keys, new, place)
    key, *rest = keys
    items = _entries(value, place)
    if key not in items:
        known = ", ".join(items) or "none"
        raise place.at(key).error(f"unknown property '{key}'{did_you_mean(key, items)}; known: {known}")
    items[key] = _inside(items[key], rest, new, place.at(key)) if rest else new
    return items if isinstance(value, dict) else tuple(items.values())


def _entries(value: Any, place: SourceLocation) -> dict[str, Any]:
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, list | tuple):
        return {str(i): v for i, v in enumerate(value)}
    raise place.error("this is one value; it has no parts")
