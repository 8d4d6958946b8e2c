"""Painting: draws the batches of a pass in order, as kernel calls, band by band and with all threads.

Kernel calls are collected until some code needs the pixels that they produce (a drawer, a fallback, the end of the
pass). Then all of them run for one band of rows after another.
"""

from __future__ import annotations

from operator import attrgetter

from rish_frame import Backend, Batch, Drawer, DrawStats, DrawTarget, PerVersion, missing_needs

from ..shared import Unable
from .drawing import ORDERS
from .fallbacks import Fallbacks
from .scene import KernelCall, PassContext
from .sprites import band_rows
from .surfaces import Surface

_STATE = attrgetter("clip", "origin", "unit", "blend", "filter")

TOGETHER = 300_000.0
"""Nanoseconds; calls whose estimated time is less are run by one thread."""
NS_CLEAR = 0.1
"""Nanoseconds to clear a byte."""


class Painter:
    """Draws passes for a backend; it holds only caches, which can be computed again."""

    def __init__(self, backend: Backend, drawers: dict[str, Drawer]) -> None:
        self.backend = backend
        self.drawers = drawers
        self.fallbacks = Fallbacks()
        self._orders = PerVersion[list[KernelCall]]()

    def forget(self) -> None:
        """Clear the caches."""
        self._orders.clear()

    def draw(self, scene: PassContext, batches: list[Batch], clears: list[Surface]) -> DrawStats:
        """Draw a pass. clears: the surfaces to clear first."""
        stats = DrawStats(passes=1)
        round_ = _Round(scene, clears)
        for batch in batches:
            self._draw_batch(round_, batch, stats)
        round_.flush()
        return stats

    def _draw_batch(self, round_: _Round, batch: Batch, stats: DrawStats) -> None:
        if batch.count == 0:
            return
        drawer = self.drawers.get(batch.kind)
        why = missing_needs(drawer, self.backend) if drawer is not None or batch.kind not in ORDERS else None
        if why is None:
            try:
                self._hand_over(round_, drawer, batch, stats)
            except Unable as reason:
                why = str(reason)
        if why is not None:
            stats.skip(batch.kind, why)
            return
        stats.draw_calls += 1
        stats.instances += batch.count

    def _hand_over(self, round_: _Round, drawer: Drawer | None, batch: Batch, stats: DrawStats) -> None:
        scene, surface = round_.scene, round_.scene.surface
        if drawer is not None:
            round_.flush()
            inputs = {name: source.channels(number) for name, (source, number) in scene.inputs.items()}
            colors = [surface.channels(number) for number in range(len(surface.colors))]
            target = DrawTarget(
                surface.size, colors, surface.depth, inputs, scene.frame, run=scene.workers.run, cleared=scene.cleared
            )
            drawer.draw(None, target, batch, scene.pass_)
            return
        orders = self._orders_of(scene, batch, stats)
        shader = self.fallbacks.find(scene, batch, stats)
        if shader is not None:
            round_.flush()
            if self.fallbacks.draw(scene, batch, shader, stats):
                orders = [order for order in orders if order.attachment]
        round_.add(orders)

    def _orders_of(self, scene: PassContext, batch: Batch, stats: DrawStats) -> list[KernelCall]:
        """Return the kernel calls of a batch; the cached ones if nothing changed that they depend on."""
        key = (*_STATE(batch), scene.key)
        orders = self._orders.get(batch, key)
        if orders is not None:
            stats.static_batches += 1
            return orders
        wrong = batch.problem()
        if wrong is not None:
            raise Unable(wrong)
        orders = ORDERS[batch.kind](scene, batch)
        return orders if isinstance(batch.texture, str) else self._orders.put(batch, orders, key)


class _Round:
    """The kernel calls of one pass that did not run yet."""

    def __init__(self, scene: PassContext, clears: list[Surface]) -> None:
        self.scene = scene
        self.clears = clears
        self._waiting: list[KernelCall] = []
        self._begun = False

    def add(self, orders: list[KernelCall]) -> None:
        """Append kernel calls."""
        self._waiting += orders

    def flush(self) -> None:
        """Run all collected kernel calls; the first time, also clear the surfaces."""
        if self._begun and not self._waiting:
            return
        width, height = self.scene.surface.size
        effort = sum(order.effort for order in self._waiting)
        if not self._begun:
            effort += NS_CLEAR * sum(color.nbytes for surface in self.clears for color in surface.colors)
        whole = self.scene.workers.threads == 1 or effort < TOGETHER
        step = height if whole else band_rows(width)
        self.scene.workers.run([(y, min(y + step, height)) for y in range(0, height, step)], self._draw_rows)
        self._waiting, self._begun = [], True

    def _draw_rows(self, first: int, last: int) -> None:
        if not self._begun:
            for surface in self.clears:
                surface.clear(first, last)
        colors = self.scene.surface.colors
        for kernel, attachment, arguments, _, (low, high) in self._waiting:
            if low < last and high > first:
                kernel(colors[attachment], first, last, *arguments)
