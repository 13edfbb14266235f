"""YAML with line numbers, without surprises: repeated keys are errors, and nothing but plain data comes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from volery.errors import ScenarioError

__all__ = ["parse_yaml", "read_text", "read_yaml"]

_MOST_BYTES = 4_000_000
_MOST_DEPTH = 50
_MOST_REPEATED = 10_000
"""Values that aliases may repeat: a few hundred bytes of nested ones would else be billions of values."""

Lines = dict[tuple[Any, ...], int]


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
    if len(text) > _MOST_BYTES:
        raise ScenarioError(f"{source}: larger than {_MOST_BYTES // 1_000_000} MB of YAML; make it smaller")
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        builder = _Builder(source)
        return (None if node is None else builder.data(node, ())), builder.lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{source}:{mark.line + 1}" if mark else source
        raise ScenarioError(f"{where}: this is not YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise ScenarioError(f"{source}: this is not YAML: {error}") from None


class _Builder:
    """Makes plain data of nodes, within limits."""

    def __init__(self, source: str) -> None:
        self.lines: Lines = {}
        self._source = source
        self._loader = yaml.SafeLoader("")
        self._seen: set[int] = set()
        self._repeated = 0

    def data(self, node: yaml.Node, path: tuple[Any, ...]) -> Any:
        """A node's value, and below `lines` where it stands."""
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        self._count(node, path, line)
        if isinstance(node, yaml.SequenceNode):
            return [self.data(item, (*path, i)) for i, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        return self._scalar(node, line)

    def _count(self, node: yaml.Node, path: tuple[Any, ...], line: int) -> None:
        if len(path) > _MOST_DEPTH:
            raise self._error(line, f"nested more than {_MOST_DEPTH} deep")
        if id(node) in self._seen:
            self._repeated += 1
        self._seen.add(id(node))
        if self._repeated > _MOST_REPEATED:
            raise self._error(line, f"aliases repeat more than {_MOST_REPEATED} values; write out what is meant")

    def _scalar(self, node: yaml.Node, line: int) -> Any:
        try:
            return self._loader.construct_object(node)
        # PyYAML's own constructors stumble over tags that do not fit their text, such as `!!int` of nothing.
        except (ValueError, LookupError, AttributeError, TypeError, yaml.YAMLError):
            raise self._error(line, f"'{node.value}' cannot be read as a value; put it in quotes") from None

    def _mapping(self, node: yaml.MappingNode, path: tuple[Any, ...]) -> dict[Any, Any]:
        out: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = self._key(key_node, line)
            if key in out:
                raise self._error(line, f"key '{key}' stands here a second time")
            self.lines[(*path, key)] = line
            out[key] = self.data(value_node, (*path, key))
        return out

    def _key(self, node: yaml.Node, line: int) -> str | int | float | bool:
        key = self._scalar(node, line) if isinstance(node, yaml.ScalarNode) else None
        if not isinstance(key, str | int | float | bool):
            raise self._error(line, "a key must be a word")
        return key

    def _error(self, line: int, words: str) -> ScenarioError:
        return ScenarioError(f"{self._source}:{line}: {words}")
