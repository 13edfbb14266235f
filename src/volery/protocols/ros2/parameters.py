"""A run's properties as the parameters of the node /volery, for `ros2 param` and its services."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from typing import Any

import yaml

from volery.core.properties import Node
from volery.errors import SimulationError, UnknownNameError, VoleryError
from volery.loop import Loop
from volery.protocols.ros2.answers import Desk
from volery.sim import Simulation

__all__ = ["RosParameters", "leaves", "python_of", "ros_value"]

NOT_SET, BOOL, INTEGER, DOUBLE, STRING, BYTES, BOOLS, INTEGERS, DOUBLES, STRINGS = range(10)
"""Types of parameters, as rcl_interfaces numbers them."""
_FIELDS = {
    BOOL: "bool_value", INTEGER: "integer_value", DOUBLE: "double_value", STRING: "string_value",
    BYTES: "byte_array_value", BOOLS: "bool_array_value", INTEGERS: "integer_array_value",
    DOUBLES: "double_array_value", STRINGS: "string_array_value",
}  # fmt: skip
_KINDS = {"switch": BOOL, "whole": INTEGER, "number": DOUBLE, "text": STRING, "choice": STRING, "several": STRINGS}
_LISTS = {"bool": BOOLS, "int": INTEGERS, "float": DOUBLES, "str": STRINGS}
_SPEED = "loop.speed"


class RosParameters:
    """Get, set, list and describe; a change is checked whole, as from anywhere else."""

    def __init__(self, simulation: Simulation, loop: Loop, desk: Desk) -> None:
        self._simulation, self._loop = simulation, loop
        self._parts: list[Any] = []
        for name, kind, pack in (
            ("get_parameters", "GetParameters", self._get),
            ("get_parameter_types", "GetParameterTypes", self._types),
            ("describe_parameters", "DescribeParameters", self._describe),
            ("list_parameters", "ListParameters", self._list),
        ):
            # The loop gathers what the tree is made of; the tree itself is made elsewhere.
            work = lambda request: (request, self._view())  # noqa: E731
            told = lambda found, error, pack=pack: pack(*_tree(found, error))  # noqa: E731
            self._parts.append(desk.serve(f"/volery/{name}", f"rcl_interfaces/srv/{kind}", work, told))
        for name, kind, change in (
            ("set_parameters", "SetParameters", self._set),
            ("set_parameters_atomically", "SetParametersAtomically", self._set_all),
        ):
            self._parts.append(desk.serve(f"/volery/{name}", f"rcl_interfaces/srv/{kind}", change, _told))

    def close(self) -> None:
        """Answer no more."""
        for part in self._parts:
            part.close()

    def _view(self) -> Any:
        speed, view = self._loop.speed, self._simulation.settings.view()
        return lambda: {_SPEED: _speed(speed)} | {leaf["path"]: leaf for leaf in leaves(view())}

    # What there is

    def _get(self, request: Any, found: dict[str, Node]) -> dict[str, Any]:
        return {"values": [ros_value(found.get(name)) for name in request.names]}

    def _types(self, request: Any, found: dict[str, Node]) -> dict[str, Any]:
        return {"types": [ros_value(found.get(name))["type"] for name in request.names]}

    def _list(self, request: Any, found: dict[str, Node]) -> dict[str, Any]:
        names, prefixes, depth = list(found), list(request.prefixes), int(request.depth)
        if prefixes:
            names = [n for n in names if any(n == p or fnmatch.fnmatchcase(n, f"{p}.*") for p in prefixes)]
        if depth:
            names = [n for n in names if n.count(".") < depth + max((p.count(".") + 1 for p in prefixes), default=0)]
        groups = sorted({name.rpartition(".")[0] for name in names} - {""})
        return {"result": {"names": sorted(names), "prefixes": groups}}

    def _describe(self, request: Any, found: dict[str, Node]) -> dict[str, Any]:
        return {"descriptors": [_descriptor(name, found.get(name)) for name in request.names]}

    # Changes, in the loop

    def _set(self, request: Any) -> dict[str, Any]:
        return {"results": [self._one(parameter) for parameter in request.parameters]}

    def _set_all(self, request: Any) -> dict[str, Any]:
        """All or none: what was changed before one that cannot be is changed back."""
        before = self._view()()
        for i, parameter in enumerate(request.parameters):
            done = self._one(parameter)
            if not done["successful"]:
                for changed in reversed(request.parameters[:i]):
                    self._change(changed.name, before[changed.name]["value"])
                return {"result": done}
        return {"result": {"successful": True}}

    def _one(self, parameter: Any) -> dict[str, Any]:
        try:
            self._change(parameter.name, python_of(parameter.value))
        except VoleryError as error:
            return {"successful": False, "reason": str(error)}
        return {"successful": True, "reason": ""}

    def _change(self, path: str, value: Any) -> None:
        if path == _SPEED:
            if value != "max" and (isinstance(value, bool) or not isinstance(value, int | float)):
                raise SimulationError(f"{_SPEED}: {value!r} is neither a factor of real time nor 'max'")
            self._loop.speed = value
        elif path == "use_sim_time":
            raise SimulationError("use_sim_time: this node is the clock")
        else:
            known = {leaf["path"]: leaf for leaf in leaves(self._simulation.settings.tree())}
            if path not in known:
                raise UnknownNameError("parameter", path, known)
            whole = isinstance(value, str) and known[path]["kind"] in ("data", "list", "vector", "number", "several")
            self._simulation.set(path, yaml.safe_load(value) if whole else value)


def _tree(found: Any, error: BaseException | None) -> tuple[Any, dict[str, Node]]:
    if error is not None:
        raise error
    request, view = found
    return request, view()


def _told(found: Any, error: BaseException | None) -> dict[str, Any]:
    if error is not None:
        raise error
    return dict(found)


def _speed(speed: float | str) -> Node:
    kind = "number" if isinstance(speed, int | float) else "text"
    return {"path": _SPEED, "kind": kind, "value": speed, "doc": "Factor of real time; 'max': as fast as possible.",
            "editable": True}  # fmt: skip


def leaves(nodes: list[Node]) -> Iterator[Node]:
    """The leaves of a tree of properties."""
    for node in nodes:
        if "items" in node:
            yield from leaves(node["items"])
        else:
            yield node


def ros_value(leaf: Node | None) -> dict[str, Any]:
    """A leaf's value as the fields of a ParameterValue; what ROS has no type for is its text in YAML."""
    if leaf is None or leaf["value"] is None:
        return {"type": NOT_SET}
    kind, value = _KINDS.get(leaf["kind"], NOT_SET), leaf["value"]
    if leaf["kind"] in ("vector", "list"):
        kind = _LISTS.get(_of(leaf, value), STRING)
    if kind in (NOT_SET, STRING) and not isinstance(value, str):
        kind, value = STRING, yaml.safe_dump(value, default_flow_style=True, width=10**6).removesuffix("...\n").strip()
    return {"type": kind, _FIELDS[kind]: value}


