"""The loader of glTF files for the kernel's assets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rish_core import AssetError, read_asset, with_placeholder, with_siblings
from rish_ecs import how_to_get

from .names import MODEL_SUFFIXES

if TYPE_CHECKING:
    from rish_gltf import Model


def missing_model() -> Model | None:
    """Return the placeholder of a file that can't be loaded: a model without a name and without anything in it."""
    try:
        from rish_gltf import Model
    except ImportError:
        return None
    return Model("")


@with_placeholder(missing_model)
@with_siblings
def load_model(path: Path, sibling: Callable[[str], Path]) -> Model:
    """Read a glTF file and the files beside it, which share a limit of their size.

    Raises AssetError that names the element at fault, and without `rish-gltf`.
    """
    try:
        from rish_gltf import GltfError, Limits, read_gltf
    except ImportError as error:
        what = f"{path.name} can't be read, because rish-gltf is not installed"
        raise AssetError(what, hint=how_to_get("rish-gltf")) from error
    limits = Limits()
    data = read_asset(path, limits.json_bytes if path.suffix.lower() == MODEL_SUFFIXES[0] else limits.file_bytes)
    left = limits.file_bytes - len(data)

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
