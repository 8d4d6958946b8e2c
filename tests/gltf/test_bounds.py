"""A hostile file costs little: one error with a place, within a second and 100 MB beyond the file itself."""

from __future__ import annotations

import json
import struct
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gltf_models import Builder, no_files, quad
from rish_gltf import GltfError, read_gltf

VEC3 = {"componentType": 5126, "type": "VEC3"}


def written(**root: Any) -> bytes:
    """Return the JSON of a model."""
    return json.dumps({"asset": {"version": "2.0"}, **root}).encode()


def shared(primitives: int, rows: int, **more: Any) -> bytes:
    """Return a model whose many primitives all use the same large accessors."""
    made = Builder()
    at = made.accessor(np.zeros((rows, 3), np.float32))
    indices = made.accessor(np.tile(np.array([0, 1, 2], np.uint32), rows))
    one = {"attributes": {"POSITION": at, "NORMAL": at}, "indices": indices, **more}
    made.mesh(**one)
    made.json["meshes"][0]["primitives"] = [one] * primitives
    return made.gltf()


def targets() -> bytes:
    """Return a model with thousands of morph targets of the same accessor."""
    return shared(8, 3000, targets=[{"POSITION": 0, "NORMAL": 0}] * 1000)


def channels() -> bytes:
    """Return a model with tens of thousands of channels of the same long sampler."""
    made = Builder()
    made.add("nodes")
    times = made.accessor(np.arange(20_000, dtype=np.float32), min=[0], max=[19_999])
    values = made.accessor(np.zeros((20_000, 3), np.float32))
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    sampler = {"input": times, "output": values}
    made.add("animations", samplers=[sampler] * 40_000, channels=[{**channel, "sampler": k} for k in range(40_000)])
    return made.gltf()


def sparse() -> bytes:
    """Return a model whose sparse accessor is far longer than its data."""
    made = quad()
    at = {"bufferView": 0, "byteOffset": 0}
    accessor = {**VEC3, "count": 1 << 30, "sparse": {"count": 1 << 30, "indices": {**at, "componentType": 5125}}}
    accessor["sparse"]["values"] = at
    made.json["accessors"][0] = accessor
    return made.gltf()


def bomb() -> bytes:
    """Return a model with a picture of 60,000 × 60,000 pixels in a few bytes."""
    made = quad()
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    view = made.view(b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + header + bytes(8))
    made.json["images"][0] = {"bufferView": view, "mimeType": "image/png"}
    return made.gltf()


CASES: dict[str, Callable[[], bytes]] = {
    "deep": lambda: b'{"asset": {"version": "2.0"}, "extras": ' + b"[" * 2_000_000,
    "deep objects": lambda: b'{"a":' * 1_000_000,
    "long number": lambda: b'{"asset": {"version": "2.0"}, "extras": ' + b"9" * 4_000_000 + b"}",
    "many texts": lambda: written(extensionsUsed=[f"EXT_{k}" for k in range(390_000)]),
    "many nodes": lambda: written(nodes=[{}] * 60_000),
    "chain": lambda: written(nodes=[{"children": [k + 1]} for k in range(6_000)] + [{}], scenes=[{"nodes": [0]}]),
    "ring": lambda: written(nodes=[{"children": [(k + 1) % 12_000]} for k in range(12_000)]),
    "children": lambda: written(nodes=[{"children": [*range(1, 400)] * 900}, *[{}] * 400]),
    "count": lambda: written(
        accessors=[{**VEC3, "count": 1 << 40}], meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}]
    ),
    "length": lambda: written(buffers=[{"byteLength": 1 << 60, "uri": "data:,aaaa"}]),
    "chunk": lambda: struct.pack("<4sIIII", b"glTF", 2, 0xFFFFFFFF, 0xFFFFFFFF, 0x4E4F534A) + b"{}",
    "base64": lambda: written(buffers=[{"byteLength": 3, "uri": "data:;base64," + "?" * 8_000_000}]),
    "sparse": sparse,
    "primitives": lambda: shared(3000, 30_000),
    "targets": targets,
    "channels": channels,
    "picture": bomb,
}  # fmt: skip
FINE = {"chain", "targets"}
"""Models that are odd and not wrong."""


def read(data: bytes) -> str:
    """Read a model and its pictures; return its error, "" for none."""
    try:
        for image in read_gltf(data, no_files, "hut.gltf").images:
            image.decode()
    except GltfError as error:
        return str(error)
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_hostile_file_costs_little(name: str) -> None:
    """Each gives one short error that names the file and a place, in under a second and 100 MB."""
    data = CASES[name]()
    began = time.process_time()
    said = read(data)
    took = time.process_time() - began
    tracemalloc.start()
    try:
        read(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert bool(said) is (name not in FINE), said
    assert said.startswith("hut.gltf: ") or not said
    assert len(said) < 1000
    assert took < 1, f"{took:.1f} s"
    assert peak < 100e6, f"{peak / 1e6:.0f} MB"
