"""Samples: before a scene is played, one of each thing that it may show is drawn onto a hidden target.

Kernels and shaders compile when they are first used, and that takes up to seconds; a player must not meet it in the
middle of a game. So plugins give a sample of each kind of thing they may draw, and the backend draws all of them
onto a hidden target while the scene is still loading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import Plugins
from rish_ecs import DeclarationError

from ..backend import Backend, DrawStats
from ..frame.batches import Batch
from ..frame.frame import Frame
from ..frame.passes import Target

if TYPE_CHECKING:
    from rish_ecs import World

TARGET = "samples"
_SIZE = (16, 16)


def draw_samples(plugins: Plugins, world: World, backend: Backend) -> DrawStats:
    """Ask every plugin for samples (`rish_samples`) and draw them onto a target that is never shown.

    A plugin that answers with anything but batches is set aside. Gives what drawing took, and what it left out.
    """
    frame = Frame(_SIZE)
    for plugin, answer in plugins.gather("rish_samples", world=world, backend=backend, frame=frame):
        wrong = _wrong(answer)
        if wrong is not None:
            plugins.fail(plugin, "rish_samples", DeclarationError(wrong))
            continue
        for batch in answer:
            if batch.kind in backend.kinds:  # what it can't draw at all is reported when the game shows some
                frame.add(batch)
    if not any(p.batches for p in frame.passes.values()):
        return DrawStats()
    frame.add_target(Target(TARGET, _SIZE), replace=True)
    for p in frame.passes.values():
        p.targets = tuple(TARGET if target == "screen" else target for target in p.targets)
    return backend.draw(frame)


def _wrong(answer: Any) -> str | None:
    """The mistake in a plugin's answer as a sentence, or None."""
    if not isinstance(answer, (list, tuple)):
        return f"rish_samples returned {answer!r}, expected a list of Batch"
    for item in answer:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(item, Batch):
            return f"rish_samples returned a list with {item!r} in it, expected a list of Batch"
        wrong = item.problem()
        if wrong is not None:
            return f"rish_samples returned a batch of '{item.kind}': {wrong}"
    return None
