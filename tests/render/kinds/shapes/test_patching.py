"""Shapes that come, go, move or change are computed again alone, with the result of a full computation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from long_runs import long
from patched_frames import check_frame
from rish_core import Disabled, Transform
from rish_frame import Frame, NullBackend
from rish_render import Blend, Shape
from rish_render.kinds.shapes import points

LAYERS = ["ground", {"far": {"parallax": [0.5, 0.5]}}, {"sorted": {"y_sort": True}}, {"hud": {"space": "screen"}}]
SQUARE, STAR = [(0, 0), (20, 0), (20, 20), (0, 20)], [(0, 0), (30, 8), (4, 20), (14, -6), (20, 26)]
LOOKS: tuple[dict[str, Any], ...] = (
    {"shape": "box"}, {"shape": "circle", "radius": 12}, {"shape": "polygon", "points": SQUARE},
    {"shape": "polygon", "points": STAR, "outline_width": 2, "outline": (1, 1, 0, 0.5)},
    {"shape": "line", "points": STAR, "outline_width": 3}, {"shape": "line", "points": SQUARE[:2]},
    {"shape": "box", "image": "face.png", "corner_radius": 4}, {"shape": "circle", "image": "face.png"},
    {"shape": "polygon", "points": STAR, "image": "face.png", "image_scale": (0.3, 0.4)},
    {"shape": "polygon", "points": SQUARE[:1]},
)  # fmt: skip
CHANGES: tuple[dict[str, Any], ...] = (
    *LOOKS, {"color": (1, 0, 0, 1)}, {"opacity": 0.5}, {"opacity": 0.0}, {"size": (9, 7)}, {"visible": False},
    {"visible": True}, {"anchor": (0, 0)}, {"z": 1.0}, {"z": -2.5}, {"blend": Blend.ADD}, {"blend": Blend.ALPHA},
    {"layer": "hud"}, {"layer": "far"}, {"outline": (0, 1, 0, 1), "outline_width": 4}, {"outline_width": 0},
    {"image": ""}, {"image_offset": (3, 1)}, {"points": SQUARE},
)  # fmt: skip


def shown(frame: Frame) -> list[tuple[Any, ...]]:
    """Return all that is drawn of the shapes: where, how, and the bytes of each array."""
    return [
        (
            (step.pass_.name, batch.kind, batch.layer, batch.z, batch.count, batch.blend, batch.filter, batch.texture),
            {name: array.tobytes() for name, array in batch.arrays.items()},
        )
        for step in frame.steps()
        for batch in step.batches
        if batch.source == "render"
    ]


def change(world: Any, random: np.random.Generator) -> None:
    """Do one random change."""
    handles = world.table(Shape).entities
    some = random.permutation(handles)[: int(random.integers(1, 4))]
    scale = float(random.choice([0.5, 1, 1, 3]))
    place = Transform(
        position=tuple(random.uniform(0, 240, 2)), rotation=float(random.uniform(0, 6)), scale=(scale, scale)
    )
    match int(random.integers(0, 8)):
        case 0:
            layer = ("ground", "far", "sorted", "hud")[int(random.integers(4))]
            world.spawn(place, Shape(layer=layer, **LOOKS[int(random.integers(len(LOOKS)))]))
        case 1 if len(some):
            world.despawn(some)
        case 2 | 3 if len(some):
            world.set(some, Shape(**CHANGES[int(random.integers(len(CHANGES)))]))
        case 4 if len(some):
            world.add(some, place)
        case 5 if len(some):
            world.add(some[:1], Disabled())
        case 6:
            world.table(Shape).z += np.float32(0)
        case _:
            for handle in world.table(Disabled).entities[:1].tolist():
                world.remove(handle, Disabled)


@pytest.mark.parametrize("seed", range(long(30, 4)))
def test_patched_shapes_are_drawn_as_computed_ones(seed: int, studio: Any) -> None:
    """After random changes and restores, each frame has the batches that an extraction without former data makes, byte
    for byte."""
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    world, random = stage.world, np.random.default_rng(seed)
    for look in LOOKS * 3:
        world.spawn(Transform(position=tuple(random.uniform(0, 240, 2))), Shape(**look))
    snapshot = world.snapshot()
    for frame in range(40):
        for _ in range(int(random.integers(0, 3))):
            change(world, random)
        if frame % 13 == 12:
            world.restore(snapshot)
            snapshot = world.snapshot()
        stage.app.frame()
        check_frame(world, shown)


def test_one_changed_shape_outlines_no_others(studio: Any, monkeypatch: Any) -> None:
    """Among many polygons, one that is written is outlined again alone; one that moves, and a box, outline nothing."""
    stage = studio(size=(240, 240), layers=LAYERS, backend=NullBackend(), strict=False)
    world = stage.world
    handles = world.spawn_many(50, Transform(position=(100, 100)), Shape(shape="polygon", points=STAR))
    box = world.spawn(Transform(position=(50, 50)), Shape())
    stage.app.run(frames=3)
    outlined: list[int] = []
    compute = points._Extraction._rings
    monkeypatch.setattr(points._Extraction, "_rings", lambda self, k: (outlined.append(k), compute(self, k))[1])
    for entity, values, count in (
        (handles[7], Shape(color=(1, 0, 0, 1)), 1), (handles[8], Shape(points=SQUARE), 1),
        (handles[9], Transform(position=(90, 90)), 0), (box, Shape(color=(1, 0, 0, 1)), 0),
    ):  # fmt: skip
        world.set(int(entity), values)
        stage.app.run(frames=2)
        assert len(outlined) == count
        outlined.clear()
