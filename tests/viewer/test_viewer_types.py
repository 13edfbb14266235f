"""The page's types are those of Python, and node reads the bytes that rosbags wrote."""

import base64
import json
import math
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from rosbags.interfaces import Nodetype

from volery.bus.types import encode, message_class, message_fields
from volery.core.rng import generator
from volery.viewer.types import TARGET, page_types, source

WEB = TARGET.parent.parent
DTYPES = {
    "int8": "i1", "uint8": "u1", "byte": "u1", "char": "u1", "int16": "i2", "uint16": "u2", "int32": "i4",
    "uint32": "u4", "int64": "i8", "uint64": "u8", "float32": "f4", "float64": "f8",
}  # fmt: skip
READ = """
import { readFileSync } from "node:fs";
import { decode, known } from "./cdr.mjs";
const plain = (v) =>
  ArrayBuffer.isView(v) || Array.isArray(v) ? Array.from(v, plain)
  : typeof v === "bigint" || (typeof v === "number" && !Number.isFinite(v)) ? String(v)
  : v !== null && typeof v === "object" ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x)]))
  : v;
const answers = [];
for (const [type, cdr, shift] of JSON.parse(readFileSync(process.argv[2]))) {
  const bytes = Buffer.from(cdr, "base64");
  const place = new Uint8Array(new ArrayBuffer(bytes.length + 16), shift, bytes.length);
  place.set(bytes);
  try {
    if (!known(type)) throw new Error("not known");
    answers.push(plain(decode(type, place)));
  } catch (error) {
    answers.push({ error: error.message });
  }
}
process.stdout.write(JSON.stringify(answers));
"""


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Has node decode [type, bytes, shift] of each of many messages."""
    node, bundler = shutil.which("node"), WEB / "node_modules" / ".bin" / "esbuild"
    if node is None:
        pytest.skip("node is missing: install it to check that the page reads messages")
    if not bundler.exists():
        pytest.skip(f"the page's tools are missing: run npm ci in {WEB}")
    folder = tmp_path_factory.mktemp("cdr")
    subprocess.run(
        [bundler, WEB / "src" / "cdr.ts", "--bundle", "--format=esm", f"--outfile={folder / 'cdr.mjs'}"],
        check=True, capture_output=True,
    )  # fmt: skip
    (folder / "read.mjs").write_text(READ)

    def ask(messages):
        rows = [(kind, base64.b64encode(bytes(data)).decode(), shift) for kind, data, shift in messages]
        (folder / "in.json").write_text(json.dumps(rows))
        done = subprocess.run(
            [node, folder / "read.mjs", folder / "in.json"], check=True, capture_output=True, text=True, timeout=60
        )
        return json.loads(done.stdout)

    return ask


def sample(name, rng, most):
    """A message with random values; sequences have up to `most` entries."""
    values = {}
    for field, (node, inner) in message_fields(name):
        if node in (Nodetype.ARRAY, Nodetype.SEQUENCE):
            one, count = inner
            values[field] = many(one, count if node == Nodetype.ARRAY else int(rng.integers(0, most + 1)), rng, most)
        else:
            values[field] = one_of((node, inner), rng, most)
    return message_class(name)(**values)


def one_of(kind, rng, most):
    node, what = kind
    if node == Nodetype.NAME:
        return sample(what, rng, most)
    name = what[0]
    if name == "string":
        return "".join(rng.choice(list("ab °µ√😀"), int(rng.integers(0, most + 1))))
    if name == "bool":
        return bool(rng.integers(2))
    value = number(name, rng, ())
    return float(value) if name.startswith("float") else int(value)


def many(kind, count, rng, most):
    name = kind[1][0] if kind[0] == Nodetype.BASE else ""
    if name in DTYPES:
        return number(name, rng, (count,))
    items = [one_of(kind, rng, most) for _ in range(count)]
    return np.array(items, bool) if name == "bool" else items


def number(name, rng, shape):
    dtype = np.dtype(DTYPES[name])
    if dtype.kind == "f":
        return rng.normal(0, 1e3, shape).astype(dtype)
    # Exact as numbers of JavaScript; rosbags takes a byte to be signed
    high = 127 if name == "byte" else min(np.iinfo(dtype).max, 2**53)
    return rng.integers(max(np.iinfo(dtype).min, -(2**53)), high, shape, dtype=np.int64).astype(dtype)


def plain(value):
    """As the script in node writes it."""
    if isinstance(value, np.ndarray):
        whole = value.dtype.itemsize == 8 and value.dtype.kind in "iu"
        return [str(v) if whole else plain(v) for v in value.tolist()]
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
    if hasattr(value, "__msgtype__"):
        return {name: plain(getattr(value, name)) for name, _ in message_fields(value.__msgtype__)}
    return value


def single(value, message):
    """float32 fields hold what four bytes can."""
    for name, (node, inner) in message_fields(message):
        if node == Nodetype.NAME:
            single(value[name], inner)
        elif node == Nodetype.BASE and inner[0] == "float32" and isinstance(value[name], float):
            value[name] = float(np.float32(value[name]))
        elif node in (Nodetype.ARRAY, Nodetype.SEQUENCE) and inner[0][0] == Nodetype.NAME:
            for item in value[name]:
                single(item, inner[0][1])
    return value


def test_the_file_is_up_to_date():
    assert TARGET.read_text() == source(), "run: python -m volery.viewer.types"


def test_all_that_volery_speaks_is_there():
    names = page_types()
    for name in ("sensor_msgs/msg/PointCloud2", "tf2_msgs/msg/TFMessage", "nav_msgs/msg/Path", "std_msgs/msg/Header"):
        assert name in names
    source_folder = Path(__file__).parent.parent.parent / "src" / "volery"
    for path in [*source_folder.glob("bus/*.py"), *source_folder.glob("sensors/*.py")]:
        if path.name == "outputs.py":  # whose errors name a type that is none
            continue
        for word in path.read_text().replace("'", '"').split('"'):
            if re.fullmatch(r"[a-z]\w*/msg/[A-Z]\w+", word):
                assert word in names, f"{path.name}: {word}"


def test_node_reads_every_type(read):
    rng, cases, wanted = generator(7, "messages"), [], []
    for name in page_types():
        for most, shift in ((0, 0), (3, 0), (5, 8), (4, 3)):
            message = sample(name, rng, most)
            cases.append((name, encode(message), shift))
            wanted.append(single(plain(message), name))
    for (name, _, shift), got, want in zip(cases, read(cases), wanted, strict=True):
        assert got == want, (name, shift)


def test_node_reads_what_is_not_finite_and_long_clouds(read):
    values = np.array([np.nan, np.inf, -np.inf, 1.5])
    layout = message_class("std_msgs/msg/MultiArrayLayout")(dim=[], data_offset=0)
    floats = message_class("std_msgs/msg/Float64MultiArray")(layout=layout, data=values)
    many_bytes = message_class("std_msgs/msg/UInt8MultiArray")(layout=layout, data=np.arange(200_000).astype(np.uint8))
    answers = read([(m.__msgtype__, encode(m), 0) for m in (floats, many_bytes)])
    assert answers[0]["data"] == ["NaN", "Infinity", "-Infinity", 1.5]
    assert answers[1]["data"] == many_bytes.data.tolist()


def test_node_refuses_what_is_no_message(read):
    good = bytes(encode(sample("sensor_msgs/msg/Imu", generator(1, "x"), 3)))
    lying = b"\0\1\0\0" + (2**32 - 1).to_bytes(4, "little")
    cases = [
        ("sensor_msgs/msg/Imu", good[:-9]), ("sensor_msgs/msg/Imu", b""), ("sensor_msgs/msg/Imu", b"\0\0" + good[2:]),
        ("std_msgs/msg/String", lying), ("tf2_msgs/msg/TFMessage", lying), ("no_msgs/msg/Such", good),
    ]  # fmt: skip
    for answer in read([(*case, 0) for case in cases]):
        assert list(answer) == ["error"]
