"""Characters: meshes that joints and morph targets change, as boxes, capsules and posed triangles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

if TYPE_CHECKING:
    from ..models.model_library import MeshData


@dataclass(frozen=True, eq=False)
class Capsules:
    """The parts of a mesh at rest that joints move: int64 (k,) rows of the palette, boxes (k, 2, 3) around all vertices
    that a joint moves, and a capsule in each: its ends (k, 2, 3) and radius (k,)."""

    joints: Array
    boxes: Array
    ends: Array
    radii: Array


def capsules_of(mesh: MeshData) -> Capsules:
    """Return the boxes and capsules around the vertices that each joint of a mesh moves."""
    assert mesh.joints is not None
    assert mesh.weights is not None
    is_moved = mesh.weights > 0
    rows = np.repeat(np.arange(len(mesh.positions)), is_moved.shape[1])[is_moved.reshape(-1)]
    joints, numbers = np.unique(mesh.joints[is_moved].astype(np.int64), return_inverse=True)
    boxes = np.empty((len(joints), 2, 3))
    boxes[:, 0], boxes[:, 1] = np.inf, -np.inf
    np.minimum.at(boxes[:, 0], numbers, mesh.positions[rows])
    np.maximum.at(boxes[:, 1], numbers, mesh.positions[rows])
    half, middle = (boxes[:, 1] - boxes[:, 0]) / 2, boxes.mean(axis=1)
    long = np.argmax(half, axis=1)
    radii = (half.sum(axis=1) - half.max(axis=1, initial=0)) / 2
    radii = np.maximum(radii, 1e-6)
    reach = np.zeros((len(joints), 3))
    indices = np.arange(len(joints))
    reach[indices, long] = np.maximum(half[indices, long] - radii, 0.0)
    return Capsules(joints, boxes, np.stack([middle - reach, middle + reach], axis=1), radii)


def moved_boxes(matrices: Array, boxes: Array) -> Array:
    """Return the boxes (n, 2, 3) around boxes (n, k, 2, 3) after matrices (n, k, 3, 4); NaN for no boxes.

    A vertex of a posed mesh is a mean of places in the moved boxes of its joints, so it lies in the box around these.
    """
    if not matrices.shape[1]:
        return np.full((len(matrices), 2, 3), np.nan)
    middle, half = boxes.mean(axis=-2), (boxes[..., 1, :] - boxes[..., 0, :]) / 2
    center = np.einsum("nkrc,nkc->nkr", matrices[..., :3], middle) + matrices[..., 3]
    reach = np.einsum("nkrc,nkc->nkr", np.abs(matrices[..., :3]), half)
    return np.stack([(center - reach).min(axis=1), (center + reach).max(axis=1)], axis=1)


def posed_positions(mesh: MeshData, palette: Array | None, weights: Array) -> Array:
    """Return the places of the vertices of a mesh after morph targets and joints, float64 (n, 3).

    palette: (j, 3, 4), or None. weights: of the morph targets, (t,).
    """
    positions = mesh.positions.astype(np.float64)
    if len(weights) and mesh.targets is not None:
        positions += np.tensordot(weights, mesh.targets[:, 0], axes=1)
    if palette is None or mesh.joints is None or mesh.weights is None:
        return positions
    posed = np.zeros_like(positions)
    for k in range(mesh.joints.shape[1]):
        matrices = palette[mesh.joints[:, k]].astype(np.float64)
        transformed = np.einsum("nrc,nc->nr", matrices[:, :, :3], positions) + matrices[:, :, 3]
        posed += mesh.weights[:, k, None] * transformed
    return posed


def morphed_boxes(mesh: MeshData, weights: Array) -> Array:
    """Return boxes (n, 2, 3) that contain a mesh after morph targets of these weights (n, t)."""
    boxes = np.repeat(mesh.bounds[None].astype(np.float64), len(weights), axis=0)
    for target, weight in zip(mesh.targets if mesh.targets is not None else (), weights.T, strict=False):
        ends = np.stack([target[0].min(axis=0), target[0].max(axis=0)]) * weight[:, None, None]
        boxes[:, 0] += np.minimum(ends.min(axis=1), 0.0)
        boxes[:, 1] += np.maximum(ends.max(axis=1), 0.0)
    return boxes


def meet_capsules(origin: Array, direction: Array, ends: Array, radii: Array) -> Array:
    """Return the distances, float64 (k,), at which one ray enters capsules, infinite for a miss.

    origin, direction: (k, 3), the ray relative to each capsule. ends: (k, 2, 3). radii: (k,). A capsule is a cylinder
    between two balls.
    """
    nearest = np.minimum(*(_meet_balls(origin, direction, ends[:, k], radii) for k in range(2)))
    axis, arm = ends[:, 1] - ends[:, 0], origin - ends[:, 0]
    aa, aw, ww = (axis * axis).sum(axis=1), (axis * direction).sum(axis=1), (direction * direction).sum(axis=1)
    ao, wo, oo = (axis * arm).sum(axis=1), (direction * arm).sum(axis=1), (arm * arm).sum(axis=1)
    a, b, c = aa * ww - aw * aw, aa * wo - ao * aw, aa * oo - ao * ao - radii * radii * aa
    with np.errstate(all="ignore"):
        at = (-b - np.sqrt(b * b - a * c)) / a
        along = ao + at * aw
    on_side = (at >= 0) & (along >= 0) & (along <= aa)
    return np.where(on_side, np.minimum(nearest, at), nearest)


def _meet_balls(origin: Array, direction: Array, centers: Array, radii: Array) -> Array:
    arm = origin - centers
    a, b = (direction * direction).sum(axis=1), (direction * arm).sum(axis=1)
    c = (arm * arm).sum(axis=1) - radii * radii
    with np.errstate(all="ignore"):
        at = (-b - np.sqrt(b * b - a * c)) / a
    return np.where(at >= 0, at, np.inf)
