"""The picker of this package: asks each kind of visible thing what a region touches, and orders members of groups."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Hits, Region, WorldMatrices
from rish_jit import Array

from ..components.visible import CanvasGroup
from ..drawables.extraction import Extraction, RenderCache
from ..drawables.kind import DrawableKinds
from ..drawables.pick_scene import PickScene
from ..drawables.touching import into, touch_unit
from ..materials.material_images import Pictures
from ..scene.stack import Stack
from ..scene.stretch import surface_of
from ..scene.view import screen_view

if TYPE_CHECKING:
    from rish_ecs import World

_ON_TOP = 1 << 20


def pick_visible(world: World, region: Region) -> list[Hits]:
    """Return the things of all kinds that a region touches, in their drawing order for equal layer and z."""
    scene = _scene_of(world, region)
    hits = world[DrawableKinds].pick(scene)
    return hits if scene.stack.groups is None else _in_groups(scene, hits)


def _scene_of(world: World, region: Region) -> PickScene:
    cache = world[RenderCache]
    stack: Stack = world[Stack]
    view = replace(screen_view(surface_of(world)), center=region.center, name="pick")
    layers = stack.visible if region.flat else stack.visible & ~stack.screen
    if region.layers is not None:
        shown = np.array([name in region.layers for name in stack.names], np.bool_)
        layers = layers & (stack.screen | shown[np.arange(len(stack)) if stack.groups is None else stack.groups.base])
    flat = screen_view(surface_of(world))
    return PickScene(Extraction(world, stack, view, flat, world[Pictures], cache, layers), region)


def _in_groups(scene: PickScene, results: list[Hits]) -> list[Hits]:
    """Give the members of groups the place of their group, and leave out those that a group's rectangle cuts off."""
    groups, names = scene.stack.groups, len(scene.stack.names)
    assert groups is not None
    table = scene.world.table(CanvasGroup)
    row_of = {int(number): k for k, number in enumerate(groups.number.tolist())}
    shown = {int(number): _is_shown(scene, k) for number, k in row_of.items()}
    results = [_some(hits, np.array([shown.get(int(n), True) for n in hits.layer], np.bool_)) for hits in results]
    while any((hits.layer >= names).any() for hits in results):
        deepest = max(int(groups.depth[row_of[n]]) for hits in results for n in hits.layer.tolist() if n in row_of)
        chosen = [
            np.array([n in row_of and int(groups.depth[row_of[n]]) == deepest for n in hits.layer.tolist()], np.bool_)
            for hits in results
        ]
        ranks = _ranks(results, chosen)
        for k, (hits, some, rank) in enumerate(zip(results, chosen, ranks, strict=True)):
            at = np.array([row_of.get(int(n), 0) for n in hits.layer.tolist()], np.int64)
            rows, layer = groups.rows[at], groups.inside[np.where(some, hits.layer - names, 0)]
            height = scene.world[WorldMatrices].rows(groups.places[at])[:, 5]
            low = np.where(scene.stack.y_sorted[layer], -height, 0.0)
            parts = {
                "layer": np.where(some, layer, hits.layer),
                "z": np.where(some, table.column("z")[rows], hits.z),
                "low": np.where(some, low, hits.low),
                "within": np.where(some, rank, hits.within),
            }
            results[k] = replace(hits, **parts)
    return results


def _ranks(results: list[Hits], chosen: list[Array]) -> list[Array]:
    """Return for the chosen hits of each kind their place in the drawing order, above everything without a group."""
    kind = np.repeat(np.arange(len(results)), [len(hits) for hits in results])
    keys = [np.concatenate([getattr(hits, name) for hits in results]) for name in ("within", "low", "z", "layer")]
    order = np.lexsort((kind, *keys))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) + _ON_TOP
    ends = np.cumsum([len(hits) for hits in results])[:-1]
    return [np.where(some, part, 0) for some, part in zip(chosen, np.split(rank, ends), strict=True)]


def _is_shown(scene: PickScene, index: int) -> bool:
    """Whether the region touches the rectangle that a group shows, and that of each group around it."""
    groups, names = scene.stack.groups, len(scene.stack.names)
    assert groups is not None
    table = scene.world.table(CanvasGroup)
    x, y, w, h = (float(v) for v in table.column("clip")[groups.rows[index]])
    number = int(groups.number[index])
    if w > 0:
        matrix = scene.world[WorldMatrices].rows(groups.places[index : index + 1])
        scene.parts.add_parallax(matrix, np.array([number]))
        local = into(matrix, scene.corners(bool(scene.stack.screen[number])))
        if not touch_unit((local - (x + w / 2, y + h / 2)) / (w, max(h, 1e-9)))[0]:
            return False
    inside = int(groups.inside[number - names])
    outer = np.flatnonzero(groups.number == inside)
    return not len(outer) or _is_shown(scene, int(outer[0]))


def _some(hits: Hits, which: Array) -> Hits:
    """Return the hits that a bool array selects."""
    if which.all():
        return hits
    names = ("entities", "layer", "z", "low", "within")
    return replace(hits, **{name: getattr(hits, name)[which] for name in names})
