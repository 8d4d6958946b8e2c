"""The clips as arrays for the kernel: every clip that an Animation names, one after another.

An Animation names its clip by interned texts, that is by numbers: the file and the clip's name, or its own list of
cells. `ClipTable` maps these numbers to a row of the flattened clips in two lookups. It grows when a new name appears,
and is rebuilt after a restore or when a file changes. It can always be rebuilt, so it is a derived resource.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING

import numpy as np

from rish_animation import Clip, Clips, PlayMode, cells_in, there_and_back
from rish_assets import AssetLibrary, LogOnce
from rish_ecs import did_you_mean, resource
from rish_ecs.declarations import distinct
from rish_jit import Array

from .clips import read_sheet

if TYPE_CHECKING:
    from rish_ecs import World

UNKNOWN, NONE = -1, -2
"""UNKNOWN: not looked up yet. NONE: looked up, and no such clip exists."""


def _empty() -> Array:
    return np.zeros(0, np.int32)


@dataclass
class Flat:
    """The clips as arrays.

    Columns by clip: first, its first step; count, its number of steps; length, seconds; once, whether it ends; follows,
    the row of the next clip or -1; name, the number of its name. Columns by step: cell; end, seconds since the clip
    began; event, the number of the event's name, 0 for none.
    """

    first: Array = dataclass_field(default_factory=_empty)
    count: Array = dataclass_field(default_factory=_empty)
    length: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.float32))
    once: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.bool_))
    follows: Array = dataclass_field(default_factory=_empty)
    name: Array = dataclass_field(default_factory=_empty)
    cell: Array = dataclass_field(default_factory=_empty)
    end: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.float32))
    event: Array = dataclass_field(default_factory=_empty)

    def add(self, clip: Clip, name: int, events: dict[int, int]) -> int:
        """Append a clip and return its row. events: the numbers of the event names, by step."""
        row, steps = len(self.first), len(clip.cells)
        end = np.cumsum(np.array(clip.times, np.float64)).astype(np.float32)
        marks = np.zeros(steps, np.int32)
        marks[list(events)] = list(events.values())
        new = {"first": len(self.cell), "count": steps, "length": end[-1], "once": clip.mode is PlayMode.ONCE}
        new |= {"follows": -1, "name": name, "cell": clip.cells, "end": end, "event": marks}
        for column, value in new.items():
            old = getattr(self, column)
            setattr(self, column, np.concatenate([old, np.atleast_1d(np.asarray(value)).astype(old.dtype)]))
        return row


@resource(derived=True)
class ClipTable:
    """Maps the clip names of Animations to rows of flattened clips.

    file, name: int32, by the number of a text, its row and its column in `index`; UNKNOWN if not looked up yet. index:
    int32 (files, names), rows of `flat`. own: int32, by the number of a text, the first of three rows (loop, once,
    ping-pong) for a list of cells. maximum: the largest number of events in a clip. changed: rows of Sprite and their
    new cells, filled each tick. library: the clips by file. log: logs problems, once until a file changes.
    """

    flat: Flat = dataclass_field(default_factory=Flat)
    file: Array = dataclass_field(default_factory=_empty)
    name: Array = dataclass_field(default_factory=_empty)
    own: Array = dataclass_field(default_factory=_empty)
    index: Array = dataclass_field(default_factory=lambda: np.full((0, 1), NONE, np.int32))
    maximum: int = 0
    files: dict[int, Clips] = dataclass_field(default_factory=dict[int, Clips])
    changed: tuple[Array, Array] = dataclass_field(default_factory=lambda: (_empty(), _empty()))

    def __post_init__(self) -> None:
        """Make the library of files."""
        self.log = LogOnce("rish.render")
        self.library = AssetLibrary(
            "sprite sheet", read_sheet, placeholder=Clips, log="rish.render", on_change=self._changed
        )

    def _changed(self, path: str) -> None:
        self.log.forget()
        self._forget()

    def _forget(self) -> None:
        self.flat = Flat()
        self.file, self.name, self.own = _empty(), _empty(), _empty()
        self.index = np.full((0, 1), NONE, np.int32)
        self.files.clear()
        self.maximum = 0

    def learn(self, world: World, files: Array, names: Array, own: Array) -> None:
        """Look up the clips that Animations name: numbers of files, of clips and of lists of cells, n each."""
        self._reach(len(world.texts))
        for number in distinct(files[files > 0]).tolist():
            if self.file[number] == UNKNOWN:
                self._learn_file(world, number)
        for number in distinct(own[(files == 0) & (own > 0)]).tolist():
            if self.own[number] == UNKNOWN:
                self._learn_own(world, number)
        self._reach(len(world.texts))
        for file, name in sorted(set(zip(files.tolist(), names.tolist(), strict=True))):
            if file > 0 and self.name[name] == UNKNOWN:
                self._column_of(name)
            if file in self.files and name and self.index[self.file[file], self.name[name]] == NONE:
                self._report(world, file, name)

    def _learn_file(self, world: World, number: int) -> None:
        clips = self.files[number] = self.library.get(world, number)
        self.file[number] = len(self.index)
        rows: dict[str, int] = {}
        for name, clip in clips.clips.items():
            events = {step: world.intern(event) for step, event in clip.events.items()}
            rows[name] = self.flat.add(clip, world.intern(name), events)
            self.maximum = max(self.maximum, len(events))
        for name, clip in clips.clips.items():
            if clip.next:
                self.flat.follows[rows[name]] = rows[clip.next]
        self._reach(len(world.texts))
        columns = [self._column_of(world.intern(name)) for name in clips.clips]
        line = np.full((1, self.index.shape[1]), NONE, np.int32)
        line[0, columns] = list(rows.values())
        line[0, 0] = min(rows.values(), default=NONE)
        self.index = np.concatenate([self.index, line])

    def _column_of(self, number: int) -> int:
        """Return the column of a clip's name; column 0, of the empty name, is for the first clip of a file."""
        if not number:
            self.name[0] = 0
            return 0
        if self.name[number] == UNKNOWN:
            self.name[number] = self.index.shape[1]
            fresh = np.full((len(self.index), 1), NONE, np.int32)
            self.index = np.concatenate([self.index, fresh], axis=1)
        return int(self.name[number])

    def _learn_own(self, world: World, number: int) -> None:
        text = world.text(number)
        try:
            cells = cells_in(text)
        except ValueError as error:
            self.log.error(f"Animation.frames: {error}")
            self.own[number] = NONE
            return
        clip = Clip(cells, (1.0,) * len(cells))
        once = Clip(clip.cells, clip.times, PlayMode.ONCE)
        rows = [self.flat.add(one, 0, {}) for one in (clip, once, there_and_back(clip))]
        self.own[number] = rows[0]

    def _reach(self, texts: int) -> None:
        """Extend the lookup arrays to all texts of the world."""
        more = np.full(max(texts - len(self.file), 0), UNKNOWN, np.int32)
        if len(more):
            for column in ("file", "name", "own"):
                setattr(self, column, np.concatenate([getattr(self, column), more]))

    def _report(self, world: World, file: int, name: int) -> None:
        clips, wanted = self.files[file].clips, world.text(name)
        if clips:
            near = did_you_mean(wanted, clips)
            self.log.error(f"{world.text(file)} has no clip {wanted!r}{near}. Choices: {', '.join(list(clips)[:12])}")
