"""Compiles the kernels that a scene's particles need while it loads, by running one tick of a few particles."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import numpy as np

from rish_core import Transform
from rish_ecs.declarations import distinct
from rish_frame import INSTANCE, Batch, Frame
from rish_jit import available

from ..births.reactions import several
from ..components.emitter import Emitter
from ..components.settings import ParticleSettings
from ..draw.draw import frames_of
from ..files.preset_library import Page, PresetLibrary
from ..pools.numbers import (
    attractor_rows,
    birth_numbers,
    flow,
    shape_kind,
    spots_of,
    step_numbers,
    vortex_row,
    vortex_rows,
)
from ..pools.pools import Four, Ten
from ..preset import Effect

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_log = logging.getLogger("rish.particles")


def warm_up(world: World) -> dict[str, Callable[[], object]]:
    """Return the features that the scene's presets need, for `rish_warm_up`."""
    pages = _scene_pages(world)
    if not pages or not available():
        return {}
    collides = any(page.preset.collision is not None for page in pages)
    first = {"particles": functools.partial(run_kernels, world, pages[0])}
    return {**first, "collision": run_collision} if collides else {**first}


def _scene_pages(world: World) -> list[Page]:
    return [page for effect in _effects(world) for page in _pages(world, effect)]


def samples(world: World) -> list[Batch]:
    """Return a sample batch for each visible preset of the scene, for `rish_samples`."""
    pages = _scene_pages(world)
    batches: list[Batch] = []
    if world[Frame].pictures is not None:
        for page in pages:
            look = page.preset.look
            if look.visible:
                frames_of(world, look.picture, look.cells)
                arrays = {"instances": np.zeros(1, INSTANCE)}
                batches.append(Batch("sprites", arrays, blend=look.blend, filter=look.filter, source="particles"))
    return batches


def _effects(world: World) -> list[Effect]:
    """Return the effects that emitters with a Transform and reactions of the scene name; particles in space need no
    kernels.
    """
    emitters = world[Emitter]
    flat = world.table(Transform).rows_of(emitters.entities) >= 0
    names = {world.text(number) for number in distinct(emitters.preset[flat]).tolist() if number}
    rules = [rule for rules in world[ParticleSettings].on.values() for rule in several(rules)]
    names |= {str(rule.get("preset", "")) for rule in rules} - {""}
    effects = [world[PresetLibrary].effect(world, name) for name in sorted(names)]
    return [effect for effect in effects if effect is not None]


def _pages(world: World, effect: Effect) -> list[Page]:
    """Return the pages of an effect, and of all presets that its particles may emit."""
    library, pages = world[PresetLibrary], dict[str, Page]()
    waiting = list(effect.presets)
    while waiting:
        name = waiting.pop()
        page = library.page(world, name) if name not in pages else None
        if page is not None:
            pages[name] = page
            waiting += [child.preset for child in page.preset.children]
    return list(pages.values())


def run_kernels(world: World | None, page: Page) -> None:
    """Emit, advance and pack two particles of a preset, in arrays of their own."""
    from ..kernels.pack import NUMBERS, pack
    from ..kernels.spawn import WORDS, spawn
    from ..kernels.update import BLOCK, SCRATCH, update

    columns = cast("Ten", (*(np.zeros(2, F32) for _ in range(9)), np.zeros(2, np.int32)))
    extras = cast("Four", (*(np.zeros(2, F32) for _ in range(3)), np.zeros(2, np.int32)))
    order = np.array([0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0], F32)
    words = np.zeros(WORDS, np.uint32)
    dt, nothing = F32(1 / 60), np.zeros(0, F32)
    spawn(
        0, 2, (columns, extras), (order, np.array([2, -1, 1], np.int32)), birth_numbers(page.preset),
        (shape_kind(page.preset.shape), False, spots_of(world, page.preset.shape)), (page.tints, False), (1, 0), dt,
        words,
    )  # fmt: skip
    vortices = vortex_rows([vortex_row((0, 0), (1.0, 1.0), 1.0, 1.0, False)])
    update(
        2, (columns, extras), (page.speed, page.spin, page.straight), step_numbers(page, 1 / 60), vortices,
        (attractor_rows(page.preset, (0, 0), 1 / 60), flow()),
        (np.zeros(SCRATCH, F32), np.zeros(2 * BLOCK + 2, np.uint64)), nothing,
    )  # fmt: skip
    pack(
        2, (columns, extras), (page.speed, page.size, page.color), (np.zeros(1, np.int32), F32(0)), False,
        np.zeros(0, np.int32), 1, np.zeros(NUMBERS, F32), np.zeros(4, np.uint64),
    )  # fmt: skip


def run_collision() -> None:
    """Collide one particle with an edge."""
    from ..kernels.collide import collide

    ones, integers = np.ones(1, F32), np.zeros(1, np.int32)
    edges, begins, ends = np.array([0, 0, 1, 0], F32), np.zeros(1, np.int64), np.ones(1, np.int64)
    pool = (*[ones] * 9, integers), (ones, ones, ones, integers)
    collide(
        1, pool, np.ones(258, F32), F32(1 / 60), (edges, integers, 0),
        (begins, ends, integers, F32(0), F32(0), F32(1), 1, 1), (0, F32(0), F32(0)), np.zeros(7, F32),
    )  # fmt: skip
