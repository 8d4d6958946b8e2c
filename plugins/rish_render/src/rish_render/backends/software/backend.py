"""The `software` backend: draws without a window and without OpenGL, with the same result on every machine.

It draws onto numpy arrays with compiled kernels and is the default if there is no display. Kernels are compiled or
loaded when a batch of their kind is first drawn, so a game pays only for the kinds that it uses.

There are two qualities. `exact` places every sprite to a fraction of a pixel. `fast` copies sprites, at whole pixels,
from bitmaps that were scaled and turned before, and is several times as fast. The default, `auto`, is exact if there is
no window, and fast if the game is played in one.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from rish_ecs import UsageError
from rish_frame import BackendError, Drawer, DrawStats, Frame, Pass, PixelArray, Target, check_options
from rish_frame.frame import Key, Standing, Step, structure_of

from ..shared import BLACK_SCREEN, read_target
from .bitmaps import Bitmaps
from .drawing import ORDERS
from .pages import Pages
from .painting import Painter
from .scene import PassContext
from .surfaces import Surface, attachment_number, lasting_targets
from .workers import Workers, wished_threads

if TYPE_CHECKING:
    from rish_core import WindowEvent

CAPABILITIES = frozenset({"pixels", "targets", "mesh", "depth", "mrt", "float", "copy", "fallbacks"})
QUALITIES = ("auto", "exact", "fast")


def _checked(quality: str) -> str:
    if quality not in QUALITIES:
        raise UsageError(f"the quality must be one of {', '.join(QUALITIES)}, not {quality!r}")
    return quality


class SoftwareBackend:
    """Draws every standard kind of batch onto arrays in memory.

    quality: auto, exact or fast. threads: how many may draw; None or 0: RISH_THREADS if set, otherwise one for each
    processor. Their number does not change the result. Raises UsageError.
    """

    name = "software"
    capabilities = CAPABILITIES
    device = None

    def __init__(self, quality: str = "auto", threads: int | None = None) -> None:
        self.options: dict[str, Any] = {}
        self.drawers: dict[str, Drawer] = {}
        self._open = False
        self._size = (0, 0)
        self._pages = Pages()
        self._surfaces: dict[str, Surface] = {}
        self._bitmaps: dict[str, Bitmaps] = {}
        self._painter = Painter(self, self.drawers)
        self._standing = Standing(times=2)
        self._drawn: tuple[Frame, Key] | None = None
        self._lasting = frozenset[str]()
        self._took: dict[str, DrawStats] = {}
        self._visible = False
        self._quality = _checked(quality)
        self._workers = Workers(wished_threads(threads))

    @property
    def kinds(self) -> frozenset[str]:
        """The standard kinds and those that have a drawer."""
        return frozenset(ORDERS) | frozenset(self.drawers)

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size in pixels; (0, 0) while closed."""
        return self._size

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Create the screen; there is no window. visible: a player watches the game, so `auto` means fast."""
        if self._open:
            return
        if size[0] < 1 or size[1] < 1:
            raise UsageError(f"the size of the screen must be at least 1x1 pixels, not {size[0]}x{size[1]}")
        self._open, self._visible, self._size = True, visible, (int(size[0]), int(size[1]))
        self.options.update(title=title, size=size, visible=visible)

    def poll(self) -> list[WindowEvent]:
        """Return an empty list: there is no window."""
        return []

    def image(self, page: int, pixels: PixelArray, dirty: tuple[int, int, int, int] | None = None) -> None:
        """Store the pixels of a page, or of the changed part of one."""
        self._pages.put(page, pixels, dirty)

    def free(self, page: int) -> None:
        """Remove a page."""
        self._pages.drop(page)

    def add_drawer(self, kind: str, drawer: Drawer) -> None:
        """Use a drawer for a kind of batch. It gets no device, and numpy arrays as colors and inputs."""
        self.drawers[kind] = drawer
        self._standing.forget()
        self._drawn = None

    def configure(self, **options: Any) -> None:
        """Store options; size, quality and threads apply from the next frame on. Raises UsageError."""
        check_options(options)
        if "quality" in options:
            self._quality = _checked(options["quality"])
        if "threads" in options:
            self._workers.close()
            self._workers = Workers(wished_threads(options["threads"]))
        self.options.update(options)
        if "size" in options and self._open:
            width, height = options["size"]
            self._size = (max(int(width), 1), max(int(height), 1))

    def present(self) -> None:
        """Do nothing: there is no window."""

    def close(self) -> None:
        """Free the memory and stop the threads."""
        self._open, self._size = False, (0, 0)
        self._pages = Pages()
        self._drawn = None
        self._took.clear()
        self._surfaces.clear()
        self._bitmaps.clear()
        self._painter.forget()
        self._workers.close()

    def pixels(self, target: str = "screen") -> npt.NDArray[Any]:
        """Return a copy of a target: uint8 (h, w, 4) premultiplied, or float32 for the float formats."""
        if self._open and "screen" not in self._surfaces:
            self._surface(BLACK_SCREEN)
        return read_target(self._surfaces, target)

    def draw(self, frame: Frame) -> DrawStats:
        """Draw all passes of a frame that changed; a pass that would look the same as when it was last drawn is
        skipped.
        """
        if not self._open:
            raise BackendError("the backend 'software' is not open", hint="Call open(title, size) first")
        stats, steps = DrawStats(), frame.steps()
        for target in frame.targets.values():
            self._surface(target)
        key = (*structure_of(frame), self._size, self._exact, self._pages.changes, self._pages.layout)
        changed = self._drawn is None or self._drawn[0] is not frame or self._drawn[1] != key
        if changed:
            self._standing.forget()
            self._took.clear()
            self._lasting = lasting_targets(steps, self.drawers)
        self._drawn = frame, key
        due = self._standing.due([step.pass_ for step in steps], self.drawers)
        for bitmaps in self._bitmaps.values() if due else ():
            bitmaps.begin()
        for step in steps:
            name = step.pass_.name
            if name in due:
                self._took[name] = self._draw_step(frame, step, changed)
                stats.add(self._took[name])
            else:
                stats.add(self._took[name].standing(sum(batch.count > 0 for batch in step.batches)))
        self._standing.drawn()
        return stats

    @property
    def _exact(self) -> bool:
        return self._quality == "exact" or (self._quality == "auto" and not self._visible)

    def _surface(self, target: Target) -> Surface:
        """Return the surface of a target; a new one if its size or formats have changed."""
        size = target.pixel_size(self._size)
        surface = self._surfaces.get(target.name)
        if surface is None or surface.form != (size, target.formats, target.depth):
            surface = self._surfaces[target.name] = Surface(target, size, opaque=target.name == "screen")
            surface.clear()
        surface.target = target
        return surface

    def _draw_step(self, frame: Frame, step: Step, changed: bool) -> DrawStats:
        """Draw a pass. changed: whether the structure of the frame is new, so that all targets are cleared."""
        pass_, clears = step.pass_, [name for name in step.clears if changed or name not in self._lasting]
        inputs = self._inputs(pass_)
        surface = self._joined(pass_)
        bitmaps = None if self._exact else self._bitmaps
        cleared = changed or pass_.targets[0] not in self._lasting
        scene = PassContext(frame, pass_, surface, self._pages, inputs, bitmaps, self._workers, cleared)
        return self._painter.draw(scene, step.batches, [self._surfaces[name] for name in clears])

    def _inputs(self, pass_: Pass) -> dict[str, tuple[Surface, int]]:
        """Return the inputs of a pass; a target that the pass also draws onto is copied."""
        inputs: dict[str, tuple[Surface, int]] = {}
        copies: dict[str, Surface] = {}
        for name in pass_.inputs:
            base, _, attachment = name.partition(":")
            surface = self._surfaces[base]
            if base in pass_.targets:
                surface = copies.setdefault(base, surface.copy())
            inputs[name] = (surface, attachment_number(attachment))
        return inputs

    def _joined(self, pass_: Pass) -> Surface:
        """Return the surface of a pass: its target, or the attachments of several targets one after another."""
        surfaces = [self._surfaces[name] for name in pass_.targets]
        if len(surfaces) == 1:
            return surfaces[0]
        joined = copy(surfaces[0])
        joined.colors = [color for surface in surfaces for color in surface.colors]
        joined.depth = next((s.depth for s in surfaces if s.depth is not None), None)
        return joined
