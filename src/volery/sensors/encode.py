"""Pictures as files: JPEG and PNG bytes of a camera's arrays, and back."""

from __future__ import annotations

import io
from typing import Literal

import numpy as np
from PIL import Image

from volery.errors import RayError

__all__ = ["decode", "depth_millimetres", "encode"]


def encode(image: np.ndarray, kind: Literal["jpeg", "png"] = "jpeg", quality: int = 90) -> bytes:
    """Bytes of a picture: uint8 [h, w, 3] or [h, w], or uint16 [h, w] (PNG only); quality of JPEG 1 to 100."""
    image = np.asarray(image)
    colour = image.ndim == 3 and image.shape[2] == 3 and image.dtype == np.uint8
    grey = image.ndim == 2 and (image.dtype == np.uint8 or (image.dtype == np.uint16 and kind == "png"))
    if kind not in ("jpeg", "png") or not (colour or grey) or 0 in image.shape:
        raise RayError(
            f"a picture of {image.dtype} {list(image.shape)} cannot be written as {kind}; "
            "give uint8 [h, w, 3] or [h, w], or uint16 [h, w] as png"
        )
    if not 1 <= quality <= 100:
        raise RayError(f"quality = {quality}: must be 1 to 100")
    out = io.BytesIO()
    options = {"quality": int(quality)} if kind == "jpeg" else {"compress_level": 1}
    Image.fromarray(image).save(out, kind.upper(), **options)
    return out.getvalue()


def decode(data: bytes) -> np.ndarray:
    """The picture of JPEG or PNG bytes."""
    try:
        return np.array(Image.open(io.BytesIO(data)))
    except (OSError, ValueError) as error:
        raise RayError(f"these {len(data)} bytes are not a picture: {error}") from None


def depth_millimetres(depth: np.ndarray) -> np.ndarray:
    """Depth [m] as uint16 [mm], as depth cameras send it; 0 where there is none or it is beyond 65.5 m."""
    millimetres = np.nan_to_num(np.asarray(depth, np.float64), nan=0.0, posinf=0.0, neginf=0.0) * 1000.0
    return np.where((millimetres < 0) | (millimetres > 65_535), 0, np.round(millimetres)).astype(np.uint16)
