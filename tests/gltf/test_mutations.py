"""Whatever happens to a file, it gives a model or the one error."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from gltf_models import MODELS, no_files
from long_runs import long
from rish_gltf import GltfError, Limits, read_gltf

ROUNDS = long(1200, 240)
"""Changes of each of the nine models by each of the two tests: 21,600 in a long run, 4,320 otherwise."""
VALUES: list[Any] = [
    -1, 0, 1, 2, 3, 4, 7, 255, 5121, 5123, 5126, 65535, 2**31, 2**40, 2**63, 1e300, 0.5, True, None, "", "VEC2",
    "SCALAR", "weights", "data:,", "../a", "\ud800", [], {}, [0], [[]], [1e38, -1e38, 1e38], {"index": 0},
    {"extensions": 3},
]  # fmt: skip
SMALL = Limits(made_bytes=1 << 20, image_pixels=1 << 16)


def check(data: bytes) -> bool:
    """Read a file and its pictures; return whether it is a model. Anything but GltfError is raised."""
    try:
        model = read_gltf(data, no_files, "hut.gltf", SMALL)
        for image in model.images:
            image.decode()
        for node in model.nodes:
            node.local()
    except GltfError as error:
        said = str(error)
    else:
        return True
    assert said.startswith("hut.gltf: ")
    assert len(said) < 1000
    return False


def places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the holder and the key of every value of a JSON."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in list(keys):
        found.append((value, key))
        places(value[key], found)
    return found


def change(root: dict[str, Any], chance: random.Random) -> None:
    """Replace, remove, exchange or copy a value of the JSON."""
    known = places(root, [])
    holder, key = chance.choice(known)
    other, others = chance.choice(known)
    kind = chance.randrange(4)
    if kind == 0:
        holder[key] = json.loads(json.dumps(chance.choice(VALUES)))
    elif kind == 1:
        del holder[key]
    elif kind == 2:
        holder[key] = json.loads(json.dumps(other[others]))
    elif isinstance(holder[key], int | float):
        holder[key] += chance.choice([-1, 1, -0.5, 1000])
    else:
        holder[key] = [holder[key]] if chance.random() < 0.5 else {"a": 1}


@pytest.mark.parametrize("name", MODELS)
def test_changed_json_is_a_model_or_an_error(name: str) -> None:
    """Values that are replaced, removed, exchanged or wrapped give nothing but a model or a GltfError."""
    chance = random.Random(name)
    text = MODELS[name]().gltf()
    good = 0
    for _ in range(ROUNDS):
        root = json.loads(text)
        for _ in range(chance.randint(1, 2)):
            change(root, chance)
        good += check(json.dumps(root).encode())
    assert 0 < good < ROUNDS


@pytest.mark.parametrize("name", MODELS)
def test_changed_bytes_are_a_model_or_an_error(name: str) -> None:
    """Bytes that are changed, cut off or doubled give nothing but a model or a GltfError."""
    chance = random.Random(name)
    made = MODELS[name]()
    data = made.glb() if made.blob else made.gltf()
    for _ in range(ROUNDS):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            damaged[chance.randrange(len(damaged))] = chance.choice(
                [0, 1, 0x22, 0x2C, 0x7F, 0xFF, chance.randrange(256)]
            )
        if chance.random() < 0.2:
            at = chance.randrange(len(damaged))
            damaged = damaged[:at] if chance.random() < 0.5 else damaged[:at] + damaged[at // 2 :]
        check(bytes(damaged))
