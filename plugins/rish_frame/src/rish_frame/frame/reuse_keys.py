"""Keys that tell a backend which work of the last frame it can reuse.

`structure_of` returns a key of a frame's targets, its passes, and the state of their batches. While it stays equal,
a backend can keep its plan of how to draw the frame, even if things move. `contents_of` returns a key of the contents
of a pass: its camera, and its batches with their versions. A pass with the same contents gives the same image, so it
is not drawn again if no other pass draws onto its targets and its inputs are unchanged as well: the targets still hold
the image. The contents of a pass that may look different each time are None. These are passes with new arrays (a
batch without a version), with a material (a shader may use the time), and with kinds that are drawn by a plugin's
drawer that is not `steady`. `Standing` keeps these keys from frame to frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from .graph import base_name

if TYPE_CHECKING:
    from ..backend import Drawer
    from .frame import Frame
    from .passes import Pass

Key: TypeAlias = tuple[Any, ...]

_VERSION = attrgetter("version")
_OF_A_PASS = attrgetter(
    "name", "targets", "inputs", "viewport", "scissor", "layer_mask", "depth_test", "before", "after", "clear", "rank"
)
_OF_A_BATCH = attrgetter("kind", "layer", "z", "blend", "filter", "texture", "clip")
_SCALE = attrgetter("origin", "unit")


def structure_of(frame: Frame) -> Key:
    """Return a key of the targets, passes and batch states of a frame, without the pages and the contents.

    The key does not contain the origins and units of batches, which follow the camera, but which of them are equal:
    batches that differ in them are not drawn in one call.
    """
    scales: dict[Any, int] = {}
    parts: list[Any] = [frame.frames_version, id(frame.frames), frame.size, *frame.targets.values()]
    for pass_ in frame.passes.values():
        parts += (pass_, *_OF_A_PASS(pass_))
        for batch in pass_.batches:
            material, scale = batch.material, scales.setdefault(_SCALE(batch), len(scales))
            parts += (*_OF_A_BATCH(batch), scale, batch.static, batch.count > 0, material and material.key)
    return tuple(parts)


def contents_of(pass_: Pass, drawers: Mapping[str, Drawer] = MappingProxyType({})) -> Key | None:
    """Return a key of the contents of a pass; None if they may look different each time.

    drawers: the drawers by kind. The key holds the batches themselves, so that their ids are not reused; do not keep
    it longer than needed.
    """
    batches = pass_.batches
    if None in map(_VERSION, batches):
        return None
    parts: list[Any] = [pass_.view.tobytes(), pass_.projection.tobytes(), *batches]
    for batch in batches:
        drawer = drawers.get(batch.kind)
        if batch.material is not None if drawer is None else not is_steady(drawer):
            return None
        parts += (batch.version, batch.count, *_SCALE(batch))
    return tuple(parts)


def is_steady(drawer: Drawer | None) -> bool:
    """Return True if a drawer promises to draw the same for the same input, see `Drawer`."""
    return bool(getattr(drawer, "steady", False))


class Standing:
    """Finds the passes of a frame that look the same as when they were drawn last.

    times: how often an unchanged frame is drawn before passes are skipped, for backends that prepare further work when
    they draw a frame again.
    """

    def __init__(self, times: int = 1) -> None:
        self._times = times
        self._drawn = 0
        self._shown: dict[str, Key | None] | None = None
        self._now: dict[str, Key | None] = {}
        self._moving: set[str] = set()

    def forget(self) -> None:
        """Forget the last frame, so that all passes are drawn. Call it when structure, pages or targets changed."""
        self._shown = None

    def due(self, passes: Sequence[Pass], drawers: Mapping[str, Drawer]) -> set[str]:
        """Return the names of the passes that must be drawn. passes: in order. Call `drawn` after drawing them."""
        drawn_contents, self._shown = self._shown, None
        self._now = {pass_.name: contents_of(pass_, drawers) for pass_ in passes}
        if drawn_contents is None:
            self._moving, self._drawn = _going_on(passes, drawers), 0
        self._drawn += 1
        if drawn_contents is None or self._drawn <= self._times:
            return set(self._now)
        names = {name for name, contents in self._now.items() if contents is None or contents != drawn_contents[name]}
        names |= self._moving
        return _stirred(passes, names) if names else names

    def drawn(self) -> None:
        """Record that the passes returned by `due` were drawn, so that the targets of all passes are up to date."""
        self._shown = self._now


def _stirred(passes: Sequence[Pass], names: set[str]) -> set[str]:
    """Return the names with those of all passes that draw onto or read their targets, and so on."""
    parts = [(pass_.name, pass_.targets, {*pass_.targets, *map(base_name, pass_.inputs)}) for pass_ in passes]
    while True:
        targets = {target for name, drawn_onto, _ in parts if name in names for target in drawn_onto}
        touching = {name for name, _, targets_used in parts if not targets_used.isdisjoint(targets)}
        if touching <= names:
            return names
        names |= touching


def _going_on(passes: Sequence[Pass], drawers: Mapping[str, Drawer]) -> set[str]:
    """Return the names of the passes that draw onto or read the image that the last frame left in a target."""
    written = {target for pass_ in passes for target in pass_.targets}
    finished: set[str] = set()
    names: set[str] = set()
    for pass_ in passes:
        unfinished = written - finished
        fills = any(batch.blend == "replace" and is_steady(drawers.get(batch.kind)) for batch in pass_.batches)
        onto = not (pass_.clear or fills) and not unfinished.isdisjoint(pass_.targets)
        if onto or not unfinished.isdisjoint(map(base_name, pass_.inputs)):
            names.add(pass_.name)
        finished.update(pass_.targets)
    return names
