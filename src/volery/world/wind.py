"""The wind as a field: one pure function of place, time and seed that physics, sensors and the viewer sample alike.

Turbulence is frozen (Taylor): a sum of random, divergence-free Fourier modes whose energy spectrum is the isotropic one
behind Dryden's, E(k) = 8/π σ²L (kL)⁴/(1+(kL)²)³. Every straight line through it shows Dryden's longitudinal spectrum along
the line and the transverse one across it. Scales and strengths follow MIL-F-8785C with the height above ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from volery.core.config import Checked, param
from volery.errors import WorldError
from volery.world.wind_kernels import mean_factor, velocity_kernel

__all__ = ["Gust", "Thermal", "Wind", "dryden"]
