"""Game: the opened game, its World, its history of edits, and its picture."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import AssetFiles, Entry, History, Project
from rish_core import App, Name, Scenes, find
from rish_frame import PerVersion
from rish_render import drawn_boxes

from .play import Change, Play, PlayState
from .preparing import Preparation
from .previews import Spawned
from .selection import Selection

if TYPE_CHECKING:
    from rish_core import Snapshot, World
    from rish_render import View
    from rish_space3d import SpaceView

    from .surface import Lines, Surface

Point = tuple[float, float]
RENAMED = "renamed"
"""The name under which steps of the history have the renamed and deleted files."""


class Game:
    """A game that is edited.

    app: the game, which only runs while it is played. history: the steps that can be undone; the selection is part of
    them. saved: the step after which the game was saved last. recovered: whether there are unsaved edits that no step
    has made. project: the texts of the game, and its scenes. raw: by entity, the parts of its text that are not
    understood, such as components of a missing plugin; saving keeps them. locked: entities that scene views do not
    select. spawned: the entities that come from other files, which can't be edited. preparation: compiles the kernels
    of the game. waited: how long a run has waited for the compiling, seconds.
    """

    def __init__(self, app: App, surface: Surface) -> None:
        self.app = app
        self.surface = surface
        self.selection = Selection()
        self.project = Project(app)
        self.raw: dict[int, dict[str, Any]] = {}
        self.play = Play(self)
        self.preparation = Preparation(app)
        self.waited = 0.0
        self.locked: set[int] = set()
        self.spawned = Spawned(self)
        self._reloads = 0
        self.begin_history()

    @property
    def world(self) -> World:
        """The World that is edited, or of the run."""
        return self.app.world

    @property
    def assets(self) -> AssetFiles:
        """The files of the game, which can be renamed and deleted with their uses."""
        return AssetFiles(self.project, self.app.registry.of("rish_editor_references").values())

    @property
    def count(self) -> int:
        """The number of entities."""
        entities = self.world.entities
        return int(np.count_nonzero(entities.state[: entities.used] == 1))

    @property
    def path(self) -> Path:
        """The folder of the game."""
        return Path(self.app.manifest.root or ".")

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.app.manifest.title

    @property
    def editing(self) -> bool:
        """Whether the World is the edited one, not that of a run."""
        return self.play.state is PlayState.EDIT

    @property
    def last_edit(self) -> Entry | None:
        """The last step of the history that changed more than the selection and the open scene, None without one."""
        return next((step for step in reversed(self.history.done) if _edits(step)), None)

    @property
    def dirty(self) -> bool:
        """Whether there are edits that are not saved."""
        return self.recovered or self.last_edit is not self.saved

    @property
    def differs(self) -> bool:
        """Whether the World may differ from the text that the App was built from."""
        return self.recovered or self._dropped or any(map(_edits, self.history.done))

    @contextmanager
    def keeping_dirt(self) -> Generator[None]:
        """Keep whether there are unsaved edits over a block that may load other code.

        The steps of the history are adapted to the new declarations of the World, or dropped, see `History`.
        """
        dirty, same = self.dirty, PerVersion[bool]()
        same.put(self.history, True)
        try:
            yield
        finally:
            steps = self.history.done[:]
            if self.editing:
                self.history.take_outside()
            if steps and not self.history.done:
                self.saved, self.recovered, self._dropped = None, dirty, True
            elif not same.get(self.history):
                self._older = [*self.history.done, *self.history.undone]

    @property
    def scene(self) -> str:
        """The name of the open scene."""
        return self.project.scene

    @property
    def scenes(self) -> tuple[str, ...]:
        """The names of all scenes."""
        return self.world[Scenes].names

    @property
    def waits(self) -> bool:
        """Whether a run waits for kernels to compile, also before it begins."""
        preparation = self.preparation
        return preparation.then is not None or (self.play.state is PlayState.PLAYING and bool(preparation.pending))

    def stop_waiting(self) -> None:
        """Do not begin the run, or pause it; the kernels that it waits for go on compiling."""
        self.preparation.then = None
        if self.play.state is PlayState.PLAYING:
            self.play.pause()

    def edited_state(self) -> Snapshot:
        """Return a copy of the edited World, also while the game is played."""
        return self.play.edited or self.world.snapshot()

    def begin_history(self, *, recovered: bool = False) -> None:
        """Start an empty history. recovered: whether World and text differ from the files."""
        self.play.arrange(True)
        self.refresh()  # otherwise the first picture changes poses, outside of a step of the history
        self.spawned.update()
        self.selection.prune(self.world)
        self.history = History(self.world)
        self.history.follow("selection", lambda: self.selection.chosen, self.selection.set)
        self.history.follow("scene", lambda: self.scene, lambda name: None)
        self.history.follow("files", lambda: self._reloads, lambda count: None)
        self.project.follow(self.history)
        self.saved: Entry | None = None
        self.recovered, self._dropped = recovered, False
        self._older: list[Entry] = []

    def close(self) -> None:
        """Close the game."""
        self.preparation.close()
        self.app.close()

    # Editing

    @contextmanager
    def edit(self, name: str, *, merge: Hashable = None) -> Generator[None]:
        """Make one step of the history of all changes in the block; while the game runs, they are not recorded.

        name: in the imperative, as menus show it. merge: consecutive edits with the same key, such as the frames of one
        drag, become one step.
        """
        if not self.editing:
            yield
            return
        with self.history.group(name, merge=merge):
            yield
            self.preparation.ask()
            self.refresh()
            self.spawned.update()

    def set(
        self, handles: Iterable[int], cls: type, field: str, value: Any, *, name: str = "", merge: Hashable = None
    ) -> None:  # fmt: skip
        """Set a field of a component of some entities; entities without the component are left out, and those that come
        from other files.

        value: one value for all, or a numpy array with a row for each entity. merge: see `edit`. While the game runs
        the change is listed, see `Play.changes`. Raises UsageError for a value that the field can't have.
        """
        entities = np.fromiter(handles, np.int64)
        editable = (self.world.table(cls).rows_of(entities) >= 0) & ~self.spawned.fixed(entities)
        entities, rows = entities[editable], isinstance(value, np.ndarray) and len(value) == len(editable)
        if not len(entities):
            return
        new_value = value[editable] if rows and value.ndim == len(cls.__kind__.fields[field].type.shape) + 1 else value
        title = name or f"Set {cls.__name__}.{field}"
        if self.editing:
            with self.edit(title, merge=merge):
                self.world.set(entities, cls(**{field: new_value}))
            return
        before = [self.read(handle, cls, field) for handle in entities.tolist()]
        self.world.set(entities, cls(**{field: new_value}))
        after = [self.read(handle, cls, field) for handle in entities.tolist()]
        changes = zip(entities.tolist(), before, after, strict=True)
        self.play.note(title, [Change(handle, cls, field, old, new) for handle, old, new in changes], merge)

    def take_back(self, merge: Hashable) -> None:
        """Undo the last edits if they have this merge key, without a step to redo, such as a drag that Escape ends."""
        if not self.editing:
            self.play.take_back(merge)
        else:
            self.history.take_back(merge)
            self.spawned.settle()

    def follow_files(self) -> None:
        """Spawn the previews of files that were read again; call it between frames. It counts as no edit."""
        if not self.editing or not self.spawned.reloaded:
            return
        with self.history.group("Read the changed files"):
            self._reloads += 1
            self.spawned.update()

    def read(self, handle: int, cls: type, field: str) -> Any:
        """Return the value of a field; texts as str, enums as members, arrays as copies."""
        table = self.world.table(cls)
        value = table.read_row(field, table.row_of(handle))
        return value.copy() if isinstance(value, np.ndarray) else value

    def lock(self, handles: Iterable[int], locked: bool = True) -> None:
        """Set whether scene views select entities."""
        (self.locked.update if locked else self.locked.difference_update)(handles)

    def undo(self) -> str | None:
        """Undo the last step; return its name, None if there is none.

        Raises UsageError for a step that has changed files which another program has changed since.
        """
        if not self.editing:
            name = self.play.undoable
            self.play.undo()
            return name
        self._require_files(self.history.done, 0)
        return self._moved(self.history.undo())

    def redo(self) -> str | None:
        """Do a step again; return its name, None if there is none. Raises UsageError, see `undo`."""
        if self.editing:
            self._require_files(self.history.undone, 1)
        return self._moved(self.history.redo() if self.editing else None)

    def _moved(self, entry: Entry | None) -> str | None:
        """Note that a step was undone or done again; return its name.

        A step that is older than a reload of code may restore values that the text does not have: the defaults of the
        old code.
        """
        self.spawned.settle()
        self.recovered |= entry in self._older
        return entry.name if entry is not None else None

    def _require_files(self, steps: list[Entry], side: int) -> None:
        """Raise UsageError if the last of some steps has changed files and can't change them now."""
        if steps and RENAMED in steps[-1].followed:
            self.project.files.require(steps[-1].followed[RENAMED][side])

    def drawn_box(self, handle: int) -> tuple[Point, Point] | None:
        """Return the box around what an entity draws, relative to it: lowest and highest corner; None for nothing."""
        [box] = drawn_boxes(self.world, [handle]).local.tolist()
        return ((box[0], box[1]), (box[2], box[3])) if np.isfinite(box).all() else None

    def named(self, names: Iterable[str]) -> list[int]:
        """Return the first entity with each of these names; names that no entity has are left out."""
        handles = [find(self.world, name) for name in names if name and not name.startswith("#")]
        return [handle for handle in handles if handle is not None]

    def name_of(self, handle: int) -> str:
        """Return the name of an entity as the editor shows it; its number if it has none."""
        table = self.world.table(Name)
        row = table.row_of(handle)
        name = str(table.read_row("value", row)) if row >= 0 else ""
        return name or f"#{handle & 0xFFFFFFFF}"

    # Drawing

    def refresh(self) -> None:
        """Compute again what is derived from the World, except by plugins whose kernels are not compiled yet."""
        with self.preparation.at_rest():
            self.app.refresh()

    def draw(
        self, size: tuple[int, int], view: View | None = None, *, plain: bool = False, space: SpaceView | None = None,
        lines: Lines | None = None,
    ) -> int:  # fmt: skip
        """Draw the World; return the number of a texture, valid until the next call. See `Surface.show`."""
        late = self.play.state is PlayState.PLAYING and not self.preparation.pending
        with self.preparation.at_rest():
            return self.surface.show(self.app, size, view, late=late, plain=plain, space=space, lines=lines)


def _edits(step: Entry) -> bool:
    if RENAMED in step.followed:  # it is on the disk already
        return False
    return "text" in step.followed or (not step.followed.keys() & {"scene", "files"} and any(step.parts))
