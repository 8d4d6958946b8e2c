"""`Themes`: the theme of the settings, compiled again when the settings or its files change."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_assets import AssetLibrary, AssetReader
from rish_core import AssetError, Assets
from rish_ecs import Problem, did_you_mean, resource

from ..components.settings import UiSettings
from .compiling import Find, compile_theme
from .reading import DEFAULT, LOADERS, SUFFIX, ThemeText, read_theme_text
from .theme import Theme

if TYPE_CHECKING:
    from rish_ecs import World

SHIPPED = ("dark", "light", "contrast")
"""The themes that ship with the plugin, for settings and `extends:`."""
_FOLDER = Path(__file__).parent / "shipped"
_BASE = "base"


@resource(derived=True)
class Themes:
    """The theme in use. version: increases whenever `current` returns another theme. problems: of the theme's files.

    `UiSettings.scale` is not in the styles: it multiplies all lengths, so apply it to the whole picture. Text sizes
    contain `text_scale`, and with `reduced_motion` all transitions last 0 seconds.
    """

    def __init__(self) -> None:
        self.version = 0
        self.problems: list[Problem] = []
        self.library = AssetLibrary[Theme | None]("theme", self._compile, placeholder=lambda: None, log="rish.ui")
        self._theme: Theme | None = None
        self._plain = _shipped_theme(DEFAULT)
        self._used: tuple[Theme, float, bool] | None = None

    def current(self, world: World) -> Theme:
        """Return the theme of the settings.

        A theme with mistakes is reported in the log, and the former one stays in use; at the start, that is `dark`.
        """
        settings: UiSettings = world[UiSettings]
        name = settings.theme
        if name in SHIPPED:
            self._plain, self.problems = _shipped_theme(name), []
        else:
            self._plain = self.library.get(world, name) or self._plain
        use = (self._plain, settings.text_scale, not settings.reduced_motion)
        if self._theme is None or use != self._used:
            self._theme, self._used = self._plain.scaled(use[1], motion=use[2]), use
            self.version += 1
        return self._theme

    def names(self, world: World) -> list[str]:
        """Return the themes that a player can choose: those that ship with the plugin, and the files of the game."""
        return [*SHIPPED, *(world[Assets].files(*LOADERS) if Assets in world else ())]

    def _compile(self, name: str, read: AssetReader) -> Theme:
        """Return the theme of a name. Raises AssetError with all mistakes."""
        theme, self.problems = compile_theme(name, finder(read.assets, read))
        if theme is None:
            in_use = "its former version" if self._plain.name == name else f"'{self._plain.name}'"
            lines = "\n  ".join(map(str, self.problems))
            raise AssetError(f"the theme {name} has mistakes, so {in_use} stays in use:\n  {lines}")
        return theme


def finder(assets: Assets, load: Callable[[str], Any] | None = None) -> Find:
    """Return a function that finds themes by name or path: the shipped ones, and the files that assets has.

    load: reads a file, None for `assets.load`.
    """
    load = load or assets.load

    def find(name: str) -> ThemeText | str:
        if name in (*SHIPPED, _BASE):
            return _shipped_text(name)
        if not name.endswith(tuple(LOADERS)):
            names = [*SHIPPED, *assets.files(*LOADERS)]
            return f"there is no theme {name!r}{did_you_mean(name, names)}. Choices: {', '.join(names[:12])}"
        try:
            return load(name)
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
