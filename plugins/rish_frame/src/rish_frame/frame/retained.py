"""Retained drawings: passes, targets and batches that stay the same objects while nothing about them changes.

A plugin records what it draws in each frame, under a name of its own::

    recorder = world[Frame].record("radar")
    recorder.add_target(Target("radar", size=0.5))
    recorder.add_pass(Pass("radar", targets=("radar",), before="main"))
    recorder.add(Batch("lines", arrays), to="radar")

`Frame.retain` does the same with a function, and calls it only after something has changed that it reads.

What equals the last recording stays the same object: a batch whose arrays are equal keeps its version, so backends
keep their uploads, and do not draw a pass again in which nothing changed. A batch that differs gets a new version. When
the next frame begins, everything recorded is taken off the frame again; what is not recorded then is gone.

Two arrays are equal if they are the same object, or if they have at most `MAX_COMPARED` bytes and these are equal. A
large array that a plugin makes again in each frame therefore counts as changed, and so does another view of the same
memory, because its former content is gone. An array that is the same object counts as unchanged: one that is written in
place needs an array with a number beside it that changes. A batch of a subclass of `Batch` is equal
only if its own fields are equal as well, and their `version` if they have one.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Inputs

from .batches import Array, Batch
from .passes import Pass, Target

if TYPE_CHECKING:
    from rish_ecs import World

    from .frame import Frame

MAX_COMPARED = 1 << 18
"""Arrays with at most this many bytes are compared by content, larger ones by identity."""
_PASS_FIELDS = tuple(each.name for each in fields(Pass) if each.name not in ("name", "batches"))
_OF_A_PASS = attrgetter(*(name for name in _PASS_FIELDS if name not in ("view", "projection")))
_OF_A_BATCH = attrgetter("kind", "layer", "z", "source")
_versions = itertools.count(1)
_Key = tuple[str, str, int, float, int]
"""The place of a batch: its pass, kind, layer and z, and its number among the batches with the same four."""


class _Recording:
    """What was recorded in one frame.

    shown: for each pass the one whose batches it shows. looks: the fields of subclasses of `Batch`, see `_look_of`.
    """

    def __init__(self) -> None:
        self.targets: dict[str, Target] = {}
        self.passes: dict[str, Pass] = {}
        self.shown: dict[str, Pass | None] = {}
        self.batches: dict[_Key, Batch] = {}
        self.looks: dict[_Key, tuple[Any, ...]] = {}
        self.changes: list[tuple[Pass, dict[str, Any]]] = []


class Recorder:
    """Puts targets, passes and batches onto a frame, the same objects as in the last frame if they are equal.

    `Frame.record` returns it. Its methods are those of the frame itself, so a plugin draws alike with and without it.

    changed: what `retain` found changed, among the sources; with the class `Frame` if the frame was arranged otherwise.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._last, self._now = _Recording(), _Recording()
        self.changed: list[Any] = []
        self._placed: list[Target] = []
        self._former: list[tuple[Pass, dict[str, Any]]] = []
        self._shown = self._recorded = self._reads_frame = False
        self._inputs: Inputs | None = None
        self._depends: Sequence[Any] = ()
        self._arrangement: tuple[Any, ...] = ()

    def add_target(self, target: Target) -> Target:
        """Add a target to the frame, in place of one with the same name; return the one that is in the frame."""
        retained = self._last.targets.get(target.name, target)
        self._now.targets[target.name] = retained = retained if retained == target else target
        return self._place(retained)

    def add_pass(self, pass_: Pass, *, showing: Pass | None = None) -> Pass:
        """Add a pass without batches to the frame, in place of one with the same name.

        showing: another plugin's pass, whose batches this one shows as well. Return the pass that is in the frame; its
        fields can still be changed.
        """
        if pass_.name in self._now.passes:  # it was recorded already, and is replaced
            self._now.batches = {key: batch for key, batch in self._now.batches.items() if key[0] != pass_.name}
        retained = self._last.passes.get(pass_.name) or Pass(pass_.name)
        batches = retained.batches
        vars(retained).update(vars(pass_))
        retained.batches = batches
        batches[:] = [] if showing is None else showing.batches
        self._now.passes[pass_.name] = retained
        self._now.shown[pass_.name] = showing
        return self._frame.add_pass(retained, replace=True)

    def add(self, batch: Batch, to: str = "main") -> Batch:
        """Add a batch to a pass; return the batch that is in the frame. Raises UnknownName if there is no such pass.

        The arrays belong to the frame from then on: record others in the next frame instead of changing them.
        """
        now, key = self._now, (to, str(batch.kind), batch.layer, batch.z, 0)
        while key in now.batches:
            key = (*key[:4], key[4] + 1)
        look, retained = _look_of(batch), self._last.batches.get(key)
        if retained is None or type(retained) is not type(batch):
            retained = copy.copy(batch)
            retained.version = next(_versions)
        elif not _take(retained, batch) or self._last.looks[key] != look:
            retained.version = next(_versions)
        now.batches[key], now.looks[key] = retained, look
        return self._frame.add(retained, to)

    def again(self) -> bool:
        """Record everything that was recorded in the last frame; return False, and do nothing, if that is nothing.

        Call it before anything else is recorded. `renew` then changes single batches.
        """
        if not self._last.passes:
            return False
        self._now = self._last
        self._repeat()
        return True

    def renew(self, retained: Batch, batch: Batch) -> None:
        """Give a batch that is in the frame the contents of another one at the same place, and a new version."""
        key = next(key for key, each in self._now.batches.items() if each is retained)
        vars(retained).update(vars(batch), version=next(_versions))
        self._now.looks[key] = _look_of(retained)

    def change(self, pass_: Pass, **values: Any) -> None:
        """Change fields of another plugin's pass for this frame; they get their former values when the next begins."""
        self._now.changes.append((pass_, values))
        self._change(pass_, values)

    def retain(self, world: World, depends: Sequence[Any], build: Callable[[Recorder], object]) -> None:
        """Call `build` with this recorder if a source changed, and repeat the last recording otherwise.

        `Frame.retain` calls it.
        """
        if self._inputs is None or self._depends != depends:
            self._depends, whole = depends, type(self._frame)
            self._inputs = Inputs(source for source in depends if source is not whole)
            self._reads_frame = whole in depends
        arrangement = _arrangement_of(self._frame) if self._reads_frame else ()
        self._inputs.changed(world)
        self.changed = [*self._inputs.latest, *([type(self._frame)] if arrangement != self._arrangement else ())]
        self._arrangement = arrangement
        if not self.changed and self._recorded:
            self._repeat()
            return
        try:
            build(self.begin())
        except BaseException:
            self._inputs.forget()
            raise

    def _repeat(self) -> None:
        """Put everything onto the frame that was recorded in the last one."""
        now = self._now
        if self._shown:
            self.take_off()
        self._shown = True
        for target in now.targets.values():
            self._place(target)
        for name, pass_ in now.passes.items():
            showing = now.shown[name]
            pass_.batches[:] = [] if showing is None else showing.batches
            self._frame.add_pass(pass_, replace=True)
        for key, batch in now.batches.items():
            self._frame.add(batch, key[0])
        for pass_, values in now.changes:
            self._change(pass_, values)

    def begin(self) -> Recorder:
        """Begin a new recording, and return this recorder; the frame calls it."""
        if self._shown:
            self.take_off()
        self._last, self._now = self._now, _Recording()
        self._shown = self._recorded = True
        return self

    def take_off(self) -> None:
        """Remove everything from the frame, and undo the changes of passes; the frame calls it before each frame.

        If nothing was recorded in the last frame, the recording before it is dropped.
        """
        if not self._shown:
            self._last = self._now = _Recording()
            self._recorded = False
        self._shown = False
        for pass_, values in reversed(self._former):
            _set(pass_, values)
        _remove(self._frame.passes, self._now.passes.values())
        _remove(self._frame.targets, self._placed)
        self._former.clear()
        self._placed.clear()

    def _place(self, target: Target) -> Target:
        """Put a target onto the frame unless an equal one is there, which may be another plugin's."""
        present = self._frame.targets.get(target.name)
        if present is not None and present == target:
            return present
        self._placed.append(target)
        return self._frame.add_target(target, replace=True)

    def _change(self, pass_: Pass, values: dict[str, Any]) -> None:
        self._former.append((pass_, {name: getattr(pass_, name) for name in values}))
        _set(pass_, values)


