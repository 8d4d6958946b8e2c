"""The `software` backend: pictures without a window and without OpenGL, the same on every machine.

It draws onto numpy arrays with compiled kernels and is the default where there is no display. Kernels are compiled or
loaded when a batch of their kind is first drawn, so a game pays only for what it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy.typing as npt

from rish_core.errors import BackendError, UnknownName, UsageError
from rish_core.frame.backend import Drawer, DrawStats, DrawTarget, Pixels, check_options, missing_needs
from rish_core.frame.batches import Batch
from rish_core.frame.passes import Frame, Pass, Step, Target

from .drawing import ORDERS, Order, Scene, Unable
from .pages import Pages
from .surfaces import Surface

if TYPE_CHECKING:
    from rish_core.loop.events import WindowEvent

CAPABILITIES = frozenset({"pixels", "targets", "mesh", "depth", "mrt", "float", "copy"})


class SoftwareBackend:
    """Draws every standard kind of batch onto arrays in memory."""

    name = "software"
    capabilities = CAPABILITIES
    device = None

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.drawers: dict[str, Drawer] = {}
        self._open = False
        self._size = (0, 0)
        self._pages = Pages()
        self._surfaces: dict[str, Surface] = {}
        self._kept: WeakKeyDictionary[Batch, tuple[Any, list[Order]]] = WeakKeyDictionary()

    @property
    def kinds(self) -> frozenset[str]:
        """The standard kinds and those that have drawers."""
        return frozenset(ORDERS) | frozenset(self.drawers)

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size in pixels; (0, 0) while closed."""
        return self._size

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Make the screen; there is no window, whatever `visible` says."""
        if self._open:
            return
        if size[0] < 1 or size[1] < 1:
            raise UsageError(f"a screen needs at least one pixel, not {size}")
        self._open, self._size = True, (int(size[0]), int(size[1]))
        self.options.update(title=title, size=size, visible=visible)

    def poll(self) -> list[WindowEvent]:
        """Nothing ever happens: there is no window."""
        return []

    def image(self, page: int, pixels: Pixels, dirty: tuple[int, int, int, int] | None = None) -> None:
        """Take a page, or the changed part of one."""
        self._pages.put(page, pixels, dirty)

    def free(self, page: int) -> None:
        """Forget a page."""
        self._pages.drop(page)

    def add_drawer(self, kind: str, drawer: Drawer) -> None:
        """Draw a kind with this drawer; it gets no device, and numpy arrays as colours and inputs."""
        self.drawers[kind] = drawer

    def configure(self, **options: Any) -> None:
        """Note options; a new size is the screen's from the next frame on."""
        check_options(options)
        self.options.update(options)
        if "size" in options and self._open:
            width, height = options["size"]
            self._size = (max(int(width), 1), max(int(height), 1))

    def present(self) -> None:
        """Nothing: there is nowhere to show it."""

    def close(self) -> None:
        """Give the memory back."""
        self._open, self._size = False, (0, 0)
        self._pages = Pages()
        self._surfaces.clear()
        self._kept.clear()

    def pixels(self, target: str = "screen") -> npt.NDArray[Any]:
        """A copy of a target's picture: uint8 (h, w, 4) premultiplied, or float32 for the float formats."""
        base, _, attachment = target.partition(":")
        surface = self._surfaces.get(base)
        if surface is None and base == "screen" and self._open:
            surface = self._surface(Target("screen", clear=((0.0, 0.0, 0.0, 1.0),)))
            surface.clear()
        if surface is None:
            raise UnknownName(f"no target is called '{base}'", given=base, choices=["screen", *self._surfaces])
        picture = surface.channels(int(attachment or 0)).copy()
        if surface.opaque and not attachment:
            picture[..., 3] = 255
        return picture

    def draw(self, frame: Frame) -> DrawStats:
        """Draw a whole frame."""
        if not self._open:
            raise BackendError("the backend 'software' is not open", hint="Call open(title, size) first")
        stats = DrawStats()
        steps = frame.steps()
        for target in frame.targets.values():
            self._surface(target)
        for step in steps:
            self._draw_step(frame, step, stats)
        return stats

    def _surface(self, target: Target) -> Surface:
        """The surface of a target, made anew where its form has changed."""
        size = target.pixel_size(self._size)
        surface = self._surfaces.get(target.name)
        if surface is None or surface.form != (size, target.formats, target.depth):
            surface = self._surfaces[target.name] = Surface(target, size, opaque=target.name == "screen")
            surface.clear()
        surface.target = target
        return surface

    def _draw_step(self, frame: Frame, step: Step, stats: DrawStats) -> None:
        stats.passes += 1
        inputs = self._inputs(step.pass_)
        for name in step.clears:
            self._surfaces[name].clear()
        surface = self._joined(step.pass_)
        scene = Scene(frame, step.pass_, surface, self._pages, inputs)
        for batch in step.batches:
            self._draw_batch(scene, batch, stats)

    def _inputs(self, pass_: Pass) -> dict[str, tuple[Surface, int]]:
        """What the pass may read; a target that it draws onto as well is copied."""
        found: dict[str, tuple[Surface, int]] = {}
        copies: dict[str, Surface] = {}
        for name in pass_.inputs:
            base, _, attachment = name.partition(":")
            surface = self._surfaces[base]
            if base in pass_.targets:
                surface = copies.setdefault(base, surface.copy())
            found[name] = (surface, int(attachment or 0))
        return found

    def _joined(self, pass_: Pass) -> Surface:
        """What a pass draws onto: its target, or the attachments of several one after another."""
        surfaces = [self._surfaces[name] for name in pass_.targets]
        if len(surfaces) == 1:
            return surfaces[0]
        joined = Surface.__new__(Surface)
        joined.target, joined.size, joined.opaque = surfaces[0].target, surfaces[0].size, surfaces[0].opaque
        joined.colours = [colour for surface in surfaces for colour in surface.colours]
        joined.depth = next((s.depth for s in surfaces if s.depth is not None), None)
        return joined

    def _draw_batch(self, scene: Scene, batch: Batch, stats: DrawStats) -> None:
        if batch.count == 0:
            return
        if batch.material is not None:
            stats.skip(f"material:{batch.material.name}", "no such material here; the plain picture is drawn")
        drawer = self.drawers.get(batch.kind)
        if drawer is not None:
            why = missing_needs(drawer, self)
        else:
            why = None if batch.kind in ORDERS else "no drawer for this kind"
        if why is None:
            try:
                self._hand_over(drawer, scene, batch, stats)
            except Unable as reason:
                why = str(reason)
        if why is not None:
            stats.skip(batch.kind, why)
            return
        stats.draw_calls += 1
        stats.instances += batch.count

    def _hand_over(self, drawer: Drawer | None, scene: Scene, batch: Batch, stats: DrawStats) -> None:
        surface = scene.surface
        if drawer is None:
            for order in self._orders(scene, batch, stats):
                order.kernel(surface.colours[order.attachment], *order.arguments)
            return
        inputs = {name: found.channels(number) for name, (found, number) in scene.inputs.items()}
        colours = [surface.channels(number) for number in range(len(surface.colours))]
        drawer.draw(None, DrawTarget(surface.size, colours, surface.depth, inputs, scene.frame), batch, scene.pass_)

    def _orders(self, scene: Scene, batch: Batch, stats: DrawStats) -> list[Order]:
        """What to call for a batch; the same as last time where nothing changed that it depends on."""
        stamp = (batch.version, scene.stamp)
        kept = self._kept.get(batch)
        if batch.version is not None and kept is not None and kept[0] == stamp:
            stats.static_batches += 1
            return kept[1]
        wrong = batch.problem()
        if wrong is not None:
            raise Unable(wrong)
        orders = ORDERS[batch.kind](scene, batch)
        if batch.version is not None and not isinstance(batch.texture, str):
            self._kept[batch] = (stamp, orders)
        return orders
