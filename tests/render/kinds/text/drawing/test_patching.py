"""Texts that come, go or change are put among those of the last frame, with the result of a full extraction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from long_runs import long
from patched_frames import check_frame
from rish_core import Disabled, Transform
from rish_frame import Frame, NullBackend
from rish_render import Camera, Text
from rish_render.kinds.text.drawing import shown as module

LAYERS = ["ground", {"far": {"parallax": [0.5, 0.5]}}, {"sorted": {"y_sort": True}}, {"hud": {"space": "screen"}}]
CHANGES: tuple[dict[str, Any], ...] = (
    {"text": "Other"}, {"text": ""}, {"text": "[color=red]two[/color] lines\nof it", "markup": True}, {"text": "äß f"},
    {"size": 9.0}, {"size": 31.5}, {"wrap": 40.0}, {"anchor": (0, 1)}, {"color": (1, 0, 0, 1)}, {"opacity": 0.5},
    {"outline": (0, 0, 0, 1), "outline_width": 2.0}, {"shadow": (0, 0, 0, 1), "shadow_offset": (1, -2)}, {"z": 1.0},
    {"layer": "hud"}, {"layer": "far"}, {"layer": "sorted"}, {"layer": "ground"}, {"visible": False},
    {"visible": True}, {"letter_spacing": 1.0},
)  # fmt: skip


def drawn(frame: Frame) -> list[tuple[Any, ...]]:
    """Return all that is drawn, in order: the bytes of the batches. The cells of the texts are in the origins."""
    batches: list[tuple[Any, ...]] = []
    for batch in (batch for step in frame.steps() for batch in step.batches):
        place = (batch.kind, batch.origin, batch.unit, batch.filter)
        arrays = {name: array.tobytes() for name, array in batch.arrays.items()}
        if batches and batches[-1][0] == place:
            arrays = (
                {name: batches.pop()[1][name] + data for name, data in arrays.items()} if len(arrays) == 1 else arrays
            )
        batches.append((place, arrays))
    return batches


def change(world: Any, random: np.random.Generator, eye: int) -> None:
    """Do one random change."""
    handles = world.table(Text).entities
    some = random.permutation(handles)[: int(random.integers(1, 4))]
    look = CHANGES[int(random.integers(len(CHANGES)))]
    place = Transform(position=tuple(random.uniform(-40, 280, 2)), rotation=float(random.choice([0, 0, 0.5])))
    match int(random.integers(0, 9)):
        case 0 | 1:
            world.spawn(place, Text(**{"text": "Spawned", "size": 12.0, **look}))
        case 2:
            world.despawn(some[:1])
        case 3:
            world.add(some, place)
        case 4:
            world.add(some[:1], Disabled())
        case 5:
            world.remove(world.table(Disabled).entities[:1].copy(), Disabled)
        case 6:
            world.table(Text).mark()
        case 7:
            world.get(eye, Transform).position = tuple(random.integers(-3, 3, 2) + random.choice([0, 0.25, 200]))
        case _:
            world.set(some, Text(**look))


@pytest.mark.parametrize("seed", range(long(40, 4)))
def test_patched_texts_are_drawn_as_new_ones(seed, studio):
    """After random changes and restores, each frame has the sprites that an extraction without kept data makes."""
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    world, random, eye = stage.world, np.random.default_rng(seed), stage.put(0, 0, Camera())
    for k in range(20):
        stage.put(20 + k % 4 * 50, 20 + k // 4 * 40, Text(text=f"Text {k}", size=12, layer="ground"))
    saved = world.snapshot()
    for number in range(40):
        for _ in range(int(random.integers(0, 3))):
            change(world, random, eye)
        if number % 13 == 12:
            world.restore(saved)
        if number % 13 == 5:
            saved = world.snapshot()
        stage.app.frame()
        check_frame(world, drawn)


def test_one_changed_text_packs_no_others(studio, monkeypatch):
    """A text that is written or spawned among many is the only one that is packed; after a despawn, the one whose row
    was moved."""
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    texts = [stage.put(k % 20 * 12, k // 20 * 12, Text(text=str(k), size=8)) for k in range(300)]
    stage.app.run(frames=3)
    packed: list[int] = []
    pack = module.pack_letters
    monkeypatch.setattr(module, "pack_letters", lambda *given: (packed.append(given[1]), pack(*given))[1])
    for work in (
        lambda: stage.world.set(texts[7], Text(text="Changed")),
        lambda: stage.world.spawn(Transform(position=(20, 20)), Text(text="Spawned", size=8)),
        lambda: stage.world.despawn(texts[99]),
    ):
        packed.clear()
        work()
        stage.app.run(frames=2)
        assert len(packed) == 1
