"""The `null` backend: it draws nothing and records everything.

Servers and fast runs use it because it costs almost no time. Tests use it because it records the batches at the end
of the pipeline. It is a complete backend: it accepts every kind, follows the contract, checks the batches, and
returns window events that a test gives in advance. If it neither keeps nor checks batches, it skips compute work.

    backend = NullBackend(events=[WindowEvent("key", "SPACE", down=True)])
    ...
    assert backend.drawn("sprites")[0].arrays["instances"]["frame"].tolist() == [3]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_ecs import UnknownName, UsageError

from .backend import CAPABILITIES, Drawer, DrawStats, DrawTarget, PixelArray, check_options, missing_needs
from .errors import BackendError
from .frame.batches import Batch, Material, Rect
from .frame.frame import Frame, Step
from .frame.kinds import STANDARD_KINDS
from .frame.passes import FORMATS, Pass, Target
from .frame.per_version import PerVersion

if TYPE_CHECKING:
    from rish_core import WindowEvent


class EveryKind(frozenset[str]):
    """The set of all kinds: iteration gives the standard ones, and every name is in it."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)


@dataclass(frozen=True)
class RecordedBatch:
    """The state of a batch when it was drawn; the arrays are copies."""

    kind: str
    arrays: dict[str, npt.NDArray[Any]]
    count: int
    layer: int
    z: float
    blend: str
    filter: str
    origin: tuple[float, float]
    texture: str | int | None
    material: Material | None
    clip: Rect | None
    source: str


@dataclass(frozen=True)
class RecordedPass:
    """The state of a pass when it was drawn: batches in drawing order, camera = projection @ view."""

    name: str
    targets: tuple[str, ...]
    inputs: tuple[str, ...]
    clears: tuple[str, ...]
    camera: npt.NDArray[np.float32]
    viewport: Rect | None
    scissor: Rect | None
    depth_test: bool
    batches: list[RecordedBatch]


@dataclass(frozen=True)
class RecordedDraw:
    """One call of draw: the passes in order, the targets, a copy of the frame table, and the statistics."""

    passes: list[RecordedPass]
    targets: dict[str, Target]
    frames: npt.NDArray[np.float32]
    stats: DrawStats


_BATCHES = attrgetter("batches")


