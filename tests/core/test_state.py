"""Snapshots as bytes: nothing is lost, order does not matter, damage is told."""

import os
from pathlib import Path

import msgpack
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from volery.core.state import decode, encode, load, save, state_hash
from volery.errors import SimulationError

check = settings(deadline=None, database=None, derandomize=True, max_examples=120)

DTYPES = [
    "bool", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
    "complex64", "complex128", ">f4", ">i8", "S5", "U3", "M8[ns]", "m8[us]",
]  # fmt: skip

some_arrays = st.sampled_from(DTYPES).flatmap(lambda d: arrays(d, array_shapes(min_dims=0, max_dims=3, min_side=0)))
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**200), 2**200)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary()
)
keys = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.integers(-(2**63), 2**64 - 1)
trees = st.recursive(
    scalars | some_arrays,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def same(a, b):
    """Equal to the bit, types included."""
    if isinstance(a, np.ndarray):
        alike = isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape
        return alike and a.tobytes() == b.tobytes()
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float):
        return a == b or (a != a and b != b)
    return a == b


def reversed_keys(tree):
    if isinstance(tree, dict):
        return {k: reversed_keys(tree[k]) for k in reversed(tree)}
    return [reversed_keys(v) for v in tree] if isinstance(tree, list) else tree


@given(trees)
@check
def test_decode_gives_back_what_was_encoded(tree):
    assert same(decode(encode(tree)), tree)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (0, 4), (2, 3, 4)])
def test_arrays_keep_type_and_shape(dtype, shape):
    array = np.arange(int(np.prod(shape))).astype(dtype).reshape(shape)
    assert same(decode(encode(array)), array)


def test_decoded_arrays_can_be_written_to():
    array = decode(encode(np.zeros(3)))
    array[0] = 1
    assert array.tolist() == [1, 0, 0]


def test_tuples_come_back_as_lists_and_numpy_scalars_as_numbers():
    assert decode(encode((1, (2, 3)))) == [1, [2, 3]]
    assert encode({"a": np.float64(0.5), "b": np.int32(3), "c": np.bool_(True)}) == encode(
        {"a": 0.5, "b": 3, "c": True}
    )


@given(trees)
@check
def test_order_of_keys_does_not_matter(tree):
    assert encode(reversed_keys(tree)) == encode(tree)


def test_memory_layout_of_an_array_does_not_matter():
    array = np.arange(24.0).reshape(4, 6)
    assert encode(np.asfortranarray(array)) == encode(array)
    assert encode(np.repeat(array, 2, axis=1)[:, ::2]) == encode(array)


BASE = {"time": 5, "robot": {"p": np.array([1.0, 2.0, 3.0]), "on": True, "name": "a"}, "list": [1, 2]}


@pytest.mark.parametrize(
    "change",
    [
        {"time": 6},
        {"time": 5.0},
        {"time": "5"},
        {"time": None},
        {"list": [2, 1]},
        {"list": [1, 2, 2]},
        {"list": [[1], 2]},
        {"new": None},
        {"robot": {**BASE["robot"], "on": 1}},
        {"robot": {**BASE["robot"], "name": b"a"}},
        {"robot": {**BASE["robot"], "p": np.array([1.0, 2.0, np.nextafter(3.0, 4.0)])}},
        {"robot": {**BASE["robot"], "p": np.array([1.0, 2.0, 3.0], np.float32)}},
        {"robot": {**BASE["robot"], "p": np.array([[1.0, 2.0, 3.0]])}},
        {"robot": {**BASE["robot"], "p": [1.0, 2.0, 3.0]}},
    ],
)
def test_hash_changes_with_any_change(change):
    assert state_hash({**BASE, **change}) != state_hash(BASE)


def test_hash_tells_minus_zero_from_zero():
    assert state_hash(np.array([0.0])) != state_hash(np.array([-0.0]))
    assert state_hash(0.0) != state_hash(-0.0)


def test_hash_of_equal_data_is_equal_and_has_32_digits():
    copy = {"list": (1, 2), "robot": {k: BASE["robot"][k] for k in ("name", "on", "p")}, "time": 5}
    assert state_hash(copy) == state_hash(BASE)
    assert len(state_hash(BASE)) == 32
    int(state_hash(BASE), 16)


@pytest.mark.parametrize(
    "value",
    [
        object(), {1, 2}, 1 + 2j, Path("x"), np.array([1, "a"], object), np.zeros(2, [("a", "i4"), ("b", "f8")]),
        {(1, 2): 3}, "\ud800", 10**5000, np.datetime64("2020-01-01"),
    ],
    ids=lambda v: type(v).__name__,
)  # fmt: skip
def test_what_a_snapshot_cannot_hold_is_refused_when_it_is_taken(value):
    with pytest.raises(SimulationError, match="snapshot cannot hold"):
        encode({"deep": [value]})


