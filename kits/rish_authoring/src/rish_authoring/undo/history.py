"""The history of edits: each step is a delta of the World, which can be undone and done again.

    history = History(world)
    with history.group("Move 3 entities"):
        world.set(chosen, Transform(position=places))      # any code that changes the World
    history.undo()
    history.redo()

A group compares the World with a copy (`rish_ecs.snapshots.Mirror`), so a tool needs no commands of its own: whatever
it changes in the block is part of the step. Code that writes to columns must mark the rows, see `Columns.mark`. Undoing
restores the same handles, order of rows and hash.

A change of the World's declarations, such as by another plugin, can be a part of a step too: see `redeclare`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rish_core import Interventions, Snapshot, UsageError, World
from rish_ecs.snapshots import Delta, Mirror, follow

LIMIT = 256 * 1024**2
"""The default maximum size of a history in bytes."""
OUTSIDE = "Changes outside of the history"
"""The name of a step that contains what was changed without a group."""


@dataclass
class Redeclared:
    """A change of the World's declarations, as a part of a step.

    put: called with False to set the former declarations, with True to set the later ones. state: the World before the
    change; once it was undone, the World after the change.
    """

    put: Callable[[bool], Any]
    state: Snapshot

    @property
    def nbytes(self) -> int:
        """The size of the state in bytes."""
        return self.state.nbytes


@dataclass(eq=False)
class Entry:
    """A step of the history; equal only to itself.

    name: for users. parts: the changes in their order; more than one if the declarations were changed, or if groups
    that changed different rows were merged. followed: the former and the later value of each followed value, by name.
    merge: groups with the same key are merged into this step.
    """

    name: str
    parts: list[Delta | Redeclared]
    followed: dict[str, tuple[Any, Any]] = field(default_factory=dict[str, tuple[Any, Any]])
    merge: Hashable = None
    nbytes: int = 0
    """The size in bytes, without followed values."""

    def __post_init__(self) -> None:
        """Compute the size."""
        self.measure()

    def measure(self) -> None:
        """Compute the size again."""
        self.nbytes = sum(part.nbytes for part in self.parts)


@dataclass
class _Followed:
    """The functions that read and write a followed value, see `History.follow`."""

    get: Callable[[], Any]
    put: Callable[[Any], None]


class History:
    """The steps that can be undone and redone. limit: the maximum size in bytes; the oldest steps are dropped.

    done: the steps that can be undone, the latest last. undone: the steps that can be redone, the next one last.
    version: increases with each change, including a change of the latest step.
    """

    def __init__(self, world: World, *, limit: int = LIMIT) -> None:
        self.world = world
        self.limit = limit
        self.done: list[Entry] = []
        self.undone: list[Entry] = []
        self.version = 0
        self._mirror = Mirror(world)
        self._followed: dict[str, _Followed] = {}
        self._replaced: list[Entry] = []
        self._parts: list[Delta | Redeclared] = []
        self._open = False

    @property
    def open(self) -> bool:
        """Whether a group is open."""
        return self._open

    @property
    def nbytes(self) -> int:
        """The size of all steps in bytes."""
        return sum(entry.nbytes for entry in (*self.done, *self.undone))

    def follow(self, name: str, get: Callable[[], Any], put: Callable[[Any], None]) -> None:
        """Include a value of a tool in each step, such as the selection.

        get: returns the value. It is not copied, so it must not be changed later; a tuple, for example. put: is called
        with the former value by `undo`, and with the later one by `redo`. A group in which only followed values change
        makes a step too.
        """
        self._followed[name] = _Followed(get, put)

    @contextmanager
    def group(self, name: str, *, merge: Hashable = None) -> Generator[None]:
        """Record all changes in the block as one step. A group within a group is part of the outer one.

        merge: consecutive groups with the same key, such as the frames of one drag, become one step. If the block
        raises an error, its changes are undone. A block without changes makes no step.
        """
        if self._open:
            yield
            return
        self.take_outside()
        before = self._values()
        self._open, self._parts = True, []
        try:
            yield
        except BaseException:
            self._open = False
            self._run([*self._parts, self._difference()], forward=False)
            self._put(before)
            raise
        finally:
            self._open = False
        parts = [*self._parts, self._difference()]
        after = self._values()
        followed = {key: (value, after[key]) for key, value in before.items() if _differ(value, after.get(key, value))}
        if len(parts) > 1 or parts[0] or followed:
            self._add(Entry(name, parts, followed, merge))

    def redeclare(self, put: Callable[[bool], Any]) -> None:
        """Change the World's declarations within a group, as a part of its step.

        put: called with True now and by `redo`, with False by `undo`. It changes the declarations and all data that
        depends on them; if it raises, it must have changed nothing. `undo` and `redo` then restore the World's state.
        Raises UsageError without an open group, and the errors of `put`.
        """
        if not self._open:
            raise UsageError("no group of the history is open", hint="Call this within `with history.group(...)`")
        self._parts.append(self._difference())
        state = self.world.snapshot(transient=True)
        put(True)
        self._parts.append(Redeclared(put, state))
        self._mirror = Mirror(self.world)

    def undo(self) -> Entry | None:
        """Undo the latest step; return it, or None if there is none. Only between two ticks."""
        return self._step(self.done, self.undone, forward=False)

    def redo(self) -> Entry | None:
        """Redo the step that was undone last; return it, or None if there is none. Only between two ticks."""
        return self._step(self.undone, self.done, forward=True)

    def take_back(self, merge: Hashable) -> bool:
        """Undo and forget the latest step if it has this merge key, such as a drag that Escape cancels.

        Steps that could be redone before it can be redone again. Return whether there was such a step.
        """
        if merge is None or not self.done or self.done[-1].merge != merge:
            return False
        replaced = self._replaced
        self.undo()
        self.undone[:] = replaced
        return True

    def seal(self) -> None:
        """End merging: the next group makes a new step, whatever its key."""
        if self.done:
            self.done[-1].merge = None
        self._replaced = []

    def take_outside(self) -> None:
        """Record a step of the changes that were made without a group since the last step.

        Without it, earlier steps would be applied to rows that have moved. Changes of resources alone make no step.
        After a reload that has changed the declarations, the steps are adapted, see `rish_ecs.snapshots.follow`, and
        the changes by the reload are in no step. If that is not possible, all steps are dropped.
        """
        if self._open:
            raise UsageError("a group of the history is open", hint="Call this after the `with` block")
        if not self._mirror.fits:
            self._follow_reload()
            return
        delta = self._difference()
        delta.resources.clear()
        if delta:
            self._add(Entry(OUTSIDE, [delta]))

    def _follow_reload(self) -> None:
        """Adapt the steps to the new declarations of the World, or drop them.

        A step that has changed the declarations itself can't be adapted: it is dropped, and all steps beyond it.
        """
        lists = [_since_change(steps) for steps in (self.done, self.undone, self._replaced)]
        steps = [step for each in lists for step in each]
        mirror = follow(self._mirror, [part for step in steps for part in step.parts if isinstance(part, Delta)])
        if mirror is None:
            self.clear()
            return
        self.version += 1
        self.done[:], self.undone[:], self._replaced = lists
        self._mirror = mirror
        for step in steps:
            step.measure()

    def clear(self) -> None:
        """Drop all steps; the World is unchanged."""
        self.version += 1
        self.done.clear()
        self.undone.clear()
        self._replaced = []
        self._mirror = Mirror(self.world)

    def _difference(self) -> Delta:
        """Return the changes of the World since the last call."""
        if self.world.pending:
            self.world.flush()
        return self._mirror.difference()

    def _step(self, source: list[Entry], target: list[Entry], *, forward: bool) -> Entry | None:
        """Undo or redo the last step of one list, and move it to the other."""
        self.take_outside()
        if not source:
            return None
        self.version += 1
        entry = source[-1]
        self._run(entry.parts, forward=forward)
        source.pop()
        self._replaced = []
        entry.measure()
        self._put({key: pair[forward] for key, pair in entry.followed.items()})
        entry.merge = None
        target.append(entry)
        self._note(entry.name)
        return entry

    def _run(self, parts: Sequence[Delta | Redeclared], *, forward: bool) -> None:
        """Redo parts of a step in order, or undo them in reverse order. If one raises, the World is restored."""
        done: list[Delta | Redeclared] = []
        try:
            for part in parts if forward else reversed(parts):
                self._do(part, forward=forward)
                done.insert(0, part)
        except BaseException:
            for part in done:
                self._do(part, forward=not forward)
            raise

    def _do(self, part: Delta | Redeclared, *, forward: bool) -> None:
        """Redo or undo one part of a step."""
        if isinstance(part, Delta):
            self._mirror.apply(part, forward=forward)
            return
        former_state = self.world.snapshot(transient=True)
        part.put(forward)
        self.world.restore(part.state)
        part.state, self._mirror = former_state, Mirror(self.world)

    def _add(self, entry: Entry) -> None:
        """Add a step, or merge it into the latest one; drop the oldest steps above the limit."""
        self.version += 1
        last = self.done[-1] if self.done else None
        if last is not None and entry.merge is not None and last.merge == entry.merge:
            former, later = last.parts[-1], entry.parts[0]
            joined = former.then(later) if isinstance(former, Delta) and isinstance(later, Delta) else None
            last.parts[-1:] = [former, *entry.parts] if joined is None else [joined, *entry.parts[1:]]
            for key, (before, after) in entry.followed.items():
                last.followed[key] = (last.followed.get(key, (before, after))[0], after)
            last.measure()
        else:
            self._replaced = self.undone[:] if entry.merge is not None else []
            self.done.append(entry)
        self.undone.clear()
        while len(self.done) > 1 and self.nbytes > self.limit:
            del self.done[0]
        self._note(entry.name)

    def _note(self, name: str) -> None:
        """Count the change for recordings, which contain only input."""
        if Interventions in self.world:
            self.world[Interventions].note(name)

    def _values(self) -> dict[str, Any]:
        return {name: each.get() for name, each in self._followed.items()}

    def _put(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            if name in self._followed:
                self._followed[name].put(value)


def _differ(a: Any, b: Any) -> bool:
    return a is not b and a != b


def _since_change(steps: Sequence[Entry]) -> list[Entry]:
    """Return the steps after the last one that has changed the declarations."""
    last = max(
        (i for i, step in enumerate(steps) if any(isinstance(part, Redeclared) for part in step.parts)), default=-1
    )
    return [*steps[last + 1 :]]
