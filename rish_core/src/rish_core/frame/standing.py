"""What a backend may do again as it did it last: how a frame is drawn, or not to draw it at all.

`structure_of` puts together what decides how a frame is drawn: its targets, its passes, the state of their batches.
While it stays equal, a backend can keep what it worked out, whatever moves. `contents_of` adds what is seen: the
cameras, and the batches with their versions. Two frames with equal structures and contents look the same, so the second
need not be drawn, for the targets still hold the picture. Some look different each time, or may for all that anybody
can tell, and their contents are None: those with arrays that are new (a batch without a version), with a material (a
shader sees the time), with kinds that a plugin's drawer draws, and passes that draw onto what was there before.
"""

from __future__ import annotations

from collections.abc import Container
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from .passes import Frame

Key: TypeAlias = tuple[Any, ...]

_VERSION = attrgetter("version")
_OF_A_PASS = attrgetter(
    "name", "targets", "inputs", "viewport", "scissor", "layer_mask", "depth_test", "before", "after", "clear", "rank"
)
_OF_A_BATCH = attrgetter("kind", "layer", "z", "blend", "filter", "texture", "clip")
_SCALE = attrgetter("origin", "unit")


def structure_of(frame: Frame) -> Key:
    """What decides how a frame is drawn, apart from the pages, the screen's size, and the contents.

    Of origins and units of batches it says which are equal: they follow the camera, but those that differ are not drawn
    in one call.
    """
    scales: dict[Any, int] = {}
    parts: list[Any] = [frame.frames_version, id(frame.frames), frame.size, *frame.targets.values()]
    for pass_ in frame.passes.values():
        parts += (pass_, *_OF_A_PASS(pass_))
        for batch in pass_.batches:
            material, scale = batch.material, scales.setdefault(_SCALE(batch), len(scales))
            parts += (*_OF_A_BATCH(batch), scale, batch.version is None, batch.count > 0, material and material.key)
    return tuple(parts)


def contents_of(frame: Frame, drawn_apart: Container[str] = ()) -> Key | None:
    """What is seen, beside the structure; None where that can't be told.

    drawn_apart: kinds whose drawers are to be asked each time. The contents hold the batches, so that no other can take
    their place in memory; whoever keeps them keeps those.
    """
    parts: list[Any] = []
    for pass_ in frame.passes.values():
        batches = pass_.batches
        if not pass_.clear or None in map(_VERSION, batches):
            return None
        parts += (pass_.view.tobytes(), pass_.projection.tobytes(), *batches)
        for batch in batches:
            if batch.material is not None or batch.kind in drawn_apart:
                return None
            parts += (batch.version, batch.count, *_SCALE(batch))
    return tuple(parts)
