"""A game that is edited: its text in memory, whichever scene is open, until it is saved.

    project = Project(app)
    history = History(app.world)
    project.follow(history)
    project.go("level2")        # keeps the edits of this scene in memory
    project.edit(lambda text: set_title(text, "Yard"))
    project.save()

`text` is what the App was built from; the edits of the open scene are only in the World, so that undo is exact. What
would be saved is always computed from both.
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
from rish_ecs.snapshots import write_whole

from ..references.changing import FileChange
from ..references.steps import FileSteps
from ..saving.plan import SavePlan, save_plan
from ..text.game_text import GameText
from ..text.partial import PartialManifest, parsed_for
from ..tree.marks import Authored, Previews
from ..tree.order import Arranged
from ..undo.history import History
from .applying import TextChange, prepare_text, said_later
from .sections import plugin_names

_OF_TOOLS = (Arranged, Authored, Previews)
"""What tools keep in the World; an edited World has them from the beginning, so that it can restore those of a copy."""
_REMOVE = "Remove these components first"


class Project:
    """The texts of a game and its running App.

    text: what the App was built from. files: the files that were renamed and deleted, as steps of the history. waiting:
    makes the context in which other plugins begin, which may take seconds. Raises UsageError if the files can't be
    read.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self.text = GameText(app.manifest)
        self.files = FileSteps(self._files_changed)
        self.waiting: Callable[[], AbstractContextManager[Any]] = nullcontext
        self._history: History | None = None
        self._stamps = self._stamped()
        for kept in _OF_TOOLS:
            if kept not in app.world:
                app.world.put(kept())

    @property
    def scene(self) -> str:
        """The name of the open scene."""
        return self.app.world[Scenes].current

    def plan(self) -> SavePlan:
        """Return what saving the open scene changes in the text."""
        return save_plan(self.app, self.text.copy())

    @property
    def dirty(self) -> bool:
        """Whether saving would change a file. The open scene is compared with its text: takes as long as saving."""
        plan = self.plan()
        return bool(plan.problems) or bool(plan.finish(partial=True).changed)

    # Scenes

    def go(self, scene: str, *, include: Iterable[int] = (), partial: bool = False) -> None:
        """Open another scene; the edits of this one go into the text in memory.

        include, partial: as for `SavePlan.apply`. Raises UnknownName, and UsageError if the scene can't be expressed as
        text; then nothing has changed.
        """
        self.app.game.scene(scene)
        self._start(self.plan().finish(include=include, partial=partial), scene)

    def _start(self, text: GameText, scene: str) -> list[str]:
        """Continue with a text, and spawn one of its scenes into the emptied World; return what `_apply` returns."""
        said = self._apply(text, entities=False)
        world = self.app.world
        every = world.entities.generation[: world.entities.used].astype(np.int64) << 32 | np.arange(world.entities.used)
        world.despawn(every[world.entities.state[: world.entities.used] == 1])
        for kept in _OF_TOOLS:
            world.put(kept())
        world[Scenes].go(scene)
        self.app.border()
        return said

    # Edits of the text

    def edit(self, change: Callable[[GameText], Any], *, drop: bool = False) -> list[str]:
        """Change the text, and apply that to the App; return what takes effect when the game is opened again.

        The edits of the open scene stay. Plugins that the text names begin, and others end; within a group of the
        history that is a part of its step. drop: also if entities lose components by that. Raises ManifestError,
        PluginError or UsageError, which say what is wrong or still used; then nothing has changed.
        """
        text = self.text.copy()
        change(text)
        try:
            return self._apply(text, drop=drop)
        except ManifestError:
            before, now = plugin_names(self.text), plugin_names(text)
            if before == now:
                raise
            used = self._used_of({*before} - {*now})
            if used and not drop:
                raise UsageError(_still_used(used), hint=_REMOVE) from None
        text = self.plan().finish()  # the scene may no longer use what its text still names
        change(text)
        return self._start(text, self.scene)

    def _apply(self, text: GameText, *, entities: bool = True, drop: bool = True) -> list[str]:
        if text.plain == self.text.plain:
            self.text = text  # the files may have been written or read meanwhile
            return []
        made = prepare_text(self.app, text)
        if made.lost and not drop:
            raise UsageError(_still_used(made.lost), hint=_REMOVE)
        if made.switches:
            self._switch(text.plain, made, entities=entities)
            self.text.read.update(text.read)  # the files may have been read again
        else:
            made.apply(entities)
            self.text = text
        return said_later(made)

    def _used_of(self, plugins: Collection[str]) -> dict[str, int]:
        """Return how many entities have each component of plugins, by full name."""
        mine = {plugin.namespace for plugin in self.app.plugins.all if plugin.name in plugins}
        tables = [table for table in self.app.world.tables.values() if table.schema.owner in mine]
        return {table.schema.key: len(table) for table in tables if len(table)}

    def _switch(self, plain: dict[Path, str], made: TextChange, *, entities: bool) -> None:
        """Begin and end plugins, as a part of the open group of the history if there is one."""
        before, checked = self.text.plain, [made]
        own = any(plugin.name == GAME for plugin in self.app.plugins.all)

        def put(forward: bool) -> None:
            text = self.text.with_texts(plain if forward else before)
            with self.waiting():
                if checked:
                    checked.pop().apply(entities)
                else:
                    prepare_text(self.app, text, own=forward or own).apply(False)
            self.text = text

        if self._history is not None and self._history.open:
            self._history.redeclare(put)
        else:
            put(True)

    def follow(self, history: History) -> None:
        """Make text and files part of each step of a history, so that edits of the text, changes of scene, and renamed
        and deleted files are undone."""  # fmt: skip
        self._history = history
        self.files.follow(history)
        history.follow("text", lambda: self.text.plain, self._put)

    def _put(self, plain: dict[Path, str]) -> None:
        self._apply(self.text.with_texts(plain), entities=False)

    # Files

    def rename(self, texts: dict[Path, str]) -> None:
        """Continue with texts after files were renamed: other paths, and other names in them; the World has them too.

        Raises ManifestError; then nothing has changed.
        """
        self._apply(self.text.with_texts(texts), entities=False)

    def _files_changed(self, change: FileChange, made: bool) -> None:
        """Take over what is now written in the files of the game, and what was loaded of files that have changed."""
        read = self.text.read
        for source, target in change.moves if made else [(new, old) for old, new in change.moves]:
            for path in [each for each in read if each == source or each.is_relative_to(source)]:
                read[target / path.relative_to(source)] = read.pop(path)
        for path, before, after in change.contents:
            where = path if made else change.before(path)
            if where in read:
                read[where] = after if made else before
        self._stamps = self._stamped()
        change.tell(self.app.world[Assets], self.text.main.parent)

    def save(
        self, *, include: Iterable[int] = (), partial: bool = False, write: Callable[[Path, bytes], None] = write_whole
    ) -> list[Path]:  # fmt: skip
        """Write the files of all edits, each completely or not at all; return their paths.

        include, partial: as for `SavePlan.apply`. Raises UsageError if something can't be expressed as text, if another
        program has changed a file meanwhile, or if a file can't be written; the edits stay in memory.
        """
        try:
            return self.plan().finish(include=include, partial=partial).save(write=write)
        finally:
            self._stamps = self._stamped()

    def changed_outside(self) -> list[Path]:
        """Return the files that another program has changed. Files with the same time and size are not read again."""
        now = self._stamped()
        if now == self._stamps:
            return []
        found = self.text.changed_outside
        if not found:
            self._stamps = now
        return found

    def outside(self) -> GameText:
        """Return the text as the files have it now. Raises ManifestError with places for a text with mistakes, except
        for those with which the game was opened.
        """  # fmt: skip
        manifest = read_manifest(self.text.main, self.app.manifest.overrides)
        if not isinstance(self.app.manifest, PartialManifest) or manifest.main is None or manifest.main.problems:
            manifest.require()
        text = GameText(manifest)
        prepare_text(self.app, text)
        return text

    def reload(self, *, discard: bool = False) -> list[str]:
        """Take over the files that another program has changed, and spawn the open scene again, within a group of the
        history if that goes on. Plugins that they name begin, and others end. Return what takes effect when the game is
        opened again.

        discard: drop unsaved edits. Raises UsageError if there are such, ManifestError for a text with mistakes, and
        PluginError for plugins that can't be used; then nothing has changed.
        """
        if not discard and self.dirty:
            named = ", ".join(map(shorten_path, self.changed_outside())) or "a file"
            raise UsageError(f"{named} was changed, and there are unsaved edits", hint="Give discard=True to drop them")
        text = self.outside()
        understood = parsed_for(self.app, text)
        said = self._start(text, self.scene if self.scene in understood.scenes else understood.start)
        self._stamps = self._stamped()
        return said

    def _stamped(self) -> dict[Path, tuple[int, int] | None]:
        """Return time and size of each file, None for one that can't be read."""
        made: dict[Path, tuple[int, int] | None] = {}
        for path in self.text.read:
            try:
                found = path.stat()
                made[path] = found.st_mtime_ns, found.st_size
            except OSError:
                made[path] = None
        return made


def _still_used(lost: Mapping[str, int]) -> str:
    """Return a sentence on the entities that have components of a plugin."""
    one = [f"{count} {'entity has' if count == 1 else 'entities have'} {key}" for key, count in lost.items()]
    return f"the plugin is still used: {', '.join(one)}"
