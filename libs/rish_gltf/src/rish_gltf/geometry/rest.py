"""The nodes of a model at rest: their order, where they are, which are shown, and the triangles that they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ..model import Floats, Model, Node, Primitive


def parents_first(nodes: Sequence[Node]) -> list[int]:
    """Return the indices of nodes in an order in which parents come before their children."""
    pending = [k for k, node in enumerate(nodes) if node.parent < 0][::-1]
    order: list[int] = []
    while pending:
        order.append(pending.pop())
        pending += reversed(nodes[order[-1]].children)
    return order


def rest_matrices(model: Model, order: Sequence[int]) -> Floats:
    """Return the matrices (n, 3, 4) from nodes to the model. order: of the nodes, see `parents_first`."""
    place = {old: new for new, old in enumerate(order)}
    matrices = np.zeros((len(order), 4, 4))
    for k, node in enumerate(model.nodes[old] for old in order):
        matrices[k] = node.local() if node.parent < 0 else matrices[place[node.parent]] @ node.local()
    return np.ascontiguousarray(matrices[:, :3], np.float32)


def nodes_below(model: Model, tops: Sequence[int]) -> set[int]:
    """Return these nodes and all that are below them."""
    pending, inside = [*tops], set[int]()
    while pending:
        inside.add(node := pending.pop())
        pending += model.nodes[node].children
    return inside


def shown_nodes(model: Model) -> set[int]:
    """Return the nodes with a mesh that the scene of the file shows, all of them in a file without scenes."""
    inside = nodes_below(model, model.scenes[max(model.scene, 0)].nodes) if model.scenes else range(len(model.nodes))
    return {node for node in inside if model.nodes[node].mesh >= 0}


def rest_triangles(model: Model, part: str = "") -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return the positions (n, 3) and triangles (t, 3) of all shown nodes at rest, in the space of the model.

    part: the name of a node, the first in the order of `parents_first`; only it and those below are taken. Triangles
    are counter-clockwise seen from the front, also where a node is mirrored. Weights of morph targets are those of the
    file; what a skin deforms is in the pose in which it was bound. Raises KeyError for an unknown part.
    """
    order = parents_first(model.nodes)
    shown = shown_nodes(model)
    if part:
        tops = [node for node in order if model.nodes[node].name == part]
        if not tops:
            raise KeyError(part)
        shown &= nodes_below(model, tops[:1])
    positions, triangles, count = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], 0
    for node, matrix in zip(order, rest_matrices(model, order).astype(np.float64), strict=True):
        for primitive in _primitives(model, node) if node in shown else ():
            points = _morphed(model, node, primitive)
            faces = primitive.indices.astype(np.int64) + count
            if primitive.joints is None or model.nodes[node].skin < 0:
                points = points @ matrix[:, :3].T + matrix[:, 3]
                faces = faces[:, ::-1] if np.linalg.det(matrix[:, :3]) < 0 else faces
            positions.append(points)
            triangles.append(faces)
            count += len(points)
    return np.concatenate(positions), np.concatenate(triangles)


def _primitives(model: Model, node: int) -> list[Primitive]:
    return [each for each in model.meshes[model.nodes[node].mesh].primitives if each.kind == "triangles"]


def _morphed(model: Model, node: int, primitive: Primitive) -> npt.NDArray[Any]:
    """Return the positions with the weights of morph targets in the file, float64."""
    points = primitive.positions.astype(np.float64)
    weights = model.nodes[node].weights or model.meshes[model.nodes[node].mesh].weights
    for weight, target in zip(weights, primitive.targets, strict=False):
        if target.positions is not None:
            points += weight * target.positions
    return points
