"""Importing files of the computer into the game: chosen in a dialogue, or dropped onto the window."""

from __future__ import annotations

import os
import re
import shutil
import stat
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rish_core.manifest import FILE_NAME
from rish_system import home, is_device

from ...session.catalog import known_plugins
from ...shell.dialogs import Choice
from ..plugins.switching import switch_on
from ..targets import the_game
from .copying import Copying, Pair
from .writing import free_path, show_file, shown_folder

if TYPE_CHECKING:
    from rish_core import App

    from ...session.editor import Editor

_MAX_FILES = 10_000
"""The greatest number of files of one import."""
_LARGE = 500_000_000
"""Bytes from which on the user is asked first."""
_READERS = {"audio": ".wav .ogg .mp3 .flac", "scene3d": ".gltf .glb"}
"""The suffixes of files that plugins of this project read without declaring a loader, by plugin."""
_WRONG = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]')


@dataclass
class Plan:
    """The plan of an import. pairs: source and target of each copy. refused: messages about files that are left out.
    renamed: names that a file can't have everywhere, with those that are used instead."""

    pairs: list[Pair] = field(default_factory=list[Pair])
    refused: list[str] = field(default_factory=list[str])
    renamed: list[str] = field(default_factory=list[str])

    @property
    def existing(self) -> list[Pair]:
        """The copies whose targets exist already."""
        return [pair for pair in self.pairs if pair[1].exists()]


def import_asset(editor: Editor, folder: str | None = None, paths: Sequence[Path] = ()) -> None:
    """Import files; ask for them if there are none. folder: of the game, None for that of the panel Assets."""
    into = shown_folder(editor) if folder is None else folder
    if paths:
        import_files(editor, paths, into)
        return
    editor.dialogs.choose_files(
        editor.tr("Import files"), lambda paths: import_files(editor, paths, into), start=home()
    )


def import_files(editor: Editor, paths: Sequence[Path], folder: str | None = None) -> None:
    """Copy files and folders into a folder of the game; ask first if they replace files or are large.

    folder: None for the one that the panel Assets shows. What can't be imported is listed, and so are files that no
    plugin of the game reads.
    """
    game, tr = the_game(editor), editor.tr
    into = shown_folder(editor) if folder is None else folder
    plan = plan_import(editor, paths, game.path / into)
    size = sum(source.stat().st_size for source, _ in plan.pairs if source.exists())
    if plan.pairs and size > shutil.disk_usage(game.path).free:
        plan.refused.append(tr("There is no room for {count} MB on the disk", count=f"{size / 1e6:,.0f}"))
        plan.pairs.clear()

    def copy(answer: str = "replace") -> None:
        existing = set(plan.existing)
        if answer == "both":
            plan.pairs[:] = [(source, free_path(target)) for source, target in plan.pairs]
        elif answer == "skip":
            plan.pairs[:] = [pair for pair in plan.pairs if pair not in existing]
        elif answer == "cancel":
            return
        _start(editor, plan, into)

    cancel = Choice("cancel", tr("Cancel"))
    if plan.existing:
        both, skip = Choice("both", tr("Keep both"), "primary"), Choice("skip", tr("Skip these"))
        names = [target.relative_to(game.path).as_posix() for _, target in plan.existing]
        editor.dialogs.ask(
            tr("Files exist already"), tr("The game has files with these names. Replacing can't be undone."),
            [both, Choice("replace", tr("Replace"), "danger"), skip, cancel], copy, details=names, level="warning",
        )  # fmt: skip
    elif size > _LARGE:
        editor.dialogs.ask(
            tr("Import files"), tr("They are {count} MB. Import them?", count=f"{size / 1e6:,.0f}"),
            [Choice("replace", tr("Import"), "primary"), cancel], copy,
        )  # fmt: skip
    else:
        copy()


def plan_import(editor: Editor, paths: Iterable[Path], into: Path) -> Plan:
    """Return what importing files and folders into a folder of the game does."""
    plan, tr, root = Plan(), editor.tr, the_game(editor).path.resolve()
    for path in paths:
        name = path.name or str(path)
        try:
            place = path.resolve()
            mode = path.stat().st_mode
        except (OSError, RuntimeError) as error:
            plan.refused.append(f"{name}: {getattr(error, 'strerror', None) or error}")
            continue
        if place.is_relative_to(root):
            plan.refused.append(f"{name}: {tr('it is in the game already')}")
        elif root.is_relative_to(place):
            plan.refused.append(f"{name}: {tr('it contains the game')}")
        elif stat.S_ISDIR(mode):
            _add_folder(editor, plan, path, into / _clean(plan, name))
        elif not stat.S_ISREG(mode):
            plan.refused.append(f"{name}: {tr('it is no file')}")
        elif into.resolve() == root and name.lower() == FILE_NAME:
            plan.refused.append(f"{name}: {tr('the game has its own')}")
        else:
            plan.pairs.append((path, into / _clean(plan, name)))
    return plan


