"""The system that repeats what is held, once a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Input
from rish_ecs import Stage, system
from rish_frame import Frame

from ..tree.context import Context
from ..tree.state import UiState
from .handler import repeat

if TYPE_CHECKING:
    from rish_ecs import World


@system(Stage.FIRST, reads=Input)
def repeat_keys(world: World, dt: float) -> None:
    """Repeat held directions and keys of text fields."""
    state: UiState = world[UiState]
    if state.repeats and world[Frame].typesetter is not None:
        repeat(Context(world, state))
