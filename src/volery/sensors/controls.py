"""Controls: methods by which a device is worked from outside. They check their arguments, and a run notes their calls,
so that a recording can be simulated again."""

from __future__ import annotations

import inspect
import math
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial, wraps
from typing import Any, Literal, TypeVar, get_args, get_origin, overload

import numpy as np

from volery.errors import CommandError, SimulationError, UnknownNameError

__all__ = ["ControlMethod", "Gesture", "control", "control_of", "controls_of"]

Gesture = Literal["", "aim", "zoom", "switch"]
"""By what the page works it besides its name: the keys that pan and tilt (parameters pan_deg, tilt_deg, relative), the
key for zoom (one number), and that for lamps (without parameters)."""
Method = TypeVar("Method", bound=Callable[..., Any])


@dataclass(frozen=True)
class ControlMethod:
    """What is known of a control."""

    name: str
    doc: str
    """First paragraph of the method's words."""
    parameters: tuple[tuple[str, str], ...]
    """Name and kind (switch, whole, number, text, numbers) of each."""
    required: int
    """So many of them must be given."""
    gesture: Gesture = ""


@overload
def control(method: Method) -> Method: ...
@overload
def control(*, gesture: Gesture) -> Callable[[Method], Method]: ...
def control(method: Method | None = None, *, gesture: Gesture = "") -> Any:
    """Make a method of a sensor a control. Its parameters are annotated bool, int, float, str or sequences of floats.

    A call is checked, done, and then told to the run that the sensor belongs to; one that a control itself makes is not
    told, since doing the outer one again does the inner one too."""
    return partial(_controlled, gesture=gesture) if method is None else _controlled(method, gesture)


def _controlled(method: Callable[..., Any], gesture: Gesture) -> Callable[..., Any]:
    @wraps(method)
    def work(sensor: Any, *arguments: Any, **options: Any) -> Any:
        listed, named = _checked(sensor, work, arguments, options)
        outermost, sensor._operating = not sensor._operating, True
        try:
            result = method(sensor, *listed, **named)
        finally:
            if outermost:
                sensor._operating = False
        if outermost and sensor.on_operated is not None:
            sensor.on_operated(sensor, method.__name__, listed, named)
        return result

    work.__gesture__ = gesture  # type: ignore[attr-defined]
    return work


def controls_of(cls: type) -> dict[str, ControlMethod]:
    """The controls of a class of sensors by name."""
    return dict(_known(cls))


def control_of(cls: type, name: str, sensor: str) -> ControlMethod:
    """A control by name; sensor: whose, for the words of an error."""
    known = _known(cls)
    if name not in known:
        raise UnknownNameError(f"control of sensor '{sensor}'", name, known)
    return known[name]


@cache
def _known(cls: type) -> dict[str, ControlMethod]:
    found = {}
    for name in dir(cls):
        method = inspect.getattr_static(cls, name)
        if hasattr(method, "__gesture__"):
            doc = inspect.cleandoc(method.__doc__ or "").split("\n\n")[0].replace("\n", " ")
            parameters = list(inspect.signature(method).parameters.values())[1:]
            kinds = tuple((p.name, _kinds(method)[p.name]) for p in parameters)
            required = sum(p.default is inspect.Parameter.empty for p in parameters)
            found[name] = ControlMethod(name, doc, kinds, required, method.__gesture__)
    return found


_SCALARS: dict[Any, str] = {bool: "switch", int: "whole", float: "number", str: "text"}
_WORDS = {"switch": "true or false", "whole": "a whole number", "number": "a finite number", "text": "a text",
          "numbers": "finite numbers"}  # fmt: skip


@cache
def _kinds(method: Callable[..., Any]) -> dict[str, str]:
    """Kinds of a control's parameters."""
    hints = {name: hint for name, hint in typing.get_type_hints(method).items() if name != "return"}
    found = {}
    for name in list(inspect.signature(method).parameters)[1:]:
        hint = hints.get(name)
        sequence = get_origin(hint) in (tuple, list, Sequence) and set(get_args(hint)) - {Ellipsis} == {float}
        kind = "numbers" if sequence else _SCALARS.get(hint)
        if kind is None:
            raise SimulationError(
                f"control {method.__qualname__}: annotate '{name}' as bool, int, float, str or Sequence[float]"
            )
        found[name] = kind
    return found


def _checked(
    sensor: Any, method: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments as plain data of the kinds that the control declares."""
    name = method.__name__
    try:
        bound = inspect.signature(method).bind(sensor, *arguments, **options)
    except TypeError as error:
        raise CommandError(f"control '{name}' of sensor '{sensor.name}': {error}") from None
    kinds = _kinds(method)
    values = {}
    for key, value in list(bound.arguments.items())[1:]:
        found = _plain(value, kinds[key])
        if found is None:
            raise CommandError(
                f"control '{name}' of sensor '{sensor.name}': '{key}' must be {_WORDS[kinds[key]]}, not {value!r:.60}"
            )
        values[key] = found
    given = len(arguments)
    return list(values.values())[:given], dict(list(values.items())[given:])


def _plain(value: Any, kind: str) -> Any:
    """The value as Python's own type; None if it is of another kind."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if kind == "numbers":
        whole = list(value) if isinstance(value, list | tuple) else None
        found = None if whole is None else [_plain(item, "number") for item in whole]
        return None if found is None or None in found else found
    if kind == "switch" or isinstance(value, bool):
        return value if kind == "switch" and isinstance(value, bool) else None
    if kind == "number":
        return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
    if kind == "whole":
        return value if isinstance(value, int) else None
    return value if isinstance(value, str) else None
