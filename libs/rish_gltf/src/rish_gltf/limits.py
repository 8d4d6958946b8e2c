"""Limits of the size of a model. Reading a damaged or hostile file stops at a limit before it takes much time or
memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits of one call of `read_gltf`; pass your own for models that you trust.

    file_bytes: of all files of a model together. json_bytes, json_values, json_depth: of its JSON. elements: of one
    list, for example nodes. made_bytes, made_factor: the arrays of a model may have `made_bytes` plus `made_factor`
    times the bytes of its buffers; a primitive counts as 32,768 bytes more, a node and a channel as 2,048.
    image_pixels: of one decoded picture. warnings: how many are kept.
    """

    file_bytes: int = 1 << 30
    json_bytes: int = 24 << 20
    json_values: int = 400_000
    json_depth: int = 32
    elements: int = 50_000
    made_bytes: int = 32 << 20
    made_factor: int = 64
    image_pixels: int = 4096 * 4096
    warnings: int = 50
