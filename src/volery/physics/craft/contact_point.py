"""What a tool of a craft's file is to the kernels."""

from __future__ import annotations

import numpy as np

from volery import _native
from volery.robots.kinds.tool import Tool

__all__ = ["tool_table"]

_SAME = ("radius", "stiffness", "exponent", "loss", "damping", "mass", "shear", "shear_damping", "friction", "stiction")


def tool_table(tool: Tool) -> np.ndarray:
    """Constants of a tool, `Tool` [1]."""
    table = np.zeros(1, _native.craft.Tool)
    for name in _SAME:
        table[name] = getattr(tool, name)
    table["law"] = getattr(_native.craft.Law, tool.law.upper())
    return table
