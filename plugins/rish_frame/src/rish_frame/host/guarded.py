"""Guarded drawers: they catch exceptions of plugins' drawers, which a backend calls in the middle of a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class GuardedDrawer:
    """A wrapper that disables a drawer when it raises: from then on its batches are not drawn.

    on_failure: called once with the exception; it may raise.
    """

    def __init__(self, drawer: Any, on_failure: Callable[[BaseException], object]) -> None:
        self.drawer = drawer
        self.failed = False
        self._on_failure = on_failure

    def __getattr__(self, name: str) -> Any:
        return getattr(self.drawer, name)

    @property
    def needs(self) -> frozenset[str]:
        """The capabilities that the drawer needs."""
        return self.drawer.needs

    def draw(self, device: Any, target: Any, batch: Any, pass_: Any) -> None:
        """Draw a batch with the drawer, see `Drawer.draw`."""
        if self.failed:
            return
        try:
            self.drawer.draw(device, target, batch, pass_)
        except (Exception, SystemExit) as error:
            self.failed = True
            self._on_failure(error)
