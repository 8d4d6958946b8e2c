"""The system that checks the files of themes and texts for edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs import Stage, system

from ..locales import Locales
from ..themes import Themes

if TYPE_CHECKING:
    from rish_ecs import World


@system(Stage.LAST, writes=(Themes, Locales))
def watch_files(world: World, dt: float) -> None:
    """Reload the themes and texts whose files were edited (system `ui.watch_files`)."""
    world[Themes].look(world)
    world[Locales].look(world)
