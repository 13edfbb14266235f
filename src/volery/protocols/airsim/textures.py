"""Pictures on disk that things are painted with: read by a thread of a client's own, never by the loop."""

from __future__ import annotations

import io
import logging

import numpy as np
from PIL import Image

from volery.errors import SimulationError
from volery.protocols.files import ClientFiles

__all__ = ["mean_colour"]

_log = logging.getLogger("volery")
_LARGEST = 64_000_000
"""Pixels of a picture that is read."""


def mean_colour(files: ClientFiles, path: str) -> tuple[float, float, float] | None:
    """The mean of a picture in linear light, 0 to 1; None: there is none; the log says why."""
    try:
        with Image.open(io.BytesIO(files.read(path))) as picture:
            if picture.width * picture.height > _LARGEST:
                raise SimulationError(f"{path}: a texture has at most {_LARGEST:,} pixels")
            picture.draft("RGB", (64, 64))
            small = picture.convert("RGB").resize((8, 8))
    except (OSError, ValueError, SimulationError, Image.DecompressionBombError) as error:
        _log.info("AirSim: no texture: %s", error)
        return None
    red, green, blue = ((np.asarray(small, float) / 255.0) ** 2.2).mean(axis=(0, 1))
    return float(red), float(green), float(blue)
