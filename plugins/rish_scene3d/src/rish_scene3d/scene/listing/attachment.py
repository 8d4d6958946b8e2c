"""Attaches instances to poses: the matrices of their nodes, their joints and their weights, at rest or animated."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from ...clips.skeleton_poses import Poses3D
from .catalog import Catalog
from .instances import Instances

_IDENTITY = np.eye(3, 4, dtype=np.float32)[None]


class Attachment:
    """The matrices and weights that instances are attached to, as long as the poses stay.

    offsets: (k, 3, 4), of nodes, the first is the identity. palettes: (j, 3, 4). morphs: (w,). The rows of the poses
    come first, then those of each model at rest.
    """

    def __init__(self) -> None:
        self.offsets: Array = _IDENTITY
        self.palettes: Array = np.zeros((0, 3, 4), np.float32)
        self.morphs: Array = np.zeros(0, np.float32)
        self._poses = Poses3D()
        self._balls: Array = np.zeros((1, 4), np.float32)
        self._node = self._joint = self._weight = np.zeros(0, np.int64)

    def start(self, catalog: Catalog, poses: Poses3D) -> None:
        """Use the poses of this frame, and the models of a catalog at rest."""
        self.__init__()
        self._poses = poses
        if not catalog.posable.any():
            return
        shown = [catalog.models[k] for k in np.flatnonzero(catalog.posable).tolist()]
        palettes = [catalog.palettes[k] for k in np.flatnonzero(catalog.posable).tolist()]
        sizes = np.zeros((len(catalog.models), 3), np.int64)
        sizes[catalog.posable] = [(len(model.rest), model.joints, len(model.weights)) for model in shown]
        firsts = np.cumsum(sizes, axis=0) - sizes + [1 + len(poses.nodes), len(poses.palettes), len(poses.morphs)]
        self._node, self._joint, self._weight = firsts.T
        self._balls = _posed_balls(poses)
        self.offsets = np.concatenate([_IDENTITY, poses.nodes, *(model.rest for model in shown)])
        self.palettes = np.concatenate([poses.palettes, *palettes])
        self.morphs = np.concatenate([poses.morphs, *(model.weights for model in shown)])

    def attach(self, instances: Instances, catalog: Catalog, slots: Array | slice) -> None:
        """Attach instances; those of entities without a pose are at rest."""
        pieces = instances.piece[slots]
        rows, balls = instances.instances, catalog.ball.take(pieces, axis=0)
        offset, palette, morph = 0, -1, -1
        if catalog.posable.any():
            poses, models = self._poses, catalog.model[pieces]
            pose = np.where(catalog.posable[models], _poses_of(poses, instances.entity[slots]), -1)
            node, joint, weight = (
                np.append(first, -1)[pose] for first in (poses.first_node, poses.first_joint, poses.first_weight)
            )
            own_node, own_joint, own_morph = catalog.node[pieces], catalog.joint[pieces], catalog.morph[pieces]
            skinned = own_joint >= 0
            at_node = np.where(node >= 0, 1 + node, self._node[models]) + own_node
            offset = np.where(skinned | ~catalog.posable[models], 0, at_node)
            palette = np.where(skinned, np.where(joint >= 0, joint, self._joint[models]) + own_joint, -1)
            morph = np.where(own_morph >= 0, np.where(weight >= 0, weight, self._weight[models]) + own_morph, -1)
            posed = skinned & (node >= 0)
            balls[posed] = self._balls[pose[posed]]
            balls[posed, 3] += catalog.reach[pieces[posed]]
        instances.offset[slots], instances.ball[slots] = offset, balls
        rows["palette"][slots], rows["morph"][slots] = palette, morph


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
