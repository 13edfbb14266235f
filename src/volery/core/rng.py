"""One seed, many generators: each component draws from its own, named one, so none disturbs another."""

from __future__ import annotations

import hashlib
import operator
from typing import Any

import numpy as np

from volery.errors import SimulationError

__all__ = ["Generators", "checked_seed", "derived", "generator"]


def generator(seed: int, name: str) -> np.random.Generator:
    """The generator that belongs to a seed and a name, such as 'uav1/scanner'."""
    digest = hashlib.blake2b(f"{seed}/{name}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.Philox(key=np.frombuffer(digest, np.uint64)))


def checked_seed(seed: int) -> int:
    """A seed that can be one."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= operator.index(seed) < 2**63:
        raise SimulationError(f"seed {seed!r}: must be a whole number from 0 to 2⁶³ - 1")
    return operator.index(seed)


def derived(parent: np.random.Generator, *about: object) -> np.random.Generator:
    """A generator that belongs to another's seed and to what it is for, such as a name and a stamp; it does not matter
    how far the other one has gone."""
    state = parent.bit_generator.state["state"]
    # What tells generators of one kind apart: the key of a Philox, as ours are, or the increment of a PCG64.
    own = state["key"].tobytes() if "key" in state else str(state["inc"]).encode()
    digest = hashlib.blake2b(repr(about).encode(), digest_size=16, key=own).digest()
    return np.random.Generator(np.random.Philox(key=np.frombuffer(digest, np.uint64)))


class Generators:
    """The named generators of a run, with their state to keep and put back."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._all: dict[str, np.random.Generator] = {}

    def named(self, name: str) -> np.random.Generator:
        """The run's generator of that name."""
        if name not in self._all:
            self._all[name] = generator(self.seed, name)
        return self._all[name]

    def forget(self, prefix: str) -> None:
        """Drop the generators of a robot that is gone."""
        self._all = {n: g for n, g in self._all.items() if not n.startswith(prefix + "/")}

    def state(self) -> dict[str, Any]:
        """Plain data that `restore` takes back."""
        return {"seed": self.seed, "generators": {n: g.bit_generator.state for n, g in sorted(self._all.items())}}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken."""
        self.seed = state["seed"]
        self._all = {}
        for name, inner in state["generators"].items():
            self.named(name).bit_generator.state = inner
