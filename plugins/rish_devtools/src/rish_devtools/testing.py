"""pytest fixtures: `rish_app` makes a game from a few lines, `rish_world` a bare World. pytest finds them by itself::

    def test_wind_blows(rish_app):
        app = rish_app({"scenes": {"main": [{"Body": {}, "Wind": {}}]}}, plugins={"wind": rish_wind})
        app.run(frames=60)

`rish_app` disables discovery: a test loads the plugins that it names and those that they require, and no others that
are installed on the machine. The game runs headless, in strict mode, and on the `null` backend if it is drawn. Any
exception of a plugin is raised.

`pytest --rish-conformance wind` checks the plugin `wind` by the clauses of `rish_devtools.conformance`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pytest

from rish_ecs import UnknownName

if TYPE_CHECKING:
    from rish_core import App, World
    from rish_frame import Backend

ManifestLike: TypeAlias = "Mapping[str, Any] | str | Path"
MakeApp: TypeAlias = "Callable[..., App]"
MakeWorld: TypeAlias = "Callable[..., World]"


class AppFactory:
    """The type of the fixture `rish_app`: a call returns an App; every App is closed when the test ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.apps: list[App] = []

    def __call__(
        self,
        manifest: ManifestLike | None = None,
        *,
        plugins: Mapping[str, object] | None = None,
        installed: Sequence[str] = (),
        backend: str | Backend | None = None,
        files: Mapping[str, str | bytes] | None = None,
        overrides: Sequence[str] = (),
        headless: bool = True,
        strict: bool = True,
        policy: str = "raise",
        **options: Any,
    ) -> App:
        """Make a game and return its App.

        manifest: a mapping, to which `rish`, `game` and the plugins named here are added; a text; or the path
        of a game's folder or file. plugins: modules or objects with hooks, by name, that need no entry point.
        installed: names of installed plugins to load, with those that they require. backend: a backend or its name,
        which loads the plugin `frame`; by default a new NullBackend if that plugin is loaded anyway. files:
        more files of the game's folder, by relative path, for a mapping or text. strict: load the plugin `strict`.
        Other options are passed to App.
        """
        from rish_core import App, read_manifest

        from . import strict as strict_mode

        candidates = _candidates([*installed, *(["frame"] if backend is not None else [])], plugins or {})
        framed = any(candidate.name == "frame" for candidate in candidates)
        source = self._source(manifest, [*(plugins or {}), *installed], files or {}, framed)
        if framed:
            from rish_frame import NullBackend

            options["backend"] = backend if backend is not None else NullBackend()
        app = App(
            read_manifest(source, overrides),
            headless=headless,
            more=["frame"] if backend is not None else [],
            extra={**({"strict": strict_mode} if strict else {}), **(plugins or {})},
            installed=candidates,
            policy=cast("Any", policy),
            **options,
        )
        self.apps.append(app)
        return app

    def _source(
        self, manifest: ManifestLike | None, names: list[str], files: Mapping[str, str | bytes], framed: bool
    ) -> Path:
        """Write the manifest to a file and return its path. framed: whether the game is drawn and needs a size."""
        if isinstance(manifest, Path):
            return manifest
        folder = self.folder / f"game{len(self.apps)}"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        text = textwrap.dedent(manifest) if isinstance(manifest, str) else _manifest_text(manifest or {}, names, framed)
        path = folder / "game.yaml"
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def close(self) -> None:
        """Close every App, in reverse order of creation."""
        while self.apps:
            self.apps.pop().close()


def _manifest_text(manifest: Mapping[str, Any], names: Iterable[str], framed: bool) -> str:
    """Return a mapping as YAML, with the keys added that every manifest needs."""
    import yaml

    game = {"title": "Test", "size": [64, 48]} if framed else {"title": "Test"}
    full: dict[str, Any] = {"rish": 1, "game": game, **manifest}
    listed = [str(wish) for wish in full.get("plugins", [])]
    full["plugins"] = listed + [name for name in names if not any(wish.startswith(name) for wish in listed)]
    full.setdefault("scenes", {"main": []})
    return yaml.safe_dump(full, sort_keys=False, allow_unicode=True)


def _candidates(names: Iterable[str], in_memory: Mapping[str, object]) -> list[Any]:
    """Return the installed plugins of these names and those that they and the plugins in memory require."""
    waiting = [*names, *(name for plugin in in_memory.values() for name in _required(plugin) if name not in in_memory)]
    if not waiting:
        return []
    from rish_core.plugin import installed_plugins

    installed = {candidate.name: candidate for candidate in installed_plugins()}
    chosen: dict[str, Any] = {}
    while waiting:
        name = waiting.pop(0)
        if name not in installed and name in names:
            raise UnknownName(f"no plugin '{name}' is installed", given=name, choices=installed)
        providers = [provider for provider in installed.values() if name in provider.contracts]
        for candidate in [installed[name]] if name in installed else [] if _provides(in_memory, name) else providers:
            if candidate.name not in chosen:
                chosen[candidate.name] = candidate
                waiting += _required(candidate.load())
    return list(chosen.values())


def _provides(in_memory: Mapping[str, object], contract: str) -> bool:
    """Return True if one of the plugins in memory provides a contract."""
    return any(contract in _names(plugin, "provides") for plugin in in_memory.values())


def _required(plugin: Any) -> list[str]:
    """Return the names of the plugins that `plugin` requires."""
    return _names(plugin, "requires")


def _names(plugin: Any, field: str) -> list[str]:
    """Return the names in a field of an About; empty if the plugin is faulty, which the App reports later."""
    try:
        return [entry.name for entry in getattr(plugin.rish_about(), field)]
    except KeyboardInterrupt:
        raise
    except BaseException:
        return []


@pytest.fixture
def rish_app(tmp_path: Path) -> Iterator[AppFactory]:
    """A function that creates a game without discovery of plugins, see `AppFactory`."""
    factory = AppFactory(tmp_path)
    yield factory
    factory.close()


@pytest.fixture
def rish_world() -> MakeWorld:
    """A function that makes a World: `rish_world(Body, Hit, seed=3, resources=[Settings()])`."""

    def make(*declared: type, resources: Iterable[Any] = (), **options: Any) -> World:
        from rish_ecs import World

        world = World(declared, **options)
        for resource in resources:
            world.put(resource)
        return world

    return make


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the conformance kit."""
    group = parser.getgroup("rish", "plugins of Rish")
    group.addoption(
        "--rish-conformance",
        action="append",
        default=[],
        metavar="PLUGIN",
        help="check installed plugins by the clauses of the conformance kit: names, with commas or repeated, or `all`; "
        "other tests run only if their files are named too",
    )
    group.addoption(
        "--rish-conformance-limit",
        type=float,
        metavar="SECONDS",
        default=300.0,
        help="how long a clause may take (300)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Leave out the tests of the folder if plugins are checked and no files are named."""
    if config.getoption("--rish-conformance") and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests of the conformance kit, before others select among all tests."""
    names: Any = config.getoption("--rish-conformance")
    limit: Any = config.getoption("--rish-conformance-limit")
    if names:
        from .conformance.testing import conformance_items

        items += conformance_items(session, names, limit)