def test_data_nested_without_end_is_refused():
    tree = []
    for _ in range(100_000):
        tree = [tree]
    with pytest.raises(SimulationError):
        encode(tree)


def ext(code, payload):
    """A MessagePack extension item of any size."""
    return b"\xc9" + len(payload).to_bytes(4, "big") + bytes([code % 256]) + payload


def array_item(head):
    return ext(1, len(head).to_bytes(2, "little") + head + bytes(16))


def try_decode(data):
    try:
        decode(data)
    except SimulationError as error:
        assert "snapshot" in str(error)


@given(st.binary(max_size=200))
@example(b"")
@example(b"\xc1")
@example(b"\x91" * 3000)
@example(ext(1, b""))
@example(ext(1, b"\xff\xff\x00"))
@example(ext(2, b"not a number"))
@example(ext(77, b"abc"))
@example(ext(-1, b"abc"))
@settings(check, max_examples=400)
def test_random_bytes_are_refused_with_a_clear_error(data):
    try_decode(data)


@given(trees, st.data())
@check
def test_damaged_snapshots_give_another_tree_or_a_clear_error(tree, data):
    good = bytearray(encode(tree))
    where = data.draw(st.integers(0, len(good) - 1))
    good[where] = data.draw(st.integers(0, 255))
    try_decode(bytes(good))


headers = st.tuples(
    st.sampled_from(["<f8", "|O", "(1,a)f4", "f4,", "{", "(2,", "V0", "<M8[x]", "no", "i4,f8", "S", ""])
    | st.text(st.characters(max_codepoint=127), max_size=6)
    | st.none()
    | st.integers(-3, 3)
    | st.dictionaries(st.sampled_from(["names", "formats", "a"]), st.lists(st.just("f4"), max_size=2), max_size=2),
    st.lists(st.sampled_from([0, 1, 2, -1, 2**63, 2**64 - 1, None, "a", 1.5]), max_size=3)
    | st.none()
    | st.text(max_size=2),
)


@given(headers)
@example(("(1,a)f4", [1]))
@example(("<f8", [2**63]))
@example(("<f8", [2**62, 4]))
@example(({"a": ["f4"]}, [1]))
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@settings(check, max_examples=300)
def test_array_headers_made_up_by_others_are_refused_with_a_clear_error(head):
    try_decode(array_item(msgpack.packb(head)))


# Files


def test_a_file_gives_back_what_was_saved(tmp_path):
    save(BASE, tmp_path / "a.state")
    assert same(load(tmp_path / "a.state"), BASE)
    assert same(load(str(tmp_path / "a.state")), BASE)


def test_missing_file_is_told(tmp_path):
    with pytest.raises(SimulationError, match=r"gone\.state cannot be read: No such file"):
        load(tmp_path / "gone.state")


def test_directory_is_told(tmp_path):
    with pytest.raises(SimulationError, match="cannot be read"):
        load(tmp_path)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04zip", b"volery-state-9\n\x80", b"\x80"])
def test_foreign_file_is_told(tmp_path, data):
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(SimulationError, match="not a Volery snapshot"):
        load(tmp_path / "x")


def test_file_truncated_anywhere_is_told(tmp_path):
    save(BASE, tmp_path / "x")
    data = (tmp_path / "x").read_bytes()
    for end in range(len(data)):
        (tmp_path / "x").write_bytes(data[:end])
        with pytest.raises(SimulationError):
            load(tmp_path / "x")


def test_file_with_something_behind_is_told(tmp_path):
    save(BASE, tmp_path / "x")
    with (tmp_path / "x").open("ab") as file:
        file.write(b"\x01")
    with pytest.raises(SimulationError, match="damaged"):
        load(tmp_path / "x")


def test_save_leaves_the_old_file_whole_when_the_data_cannot_be_kept(tmp_path):
    save({"n": 1}, tmp_path / "x")
    with pytest.raises(SimulationError):
        save({"n": object()}, tmp_path / "x")
    assert load(tmp_path / "x") == {"n": 1}
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("fails", ["write_bytes", "replace"])
def test_save_leaves_the_old_file_whole_when_the_disk_fails(tmp_path, monkeypatch, fails):
    path = tmp_path / "x"
    save({"n": 1}, path)

    def half(self, data):
        with self.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    def no_replace(*_):
        raise OSError(5, "Input/output error")

    if fails == "write_bytes":
        monkeypatch.setattr(Path, "write_bytes", half)
    else:
        monkeypatch.setattr(os, "replace", no_replace)
    with pytest.raises(SimulationError, match="cannot be written"):
        save({"n": 2}, path)
    monkeypatch.undo()
    assert load(path) == {"n": 1}


def test_save_into_a_missing_directory_is_told(tmp_path):
    with pytest.raises(SimulationError, match="cannot be written: No such file"):
        save({}, tmp_path / "no" / "x")
