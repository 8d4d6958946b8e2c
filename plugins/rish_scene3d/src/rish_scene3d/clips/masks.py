"""Masks: the nodes and weights of a model that a layer may move, named by joints."""

from __future__ import annotations

import numpy as np

from rish_ecs import did_you_mean
from rish_jit import Array

from ..models.model import ModelData


def mask_of(model: ModelData, text: str) -> tuple[Array, list[str]]:
    """Return which nodes, and then which weights, a mask allows, bool (k + w), and the names that no node has.

    text: names of joints, separated by commas; each stands for itself and all joints below it.
    """
    names = [part.strip() for part in text.split(",") if part.strip()]
    nodes = np.array([name in names for name in model.names], np.bool_)
    for node, parent in enumerate(model.parents.tolist()):
        nodes[node] |= parent >= 0 and nodes[parent]
    weights = np.zeros(len(model.weights), np.bool_)
    starts = [int(first) for first in model.first_weight.tolist() if first >= 0]
    for node, first in enumerate(model.first_weight.tolist()):
        if first >= 0:
            weights[first : min((start for start in starts if start > first), default=len(weights))] = nodes[node]
    return np.concatenate([nodes, weights]), [name for name in names if name not in model.names]


def joint_choices(model: ModelData, name: str) -> str:
    """Return the end of a sentence about a joint that a model lacks: a similar name, and some names."""
    names = [each for each in model.names if each]
    return f"{did_you_mean(name, names)}. Choices: {', '.join(names[:12]) or 'none, its nodes have no names'}"
