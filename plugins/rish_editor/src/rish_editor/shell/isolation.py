"""Keeps the frame alive when a part of it raises."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from imgui_bundle import imgui

if TYPE_CHECKING:
    from ..ui.ui import UI

Failure = (Exception, SystemExit)
"""What a part of the interface may raise without ending the editor."""


@contextmanager
def isolated(ui: UI) -> Generator[None]:
    """If the block raises, end the windows, tables, popups and styles that it has left open, then raise."""
    state = imgui.internal.ErrorRecoveryState()
    imgui.internal.error_recovery_store_state(state)
    path = list(ui._path)
    try:
        yield
    except BaseException:
        imgui.internal.error_recovery_try_to_recover_state(state)
        ui._path[:] = path
        raise
