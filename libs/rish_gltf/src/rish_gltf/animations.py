"""Animations: key frames of nodes, checked against their targets."""

from __future__ import annotations

from typing import Any

import numpy as np

from .element import Element
from .files.accessors import Accessors
from .model import Animation, Channel, Mesh, Node

_FRACTIONS = ("f4", "i1n", "u1n", "i2n", "u2n")
_PATHS = {
    "translation": ("VEC3", ("f4",), 3),
    "scale": ("VEC3", ("f4",), 3),
    "rotation": ("VEC4", _FRACTIONS, 4),
    "weights": ("SCALAR", _FRACTIONS, 0),
}
_WAYS = {"STEP": "step", "LINEAR": "linear", "CUBICSPLINE": "cubic"}
_COST = 2048


def read_animations(
    root: Element, accessors: Accessors, nodes: tuple[Node, ...], meshes: tuple[Mesh, ...]
) -> tuple[Animation, ...]:
    """Return all animations; their channels are checked against nodes and meshes."""
    animations: list[Animation] = []
    for each in root.children("animations"):
        samplers = each.children("samplers")
        channels: list[Channel] = []
        targets: set[tuple[int, str]] = set()
        for entry in each.children("channels"):
            channel = _channel(entry, samplers, accessors, nodes, meshes)
            if channel is None:
                continue
            if (channel.node, channel.path) in targets:
                entry.fail(f"is the second one for {channel.path} of nodes[{channel.node}]")
            targets.add((channel.node, channel.path))
            channels.append(channel)
        animations.append(Animation(each.name, tuple(channels)))
    return tuple(animations)


def _channel(
    channel: Element, samplers: list[Element], accessors: Accessors, nodes: tuple[Node, ...], meshes: tuple[Mesh, ...]
) -> Channel | None:
    """Return one channel, or None if its target is no property of a node that is read."""
    channel.reading.take(_COST, channel.path)
    target = channel.need("target")
    number = channel.index("sampler", len(samplers), f"{channel.path.rpartition('.')[0]}.samplers")
    if number < 0:
        channel.wrong("sampler", "an index into samplers")
    node, path = target.index("node", len(nodes), "nodes"), target.text("path")
    if node < 0 or path == "pointer":
        channel.warn("animates no node and is left out")
        return None
    if path not in _PATHS:
        target.wrong("path", "one of " + ", ".join(_PATHS))
    width = _PATHS[path][2]
    if path == "weights":
        mesh = nodes[node].mesh
        width = len(meshes[mesh].target_names) if mesh >= 0 else 0
        if width == 0:
            channel.fail(f"animates weights of nodes[{node}], which has no morph targets")
    sampler = samplers[number]
    interpolation = _WAYS[sampler.text("interpolation", "LINEAR", tuple(_WAYS))]
    times = _times(sampler, accessors)
    values = _values(sampler, accessors, path, (len(times), width), interpolation)
    return Channel(node, path, interpolation, times, values)


def _accessor(sampler: Element, key: str, accessors: Accessors) -> int:
    """Return the accessor that a sampler names."""
    index = sampler.index(key, len(accessors), "accessors")
    if index < 0:
        sampler.wrong(key, "an index into accessors")
    return index


def _times(sampler: Element, accessors: Accessors) -> Any:
    """Return the times (k,) of the key frames."""
    index = _accessor(sampler, "input", accessors)
    times = accessors.read(index, "times of key frames", ("SCALAR",), ("f4",))[:, 0]
    if times[0] < 0 or (np.diff(times) <= 0).any():
        accessors.layout(index).element.fail("times of key frames must begin at 0 or later, and grow")
    return times


def _values(sampler: Element, accessors: Accessors, path: str, shape: tuple[int, int], interpolation: str) -> Any:
    """Return the values (k, c), or (k, 3, c) of cubic splines."""
    kind, components, _ = _PATHS[path]
    keys, width = shape
    index = _accessor(sampler, "output", accessors)
    values = accessors.read(index, f"{path} of key frames", (kind,), components)
    expected = keys * (3 if interpolation == "cubic" else 1) * (width if path == "weights" else 1)
    if len(values) != expected:
        accessors.layout(index).element.fail(f"has {len(values):,} elements, {keys:,} key frames need {expected:,}")
    if path == "rotation":
        flat = values.reshape(keys, -1, 4)
        rotations = flat[:, 1 if interpolation == "cubic" else 0]
        if not (np.abs(rotations).max(1) > 1e-6).all():
            accessors.layout(index).element.fail("a rotation of a key frame has no length")
    return values.reshape((keys, 3, width) if interpolation == "cubic" else (keys, width))
