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
    """Return all animations."""
    found: list[Animation] = []
    for each in root.children("animations"):
        samplers = each.children("samplers")
        channels: list[Channel] = []
        taken: set[tuple[int, str]] = set()
        for one in each.children("channels"):
            channel = _channel(one, samplers, accessors, nodes, meshes)
            if channel is None:
                continue
            if (channel.node, channel.path) in taken:
                one.fail(f"is the second one for {channel.path} of nodes[{channel.node}]")
            taken.add((channel.node, channel.path))
            channels.append(channel)
        found.append(Animation(each.name, tuple(channels)))
    return tuple(found)


def _channel(
    channel: Element, samplers: list[Element], accessors: Accessors, nodes: tuple[Node, ...], meshes: tuple[Mesh, ...]
) -> Channel | None:
    """Return one channel, or None if its target is no property of a node that is read."""
    channel.reading.take(_COST, channel.path)
    target = channel.need("target")
    chosen = channel.index("sampler", len(samplers), f"{channel.path.rpartition('.')[0]}.samplers")
    if chosen < 0:
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
    sampler = samplers[chosen]
    way = _WAYS[sampler.text("interpolation", "LINEAR", tuple(_WAYS))]
    times = _times(sampler, accessors)
    return Channel(node, path, way, times, _values(sampler, accessors, path, (len(times), width), way))


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


def _values(sampler: Element, accessors: Accessors, path: str, shape: tuple[int, int], way: str) -> Any:
    """Return the values (k, c), or (k, 3, c) of cubic splines."""
    kind, components, _ = _PATHS[path]
    keys, width = shape
    index = _accessor(sampler, "output", accessors)
    values = accessors.read(index, f"{path} of key frames", (kind,), components)
    wanted = keys * (3 if way == "cubic" else 1) * (width if path == "weights" else 1)
    if len(values) != wanted:
        accessors.layout(index).element.fail(f"has {len(values):,} elements, {keys:,} key frames need {wanted:,}")
    if path == "rotation":
        flat = values.reshape(keys, -1, 4)
        own = flat[:, 1 if way == "cubic" else 0]
        if not (np.abs(own).max(1) > 1e-6).all():
            accessors.layout(index).element.fail("a rotation of a key frame has no length")
    return values.reshape((keys, 3, width) if way == "cubic" else (keys, width))
