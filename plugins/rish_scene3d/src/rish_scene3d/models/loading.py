"""The loader of glTF files for the kernel's assets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rish_core import AssetError, read_asset, with_placeholder, with_siblings
from rish_gltf import GltfError, Limits, Model, read_gltf

SUFFIXES = (".gltf", ".glb")
LIMITS = Limits()


def missing_model() -> Model:
    """Return the placeholder of a file that can't be loaded: a model without a name and without anything in it."""
    return Model("")


@with_placeholder(missing_model)
@with_siblings
def load_model(path: Path, sibling: Callable[[str], Path]) -> Model:
    """Read a glTF file and the files beside it, which share a limit of their size.

    Raises AssetError that names the element at fault.
    """
    data = read_asset(path, LIMITS.json_bytes if path.suffix.lower() == ".gltf" else LIMITS.file_bytes)
    left = LIMITS.file_bytes - len(data)

    def load(beside: str) -> bytes:
        nonlocal left
        data = read_asset(sibling(beside), left)
        left -= len(data)
        return data

    try:
        return read_gltf(data, load, path.name)
    except GltfError as error:
        place = f"{error.place}: " if error.place else ""
        raise AssetError(f"{error.file}: {place}{error.what}", hint=error.advice) from error
