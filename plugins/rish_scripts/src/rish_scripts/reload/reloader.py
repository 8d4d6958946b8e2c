"""The reloader: applies edited files at the tick border.

Code and manifest depend on each other, so they are applied together: all of the game's modules are loaded again without
replacing the old ones yet, and the manifest is read again and checked against them. If that fails, the game continues
with the old ones, the mistake is shown once with its place, and the next edit tries again. If only one of the two has a
mistake, the other is applied alone. So a field can be renamed in the code and then in the manifest, in two steps.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rish_assets import FileWatcher, report_changes
from rish_core import (
    Assets,
    Interventions,
    Manifest,
    PluginError,
    Stage,
    describe_error,
    message_of,
    read_asset,
    read_manifest,
    resource,
    system,
    text_of,
)
from rish_core.plugin import MAX_CODE, forget_game_plugin, load_game_plugin
from rish_ecs import RishError, place_of_error
from rish_reload import Renewal, prepare, put_back, reload_package, reread_manifest

from .edited_plugins import Developed
from .removed_state import RemovedState
from .sorting import Sorter
from .undo import Undo

if TYPE_CHECKING:
    from rish_core import App, World

_log = logging.getLogger("rish.reload")
_log.setLevel(logging.INFO)  # the author has just saved a file, so the line about the reload is always shown
_GOES_ON = "The game continues with the previous version"


@resource(derived=True)
class Reload:
    """Hot reload of one running game.

    count: the number of successful reloads. problems: the mistakes in the current files, a sentence each; tools may
    show them. mistake: the last one as an error, None after a reload. seconds: the duration of the last reload.
    """

    count: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        """Start without an App; `begin` sets it."""
        self.problems: list[str] = []
        self.mistake: BaseException | None = None
        self.watchers: list[FileWatcher] = []
        self.waiting: deque[Path] = deque()
        self._app: App | None = None
        self._code = self._text = False

    @property
    def on(self) -> bool:
        """Whether edits are applied."""
        return self._app is not None

    def begin(self, app: App, *, watch: bool = True, poll: bool = False, develop: Iterable[str] = ()) -> None:
        """Apply changes in the game's folder from now on; do nothing for a game without a folder.

        watch: watch the files; without it only paths passed to `changed` are reloaded. poll: see `FileWatcher`.
        develop: the names of installed plugins that are reloaded as well. If a tool decides about the game's files
        (`App.watches` is False), they are not watched, and the manifest is never reloaded here.
        """
        root = app.manifest.root
        if root is None or self.on:
            return
        self._app, self._sorter, self._removed = app, Sorter(app, root), RemovedState()
        self._removed.note(app.world)
        self._code = "game" in app.plugins.aside
        self._developed = Developed(app, develop)
        if watch:
            folders = {self._sorter.root: self._sorter.known()} if app.watches else {}
            folders |= {folder: self._developed.files(name) for name, folder in self._developed.folders.items()}
            for folder, known in folders.items():
                self.watchers.append(FileWatcher(folder, poll=poll, first=known, changed=self.waiting))
                self.watchers[-1].start()
            app.world[Assets].watched = app.watches or app.world[Assets].watched

    def end(self) -> None:
        """Stop watching. May be called twice."""
        for watcher in self.watchers:
            watcher.stop()
        if self._app is not None and self._app.watches:
            self._app.world[Assets].watched = False
        self._app = None
        self.watchers.clear()

    def changed(self, paths: Iterable[Path | str]) -> None:
        """Report changed files; they are reloaded at the next tick border."""
        self.waiting.extend(map(Path, paths))

    def take(self, world: World) -> None:
        """Reload the files that were reported; must be called at the tick border."""
        paths: list[Path] = []
        while self.waiting:
            paths.append(self.waiting.popleft())
        if self._app is None or not paths:
            return
        begin = time.perf_counter()
        packages = [name for name in self._developed.sort(paths) if self._renew_package(self._app, name)]
        self._code = self._code or (bool(packages) and self._sorter.plugin.is_file())  # it may import them
        changes = self._sorter.sort(paths, any_code=self._code, any_text=self._text)
        if not self._app.watches:
            changes.text.clear()
        self._code, self._text = self._code or bool(changes.code), self._text or bool(changes.text)
        reloaded = [f"the plugin {name}" for name in packages]
        reloaded += self._renew(self._app, [*changes.code, *changes.text]) if self._code or self._text else []
        reloaded += report_changes(world[Assets], changes.assets)
        if reloaded:
            self.count += 1
            self.seconds = time.perf_counter() - begin
            world[Interventions].note(f"reload of {', '.join(reloaded[:3])}{' ...' if len(reloaded) > 3 else ''}")
            self._removed.note(world)
            _log.info("reloaded %s in %.0f ms", ", ".join(reloaded), 1e3 * self.seconds)

    # Code and text

    def _renew_package(self, app: App, plugin: str) -> bool:
        """Reload the code of an installed plugin; return True if it succeeded."""
        name = self._developed.modules[plugin]
        try:
            module, before = reload_package(name)
            try:
                self._apply(app, prepare(app, module=module, plugin=plugin))
            except BaseException:
                put_back(name.partition(".")[0], before)
                raise
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._log_mistake(error)
            return False
        self._clear()
        return True

    def _renew(self, app: App, paths: list[Path]) -> list[str]:
        """Reload code and manifest, or only the one without mistakes; return the names of the applied files."""
        first: BaseException | None = None
        for code, text in dict.fromkeys([(self._code, self._text), (False, self._text), (self._code, False)]):
            if not (code or text):
                continue
            try:
                change = self._check(app, code, text)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                first = first or error
                continue
            try:
                self._apply(app, change)
            except RishError as error:
                self._log_mistake(error)
                return []
            self._code, self._text = self._code and not code, self._text and not text
            if first is None:
                self._clear()
            else:
                self._log_mistake(first)
            applied = [path for path in paths if (code if path.suffix == ".py" else text)]
            return [_name(path, self._sorter.root) for path in applied] or ["plugin.py" if code else "game.yaml"]
        if first is not None:
            self._log_mistake(first)
        return []

    def _check(self, app: App, code: bool, text: bool) -> Renewal:
        """Load and check code and manifest. Raises the mistake without changing anything."""
        module = self._load() if code else None
        try:
            manifest = self._read(app) if text else None
            try:
                return prepare(app, module=module, manifest=manifest)
            except Exception:
                if manifest is None or manifest.main is None or not manifest.main.reused:
                    raise
                return prepare(app, module=module, manifest=self._read(app, whole=True))  # it has exact places
        except BaseException:
            if module is not None:
                forget_game_plugin(module)
            raise

    def _apply(self, app: App, change: Renewal) -> None:
        """Apply a checked change."""
        self._removed.put_away(app.world, change.registry)
        undo, text = self._removed.undo, app.manifest
        change.on_text = undo.give_back if undo is not None else None
        try:
            change.apply()
        except BaseException:
            self._removed.note(app.world)
            module = next((plugin.module for plugin in change.plugins or () if plugin.name == "game"), None)
            if isinstance(module, ModuleType) and "game" in change.names:
                forget_game_plugin(module)
            raise
        self._removed.give_back(app.world, change.registry)
        if change.done.lost and change.former is not None:
            self._removed.undo = Undo(app.world, *change.former)
        elif change.manifest is not text:
            self._removed.undo = None
        if change.later:
            _log.warning("%s: the changes there take effect at the next start", ", ".join(change.later))

    def _load(self) -> ModuleType:
        path = self._sorter.plugin
        if path.is_file() and not read_asset(path, MAX_CODE).strip():
            raise PluginError("plugin.py is empty", where=str(path), hint="Save the complete file")
        return load_game_plugin(path, afresh=True)

    def _read(self, app: App, *, whole: bool = False) -> Manifest:
        old = app.manifest
        if old.path is None:
            raise PluginError("this game's manifest was not read from a file")
        if whole:
            return read_manifest(old.path, old.overrides).require()
        return reread_manifest(old.path, old.overrides, old).require()

    def _clear(self) -> None:
        """Forget the mistakes after a reload."""
        self.problems.clear()
        self.mistake = None

    def _log_mistake(self, error: BaseException) -> None:
        """Log a mistake, unless it was logged last."""
        sentence, self.mistake = sentence_of(error), error
        if self.problems != [sentence]:
            self.problems[:] = [sentence]
            _log.error("%s\n%s", sentence, _GOES_ON, extra={"about": error})


def sentence_of(error: BaseException) -> str:
    """Return an error as a sentence with its place."""
    if isinstance(error, RishError):
        return message_of(error)
    text = f"{type(error).__name__}: {text_of(error.msg)}" if isinstance(error, SyntaxError) else describe_error(error)
    return f"{place_of_error(error)}: {text}"


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def is_watched(setting: str, *, windowed: bool) -> bool:
    """Return whether the game's files are watched.

    setting: `settings: scripts: reload:`; auto means only with a window.
    """
    return setting in ("always", "poll") or (setting == "auto" and windowed)


@system(Stage.FIRST)
def look_for_edits(world: World, dt: float) -> None:
    """Defer the reload of changed files to the next tick border."""
    reload: Any = world[Reload]
    if reload.waiting:
        world.defer(reload.take)
