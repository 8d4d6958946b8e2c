"""The pieces of the models in use as one table, which stays as long as the models are the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...models.convert import rest_palette
from ...models.model import ModelData
from ...models.numbering import numbered
from ...models.store import Models3D
from .bounding_spheres import ball_of
from .packing import mirrors

if TYPE_CHECKING:
    from rish_core import World

_FEW = 16
"""Up to this number, models are looked up one by one."""


@dataclass(eq=False)
class Catalog:
    """models: the distinct ones. first, count: int64 (m,), where the pieces of each begin, and how many it has.

    palettes: (j, 3, 4) of each at rest. posable: bool (m,), whether it has nodes, which a pose can move. kinds: their
    places by the numbers of the texts of asset and part. Of the pieces, int64 (p,): model, and number in it; mesh,
    material, flags; node, -1: none; joint and morph, the first row in the palette and the first weight of the model,
    -1: none. turned: bool (p,), whether its node mirrors at rest. ball, reach: float32 (p, 4), (p,), see `ball_of`.
    """

    models: list[ModelData] = field(default_factory=list[ModelData])
    kinds: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    palettes: list[Array] = field(default_factory=list[Array])
    first: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    count: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    posable: Array = field(default_factory=lambda: np.zeros(0, np.bool_))
    model: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    number: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    mesh: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    material: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    flags: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    node: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    joint: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    morph: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    turned: Array = field(default_factory=lambda: np.zeros(0, np.bool_))
    ball: Array = field(default_factory=lambda: np.zeros((0, 4), np.float32))
    reach: Array = field(default_factory=lambda: np.zeros(0, np.float32))

    def kinds_of(self, world: World, store: Models3D, asset: Array, part: Array) -> Array:
        """List the models with these assets and parts, numbers of texts, and return the place of each, int64 n."""
        assets, a = numbered(asset)
        parts, p = numbered(part)
        pairs, kind = numbered(a * len(parts) + p)
        names = [
            (world.text(int(assets[pair // len(parts)])), world.text(int(parts[pair % len(parts)]))) for pair in pairs
        ]
        models = [store.model(world, *name) for name in names]
        self.kinds = {
            (int(assets[pair // len(parts)]), int(parts[pair % len(parts)])): k for k, pair in enumerate(pairs.tolist())
        }
        if len(models) != len(self.models) or any(a is not b for a, b in zip(models, self.models, strict=True)):
            self._list(store, models)
        return kind

    def known_kinds(self, asset: Array, part: Array) -> Array | None:
        """Return the place of each model, int64 n, without listing them again; None if one is not listed."""
        if len(asset) > _FEW:
            assets, a = numbered(asset)
            parts, p = numbered(part)
            pairs, kind = numbered(a * len(parts) + p)
            known = self.known_kinds(assets[pairs // len(parts)], parts[pairs % len(parts)])
            return None if known is None else known[kind]
        kinds = [self.kinds.get(pair, -1) for pair in zip(asset.tolist(), part.tolist(), strict=True)]
        return None if -1 in kinds else np.array(kinds, np.int64)

    def _list(self, store: Models3D, models: list[ModelData]) -> None:
        pieces = [(model, piece) for model in models for piece in model.pieces]
        self.posable = np.array([len(model.names) > 0 for model in models], np.bool_)
        self.models = models
        self.count = np.array([len(model.pieces) for model in models], np.int64)
        self.first = np.cumsum(self.count) - self.count
        rows = [
            (
                piece.mesh, piece.material, piece.flags, piece.node,
                -1 if piece.skin < 0 else model.skins[piece.skin].first, piece.morph,
            )
            for model, piece in pieces
        ]  # fmt: skip
        columns = np.ascontiguousarray(np.array(rows, np.int64).reshape(-1, 6).T)
        self.mesh, self.material, self.flags, self.node, self.joint, self.morph = columns
        self.model = np.repeat(np.arange(len(models)), self.count)
        self.number = np.arange(len(rows)) - self.first[self.model]
        nodes = {id(model): mirrors(model.rest) for model in models}
        self.turned = np.array(
            [piece.skin < 0 <= piece.node and nodes[id(model)][piece.node] for model, piece in pieces], np.bool_
        )
        palettes = {id(model): rest_palette(model) for model in models}
        self.palettes = [palettes[id(model)] for model in models]
        balls = [ball_of(store.library, model, piece, palettes[id(model)]) for model, piece in pieces]
        self.ball = np.array([ball for ball, _ in balls], np.float32).reshape(-1, 4)
        self.reach = np.array([reach for _, reach in balls], np.float32)
