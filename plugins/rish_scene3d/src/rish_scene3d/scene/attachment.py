"""Attaches instances to poses: the matrices of their nodes, their joints and their weights, at rest or animated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rish_jit import Array

from ..clips.skeleton_poses import Poses3D
from ..models.model import ModelData, Piece
from .catalog import Catalog
from .items import Items

_IDENTITY = np.eye(3, 4, dtype=np.float32)[None]


class _Part(NamedTuple):
    """The instances that show one piece: model, piece, reach of its joints, and the indices of the instances."""

    model: int
    piece: Piece
    reach: float
    who: Array


@dataclass(eq=False)
class Attachment:
    """offset: int32 (n,), rows of `offsets` (k, 3, 4), 0 is the identity. ball: (n, 4), see `packing.place`.

    palette, morph: int32 (n,), where the joints and weights of each instance begin in palettes (j, 3, 4) and morphs
    (w,), -1: none. bent: int32, the instances that a pose may move, rising.
    """

    offset: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    offsets: Array = field(default_factory=lambda: _IDENTITY)
    ball: Array = field(default_factory=lambda: np.zeros((0, 4), np.float32))
    palette: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    morph: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    palettes: Array = field(default_factory=lambda: np.zeros((0, 3, 4), np.float32))
    morphs: Array = field(default_factory=lambda: np.zeros(0, np.float32))
    bent: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    parts: list[_Part] = field(default_factory=list[_Part])

    def follow(self, items: Items, catalog: Catalog, poses: Poses3D) -> None:
        """Attach the instances to the poses of this frame; instances without a pose are at rest."""
        if not self.parts:
            return
        models = sorted({part.model for part in self.parts})
        at_rest = _Rest(catalog, models, poses)
        balls = _posed_balls(poses)
        firsts = [np.append(first, -1) for first in (poses.first_node, poses.first_joint, poses.first_weight)]
        for model, piece, reach, indices in self.parts:
            pose = _poses_of(poses, items.entity[indices])
            node, joint, weight = (first[pose] for first in firsts)
            if piece.skin < 0:
                self.offset[indices] = np.where(node >= 0, 1 + node + piece.node, at_rest.node[model] + piece.node)
            else:
                first = catalog.models[model].skins[piece.skin].first
                self.palette[indices] = np.where(joint >= 0, joint + first, at_rest.joint[model] + first)
                ball = balls[pose] + np.array([0, 0, 0, reach], np.float32)
                self.ball[indices] = np.where(node[:, None] >= 0, ball, items.ball[indices])
            if piece.morph >= 0:
                self.morph[indices] = np.where(weight >= 0, weight, at_rest.weight[model]) + piece.morph
        shown = [catalog.models[k] for k in models]
        self.offsets = np.concatenate([_IDENTITY, poses.nodes, *(model.rest for model in shown)])
        self.palettes = np.concatenate([poses.palettes, *(catalog.palettes[k] for k in models)])
        self.morphs = np.concatenate([poses.morphs, *(model.weights for model in shown)])


class _Rest:
    """The first rows of models at rest, by the number of the model; they follow the rows of the poses."""

    def __init__(self, catalog: Catalog, models: list[int], poses: Poses3D) -> None:
        self.node, self.joint, self.weight = dict[int, int](), dict[int, int](), dict[int, int]()
        node, joint, weight = 1 + len(poses.nodes), len(poses.palettes), len(poses.morphs)
        for k in models:
            model: ModelData = catalog.models[k]
            self.node[k], self.joint[k], self.weight[k] = node, joint, weight
            node, joint, weight = node + len(model.rest), joint + model.joints, weight + len(model.weights)


def attach(items: Items, catalog: Catalog, poses: Poses3D) -> Attachment:
    """Return the first rows of the node, joints and weights of each instance."""
    count = len(items)
    nothing = np.full(count, -1, np.int32)
    attachment = Attachment(np.zeros(count, np.int32), _IDENTITY, items.ball, nothing, nothing.copy())
    bent = np.array([len(model.names) > 0 for model in catalog.models], np.bool_)
    if not bent.any():
        return attachment
    attachment.ball, attachment.bent = items.ball.copy(), np.flatnonzero(bent[items.model]).astype(np.int32)
    rows = catalog.first[items.model[attachment.bent]] + items.piece[attachment.bent]
    order = np.argsort(rows, kind="stable")
    starts = np.flatnonzero(np.diff(rows[order], prepend=-1))
    for indices in np.split(attachment.bent[order], starts[1:]):
        model, piece = int(items.model[indices[0]]), int(items.piece[indices[0]])
        reach = float(catalog.reach[catalog.first[model] + piece])
        attachment.parts.append(_Part(model, catalog.models[model].pieces[piece], reach, indices))
    attachment.follow(items, catalog, poses)
    return attachment


def _poses_of(poses: Poses3D, entities: Array) -> Array:
    """Return the indices of entities in the poses, int64 (n,); -1: none."""
    indices = np.searchsorted(poses.entities, entities)
    has_pose = indices < len(poses.entities)
    has_pose[has_pose] = poses.entities[indices[has_pose]] == entities[has_pose]
    return np.where(has_pose, indices, -1)


def _posed_balls(poses: Poses3D) -> Array:
    """Return the spheres (a + 1, 4) around all nodes of each pose; zeros for those without nodes, and at the end."""
    balls = np.zeros((len(poses.entities) + 1, 4), np.float32)
    indices = np.flatnonzero(poses.first_node >= 0)
    if len(indices):
        positions, starts = poses.nodes[:, :, 3], poses.first_node[indices]
        low, high = np.minimum.reduceat(positions, starts), np.maximum.reduceat(positions, starts)
        balls[indices, :3] = (low + high) / 2
        balls[indices, 3] = np.sqrt(((high - low) ** 2).sum(1)) / 2
    return balls
