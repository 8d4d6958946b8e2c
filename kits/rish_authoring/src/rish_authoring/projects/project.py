"""A game that is edited: the text of all its scenes in memory until it is saved, and one open scene.

    project = Project(app)
    history = History(app.world)
    project.follow(history)
    project.go("level2")        # keeps the edits of this scene in memory
    project.edit(lambda text: set_title(text, "Yard"))
    project.save()

`text` is the text from which the App was built. The edits of the open scene are only in the World, so that undo is
exact. The text to save is always computed from both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import App, Assets, ManifestError, Scenes, UsageError, read_manifest
from rish_core.plugin import GAME
from rish_ecs import shorten_path
from rish_system import write_whole

from ..references.changing import FileChange
from ..references.steps import FileSteps
from ..saving.plan import SavePlan, save_plan
from ..text.game_text import GameText
from ..text.partial_manifest import PartialManifest, parsed_for
from ..tree.marks import Authored, Previews
from ..tree.order import Arranged
from ..undo.history import History
from .apply_changes import TextChange, notes_on_later, prepare_text
from .sections import plugin_names

_TOOL_RESOURCES = (Arranged, Authored, Previews)
"""The resources of tools. An edited World has them from the beginning, so that it can restore a snapshot with them."""
_REMOVE = "Remove these components first"


class Project:
    """The texts of a game and its running App.

    text: the text from which the App was built. files: renames and deletions of files, as steps of the history.
    waiting: returns the context in which plugins begin, which may take seconds. Raises UsageError if the files can't be
    read.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self.text = GameText(app.manifest)
        self.files = FileSteps(self._files_changed)
        self.waiting: Callable[[], AbstractContextManager[Any]] = nullcontext
        self._history: History | None = None
        self._stamps = self._stamped()
        for resource in _TOOL_RESOURCES:
            if resource not in app.world:
                app.world.put(resource())

    @property
    def scene(self) -> str:
        """The name of the open scene."""
        return self.app.world[Scenes].current

    def plan(self) -> SavePlan:
        """Return the plan of how saving the open scene changes the text."""
        return save_plan(self.app, self.text.copy())

    @property
    def dirty(self) -> bool:
        """Whether saving would change a file.

        This takes as long as saving, because the scene is compared with its text.
        """
        plan = self.plan()
        return bool(plan.problems) or bool(plan.finish(partial=True).changed)

    # Scenes

    def go(self, scene: str, *, include: Iterable[int] = (), partial: bool = False) -> None:
        """Open another scene. The edits of the present scene are written into the text in memory.

        include, partial: as for `SavePlan.apply`. Raises UnknownName, and UsageError if the scene can't be expressed as
        text; then nothing has changed.
        """
        self.app.game.scene(scene)
        self._start(self.plan().finish(include=include, partial=partial), scene)

    def _start(self, text: GameText, scene: str) -> list[str]:
        """Apply a text, and spawn one of its scenes into the emptied World; return the result of `_apply`."""
        notes = self._apply(text, entities=False)
        world = self.app.world
        handles = world.entities.generation[: world.entities.used].astype(np.int64) << 32 | np.arange(
            world.entities.used
        )
        world.despawn(handles[world.entities.state[: world.entities.used] == 1])
        for resource in _TOOL_RESOURCES:
            world.put(resource())
        world[Scenes].go(scene)
        self.app.border()
        return notes

    # Edits of the text

    def edit(self, change: Callable[[GameText], Any], *, drop: bool = False) -> list[str]:
        """Change the text and apply it to the App.

        Return a sentence for each change that takes effect only when the game is opened again.
        The edits of the open scene stay. Plugins that the text names begin, and others end; within a group of the
        history this is a part of its step. drop: apply the change even if entities lose components of plugins that end.
        Raises ManifestError, PluginError, and UsageError if a plugin is still used; then nothing has changed.
        """
        text = self.text.copy()
        change(text)
        try:
            return self._apply(text, drop=drop)
        except ManifestError:
            before, after = plugin_names(self.text), plugin_names(text)
            if before == after:
                raise
            used = self._used_of({*before} - {*after})
            if used and not drop:
                raise UsageError(_still_used(used), hint=_REMOVE) from None
        text = self.plan().finish()  # the scene may no longer use what its text still names
        change(text)
        return self._start(text, self.scene)

    def _apply(self, text: GameText, *, entities: bool = True, drop: bool = True) -> list[str]:
        """Make a text the present one and apply it to the App; return sentences as `edit` does."""
        if text.plain == self.text.plain:
            self.text = text  # the files may have been written or read meanwhile
            return []
        change = prepare_text(self.app, text)
        if change.lost and not drop:
            raise UsageError(_still_used(change.lost), hint=_REMOVE)
        if change.switches:
            self._switch(text.plain, change, entities=entities)
            self.text.read.update(text.read)  # the files may have been read again
        else:
            change.apply(entities)
            self.text = text
        return notes_on_later(change)

    def _used_of(self, plugins: Collection[str]) -> dict[str, int]:
        """Return the number of entities that have each component of some plugins, by full name."""
        namespaces = {plugin.namespace for plugin in self.app.plugins.all if plugin.name in plugins}
        tables = [table for table in self.app.world.tables.values() if table.schema.owner in namespaces]
        return {table.schema.key: len(table) for table in tables if len(table)}

    def _switch(self, contents: dict[Path, str], change: TextChange, *, entities: bool) -> None:
        """Begin and end plugins, as a part of the open group of the history if there is one.

        contents: the new texts by file. change: their checked change.
        """
        before, unapplied = self.text.plain, [change]
        own = any(plugin.name == GAME for plugin in self.app.plugins.all)

        def put(forward: bool) -> None:
            text = self.text.with_texts(contents if forward else before)
            with self.waiting():
                if unapplied:
                    unapplied.pop().apply(entities)
                else:
                    prepare_text(self.app, text, own=forward or own).apply(False)
            self.text = text

        if self._history is not None and self._history.open:
            self._history.redeclare(put)
        else:
            put(True)

    def follow(self, history: History) -> None:
        """Make the text and the files part of each step of a history.

        Then edits of the text, changes of scene, and renamed and deleted files are undone too.
        """
        self._history = history
        self.files.follow(history)
        history.follow("text", lambda: self.text.plain, self._put)

    def _put(self, contents: dict[Path, str]) -> None:
        """Apply the texts of a step of the history."""
        self._apply(self.text.with_texts(contents), entities=False)

    # Files

    def rename(self, texts: dict[Path, str]) -> None:
        """Apply texts after files were renamed, with the new names in them. The World must have the new names already.

        Raises ManifestError; then nothing has changed.
        """
        self._apply(self.text.with_texts(texts), entities=False)

    def _files_changed(self, change: FileChange, made: bool) -> None:
        """Update `text.read` and loaded assets after files were changed on the disk.

        made: whether the change was made; False: it was undone.
        """
        read = self.text.read
        for source, target in change.moves if made else [(new, old) for old, new in change.moves]:
            for path in [file for file in read if file == source or file.is_relative_to(source)]:
                read[target / path.relative_to(source)] = read.pop(path)
        for path, before, after in change.contents:
            read_path = path if made else change.before(path)
            if read_path in read:
                read[read_path] = after if made else before
        self._stamps = self._stamped()
        change.tell(self.app.world[Assets], self.text.main.parent)

    def save(
        self, *, include: Iterable[int] = (), partial: bool = False, write: Callable[[Path, bytes], None] = write_whole
    ) -> list[Path]:  # fmt: skip
        """Write the files of all edits, each completely or not at all; return their paths.

        include, partial: as for `SavePlan.apply`. Raises UsageError if something can't be expressed as text, if another
        program has changed a file meanwhile, or if a file can't be written; then the edits stay in memory.
        """
        try:
            return self.plan().finish(include=include, partial=partial).save(write=write)
        finally:
            self._stamps = self._stamped()

    def changed_outside(self) -> list[Path]:
        """Return the files that another program has changed.

        They are read only if the time or size of one is another.
        """
        stamps = self._stamped()
        if stamps == self._stamps:
            return []
        files = self.text.changed_outside
        if not files:
            self._stamps = stamps
        return files

    def outside(self) -> GameText:
        """Return the text that the files have now, and check it.

        Raises ManifestError with places for mistakes, unless the game was opened with mistakes.
        """
        manifest = read_manifest(self.text.main, self.app.manifest.overrides)
        if not isinstance(self.app.manifest, PartialManifest) or manifest.main is None or manifest.main.problems:
            manifest.require()
        text = GameText(manifest)
        prepare_text(self.app, text)
        return text

    def reload(self, *, discard: bool = False) -> list[str]:
        """Load the files that another program has changed, and spawn the open scene again.

        Plugins that the files name begin, and others end. If a group of the history is open, this is a part of it.
        Return a sentence for each change that needs a new start of the game. discard: drop unsaved edits. Raises
        UsageError if there are unsaved edits, ManifestError for a text with mistakes, and PluginError for plugins that
        can't be used; then nothing has changed.
        """
        if not discard and self.dirty:
            names = ", ".join(map(shorten_path, self.changed_outside())) or "a file"
            raise UsageError(f"{names} was changed, and there are unsaved edits", hint="Give discard=True to drop them")
        text = self.outside()
        manifest = parsed_for(self.app, text)
        notes = self._start(text, self.scene if self.scene in manifest.scenes else manifest.start)
        self._stamps = self._stamped()
        return notes

    def _stamped(self) -> dict[Path, tuple[int, int] | None]:
        """Return the time in nanoseconds and the size in bytes of each file; None for a file that can't be read."""
        stamps: dict[Path, tuple[int, int] | None] = {}
        for path in self.text.read:
            try:
                status = path.stat()
                stamps[path] = status.st_mtime_ns, status.st_size
            except OSError:
                stamps[path] = None
        return stamps


def _still_used(lost: Mapping[str, int]) -> str:
    """Return the message about entities that still have components of a plugin. lost: their numbers by component."""
    uses = [f"{count} {'entity has' if count == 1 else 'entities have'} {key}" for key, count in lost.items()]
    return f"the plugin is still used: {', '.join(uses)}"