def _of(leaf: Node, value: Any) -> str:
    named = leaf.get("of")
    name = named.__name__ if isinstance(named, type) else str(named or "")
    return {"whole": "int", "number": "float", "text": "str", "switch": "bool"}.get(name, name)


def python_of(value: Any) -> Any:
    """A ParameterValue as Python's own."""
    kind = int(value.type)
    if kind == NOT_SET:
        return None
    if kind not in _FIELDS:
        raise SimulationError(f"a parameter of type {kind}: there are types 0 to {STRINGS}")
    found = getattr(value, _FIELDS[kind])
    return found.tolist() if hasattr(found, "tolist") else list(found) if isinstance(found, list) else found


def _descriptor(name: str, leaf: Node | None) -> dict[str, Any]:
    if leaf is None:
        return {"name": name, "type": NOT_SET, "description": "there is no such parameter"}
    told: dict[str, Any] = {
        "name": name, "type": ros_value(leaf)["type"], "description": str(leaf.get("doc", "")),
        "read_only": not leaf.get("editable", True), "additional_constraints": str(leaf.get("why", "")),
    }  # fmt: skip
    low, high = leaf.get("low", leaf.get("above")), leaf.get("high")
    if low is not None and high is not None and told["type"] in (DOUBLE, INTEGER):
        ends = {"from_value": low, "to_value": high}
        told["floating_point_range" if told["type"] == DOUBLE else "integer_range"] = [ends]
    return told
