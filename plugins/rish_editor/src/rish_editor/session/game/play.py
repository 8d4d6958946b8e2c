"""Playing in the editor: the World is copied before a run and restored after it. Scenes that begin during a run contain
the unsaved edits.

Edits during a run change the running World and are listed, so that the user can keep them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from rish_authoring import Losses, RunText
from rish_core import RishError, Session, resource
from rish_ecs import SnapshotError, kind_of
from rish_reload import write_defaults
from rish_render import ToolView

if TYPE_CHECKING:
    from rish_core import Registry, Snapshot, World

    from .game import Game

_log = logging.getLogger("rish.editor")


class PlayState(Enum):
    """Whether the game is edited, is running, or is paused."""

    EDIT = "edit"
    PLAYING = "playing"
    PAUSED = "paused"


@resource(derived=True)
class Runs:
    """The resource of a World that runs in an editor. before_scene: a function that is called before another scene
    begins, between two ticks."""

    before_scene: Callable[[], object] | None = None


@dataclass
class Change:
    """A field that a user changed while the game ran. before: at the first change. kept: whether to keep it."""

    handle: int
    cls: type
    field: str
    before: Any
    after: Any
    kept: bool = True


@dataclass
class Play:
    """The run of a game.

    state: see PlayState. changes: what a user changed, by entity, component and field. lost: the unsaved edits that are
    missing from a scene that begins during the run, because its text can't contain them.
    """

    game: Game
    state: PlayState = PlayState.EDIT
    changes: dict[tuple[int, type, str], Change] = field(default_factory=dict[tuple[int, type, str], Change])
    lost: Losses = field(default_factory=Losses)
    _text: RunText | None = None
    _snapshot: Snapshot | None = None
    _registry: Registry | None = None
    _resting: tuple[str, ...] = ()
    _selected: list[int] = field(default_factory=list[int])
    _undo: list[tuple[str, list[Change], Hashable]] = field(default_factory=list[Any])

    @property
    def running(self) -> bool:
        """Whether the World is that of a run, also while it is paused."""
        return self.state is not PlayState.EDIT

    @property
    def edited(self) -> Snapshot | None:
        """The edited World, which `stop` restores; None while nothing runs."""
        return self._snapshot if self.running else None

    @property
    def disabled(self) -> tuple[str, ...]:
        """The systems that were disabled during the run, because they raised."""
        if not self.running:
            return ()
        return tuple(name for name in self.game.app.schedule.disabled if name not in self._resting)

    def start(self) -> None:
        """Copy the World and let it run."""
        if self.state is PlayState.PAUSED:
            self.state = PlayState.PLAYING
            self.game.app.clock.pause(False)
            return
        if self.running:
            return
        game = self.game
        game.history.take_outside()
        self._text = RunText(game.project) if game.differs else None
        self.lost = self._text.lost if self._text is not None else Losses()
        game.world[Runs].before_scene = self._before_scene
        self._snapshot, self._registry = game.world.snapshot(transient=True), game.app.registry
        game.spawned.clear()
        self.arrange(False)
        self._selected, self._resting = game.selection.handles, game.app.schedule.disabled
        self.changes.clear()
        self._undo.clear()
        game.app.clock.pause(False)
        self.state = PlayState.PLAYING

    def arrange(self, on: bool) -> None:
        """Set the views of the cameras to those at the begin of a run, or to those of the run."""
        if ToolView in self.game.world:
            self.game.world[ToolView].arranging = on

    def pause(self) -> None:
        """Pause or resume the run."""
        if self.state is PlayState.PLAYING:
            self.state = PlayState.PAUSED
            self.game.app.clock.pause()
        elif self.state is PlayState.PAUSED:
            self.start()

    def step(self) -> None:
        """Run one tick, then pause."""
        if not self.running:
            self.start()
        if self.state is PlayState.PLAYING:
            self.pause()
        self.game.app.clock.request_steps()

    def stop(self) -> list[Change]:
        """Restore the World from before the run; return the changes of the user, which can be kept."""
        if self._snapshot is None or self._registry is None:
            return []
        game = self.game
        for name in self.disabled:
            game.app.schedule.enable(name)  # the next run tries it again, perhaps with other code
        with game.keeping_dirt():
            if self._text is not None:
                self._text.put_back()
            _restore(game.world, self._snapshot)
            write_defaults(game.world, self._registry, game.app.game)  # of code that was loaded in the run
            game.world[Runs].before_scene = self._snapshot = self._registry = self._text = None
            self.state = PlayState.EDIT
        self.arrange(True)
        game.app.clock.pause(False)
        game.app.plugins_changed()
        game.selection.set(self._selected)
        game.selection.prune(game.world)
        changes = [change for change in self.changes.values() if _differs(change.before, change.after)]
        alive = [change for change in changes if game.world.alive(change.handle)]  # the run made and removed others
        return [change for change in alive if game.world.has(change.handle, change.cls)]

    def _before_scene(self) -> None:
        """Give a scene that begins the unsaved edits."""
        try:
            if self._text is not None:
                self._text.use()
        except RishError as error:
            _log.error("the scene begins without the unsaved edits: %s", error)

    def keep(self, changes: list[Change]) -> None:
        """Write changes of the last run into the edited World, as one step of its history."""
        chosen = [change for change in changes if change.kept]
        if not chosen:
            return
        with self.game.edit("Keep changes of the run"):
            for change in chosen:
                self.game.world.set(change.handle, change.cls(**{change.field: change.after}))

    def note(self, name: str, changes: list[Change], merge: Hashable = None) -> None:
        """Record changes of the user in the running World. merge: see `Game.edit`."""
        if merge is not None and self._undo and self._undo[-1][2] == merge:
            changes = _joined(self._undo.pop()[1], changes)
        self._undo.append((name, changes, merge))
        for change in changes:
            key = change.handle, change.cls, change.field
            earlier = self.changes.get(key)
            self.changes[key] = Change(*key, change.before if earlier is None else earlier.before, change.after)

    @property
    def steps(self) -> list[str]:
        """The names of the changes of the running World that can be undone, the latest last."""
        return [entry[0] for entry in self._undo]

    @property
    def undoable(self) -> str | None:
        """The name of the last change of the running World, None if there is none."""
        return self._undo[-1][0] if self._undo else None

    def undo(self) -> None:
        """Restore the values that the fields had before the last change."""
        if not self._undo:
            return
        _, changes, _ = self._undo.pop()
        world = self.game.world
        for change in changes:
            if world.has(change.handle, change.cls):
                world.set(change.handle, change.cls(**{change.field: change.before}))
                self.changes[change.handle, change.cls, change.field].after = change.before

    def take_back(self, merge: Hashable) -> None:
        """Undo the last change if it was made with this key."""
        if self._undo and self._undo[-1][2] == merge:
            self.undo()

    def advance(self, seconds: float) -> None:
        """Run the ticks that are due, without drawing. A game that ends itself is stopped."""
        if not self.running:
            return
        app = self.game.app
        app.frame(seconds=seconds, draw=False)
        self.game.selection.prune(self.game.world)
        if not app.running and self.state is PlayState.PLAYING:
            code = app.world[Session].exit_code
            _log.info("the game has ended%s", f" with code {code}" if code else "")
            self.pause()


def _restore(world: World, state: Snapshot) -> None:
    """Restore a World from a snapshot; the parts of classes that no longer exist in the code are left out."""
    try:
        world.restore(state)
    except SnapshotError as error:
        _log.warning("%s", error)
        keys = {kind_of(cls).key for cls in (*world.tables, *world.columns, *world.queues)}
        parts = {name: getattr(state, name) for name in ("tables", "columns", "queues")}
        fitting: dict[str, Any] = {name: {k: v for k, v in part.items() if k in keys} for name, part in parts.items()}
        fitting["resources"] = {k: v for k, v in state.resources.items() if k in world.resource_classes}
        world.restore(replace(state, **fitting))


def _joined(before: list[Change], after: list[Change]) -> list[Change]:
    """Merge two lists of changes: `before` is taken from the first change of a field, `after` from the last one."""
    changes = {(change.handle, change.cls, change.field): change for change in before}
    for change in after:
        key = change.handle, change.cls, change.field
        first = changes.get(key, change)
        changes[key] = Change(*key, first.before, change.after)
    return list(changes.values())


def _differs(before: Any, after: Any) -> bool:
    import numpy as np

    return not np.array_equal(np.asarray(before, object), np.asarray(after, object))
