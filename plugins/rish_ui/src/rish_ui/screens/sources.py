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
    locales: Locales = world[Locales]
    stamp = (tuple(world[Themes].names(world)), locales.update(world))
    if memory.get("themes", ((), ()))[0] != stamp:
        names = sorted(stamp[0], key=lambda name: not name.endswith(SUFFIX))
        memory["themes"] = (stamp, tuple(f"{name} = {_text(world, locales, name)}" for name in names))
    return memory["themes"][1]


def _text(world: World, locales: Locales, name: str) -> str:
    stem = name.removesuffix(SUFFIX).rpartition("/")[2]
    key = f"ui.themes.{stem}"
    return locales.text(world, key) if locales.has(world, key) else stem.replace("_", " ").capitalize()
