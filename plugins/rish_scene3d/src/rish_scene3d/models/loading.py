"""The loader of glTF files for the kernel's assets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rish_core import AssetError, with_placeholder, with_siblings
from rish_gltf import GltfError, Model, read_gltf

SUFFIXES = (".gltf", ".glb")


def missing_model() -> Model:
    """Return the placeholder of a file that can't be loaded: a model without a name and without anything in it."""
    return Model("")


@with_placeholder(missing_model)
@with_siblings
def load_model(path: Path, sibling: Callable[[str], Path]) -> Model:
    """Read a glTF file and the files beside it. Raises AssetError that names the element at fault."""
    try:
        return read_gltf(path.read_bytes(), lambda beside: sibling(beside).read_bytes(), path.name)
    except GltfError as error:
        place = f"{error.place}: " if error.place else ""
        raise AssetError(f"{error.file}: {place}{error.what}", hint=error.advice) from error
