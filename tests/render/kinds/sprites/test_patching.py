"""Sprites that come, go or change are patched into the parts of a view, with the result of a full computation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from long_runs import long
from patched_frames import check_frame
from rish_core import Disabled, Transform
from rish_frame import Frame, NullBackend
from rish_render import Blend, Camera, CanvasGroup, Shape, Sprite
from rish_render.kinds.sprites import style
from rish_render.packing.order import BLOCK, changed_blocks, order_of
from rish_render.packing.packer import READY, Packer
from rish_render.packing.repack import patched_order

LAYERS = [
    "ground",
    {"far": {"parallax": [0.5, 0.5]}},
    {"sorted": {"y_sort": True}},
    {"hud": {"space": "screen"}},
]
NAMES = ("ground", "far", "sorted", "hud", "")
CHANGES: tuple[dict[str, Any], ...] = (
    {"color": (1, 0, 0, 1)}, {"opacity": 0.5}, {"size": (9, 7)}, {"size": (0, 0)}, {"size": (9000, 9)},
    {"flip_x": True}, {"visible": False}, {"visible": True}, {"anchor": (0, 0)}, {"anchor": (0.5, 0.5)},
    {"snap": True}, {"snap": False}, {"repeat": (3, 2)}, {"repeat": (0, 0)}, {"region": (2, 2, 5, 5)},
    {"blend": Blend.ADD}, {"blend": Blend.ALPHA}, {"blend": Blend.MULTIPLY}, {"z": 0.0}, {"z": 1.0}, {"z": -2.5},
    {"image": "none.png"}, {"image": "face.png"}, {"layer": "hud"}, {"layer": "ground"}, {"layer": "far"},
)  # fmt: skip


def shown(frame: Frame) -> list[tuple[Any, ...]]:
    """Return all that is drawn of the sprites: where, how, and the bytes of each array."""
    drawn: list[tuple[Any, ...]] = []
    for step in frame.steps():
        for batch in step.batches:
            if batch.source == "render":
                arrays = {name: array.tobytes() for name, array in batch.arrays.items()}
                place = (step.pass_.name, batch.kind, batch.layer, batch.z, batch.origin, batch.unit, batch.count)
                drawn.append((*place, batch.blend, batch.filter, batch.texture, arrays))
    return drawn


class Uploads:
    """The instances of batches as a backend holds them, that uploads again only what a batch says has changed.

    rows: how many were uploaded for the last frame.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._held: dict[int, tuple[Any, int, Any, Any]] = {}

    def draw(self, frame: Frame) -> None:
        """Upload what changed, and assert that the instances are those of the batches."""
        self.rows = 0
        for step in frame.steps():
            for batch in step.batches:
                if batch.kind == "sprites" and batch.static:
                    self._upload(batch, batch.arrays["instances"])

    def _upload(self, batch: Any, array: Any) -> None:
        held, version, source, copy = self._held.get(id(batch), (None, None, None, array[:0]))
        ranges: Any = [(0, len(array))]
        if held is batch and version == batch.version:
            ranges = []
        elif held is batch and batch.patch is not None and batch.patch.base is source:
            ranges = batch.patch.ranges
        copy = np.resize(copy, len(array)) if len(copy) else np.zeros(len(array), array.dtype)
        for first, last in ranges:
            copy[first:last] = array[first:last]
            self.rows += last - first
        assert copy.tobytes() == array.tobytes()
        self._held[id(batch)] = batch, batch.version, array, copy


def change(world: Any, random: np.random.Generator, group: int) -> None:
    """Do one random change."""
    handles = world.table(Sprite).entities
    some = random.permutation(handles)[: int(random.integers(1, 5))]
    place = Transform(position=tuple(random.uniform(0, 240, 2)), rotation=float(random.uniform(0, 6)))
    look = CHANGES[int(random.integers(len(CHANGES)))]
    match int(random.integers(0, 9)):
        case 0:
            layer = NAMES[int(random.integers(len(NAMES)))]
            world.spawn(place, Sprite(image="face.png", layer=layer, z=float(random.integers(-1, 2))))
        case 1:
            count = int(random.integers(1, 300))
            at = random.uniform(0, 240, (count, 2)).astype(np.float32)
            parent = group if random.random() < 0.1 else 0
            world.spawn_many(count, Transform(position=at, parent=parent), Sprite(**{"image": "face.png", **look}))
        case 2 if len(some):
            world.despawn(some)
        case 3 if len(some):
            world.set(some, Sprite(**look))
        case 4 if len(some):
            world.add(some, place)
        case 5 if len(some):
            world.remove(some[:1], Transform)
        case 6 if len(some):
            world.add(some[:1], Disabled())
        case 7:
            world.table(Sprite).z += np.float32(0)
        case _:
            for handle in world.table(Disabled).entities[:1].tolist():
                world.remove(handle, Disabled)


@pytest.mark.parametrize("seed", range(long(40, 3)))
def test_patched_sprites_are_drawn_as_computed_ones(seed, studio):
    """After random changes and restores, each frame has the batches of an extraction without kept data, byte for
    byte, and so has a backend that uploads only the rows of patches."""
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    world, random, uploads = stage.world, np.random.default_rng(seed), Uploads()
    world.check_derived()
    group = stage.put(0, 0, CanvasGroup(layer="ground")) if seed % 3 == 2 else 0
    world.spawn_many(30, Transform(position=(100, 100)), Sprite(image="face.png", layer="ground"))
    saved = world.snapshot()
    for number in range(40):
        for _ in range(int(random.integers(0, 3))):
            change(world, random, group)
        if number % 13 == 12:
            world.restore(saved)
        if number % 13 == 5:
            saved = world.snapshot()
        stage.app.frame()
        uploads.draw(world[Frame])
        check_frame(world, shown)


