"""The names of models: suffixes of files, and generated shapes; and the sentences about unknown ones."""

from __future__ import annotations

from collections.abc import Sequence

from rish_ecs import did_you_mean

MODEL_SUFFIXES = (".gltf", ".glb")
MODEL_SHAPES = ("box", "sphere", "plane", "cylinder", "cone", "capsule", "torus")
"""The generated shapes, see `shape_mesh`."""


def unknown_model(name: str) -> str:
    """Return the sentence about a model that is neither a file nor a shape."""
    message = f"no model is called {name!r}{did_you_mean(name, MODEL_SHAPES)}"
    files = " or ".join(f"*{each}" for each in MODEL_SUFFIXES)
    return f"{message}. Name a file {files}, or a shape: {', '.join(MODEL_SHAPES)}"


def unknown_part(part: str, names: Sequence[str]) -> str:
    """Return the sentence about a part that a model does not have. names: of its nodes."""
    named = [name for name in names if name]
    listed = f"Its nodes: {', '.join(named[:20])}" if named else "It has no named nodes: leave `part` out"
    return f"no node is called {part!r}{did_you_mean(part, named)}. {listed}"
