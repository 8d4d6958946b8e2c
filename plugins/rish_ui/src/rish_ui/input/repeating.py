"""The system that repeats held keys and directions, once a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Input
from rish_ecs import Stage, system
from rish_frame import Frame

from ..tree.context import Context
from ..tree.state import UiState
from .handler import repeat
from .scrolling import roll

if TYPE_CHECKING:
    from rish_ecs import World


@system(Stage.FIRST, reads=Input)
def repeat_keys(world: World, dt: float) -> None:
    """Repeat held directions and keys of text fields, and scroll by sticks that are pushed."""
    state: UiState = world[UiState]
    if (state.repeats or state.rolling) and world[Frame].typesetter is not None:
        ui = Context(world, state)
        repeat(ui)
        roll(ui)
