"""Samples: before a scene is played, one of each thing that it may show is drawn onto a hidden target.

Kernels and shaders compile when they are first used, which may take seconds and must not happen in the middle of a
game. So plugins return a sample of each kind of thing that they may draw, and the backend draws all of them
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


def gather_samples(plugins: Plugins, world: World, backend: Backend) -> Frame:
    """Call `rish_samples` of every plugin and return a frame with the batches, for a target that is never shown.

    A plugin that returns anything except batches is disabled.
    """
    frame = Frame(_SIZE)
    frame.computes = world[Frame].computes
    for plugin, batches in plugins.gather("rish_samples", world=world, backend=backend, frame=frame):
        problem = _wrong(batches)
        if problem is not None:
            plugins.fail(plugin, "rish_samples", DeclarationError(problem))
            continue
        for batch in batches:
            if batch.kind in backend.kinds:  # other kinds are reported when the game itself draws them
                frame.add(batch)
    frame.add_target(Target(TARGET, _SIZE), replace=True)
    for pass_ in frame.passes.values():
        pass_.targets = tuple(TARGET if target == "screen" else target for target in pass_.targets)
    return frame


def kinds_of(frame: Frame) -> list[str]:
    """Return the kinds of batches in a frame, sorted."""
    return sorted({batch.kind for pass_ in frame.passes.values() for batch in pass_.batches})


def draw_kind(frame: Frame, backend: Backend, kind: str) -> DrawStats:
    """Draw only the batches of one kind of a frame; return the statistics of drawing."""
    all_batches = {name: list(pass_.batches) for name, pass_ in frame.passes.items()}
    try:
        for pass_ in frame.passes.values():
            pass_.batches[:] = [batch for batch in pass_.batches if batch.kind == kind]
        return backend.draw(frame)
    finally:
        for name, pass_ in frame.passes.items():
            pass_.batches[:] = all_batches[name]


def _wrong(result: Any) -> str | None:
    """Return the mistake in a plugin's return value as a sentence, or None."""
    if not isinstance(result, (list, tuple)):
        return f"rish_samples returned {result!r}, expected a list of Batch"
    for item in result:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(item, Batch):
            return f"rish_samples returned a list with {item!r} in it, expected a list of Batch"
        problem = item.problem()
        if problem is not None:
            return f"rish_samples returned a batch of '{item.kind}': {problem}"
    return None