def _arrangement_of(frame: Frame) -> tuple[Any, ...]:
    """Return a key of the sizes, targets, passes and cameras of a frame, and of where and whose the batches are."""
    parts: list[Any] = [frame.size, frame.canvas, frame.fit, frame.plain, *frame.channels, *frame.targets.values()]
    for pass_ in frame.passes.values():
        parts += (pass_, *_OF_A_PASS(pass_), pass_.view.tobytes(), pass_.projection.tobytes())
        parts += map(_OF_A_BATCH, pass_.batches)
    return tuple(parts)


def _set(pass_: Pass, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(pass_, name, value)


def _remove(present: dict[str, Any], recorded: Iterable[Any]) -> None:
    """Remove what was recorded, unless something else has its name by now."""
    for item in recorded:
        if present.get(item.name) is item:
            del present[item.name]


@cache
def _own_fields(kind: type[Batch]) -> tuple[str, ...]:
    """Return the names of the fields that a subclass of Batch adds."""
    general = {each.name for each in fields(Batch)}
    return tuple(each.name for each in fields(kind) if each.name not in general)


def _look_of(batch: Batch) -> tuple[Any, ...]:
    """Return the values of the fields that a subclass of Batch adds, and their versions."""
    own = _own_fields(type(batch))
    values = [getattr(batch, name) for name in own]
    return (*values, *(getattr(value, "version", None) for value in values)) if own else ()


def _take(retained: Batch, batch: Batch) -> bool:
    """Copy another batch into a retained one; return whether all arrays are equal. Equal arrays stay the same."""
    equal = retained.arrays.keys() == batch.arrays.keys()
    arrays: dict[str, Array] = {}
    for name, array in batch.arrays.items():
        former = retained.arrays.get(name)
        if former is not None and _equal(former, array):
            arrays[name] = former
        else:
            arrays[name], equal = array, False
    version = retained.version
    vars(retained).update(vars(batch))
    retained.arrays, retained.version = arrays, version
    return equal


def _equal(a: Array, b: Array) -> bool:
    if a is b:
        return True
    if a.nbytes > MAX_COMPARED or a.dtype != b.dtype or a.shape != b.shape:
        return False
    return not a.size or (not np.may_share_memory(a, b) and a.tobytes() == b.tobytes())
