"""What a backend may do again as it did it last: how a frame is drawn, or which of its passes not to draw at all.

`structure_of` puts together what decides how a frame is drawn: its targets, its passes, the state of their batches.
While it stays equal, a backend can keep what it worked out, whatever moves. `contents_of` adds what is seen of a pass:
its camera, and its batches with their versions. A pass with the same contents looks the same, so it need not be drawn
again, as long as no other pass draws onto its targets and what it reads stands as well: the targets still hold the
picture. Some passes look different each time, or possibly do, and their contents are None: those
with arrays that are new (a batch without a version), with a material (a shader sees the time), with kinds that a
plugin's drawer draws and that does not say it is `steady`. `Standing` remembers all that from frame to frame.
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
    """A key of how a frame is drawn, without the pages, the screen's size, and the contents.

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


def contents_of(pass_: Pass, drawers: Mapping[str, Drawer] = MappingProxyType({})) -> Key | None:
    """A key of the contents of a pass; None if they are not known.

    drawers: what draws some kinds. The contents hold the batches, so that no other can take their place in memory;
    so do not keep them longer than needed.
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
    """Whether a drawer says that it draws the same again, see `Drawer`."""
    return bool(getattr(drawer, "steady", False))


class Standing:
    """Which passes of a frame look as they did when they were drawn last.

    times: how often the same is drawn before it stands, for backends that learn from drawing it again.
    """

    def __init__(self, times: int = 1) -> None:
        self._times = times
        self._drawn = 0
        self._shown: dict[str, Key | None] | None = None
        self._now: dict[str, Key | None] = {}
        self._moving: set[str] = set()

    def forget(self) -> None:
        """Forget the last frame, so that all is drawn: the structure, the pages or the targets have changed."""
        self._shown = None

    def due(self, passes: Sequence[Pass], drawers: Mapping[str, Drawer]) -> set[str]:
        """The names of the passes that have to be drawn. passes: in order. To be followed by `drawn`."""
        shown, self._shown = self._shown, None
        self._now = {pass_.name: contents_of(pass_, drawers) for pass_ in passes}
        if shown is None:
            self._moving, self._drawn = _going_on(passes, drawers), 0
        self._drawn += 1
        if shown is None or self._drawn <= self._times:
            return set(self._now)
        due = {name for name, contents in self._now.items() if contents is None or contents != shown[name]}
        due |= self._moving
        return _stirred(passes, due) if due else due

    def drawn(self) -> None:
        """The passes that were due have been drawn, so the targets of all passes are up to date."""
        self._shown = self._now


def _stirred(passes: Sequence[Pass], due: set[str]) -> set[str]:
    """These passes, and all that draw onto the same targets, or read what they draw onto, and so on."""
    parts = [(pass_.name, pass_.targets, {*pass_.targets, *map(base_name, pass_.inputs)}) for pass_ in passes]
    while True:
        targets = {target for name, own, _ in parts if name in due for target in own}
        more = {name for name, _, touched in parts if not touched.isdisjoint(targets)}
        if more <= due:
            return due
        due |= more


def _going_on(passes: Sequence[Pass], drawers: Mapping[str, Drawer]) -> set[str]:
    """The passes that go on with what the last frame left: they draw onto it, or read it."""
    written = {target for pass_ in passes for target in pass_.targets}
    done: set[str] = set()
    found: set[str] = set()
    for pass_ in passes:
        left = written - done
        fills = any(batch.blend == "replace" and is_steady(drawers.get(batch.kind)) for batch in pass_.batches)
        onto = not (pass_.clear or fills) and not left.isdisjoint(pass_.targets)
        if onto or not left.isdisjoint(map(base_name, pass_.inputs)):
            found.add(pass_.name)
        done.update(pass_.targets)
    return found
