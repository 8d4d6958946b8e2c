"""`Locales`: the texts of a game in the language of the settings, read again when the settings or files change."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_assets import AssetLibrary, AssetReader, LogOnce
from rish_core import AssetError, Assets, Failures
from rish_core.manifest import Report
from rish_ecs import did_you_mean, resource
from rish_expressions import Bound, ExpressionError, Template

from ..components.settings import UiSettings
from .catalog import SUFFIXES, Catalog, catalog_of, languages_of, read_catalog, read_catalog_file
from .languages import chain, direction, matching, own_name, system_language
from .message import Message, key_of, plain_of

if TYPE_CHECKING:
    from rish_ecs import World

SHIPPED = Path(__file__).parent / "shipped"
"""The folder with the texts of screens that ship with the plugin."""
_log = logging.getLogger("rish.ui")
Sources = Mapping[str, Path | Mapping[str, Any]]


@resource(derived=True)
class Locales:
    """The texts in use. language: the chosen one of the available languages. version: increases when texts may differ.
    right_to_left: whether the language is written from right to left. sources: the texts of plugins, by plugin.
    `update` reads the settings; all methods that take a World call it.
    """

    def __init__(self) -> None:
        self.version = 0
        self.language = "en"
        self.right_to_left = False
        self.rows: tuple[str, ...] = ()
        self._sources: Sources = {"ui": SHIPPED}
        self._of_plugins: dict[str, list[Catalog]] | None = None
        self._of_game: dict[str, Catalog] = {}
        self._chain: list[Catalog] = []
        self._used: Any = None
        self._log = LogOnce("rish.ui")
        self._problems: dict[str, list[str]] = {}
        self.library = AssetLibrary("folder of texts", self._read, placeholder=dict[str, Catalog], log="rish.ui")

    def use(self, sources: Sources) -> None:
        """Use texts of plugins: the folder, or the texts by language and key, of each plugin; later ones win."""
        self._sources, self._of_plugins = dict(sources), None

    def update(self, world: World) -> int:
        """Read the settings and files that have changed, and return the version."""
        settings: UiSettings = world[UiSettings]
        if self._of_plugins is None:
            report = Report(())
            self._of_plugins = catalogs_of(self._sources, report)
            self._report("", [f"{problem} (the text is left out)" for problem in report.problems])
        of_game = self.library.get(world, settings.locale) if Assets in world else {}
        use = (settings.language, settings.fallback, self._of_plugins, of_game)
        if use != self._used:
            self._of_game, self._used = of_game, use
            self._choose(settings.language or system_language(), settings.fallback)
            self.version += 1
        return self.version

    def message(self, world: World, key: str) -> Message | None:
        """Return a text with its plural forms, from the first language that has it; None, logged once, if none has."""
        self.update(world)
        for catalog in self._chain:
            if key in catalog:
                return catalog[key]
        if key not in self._log:
            keys = [each for catalog in self._chain for each in catalog]
            self._log(f"no language has the text {key!r}{did_you_mean(key, keys)}", key=key)
        return None

    def has(self, world: World, key: str) -> bool:
        """Return True if the chosen language, or one of its fallbacks, has a text with the key."""
        self.update(world)
        return any(key in catalog for catalog in self._chain)

    def bind(self, world: World, text: str, names: Mapping[str, str] | Iterable[str] = (), **options: Any) -> Bound:
        """Return a text of a widget as an expression for the shown text: a key's translation, or the filled template.

        names, options: as for `Template.bind`. A key that no language has is shown itself. Raises ExpressionError for a
        template that is wrong or names something that the World does not have.
        """
        key = key_of(text)
        if key is None:
            return Template.parse(plain_of(text)).bind(world, names, **options)
        message = self.message(world, key)
        if message is None:
            return Bound(text, lambda values: key, "text", constant=True)
        return message.bind(world, names, **options)

    def text(self, world: World, key: str, values: Mapping[str, Any] | None = None) -> str:
        """Return the complete text of a key, with these values and those of the World; the key itself if it is missing.

        A number among the values chooses the plural form. A text that can't be filled in is logged once, and returned
        as it is written.
        """
        message = self.message(world, key)
        if message is None:
            return key
        numbers = values or {}
        try:
            return message.bind(world, _types(numbers))(numbers)
        except ExpressionError as error:
            if self._log(f"the text {key} in {message.language}: {error}", key=str(error)):
                world[Failures].note(f"the text {key} in {message.language}", "")
            return message.form()

    def languages(self, world: World) -> dict[str, str]:
        """Return the names of the languages by their tags, the fallback first.

        They are those of the game, or if it has no texts of its own, those of plugins. A name is in the language
        itself, as its text `language.self` or the data of CLDR says.
        """
        self.update(world)
        first = matching(world[UiSettings].fallback, self._known())
        tags = dict.fromkeys([*first[:1], *sorted(self._known())])
        return {tag: self._own_name(tag) for tag in tags}

    def _known(self) -> list[str]:
        return list(self._of_game or self._of_plugins or ())

    def _own_name(self, tag: str) -> str:
        for catalog in (self._of_game.get(tag, {}), *(self._of_plugins or {}).get(tag, ())):
            if "language.self" in catalog:
                return catalog["language.self"].form()
        return own_name(tag)

    def _choose(self, wanted: str, fallback: str) -> None:
        """Choose the language, and the catalogs in which texts are looked up: of each language, the game's first."""
        matches = matching(wanted, self._known())
        if not matches:
            wanted = fallback
            matches = matching(fallback, self._known()) or [fallback]
        self.language = matches[0]
        self.right_to_left = direction(self.language) == "rtl"
        plugins = self._of_plugins or {}
        tags = chain(wanted, fallback, dict.fromkeys([*self._of_game, *plugins]))
        self._chain = [each for tag in tags for each in (self._of_game.get(tag, {}), *plugins.get(tag, ()))]
        self._log.forget()

    def _read(self, folder: str, read: AssetReader) -> dict[str, Catalog]:
        """Return the texts in the files of a folder, by language; those with mistakes are left out."""
        catalogs: dict[str, Catalog] = {}
        report, problems = Report(()), list[str]()
        for language, path in languages_of(read.files(folder, *SUFFIXES), folder).items():
            try:
                data = read(path)
            except AssetError as error:
                problems.append(str(error))
                continue
            catalogs[language] = read_catalog(language, data, report, path)
        self._report(folder, problems + [f"{problem} (the text is left out)" for problem in report.problems])
        return catalogs

    def _report(self, source: str, problems: list[str]) -> None:
        """Log the problems that the texts of a source did not have before."""
        for problem in problems:
            if problem not in self._problems.get(source, ()):
                _log.error("%s", problem)
        self._problems[source] = problems


def language_rows(world: World) -> Sequence[str]:
    """Return the languages that a player can choose, as options `tag = name`.

    It is the same object as long as the languages are the same.
    """
    locales: Locales = world[Locales]
    rows = tuple(f"{tag} = {name}" for tag, name in locales.languages(world).items())
    if rows != locales.rows:
        locales.rows = rows
    return locales.rows


def catalogs_of(sources: Sources, report: Report) -> dict[str, list[Catalog]]:
    """Return the catalogs of plugins by language, the last plugin first."""
    catalogs: dict[str, list[Catalog]] = {}
    for plugin, source in sources.items():
        if isinstance(source, Path):
            files = sorted(path for path in source.iterdir() if path.suffix in SUFFIXES)
            of_plugin = {path.stem: read_catalog_file(path, report) for path in files}
        else:
            of_plugin = {tag: catalog_of(tag, texts, f"plugin {plugin}", report) for tag, texts in source.items()}
        for tag, catalog in of_plugin.items():
            catalogs.setdefault(tag, []).insert(0, catalog)
    return catalogs


def _types(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the types of values in the words of expressions."""
    return {
        name: "truth" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "text"
        for name, value in values.items()
    }