@dataclass(eq=False)
class NullBackend:
    """A backend that records its calls and draws.

    events: the results of `poll`, one item for each call, an event or a list of events. keep: how many draws to
    keep, with copies of their arrays; 0 keeps none. check: raise an error for batches whose arrays don't match
    their kind.

    calls: every verb except draw, present and poll with its arguments, in order. images: the current pages. draws:
    the last `keep` draws. drawn_frames, presented: the number of calls. options: the values set by open and
    configure. clipboard: the text of its clipboard, or None.
    """

    events: Iterable[WindowEvent | Sequence[WindowEvent]] = ()
    keep: int = 1
    check: bool = True
    cell: tuple[float, float] | None = None
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    images: dict[int, PixelArray] = field(default_factory=dict[int, PixelArray])
    drawers: dict[str, Drawer] = field(default_factory=dict[str, Drawer])
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    drawn_frames: int = 0
    presented: int = 0
    is_open: bool = False
    clipboard: str | None = None

    name = "null"
    capabilities = frozenset(CAPABILITIES) - {"pixels", "window", "cells", "splash"}
    device = None

    def __post_init__(self) -> None:
        self.draws: deque[RecordedDraw] = deque(maxlen=self.keep)
        self._script = deque([event] if not isinstance(event, Sequence) else list(event) for event in self.events)
        self._targets: dict[str, Target] = {}
        self._uploaded = PerVersion[bool]()
        self._screen: tuple[int, int] = (0, 0)
        if self.keep or self.check:  # somebody looks at the arrays, so the host runs the fallbacks
            self.capabilities = self.capabilities - {"compute"}
        if self.cell is not None:
            self.capabilities = self.capabilities | {"cells"}

    @property
    def kinds(self) -> frozenset[str]:
        """All kinds."""
        return EveryKind(STANDARD_KINDS)

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size in pixels; (0, 0) while closed."""
        return self._screen

    @property
    def last(self) -> RecordedDraw:
        """The last draw. Raises BackendError if nothing was drawn, or keep is 0."""
        if not self.draws:
            raise BackendError("nothing was drawn yet, or the backend keeps no draws", hint="See `keep`")
        return self.draws[-1]

    def drawn(self, kind: str | None = None, pass_: str | None = None) -> list[RecordedBatch]:
        """Return the batches of the last draw in drawing order, only those of a kind or of a pass if given."""
        passes = [p for p in self.last.passes if pass_ in (None, p.name)]
        return [batch for p in passes for batch in p.batches if kind in (None, batch.kind)]

    def send(self, *events: WindowEvent) -> None:
        """Append events to the script; one call of `poll` will return all of them."""
        self._script.append(list(events))

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Record title and size."""
        if self.is_open:
            return
        self._note("open", title=title, size=size, visible=visible)
        if size[0] < 1 or size[1] < 1:
            raise UsageError(f"a screen needs at least one pixel, not {size}")
        self.is_open, self._screen = True, size
        self.options.update(title=title, size=size, visible=visible)

    def poll(self) -> list[WindowEvent]:
        """Return the next events of the script, or an empty list."""
        return self._script.popleft() if self._script else []

    def image(self, page: int, pixels: PixelArray, dirty: tuple[int, int, int, int] | None = None) -> None:
        """Keep a page; the array is not copied."""
        if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 4:
            raise BackendError(f"page {page} must be uint8 (h, w, 4), not {pixels.dtype} {pixels.shape}")
        self._note("image", page=page, shape=pixels.shape, dirty=dirty)
        self.images[page] = pixels

    def free(self, page: int) -> None:
        """Remove a page."""
        self._note("free", page=page)
        self.images.pop(page, None)

    def add_drawer(self, kind: str, drawer: Drawer) -> None:
        """Call this drawer for a kind, with None as the device and a target without surfaces."""
        self._note("add_drawer", kind=kind, drawer=drawer)
        self.drawers[kind] = drawer

    def draw(self, frame: Frame) -> DrawStats:
        """Record a frame in the order in which a real backend draws it."""
        if not self.is_open:
            raise BackendError("the backend 'null' is not open", hint="Call open(title, size) first")
        self.drawn_frames += 1
        if not self.keep and not self.check and not _busy(frame):
            self._targets = frame.targets
            return DrawStats(passes=len(frame.ordered()))
        steps = frame.steps()
        stats = DrawStats(passes=len(steps))
        if self.check:
            frame.check(thorough=False)
        for step in steps:
            self._draw_step(frame, step, stats)
        self._targets = dict(frame.targets)
        if self.keep:
            passes = [_record_pass(step) for step in steps]
            self.draws.append(RecordedDraw(passes, dict(frame.targets), frame.frames.copy(), stats))
        return stats

    def _draw_step(self, frame: Frame, step: Step, stats: DrawStats) -> None:
        pass_ = step.pass_
        for batch in step.batches:
            drawer = self.drawers.get(batch.kind)
            if drawer is not None and not self._let_draw(drawer, frame, batch, pass_, stats):
                continue
            stats.draw_calls += 1
            stats.instances += batch.count
            if self._uploaded.get(batch):
                stats.static_batches += 1
                continue
            stats.bytes_uploaded += batch.nbytes
            self._uploaded.put(batch, True)

    def _let_draw(self, drawer: Drawer, frame: Frame, batch: Batch, pass_: Pass, stats: DrawStats) -> bool:
        problem = missing_needs(drawer, self)
        if problem is not None:
            stats.skip(batch.kind, problem)
            return False
        size = frame.target(pass_.targets[0]).pixel_size(self._screen)
        inputs = dict.fromkeys(pass_.inputs)
        drawer.draw(None, DrawTarget(size, [], inputs=inputs, frame=frame), batch, pass_)
        return True

    def pixels(self, target: str = "screen") -> npt.NDArray[Any]:
        """Return an image of a target that holds only its clear color, in its size and format."""
        base, _, attachment = target.partition(":")
        if base == "screen" and "screen" not in self._targets:
            target_spec, size = Target("screen", clear=((0.0, 0.0, 0.0, 1.0),)), self._screen
        elif base in self._targets:
            target_spec = self._targets[base]
            size = target_spec.pixel_size(self._screen)
        else:
            raise UnknownName(f"no target is called '{base}'", given=base, choices=["screen", *self._targets])
        return _filled(target_spec, int(attachment or 0), size, opaque=base == "screen")

    def present(self) -> None:
        """Count the call."""
        self.presented += 1

    def configure(self, **options: Any) -> None:
        """Record options; a new size is the size of the screen immediately."""
        check_options(options)
        self._note("configure", **options)
        self.options.update(options)
        if "size" in options and self.is_open:
            width, height = options["size"]
            self._screen = (int(width), int(height))

    def reserve(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Record the call."""
        self._note("reserve", sizes=sizes)

    def rumble(self, device: int, low: float, high: float, seconds: float) -> None:
        """Record the call."""
        self._note("rumble", device=device, low=low, high=high, seconds=seconds)

    def write_clipboard(self, text: str) -> None:
        """Keep the text in `clipboard`."""
        self._note("write_clipboard", text=text)
        self.clipboard = text

    def read_clipboard(self) -> str | None:
        """Return `clipboard`."""
        self._note("read_clipboard")
        return self.clipboard

    def fullscreen(self, wanted: bool | None = None) -> bool:
        """Record a change; return the last one."""
        if wanted is not None:
            self._note("fullscreen", wanted=wanted)
            self.options["fullscreen"] = wanted
        return bool(self.options.get("fullscreen"))

    def close(self) -> None:
        """Remove the pages; the records stay."""
        if not self.is_open:
            return
        self._note("close")
        self.is_open, self._screen = False, (0, 0)
        self.images.clear()
        self._targets = {}

    def _note(self, verb: str, **arguments: Any) -> None:
        self.calls.append((verb, arguments))


def _busy(frame: Frame) -> bool:
    """Return True if any pass has a batch."""
    return any(map(_BATCHES, frame.passes.values()))


def _record_pass(step: Step) -> RecordedPass:
    batches = [
        _recorded(RecordedBatch, batch, arrays={name: array.copy() for name, array in batch.arrays.items()})
        for batch in step.batches
    ]
    return _recorded(RecordedPass, step.pass_, clears=step.clears, batches=batches)


def _recorded(cls: Any, of: Any, **values: Any) -> Any:
    """Return a record with the values of an object's fields; values: of the other fields."""
    return cls(**{each.name: getattr(of, each.name) for each in fields(cls) if each.name not in values}, **values)


def _filled(target: Target, attachment: int, size: tuple[int, int], *, opaque: bool) -> npt.NDArray[Any]:
    """Return an image that holds only the clear color of an attachment."""
    form = target.formats[attachment]
    color = np.array(target.clear_color(attachment)[: FORMATS[form]], np.float64)
    if opaque:
        color[3] = 1.0
    shape = (size[1], size[0], FORMATS[form])
    if form == "rgba8":
        return np.full(shape, np.floor(np.clip(color, 0, 1) * 255 + 0.5).astype(np.uint8))
    return np.full(shape, color.astype(np.float32))
