"""Rows for the lists of the shipped screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..locales import Locales
from ..themes import SUFFIX, Themes
from ..tree.state import UiState

if TYPE_CHECKING:
    from rish_ecs import World


def theme_rows(world: World) -> Sequence[str]:
    """Return the themes that a player can choose, as options `name = text`, with the files of the game first.

    The text of a theme is that of the key `ui.themes.NAME`, otherwise its name. It is the same object as long as the
    themes are the same.
    """
    memory = world[UiState].memory
    names = sorted(world[Themes].names(world), key=lambda name: not name.endswith(SUFFIX))
    rows = tuple(f"{name} = {_text(world, world[Locales], name)}" for name in names)
    if rows != memory.get("themes"):
        memory["themes"] = rows
    return memory["themes"]


def _text(world: World, locales: Locales, name: str) -> str:
    stem = name.removesuffix(SUFFIX).rpartition("/")[2]
    key = f"ui.themes.{stem}"
    return locales.text(world, key) if locales.has(world, key) else stem.replace("_", " ").capitalize()
