"""YAML with line numbers, without surprises: repeated keys are errors, and nothing but plain data comes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from volery.errors import ScenarioError

__all__ = ["parse_yaml", "read_text", "read_yaml"]

_MOST_BYTES = 4_000_000
_MOST_DEPTH = 50

Lines = dict[tuple, int]


def read_yaml(path: Path | str) -> tuple[Any, Lines]:
    """Plain data of a file, and the line of every key path in it."""
    return parse_yaml(read_text(path), str(path))


def read_text(path: Path | str) -> str:
    """The text of a file of a sensible size."""
    path = Path(path)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ScenarioError(f"{path}: larger than {_MOST_BYTES // 1_000_000} MB; is this the right file?")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: is not UTF-8 text") from None


def parse_yaml(text: str, source: str) -> tuple[Any, Lines]:
    """Plain data of a text, and the line of every key path in it."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        lines: Lines = {}
        loader = yaml.SafeLoader("")
        return (None if node is None else _data(loader, node, (), lines, source)), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{source}:{mark.line + 1}" if mark else source
        raise ScenarioError(f"{where}: this is not YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ScenarioError(f"{source}: this is not YAML: {error}") from None


def _data(loader: yaml.SafeLoader, node: yaml.Node, path: tuple, lines: Lines, source: str) -> Any:
    line = node.start_mark.line + 1
    lines.setdefault(path, line)
    if len(path) > _MOST_DEPTH:
        raise ScenarioError(f"{source}:{line}: nested more than {_MOST_DEPTH} deep")
    if isinstance(node, yaml.SequenceNode):
        return [_data(loader, item, (*path, i), lines, source) for i, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _mapping(loader, node, path, lines, source)
    try:
        return loader.construct_object(node)
    except (ValueError, yaml.YAMLError):
        raise ScenarioError(f"{source}:{line}: '{node.value}' cannot be read as a value; put it in quotes") from None


def _mapping(loader: yaml.SafeLoader, node: yaml.MappingNode, path: tuple, lines: Lines, source: str) -> dict:
    out: dict = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        key = _data(loader, key_node, (*path, "key"), {}, source)
        if not isinstance(key, str | int | float | bool):
            raise ScenarioError(f"{source}:{line}: a key must be a word")
        if key in out:
            raise ScenarioError(f"{source}:{line}: key '{key}' stands here a second time")
        lines[(*path, key)] = line
        out[key] = _data(loader, value_node, (*path, key), lines, source)
    return out
