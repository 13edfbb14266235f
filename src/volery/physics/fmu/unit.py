"""A co-simulation FMU of FMI 2 or 3 that runs: opened, started, stepped, and its state kept where it can be."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import finalize

from volery.errors import LibraryError, RobotError, SimulationError

__all__ = ["FmuUnit"]

_NEAR = 1e-9
"""A step that ended so short of its end has ended [s]."""
_TRIES = 1000
"""An FMU may return early so often within a step."""
_TYPES = {
    "Real": ("Real", float), "Integer": ("Integer", int), "Boolean": ("Boolean", bool), "Float64": ("Float64", float),
    "Float32": ("Float32", float), "Int8": ("Int8", int), "UInt8": ("UInt8", int), "Int16": ("Int16", int),
    "UInt16": ("UInt16", int), "Int32": ("Int32", int), "UInt32": ("UInt32", int), "Int64": ("Int64", int),
    "UInt64": ("UInt64", int), "Enumeration": ("Integer", int),
}  # fmt: skip


class FmuUnit:
    """One instance of an FMU. Values are plain numbers, by the FMU's own names of variables."""

    def __init__(self, path: Path, name: str) -> None:
        """name: of the robot, for errors."""
        self.name, self.path = name, path
        self._slave: Any = None
        self._fmpy = _library()
        if not path.is_file():
            raise RobotError(f"robot '{name}': there is no FMU at {path}")
        with self._told("cannot be read"):
            self.about = self._fmpy.read_model_description(str(path))
        if self.about.fmiVersion.split(".")[0] not in ("2", "3") or self.about.coSimulation is None:
            raise RobotError(
                f"robot '{name}': {path.name} must be a co-simulation FMU of FMI 2 or 3; it is FMI "
                f"{self.about.fmiVersion}{'' if self.about.coSimulation else ' without co-simulation'}"
            )
        self.third = self.about.fmiVersion.startswith("3")
        with self._told("cannot be unpacked"):
            self._folder = self._fmpy.extract(str(path))
        finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._variables = {v.name: v for v in self.about.modelVariables if v.type in _TYPES and not v.dimensions}
        self.now = 0.0
        """Its own time [s]."""

    def names(self, *causalities: str) -> list[str]:
        """Its scalar variables of these causalities."""
        return [name for name, v in self._variables.items() if v.causality in causalities]

    @property
    def keeps_state(self) -> bool:
        """Whether its state can be kept and brought back; else it is run again from the start."""
        kind = self.about.coSimulation
        return bool(kind.canGetAndSetFMUstate and kind.canSerializeFMUstate)

    def start(self, values: Mapping[str, float]) -> None:
        """Begin at time 0 with start values."""
        self.close()
        with self._told("cannot be started"):
            # Functions that we never call may be missing.
            self._slave = self._fmpy.instantiate_fmu(
                self._folder, self.about, fmi_type="CoSimulation", require_functions=False
            )
            if not self.third:
                self._slave.setupExperiment(startTime=0.0)
                self._put(values)
                self._slave.enterInitializationMode()
            else:
                self._put(values)
                self._slave.enterInitializationMode(startTime=0.0)
            self._slave.exitInitializationMode()
        self.now = 0.0

    def set(self, values: Iterable[tuple[str, float]]) -> None:
        """Inputs for the next step."""
        with self._told("does not take its inputs"):
            self._put(dict(values))

    def get(self, names: Iterable[str]) -> dict[str, float]:
        """Outputs of now."""
        with self._told("does not tell its outputs"):
            return {name: self._one(name) for name in names}

    def step(self, dt: float) -> None:
        """Run on by dt [s]."""
        with self._told(f"failed in its step at {self.now:g} s"):
            if not self.third:
                self._slave.doStep(currentCommunicationPoint=self.now, communicationStepSize=dt)
                self.now += dt
                return
            end = self.now + dt
            for _ in range(_TRIES):
                _, ended, early, reached = self._slave.doStep(self.now, end - self.now)
                if ended:
                    raise SimulationError(f"robot '{self.name}': its FMU has ended at {reached:g} s, as it says")
                self.now = reached if early else end
                if end - self.now < _NEAR:
                    self.now = end
                    return
            raise SimulationError(f"robot '{self.name}': its FMU does not come to the end of its step")

    def state(self) -> bytes:
        """Its state as bytes, where it `keeps_state`."""
        with self._told("does not tell its state"):
            state = self._slave.getFMUState() if self.third else self._slave.getFMUstate()
            try:
                if self.third:
                    return bytes(self._slave.serializeFMUState(state))
                return bytes(self._slave.serializeFMUstate(state))
            finally:
                (self._slave.freeFMUState if self.third else self._slave.freeFMUstate)(state)

    def restore(self, data: bytes, now: float) -> None:
        """Continue where `state` was taken; it must have been started."""
        with self._told("does not take its state back"):
            if self.third:
                state = self._slave.deserializeFMUState(data)
                self._slave.setFMUState(state)
                self._slave.freeFMUState(state)
            else:
                state = self._slave.deSerializeFMUstate(data)
                self._slave.setFMUstate(state)
                self._slave.freeFMUstate(state)
        self.now = now

    def close(self) -> None:
        """End it; what it does wrong at its end is nobody's concern."""
        slave, self._slave = self._slave, None
        if slave is not None:
            with suppress(Exception):
                slave.terminate()
            with suppress(Exception):
                slave.freeInstance()

    def __del__(self) -> None:
        self.close()

    def _put(self, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            variable = self._variables[name]
            kind, number = self._kind(variable)
            setter: Callable[..., None] = getattr(self._slave, f"set{kind}")
            setter([variable.valueReference], [number(value)])

    def _one(self, name: str) -> float:
        variable = self._variables[name]
        return float(getattr(self._slave, f"get{self._kind(variable)[0]}")([variable.valueReference])[0])

    def _kind(self, variable: Any) -> tuple[str, type]:
        kind, number = _TYPES[variable.type]
        return ("Int64", int) if self.third and variable.type == "Enumeration" else (kind, number)

    @contextmanager
    def _told(self, what: str) -> Any:
        """Errors of the FMU and of its reader, with whose they are."""
        try:
            yield
        except (RobotError, SimulationError, LibraryError):
            raise
        except Exception as error:
            raise RobotError(f"robot '{self.name}': the FMU {self.path.name} {what}: {error}") from None


def _library() -> Any:
    try:
        import fmpy
    except ImportError:
        raise LibraryError(
            "the engine 'fmu' needs the package fmpy, which is not installed: pip install 'volery[fmu]'"
        ) from None
    return fmpy
