"""The lines of `rish doctor` about the models of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rish_core import AssetError, Assets
from rish_gltf import Model
from rish_space3d import MODEL_SUFFIXES, load_model

Line = tuple[str, str, str]


def diagnose_models(manifest: Any) -> Iterator[Line]:
    """Yield the lines: the total size of the models, the omitted parts of each, and the models that can't be read."""
    if manifest is None or manifest.root is None:
        return
    assets = Assets(manifest.root, dict.fromkeys(MODEL_SUFFIXES, load_model))
    files = assets.files(*MODEL_SUFFIXES)
    triangles = pictures = 0
    for file in files:
        try:
            model: Model = assets.read(file)
        except AssetError as error:
            yield "!!", "models", str(error)
            continue
        faces = [each for mesh in model.meshes for each in mesh.primitives if each.kind == "triangles"]
        triangles += sum(len(each.indices) for each in faces)
        pictures += len(model.images)
        for warning in model.warnings:
            yield "--", "models", f"{file}: {warning}"
    if files:
        yield "ok", "models", f"{len(files)} files, {triangles:,} triangles, {pictures} pictures"
