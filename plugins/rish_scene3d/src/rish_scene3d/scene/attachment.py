"""Attaches instances to poses: the matrices of their nodes, their joints and their weights, at rest or animated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..clips.poses import Poses3D
from ..models.convert import rest_palette
from ..models.library import Library
from .balls import reach_of
from .items import Items

Array = npt.NDArray[Any]
_IDENTITY = np.eye(3, 4, dtype=np.float32)[None]


@dataclass(eq=False)
class Attachment:
    """offset: int32 (n,), rows of `offsets` (k, 3, 4), 0 is the identity. ball: (n, 4), see `packing.place`.

    palette, morph: int32 (n,), where the joints and weights of each instance begin in palettes (j, 3, 4) and morphs
    (w,), -1: none.
    """

    offset: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    offsets: Array = field(default_factory=lambda: _IDENTITY)
    ball: Array = field(default_factory=lambda: np.zeros((0, 4), np.float32))
    palette: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    morph: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    palettes: Array = field(default_factory=lambda: np.zeros((0, 3, 4), np.float32))
    morphs: Array = field(default_factory=lambda: np.zeros(0, np.float32))


def attach(items: Items, library: Library, poses: Poses3D) -> Attachment:
    """Return where each instance finds its node, joints and weights. What has no pose is at rest."""
    count = len(items)
    nothing = np.full(count, -1, np.int32)
    made = Attachment(np.zeros(count, np.int32), _IDENTITY, items.ball, nothing, nothing.copy())
    if not any(len(model.names) for model in items.models):
        return made
    made.ball = items.ball.copy()
    offsets = [_IDENTITY, poses.nodes]
    palettes, morphs = [poses.palettes], [poses.morphs]
    at_node, at_joint, at_weight = 1 + len(poses.nodes), len(poses.palettes), len(poses.morphs)
    pose = np.searchsorted(poses.entities, items.entity)
    posed = pose < len(poses.entities)
    posed[posed] = poses.entities[pose[posed]] == items.entity[posed]
    pose[~posed] = -1
    for number, model in enumerate(items.models):
        if not model.names:
            continue
        for k, piece in enumerate(model.pieces):
            who = np.flatnonzero((items.model == number) & (items.piece == k))
            firsts = (poses.first_node, poses.first_joint, poses.first_weight)
            node, joint, weight = (np.append(first, -1)[pose[who]] for first in firsts)
            if piece.skin < 0:
                made.offset[who] = np.where(node >= 0, 1 + node + piece.node, at_node + piece.node)
            else:
                first = model.skins[piece.skin].first
                made.palette[who] = np.where(joint >= 0, joint + first, at_joint + first)
                moved = node >= 0
                made.ball[who[moved]] = _posed_balls(poses, node[moved], reach_of(library, model, piece))
            if piece.morph >= 0:
                made.morph[who] = np.where(weight >= 0, weight + piece.morph, at_weight + piece.morph)
        offsets.append(model.rest)
        palettes.append(rest := rest_palette(model))
        morphs.append(model.weights)
        at_node, at_joint, at_weight = at_node + len(model.rest), at_joint + len(rest), at_weight + len(model.weights)
    made.offsets, made.palettes, made.morphs = (np.concatenate(parts) for parts in (offsets, palettes, morphs))
    return made


def _posed_balls(poses: Poses3D, first: Array, reach: float) -> Array:
    """Return the spheres (n, 4) around all nodes of characters, wide enough for vertices that are `reach` away.

    first: int32 (n,), where their nodes begin; those of a character end where the next ones begin.
    """
    starts = np.unique(poses.first_node[poses.first_node >= 0])
    if not len(starts) or not len(first):
        return np.zeros((len(first), 4), np.float32)
    places = poses.nodes[:, :, 3]
    low, high = np.minimum.reduceat(places, starts), np.maximum.reduceat(places, starts)
    middle, radius = (low + high) / 2, np.sqrt(((high - low) ** 2).sum(1)) / 2 + reach
    return np.concatenate([middle, radius[:, None]], axis=1)[np.searchsorted(starts, first)]
