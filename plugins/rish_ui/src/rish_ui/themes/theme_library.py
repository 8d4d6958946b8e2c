"""`Themes`: the theme of the settings, compiled again when the settings or its files change."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rish_core import AssetError, Assets
from rish_ecs import Problem, did_you_mean, resource

from ..components.settings import UiSettings
from ..files.watching import FileWatch
from .compiling import Find, compile_theme
from .reading import DEFAULT, LOADERS, SUFFIX, ThemeText, read_theme_text
from .theme import Theme

if TYPE_CHECKING:
    from rish_ecs import World

SHIPPED = ("dark", "light", "contrast")
"""The themes that ship with the plugin, for settings and `extends:`."""
_FOLDER = Path(__file__).parent / "shipped"
_BASE = "base"
_log = logging.getLogger("rish.ui")
Wanted = tuple[str, float, bool]


@resource(derived=True)
class Themes:
    """The theme in use. version: increases whenever `current` returns another theme. problems: of the theme's files.

    `UiSettings.scale` is not in the styles: it multiplies all lengths, so apply it to the whole picture. Text sizes
    contain `text_scale`, and with `reduced_motion` all transitions last 0 seconds.
    """

    def __init__(self) -> None:
        self.version = 0
        self.problems: list[Problem] = []
        self._theme: Theme | None = None
        self._plain: Theme | None = None
        self._wanted: Wanted | None = None
        self._stale = False
        self._texts: dict[str, ThemeText | str] = {}
        self._told: set[str] = set()
        self._watched = 0
        self._watch = FileWatch()

    def rebuild(self, world: World) -> None:
        """Do nothing after a restore: the settings are read whenever the theme is requested."""

    def current(self, world: World) -> Theme:
        """Return the theme of the settings.

        A theme with mistakes is reported in the log, and the former one stays in use; at the start, that is `dark`.
        """
        settings: UiSettings = world[UiSettings]
        options = (settings.theme, settings.text_scale, not settings.reduced_motion)
        if self._theme is None or self._stale or options != self._wanted:
            self._use(world, options)
        assert self._theme is not None
        return self._theme

    def names(self, world: World) -> list[str]:
        """Return the themes that a player can choose: those that ship with the plugin, and the files of the game."""
        return [*SHIPPED, *(world[Assets].files(*LOADERS) if Assets in world else ())]

    def look(self, world: World) -> None:
        """Reload the theme's files if they were edited; to be called once a frame."""
        if self._watch.due() and Assets in world:
            self._watch.look(world[Assets], [path for path in self._texts if path not in (*SHIPPED, _BASE)])

    def _use(self, world: World, options: Wanted) -> None:
        name, text_scale, motion = options
        if self._stale or self._plain is None or self._plain.name != name:
            self._read(world, name)
        theme = self._plain or _shipped_theme(DEFAULT)
        self._wanted, self._stale = options, False
        self._theme = theme.scaled(text_scale, motion=motion)
        self.version += 1

    def _read(self, world: World, name: str) -> None:
        """Read a theme; one with mistakes is reported once, and changes nothing."""
        if name in SHIPPED:
            self._texts, self.problems = {}, []
            self._plain = _shipped_theme(name)
            return
        self._listen(world)
        texts: dict[str, ThemeText | str] = {}
        find = finder(world[Assets] if Assets in world else Assets())

        def noted(path: str) -> ThemeText | str:
            texts[path] = find(path)
            return texts[path]

        theme, self.problems = compile_theme(name, noted)
        self._texts = texts
        if theme is not None:
            self._plain = theme
            self._told.clear()
        else:
            self._tell(name)

    def _tell(self, name: str) -> None:
        lines = "\n  ".join(map(str, self.problems))
        if lines not in self._told:
            self._told.add(lines)
            name_in_use = self._plain.name if self._plain is not None else DEFAULT
            _log.error("the theme %s has mistakes, so %s stays in use:\n  %s", name, _same(name, name_in_use), lines)

    def _listen(self, world: World) -> None:
        if Assets in world and self._watched != id(world[Assets]):
            self._watched = id(world[Assets])
            world[Assets].on_reload(self._reloaded)

    def _reloaded(self, path: str) -> None:
        self._stale = self._stale or path in self._texts


def _same(name: str, name_in_use: str) -> str:
    return "its former version" if name_in_use == name else f"'{name_in_use}'"


def finder(assets: Assets) -> Find:
    """Return a function that finds themes by name or path: the shipped ones, and the files that assets has."""

    def find(name: str) -> ThemeText | str:
        if name in (*SHIPPED, _BASE):
            return _shipped_text(name)
        if not name.endswith(tuple(LOADERS)):
            names = [*SHIPPED, *assets.files(*LOADERS)]
            return f"there is no theme {name!r}{did_you_mean(name, names)}. Choices: {', '.join(names[:12])}"
        try:
            return assets.load(name)
        except AssetError as error:
            return error.what + (f". {error.hint}" if error.hint else "")

    return find


@cache
def _shipped_text(name: str) -> ThemeText:
    return read_theme_text(_FOLDER / f"{name}{SUFFIX}", f"rish_ui:themes/shipped/{name}{SUFFIX}")


@cache
def _shipped_theme(name: str) -> Theme:
    theme, problems = compile_theme(name, _shipped_text)
    assert theme is not None, problems
    return theme
