"""Adds a plugin to a game: it is checked, installed, written into the manifest, tried and locked, or undone."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import invalidate_caches
from pathlib import Path

from rish_authoring import GameText, add_plugin, plugin_names
from rish_cli import LOCK_FILE
from rish_core import RishError, read_manifest
from rish_ecs import UsageError, is_ours
from rish_jit.errors.metadata import plain_name
from rish_system import run_text, write_whole

from .installer import Installer, Tell, installed
from .sources import PluginSource, find_source, plugins_of


@dataclass(frozen=True)
class Added:
    """What `add_to_game` did. plugin: its name. packages: those that were installed, with their versions."""

    plugin: str
    packages: dict[str, str]


def install(wish: str, installer: Installer, tell: Tell) -> Added:
    """Install a plugin, after a check of what would change; the manifest of no game is touched.

    Raises UsageError if it does not fit, or if another package that is installed would be replaced.
    """
    source = find_source(wish, installer.wheels)
    before = installed()
    if source.words:
        _check_plan(source, installer, tell)
        try:
            installer.install(source.words, tell)
        except BaseException as error:
            _name_installed(error, before)
            raise
    invalidate_caches()
    names = plugins_of(source.package)
    new = {name: version for name, version in installed().items() if before.get(name) != version}
    plugin = wish if wish in names else names[0] if len(names) == 1 else ""
    if not plugin:
        what = f"{source.package} has {'several plugins' if names else 'no plugin of Rish'}"
        hint = f"Name one of them: {', '.join(names)}" if names else None
        raise _named(UsageError(what, hint=hint), new)
    return Added(plugin, new)


def _check_plan(source: PluginSource, installer: Installer, tell: Tell) -> None:
    """Raise UsageError if an installation would replace another package, or take one of ours from an index."""
    changes = [each for each in installer.plan(source.words, tell) if each.package != plain_name(source.package)]
    replaced = [each for each in changes if each.before is not None and each.before != each.after]
    if replaced:
        listed = ", ".join(f"{each.package} {each.before} by {each.after or 'another one'}" for each in replaced)
        hint = "Other plugins may need the installed versions. Use an environment of its own for this plugin"
        raise UsageError(f"installing {source.package} would replace {listed}", hint=hint)
    foreign = [each.package for each in changes if is_ours(each.package)]
    if foreign and "-e" not in source.words and installer.wheels is None:
        what = f"{source.package} needs {', '.join(foreign)} of Rish, which no index has yet"
        raise UsageError(what, hint="Install them first, as docs/how-to/install.md says")


def add_to_game(
    folder: Path, wish: str, installer: Installer, tell: Tell, *, optional: bool = False, options: Sequence[str] = ()
) -> Added:
    """Install a plugin, write it into a game's manifest, and lock the versions; restore the files if a step fails.

    options: for the commands that try the game, such as `--no-scripts`. Raises RishError, which names what was
    installed.
    """
    text = GameText(read_manifest(folder).require())
    added = install(wish, installer, tell)
    with restored_files(text, added.packages):
        present = plugin_names(text)
        if added.plugin in present:
            raise UsageError(f"the game has the plugin '{added.plugin}' already")
        add_plugin(text, f"{added.plugin}?" if optional else added.plugin)
        text.save()
        lock(text.main, tell, options)
    return added


@contextmanager
def restored_files(text: GameText, packages: dict[str, str]) -> Generator[None]:
    """Restore manifest and lock file if the block fails, and name the packages that were installed before it."""
    files = [*text.texts, text.main.parent / LOCK_FILE]
    before = {path: path.read_bytes() if path.exists() else None for path in files}
    try:
        yield
    except BaseException as error:
        for path, content in before.items():
            if content is None:
                with suppress(FileNotFoundError):
                    path.unlink()
            elif not path.exists() or path.read_bytes() != content:
                write_whole(path, content)
        if isinstance(error, RishError):
            raise _named(error, packages) from error
        raise


def lock(manifest: Path, tell: Tell, options: Sequence[str] = ()) -> None:
    """Check a game and write its lock file, in a new process, which finds new plugins. Raises UsageError."""
    tell(f"rish lock {manifest.parent}")
    command = [sys.executable, "-m", "rish_core", "lock", str(manifest), *options]
    done = run_text(command)
    if done.returncode != 0:
        raise UsageError(f"the game does not run so:\n{done.stderr.strip() or done.stdout.strip()}")


def _named(error: RishError, packages: dict[str, str]) -> RishError:
    """Add to an error which packages were installed and stay."""
    if packages:
        listed = ", ".join(f"{name} {version}" for name, version in packages.items())
        error.add_hint(f"Installed, and still there: {listed}. The game is unchanged")
    return error


def _name_installed(error: BaseException, before: dict[str, str]) -> None:
    new = {name: version for name, version in installed().items() if before.get(name) != version}
    if isinstance(error, RishError):
        _named(error, new)