def _add_folder(editor: Editor, plan: Plan, folder: Path, into: Path) -> None:
    """Add the files of a folder and of those in it; hidden files, and links to folders, are left out."""
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._" or name == "_")
        target = into.joinpath(*(_clean(plan, part) for part in Path(above).relative_to(folder).parts))
        for name in sorted(names):
            source = Path(above) / name
            if name.startswith(".") or not source.is_file():
                continue
            if len(plan.pairs) >= _MAX_FILES:
                plan.refused.append(
                    editor.tr("{name}: it has more than {count} {count:file|files}", name=folder.name, count=_MAX_FILES)
                )
                return
            plan.pairs.append((source, target / _clean(plan, name)))


def _clean(plan: Plan, name: str) -> str:
    """Return a name that a file can have on every system; a changed one is noted in the plan."""
    cleaned = _WRONG.sub("_", unicodedata.normalize("NFC", name)).rstrip(". ").lstrip(".") or "_"
    cleaned = f"_{cleaned}" if is_device(cleaned) else cleaned
    renaming = f"{name} → {cleaned}"
    if cleaned != name and renaming not in plan.renamed:
        plan.renamed.append(renaming)
    return cleaned


def _start(editor: Editor, plan: Plan, into: str) -> None:
    game, tr = the_game(editor), editor.tr
    unread: dict[str, str] = {}

    def look(job: Copying) -> None:
        unread.update(unread_files(game.app, job.copied))

    job = Copying(tr("Import files"), plan.pairs, look)

    def finish() -> None:
        if editor.game is not game:
            return
        if job.copied:
            show_file(editor, job.copied[0].relative_to(game.path).as_posix())
            shown = into or game.path.name
            count = len(job.copied)
            message = tr("Imported {name} into {folder}", name=job.copied[0].name, folder=shown)
            several = tr("Imported {count} {count:file|files} into {folder}", count=count, folder=shown)
            editor.note(message if count == 1 else several, "ok")
        if job.cancelled:
            editor.note(tr("The import was cancelled"), "warning")
        details = [*plan.refused, *job.failed]
        details += [tr("Renamed: {names}", names=each) for each in plan.renamed] if job.copied else []
        for name, reader in unread.items():
            details.append(
                f"{name}: {tr('it needs the plugin {name}', name=reader) if reader else tr('no plugin reads it')}"
            )
        if details:
            _tell(editor, details, sorted({*unread.values()} - {""}))

    job.start(editor, finish)


def _tell(editor: Editor, details: list[str], plugins: list[str]) -> None:
    """List files that were not imported, were renamed, or are read by no plugin, and offer to switch on the plugins
    that read them."""
    tr = editor.tr
    choices = [Choice("close", tr("Close"))]
    if plugins:
        choices.insert(0, Choice("switch", tr("Switch on {plugin}", plugin=", ".join(plugins)), "primary"))

    def answered(answer: str) -> None:
        if answer == "switch":
            with the_game(editor).edit(tr("Switch on {plugin}", plugin=", ".join(plugins))):
                for plugin in plugins:
                    switch_on(editor, plugin)

    text = tr("Not all files can be used as they are:")
    editor.dialogs.ask(tr("Import files"), text, choices, answered, details=details, level="warning")


def unread_files(app: App, files: Iterable[Path]) -> dict[str, str]:
    """Return the names of files that no plugin of a game reads, each with the plugin that does; "" if none is known.

    Installed plugins of others are imported to find that out.
    """
    reader_of: dict[str, str] = {}
    for file in files:
        name = file.name.lower()
        if any(name.endswith(end) for end in (*app.registry.loaders, ".py")):
            continue
        readers = {end: plugin for plugin, ends in _READERS.items() for end in ends.split()}
        reader = readers.get(file.suffix.lower())
        if reader is None:
            reader = app.registry.offers("loader", without=known_plugins(app)).get(file.suffix.lower(), "")
        reader_of[file.name] = reader
    return reader_of
