"""Rigged meshes as glTF 2.0 files, written byte by byte: an arm of three bones in a skin with a chequered picture."""

import io
import json
import struct

import numpy as np
from PIL import Image

RINGS, ROUND, LENGTH, RADIUS = 13, 16, 3.0, 0.2


def arm(path, *, textured=True, scale=1.0, rest_deg=0.0, normalised=False, embedded=False):
    """An arm along the file's +z (ahead), bones `upper`, `lower`, `hand` of 1 m each; scale: of the node that carries
    the skeleton, which the mesh makes up for; rest_deg: how far the elbow is bent in the file, not when bound."""
    z = np.linspace(0, LENGTH, RINGS)
    a = np.linspace(0, 2 * np.pi, ROUND + 1)
    zz, aa = np.meshgrid(z, a, indexing="ij")
    p = np.stack([RADIUS * np.cos(aa), RADIUS * np.sin(aa), zz], axis=-1).reshape(-1, 3) / scale
    n = np.stack([np.cos(aa), np.sin(aa), 0 * aa], axis=-1).reshape(-1, 3)
    uv = np.stack([aa / (2 * np.pi), zz / LENGTH], axis=-1).reshape(-1, 2)
    k, c = np.meshgrid(np.arange(RINGS - 1), np.arange(ROUND), indexing="ij")
    i = (k * (ROUND + 1) + c).ravel()
    faces = np.concatenate([np.stack([i, i + 1, i + ROUND + 1], 1), np.stack([i + 1, i + ROUND + 2, i + ROUND + 1], 1)])
    share = np.clip(zz.ravel() - 0.5, 0, 2)
    low = np.minimum(share.astype(int), 1)
    joints = np.stack([low, low + 1, 0 * low, 0 * low], axis=1)
    weights = np.stack([1 - (share - low), share - low, 0 * share, 0 * share], axis=1)
    bind = np.tile(np.eye(4), (3, 1, 1))
    bind[:, :3, :3] *= scale
    bind[:, 2, 3] = -np.arange(3.0)
    parts, views, accessors = [], [], []

    def add(array, kind, component, normal=False):
        data = np.ascontiguousarray(array).tobytes()
        start = sum(len(x) for x in parts)
        parts.append(data + b"\0" * (-len(data) % 4))
        views.append({"buffer": 0, "byteOffset": start, "byteLength": len(data)})
        row = {"bufferView": len(views) - 1, "componentType": component, "count": len(array), "type": kind}
        flat = np.asarray(array, float).reshape(len(array), -1)
        accessors.append({**row, "normalized": normal, "min": flat.min(0).tolist(), "max": flat.max(0).tolist()})
        return len(accessors) - 1

    shares = (weights * 65535).round().astype("<u2") if normalised else weights.astype("<f4")
    attributes = {
        "POSITION": add(p.astype("<f4"), "VEC3", 5126), "NORMAL": add(n.astype("<f4"), "VEC3", 5126),
        "TEXCOORD_0": add(uv.astype("<f4"), "VEC2", 5126), "JOINTS_0": add(joints.astype("u1"), "VEC4", 5121),
        "WEIGHTS_0": add(shares, "VEC4", 5123 if normalised else 5126, normalised),
    }  # fmt: skip
    index = add(faces.ravel().astype("<u2"), "SCALAR", 5123)
    matrices = add(bind.transpose(0, 2, 1).astype("<f4").reshape(3, 16), "MAT4", 5126)
    material = {"name": "cloth", "pbrMetallicRoughness": {"baseColorFactor": [0.9, 0.5, 0.25, 1], "metallicFactor": 0}}
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 4]}],
        "nodes": [
            {"name": "rig", "children": [1], "scale": [1, 1, 1]},
            {"name": "upper", "children": [2]},
            {"name": "lower", "children": [3], "translation": [0, 0, 1],
             "rotation": [np.sin(np.radians(rest_deg) / 2), 0, 0, np.cos(np.radians(rest_deg) / 2)]},
            {"name": "hand", "translation": [0, 0, 1]},
            {"name": "body", "mesh": 0, "skin": 0},
        ],
        "skins": [{"joints": [1, 2, 3], "inverseBindMatrices": matrices}],
        "meshes": [{"name": "sleeve", "primitives": [{"attributes": attributes, "indices": index, "material": 0}]}],
        "materials": [material], "accessors": accessors, "bufferViews": views,
    }  # fmt: skip
    if textured:
        data = io.BytesIO()
        Image.fromarray(chequers()).save(data, "PNG")
        start = sum(len(x) for x in parts)
        views.append({"buffer": 0, "byteOffset": start, "byteLength": len(data.getvalue())})
        parts.append(data.getvalue() + b"\0" * (-len(data.getvalue()) % 4))
        document["images"] = [{"bufferView": len(views) - 1, "mimeType": "image/png"}]
        document["textures"] = [{"source": 0}]
        material["pbrMetallicRoughness"] |= {"baseColorFactor": [1, 1, 1, 1], "baseColorTexture": {"index": 0}}
    return write(path, document, b"".join(parts))


def chequers():
    """8 × 6 squares, red and white, 16 pixels each."""
    i, j = np.indices((96, 128)) // 16
    return np.where(((i + j) % 2 == 0)[..., None], [255, 255, 255], [200, 20, 20]).astype(np.uint8)


def write(path, document, binary):
    document["buffers"] = [{"byteLength": len(binary)}]
    if path.suffix == ".gltf":
        document["buffers"][0]["uri"] = path.stem + ".bin"
        path.with_suffix(".bin").write_bytes(binary)
        path.write_text(json.dumps(document))
        return path
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    length = 12 + 8 + len(text) + 8 + len(binary)
    path.write_bytes(
        struct.pack("<4sII", b"glTF", 2, length) + struct.pack("<I4s", len(text), b"JSON") + text
        + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    )  # fmt: skip
    return path