def test_one_changed_sprite_of_many_uploads_few_rows(studio):
    """A sprite that is tinted among many is uploaded with the others of its block alone, also between other things and
    beside batches that move in memory."""
    READY.now()
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    world, uploads = stage.world, Uploads()
    handles = world.spawn_many(20 * BLOCK, Transform(position=(100, 100)), Sprite(size=(4, 4)))
    world.set(handles[: 10 * BLOCK], Sprite(z=2.0))
    shape = world.spawn(Transform(position=(100, 100)), Shape(z=1.0))

    def uploaded(work: Any, *given: Any) -> int:
        work(*given)
        stage.app.frame()
        uploads.draw(world[Frame])
        check_frame(world, shown)
        return uploads.rows

    for _ in range(3):
        rows = uploaded(int)
    assert rows == 0
    for _ in range(2):
        assert 0 < uploaded(world.set, handles[700], Sprite(color=(1, 0, 0, 1))) <= BLOCK
        assert uploaded(int) == 0
        # It goes from the end of the first batch, so the second one moves in memory.
        assert 0 < uploaded(world.despawn, handles[-2]) <= BLOCK
        handles = world.table(Sprite).entities.copy()
    world.despawn(shape)
    for red in (0, 1):
        rows = uploaded(world.set, handles[5000], Sprite(color=(red, 0, 1, 1)))
    assert 0 < rows <= BLOCK


def test_many_moving_sprites_are_packed_for_their_view_alone(studio):
    """When all sprites begin to move after only the camera moved, a frame is that of an extraction without cached data,
    and does not use the larger area that was packed for the camera."""
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    world, eye = stage.world, stage.put(120, 120, Camera())
    at = np.random.default_rng(1).uniform(-400, 640, (3000, 2)).astype(np.float32)
    world.spawn_many(3000, Transform(position=at), Sprite(image="face.png"))
    for step in range(6):
        world.get(eye, Transform).position = (120 + step, 120)
        stage.app.frame()
    for step in range(4):
        world[Transform].position += np.float32(1)
        world.get(eye, Transform).position = (126 + step, 120)
        stage.app.frame()
        check_frame(world, shown)


def test_many_other_things_that_move_pack_no_sprites(studio, monkeypatch):
    """While a hundred shapes move below a parent that turns, standing sprites are not packed; of those that move among
    them, their blocks alone are packed.
    """
    READY.now()
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    world = stage.world
    sprites = world.spawn_many(20 * BLOCK, Transform(position=(100, 100)), Sprite(size=(4, 4)))
    parent = world.spawn(Transform)
    world.spawn_many(100, Transform(parent=parent), Shape())
    stage.app.run(frames=3)
    packed: list[str] = []

    def counted(name: str) -> Any:
        method = getattr(Packer, name)
        return lambda *given, **options: (packed.append(name), method(*given, **options))[1]

    for name in ("pack", "patch"):
        monkeypatch.setattr(Packer, name, counted(name))
    for turn, moving in ((1, 0), (2, 40), (3, 0)):
        world.set(parent, Transform(rotation=float(turn)))
        if moving:
            world.set(sprites[BLOCK : BLOCK + moving], Transform(position=(90, 90)))
        stage.app.frame()
        assert packed == (["patch"] if moving else [])
        check_frame(world, shown)
        packed.clear()


def test_one_changed_sprite_computes_no_others(studio, monkeypatch):
    """A sprite that is tinted, spawned or despawned among many computes the parts of no view again."""
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    handles = stage.world.spawn_many(2000, Transform(position=(100, 100)), Sprite(image="face.png"))
    stage.app.run(frames=3)
    counted: list[int] = []
    compute = style.Styles._compute
    monkeypatch.setattr(style.Styles, "_compute", lambda self, *given: (counted.append(1), compute(self, *given)))
    for work in (
        lambda: stage.world.set(handles[7], Sprite(color=(1, 0, 0, 1))),
        lambda: stage.world.spawn(Transform(position=(20, 20)), Sprite(image="face.png")),
        lambda: stage.world.despawn(handles[900]),
        lambda: stage.world.set(handles[1000:1100], Sprite(size=(4, 4))),
    ):
        work()
        stage.app.run(frames=2)
    assert counted == []


@pytest.mark.parametrize("seed", range(20))
def test_a_patched_order_is_that_of_all_sprites(seed):
    """After random sprites changed, came or went, the patched packing order is equal to a new one."""
    random = np.random.default_rng(seed)
    key = random.integers(0, 9, int(random.choice([1, 200, 256, 3000, 20_000]))).astype(np.uint32)
    order = order_of(key)
    for _ in range(30):
        count = max(1, len(key) + int(random.choice([0, 0, 1, -1, 5, -5, BLOCK, -BLOCK])))
        changed = np.unique(random.integers(0, count, int(random.integers(0, 4))))
        now = np.resize(key, count)
        now[changed] = random.integers(0, 9, len(changed))
        positions = np.concatenate([changed, np.arange(min(len(key), count), count)])
        now[len(key) :] = random.integers(0, 9, max(0, count - len(key)))
        key, order = now, patched_order(order, now, 9, changed_blocks(len(key), len(now), positions))
        for patched, wanted in zip(order, order_of(key), strict=True):
            assert patched.dtype == wanted.dtype
            assert np.array_equal(patched, wanted)
