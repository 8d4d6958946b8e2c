"""Materials in the frame: passes that read the screen, and post-processing passes.

A shader that reads the screen must see everything that was drawn before it, also within its own pass. So the pass is
split before that batch, and the second part reads the target as the first part left it. Post-processing applies the
same method to the finished frame: each material of `settings: render: post` reads the screen and draws all of it again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import Stage, system
from rish_frame import Batch, Frame, Material, Pass, Recorder
from rish_frame.frame import ALL_LAYERS

from ..components.visible import RenderSettings, Sprite
from .material_images import Pictures
from .table import Materials, Shaders, publish_shaders

if TYPE_CHECKING:
    from rish_ecs import World


@system(
    Stage.EXTRACT,
    reads=(Sprite, RenderSettings, Materials, Pictures),
    writes=(Frame, Shaders),
    after="render.extract",
)
def apply_materials(world: World, dt: float) -> None:
    """Publish the shaders, split passes before batches that read the screen, and add the post-processing passes."""
    frame: Frame = world[Frame]
    shaders: Shaders = world[Shaders]
    shaders.renew(world)
    if not shaders.loaded:
        return
    publish_shaders(world, frame)
    recorder = frame.record("render.materials")
    reading = {name for name, loaded in shaders.loaded.items() if loaded.reads_screen}
    if reading:
        for pass_ in list(frame.passes.values()):
            _cut(frame, recorder, pass_, reading)
    if not frame.plain:
        _post(world, frame, recorder, shaders)


def _cut(frame: Frame, recorder: Recorder, pass_: Pass, reading: set[str]) -> None:
    """Split a pass before each batch that reads its target."""
    ordered = pass_.ordered()
    cuts = _cuts(ordered, reading)
    if not cuts:
        return
    following = [other.name for other in frame.passes.values() if pass_.name in _names(other.after)]
    target = pass_.targets[0]
    before = pass_
    for number, (begin, end) in enumerate(zip(cuts, [*cuts[1:], len(ordered)], strict=True), 2):
        part = dataclasses.replace(
            pass_,
            name=f"{pass_.name}.over{number}",
            inputs=tuple(dict.fromkeys((*pass_.inputs, target))),
            layer_mask=ALL_LAYERS,
            after=(before.name,),
            before=tuple(following),
        )
        before = recorder.add_pass(part)
        before.batches[:] = ordered[begin:end]
    pass_.batches = ordered[: cuts[0]]


def _cuts(ordered: Sequence[Batch], reading: set[str]) -> list[int]:
    """Return the indices of batches that read the screen, except those after a batch with the same material."""
    cuts: list[int] = []
    last: Material | None = None
    for index, batch in enumerate(ordered):
        reads = batch.material is not None and batch.material.name in reading
        if reads and batch.material is not last:
            cuts.append(index)
        last = batch.material if reads else None
    return cuts


def _names(names: str | Sequence[str]) -> Sequence[str]:
    return (names,) if isinstance(names, str) else names


def _post(world: World, frame: Frame, recorder: Recorder, shaders: Shaders) -> None:
    """Add one full-screen pass for each material of `post`."""
    names: list[str] = []
    for index, material in enumerate(world[RenderSettings].post):
        if material not in shaders.loaded:
            continue
        number = world[Pictures].whole(frame.canvas_size)
        pass_ = Pass(
            f"post.{index}.{material}", targets=(frame.canvas,), inputs=(frame.canvas,), rank="post",
            after=names[-1] if names else (), clear=False,
        )  # fmt: skip
        arrays = {
            "matrix": np.array([[2, 0, 0, 2, 0, 0]], np.float32),
            "frame": np.array([number], np.uint16),
            "rgba": np.full((1, 4), 255, np.uint8),
        }
        whole = Batch("sprites_wide", arrays, blend="replace", material=Material(material), texture=frame.canvas)
        whole.source = "render.post"
        recorder.add_pass(pass_)
        recorder.add(whole, pass_.name)
        names.append(pass_.name)
    if names:
        world[Pictures].publish(frame)
