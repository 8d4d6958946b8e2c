"""The plugin that is checked: its package, its module, its declarations, and the games in which it is tried."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import Distribution, distribution
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rish_core import builtin
from rish_core.plugin import Candidate, build_registry, installed_plugins, load_plugins
from rish_ecs import Place, UnknownName, place_of, shorten_path
from rish_ecs.declarations import ResourceSpec, resource_spec

from .clause import EXITS, Finding
from .closure import OnlyDependencies
from .sample import fitted, make_sample, with_settings
from .trial_run import TICKS, frames, prepare

if TYPE_CHECKING:
    from rish_core import App, Plugins, Registry

    from ..strict.errors import StrictError
    from .process_state import Surroundings
    from .sample import Sample
    from .trial_run import Trial

OWN_GAME = "conformance"
"""The folder in a plugin's package with a game for what can't be made from declarations."""


class Subject:
    """An installed plugin while it is checked, in a process of its own.

    name: of the plugin. scratch: an empty folder for its games. seed: of everything that is drawn. before: what the
    process was like before the plugin was imported. Raises UnknownName if no such plugin is installed.
    """

    def __init__(self, name: str, scratch: Path, seed: int, before: Surroundings | None = None) -> None:
        self.name = name
        self.scratch = scratch
        self.seed = seed
        self.before = before
        self.installed = installed_plugins()
        found = next((each for each in self.installed if each.name == name), None)
        if found is None:
            raise UnknownName(
                f"no plugin '{name}' is installed", given=name, choices={each.name for each in self.installed}
            )
        self.candidate: Candidate = found
        self.dependencies = OnlyDependencies(found.distribution, self.extras)
        self.leaving: list[Finding] = []
        self.trials: dict[Path, Trial] = {}
        self.others: dict[Path, dict[str, Trial]] = {}
        self.variables: set[str] = set()
        self.kept: dict[str, str] = {}
        self.used: set[type] = set()
        self.strict_faults: list[StrictError] | None = None
        self.import_cost: tuple[float, set[str]] = (0.0, set())

    # The package

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras of the package that the entry point names: `box = "rish_dialogue.box [box]"`."""
        points = self.distribution.entry_points.select(group="rish.plugins", name=self.name)
        return tuple(sorted(extra for point in points for extra in point.extras))

    @cached_property
    def distribution(self) -> Distribution:
        """The installed package that offers the plugin."""
        return distribution(self.candidate.distribution)

    @property
    def top(self) -> str:
        """The top-level module or package, such as `rish_wind`."""
        return self.candidate.value.partition(":")[0].partition(".")[0].strip()

    @cached_property
    def folder(self) -> Path:
        """The folder of the top-level package, or the file of a module that is no package."""
        spec = importlib.util.find_spec(self.top)
        if spec is None or spec.origin is None:
            raise UnknownName(f"'{self.name}' is not where its entry point says, {self.candidate.value}")
        origin = Path(spec.origin)
        return origin.parent if spec.submodule_search_locations else origin

    def owns(self, file: str) -> bool:
        """Whether a file of source code belongs to the plugin's package."""
        path = Path(file)
        return path == self.folder or self.folder in path.parents

    def owns_class(self, cls: type) -> bool:
        """Whether a class is defined in the plugin's package."""
        return cls.__module__.partition(".")[0] == self.top

    @cached_property
    def module(self) -> Any:
        """The plugin: its module, or the object that the entry point names."""
        return self.candidate.load()

    def load(self) -> None:
        """Import the plugin."""
        assert self.module is not None

    @property
    def is_loaded(self) -> bool:
        """Whether the plugin was imported without an error."""
        return "module" in vars(self)

    @property
    def loaded(self) -> dict[str, ModuleType]:
        """The modules of the package that are imported so far."""
        named = {name: found for name, found in sys.modules.items() if name.partition(".")[0] == self.top}
        return {name: found for name, found in named.items() if isinstance(found, ModuleType)}

    @property
    def place(self) -> Place:
        """The file of the plugin."""
        file = getattr(self.module, "__file__", None)
        return Place(shorten_path(file), 1) if file else place_of(type(self.module))

    def place_of_hook(self, hook: str) -> Place:
        """The line of a hook's function."""
        return place_of(getattr(self.module, hook))

    # What it declares

    @cached_property
    def plugins(self) -> Plugins:
        """The plugin and those that it requires, loaded."""
        return load_plugins([self.name], core=builtin, installed=self.installed, policy="raise")

    @cached_property
    def registry(self) -> Registry:
        """The declarations of these plugins."""
        return build_registry(self.plugins)

    def own(self, what: str) -> list[str]:
        """Return the names of what the plugin itself declares: `own("component")`."""
        return [name for (word, name), owner in self.registry.owners.items() if word == what and owner == self.name]

    def registry_spec(self, cls: type) -> ResourceSpec | None:
        """Return the declaration of a resource that is state and that the plugin declares, or None."""
        spec = resource_spec(cls)
        is_own = spec is not None and not spec.derived and self.registry.owners.get(("resource", spec.key)) == self.name
        return spec if is_own else None

    # The games

    @cached_property
    def sample(self) -> Sample:
        """The game made of its declarations."""
        return self._fitted("sample", make_sample(self.registry, self.name, self.seed))

    @cached_property
    def settings_sample(self) -> Sample:
        """The same with drawn settings."""
        return self._fitted("settings", with_settings(self.sample, self.registry, self.name, self.seed))

    def _fitted(self, folder: str, sample: Sample) -> Sample:
        """Take out of a sample what the plugin refuses, and write its manifest into a folder of the scratch."""
        sample.path = self.scratch / folder / "game.yaml"
        sample.path.parent.mkdir(exist_ok=True)

        def read(data: dict[str, Any]) -> None:
            sample.path.write_text(_yaml(data), encoding="utf-8", newline="\n")
            with self.open(sample.path) as app:
                prepare(app)
                for _ in frames(app, TICKS):
                    pass

        fitted(sample, read)
        return sample

    @cached_property
    def games(self) -> list[Path]:
        """The manifests of the games: the sample, and the game in the package if it has one."""
        own = self.folder / OWN_GAME / "game.yaml" if self.folder.is_dir() else None
        return [self.sample.path, *([own] if own is not None and own.is_file() else [])]

    def open(self, game: Path, **options: Any) -> App:
        """Return an App of a game, without a window; failures are raised."""
        from rish_core import App, read_manifest

        framed = any(plugin.name == "frame" for plugin in self.plugins)
        shown = {"backend": "null"} if framed else {}
        return App(read_manifest(game), headless=True, installed=self.installed, policy="raise", **{**shown, **options})

    @contextmanager
    def playing(self, game: Path, **options: Any) -> Iterator[App]:
        """A game that is closed at the end; a plugin that asks for the end of the process is noted."""
        try:
            with self.open(game, **options) as app:
                yield app
        except BaseException as error:
            self.note_leaving(error)
            raise

    def note_leaving(self, error: BaseException | None) -> None:
        """Note if a SystemExit is among the causes of an error."""
        while error is not None:
            if isinstance(error, SystemExit):
                finding = Finding.of(error, EXITS)
                what = f"it called sys.exit({error.code!r})"
                left = Finding(what, finding.where, "Raise an error with a message instead", EXITS)
                self.leaving += [left] if left not in self.leaving else []
                return
            error = error.__cause__


def _yaml(data: dict[str, Any]) -> str:
    import yaml

    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
