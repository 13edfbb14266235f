"""The binary frame: what is packed comes back, arrays lie where a browser can read them, damage is an error."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from volery.bus.frames import pack, unpack
from volery.errors import BusError

KINDS = ["f4", "f8", "u1", "i1", "u2", "i2", "u4", "i4"]
ARRAYS = st.dictionaries(
    st.text(max_size=8),
    st.sampled_from(KINDS).flatmap(lambda k: hnp.arrays(k, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0))),
    max_size=4,
)


@given(ARRAYS, st.text(max_size=20))
def test_what_is_packed_comes_back(arrays, text):
    header, found = unpack(pack({"kind": "x", "text": text}, arrays))
    assert header == {"kind": "x", "text": text}
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].shape == array.shape and found[name].dtype == array.dtype
        assert found[name].tobytes() == array.tobytes()


def test_arrays_start_at_multiples_of_8_and_are_little_endian():
    frame = pack({"kind": "ü"}, {"a": np.arange(3, dtype=">u2"), "b": np.array([[1.5, 2.5]])})
    (size,) = struct.unpack_from("<I", frame)
    header = json.loads(frame[4 : 4 + size])
    start = -(-(4 + size) // 8) * 8
    assert header["arrays"] == {"a": ["u2", [3], 0], "b": ["f8", [1, 2], 8]}
    assert frame[4 + size : start] == bytes(start - 4 - size)
    assert frame[start : start + 6] == b"\0\0\1\0\2\0" and len(frame) == start + 24


def test_arrays_that_are_not_contiguous():
    grid = np.arange(12, dtype=np.float32).reshape(3, 4)
    _, found = unpack(pack({}, {"t": grid.T, "s": grid[:, ::2]}))
    assert (found["t"] == grid.T).all() and (found["s"] == grid[:, ::2]).all()


def test_what_a_frame_cannot_hold_is_said():
    with pytest.raises(BusError, match="type int64"):
        pack({}, {"a": np.arange(3)})
    with pytest.raises(BusError, match="header"):
        pack({"x": float("nan")}, {})
    with pytest.raises(BusError, match="header"):
        pack({"x": object()}, {})


@given(st.binary(max_size=64))
def test_bytes_that_are_no_frame_are_an_error(data):
    with pytest.raises(BusError):
        unpack(data)


@given(st.integers(0, 90))
def test_a_frame_that_was_cut_off_is_an_error(length):
    frame = pack({"kind": "x"}, {"a": np.arange(9.0)})
    with pytest.raises(BusError):
        unpack(frame[: min(length, len(frame) - 1)])
