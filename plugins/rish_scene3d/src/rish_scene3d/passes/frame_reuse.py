"""Passes, targets and batches of the last frame, reused where nothing changed, so that they are not drawn again."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from rish_frame import Batch, Frame, Pass, Target
from rish_jit import Array

from .kinds import Surfaces

_versions = itertools.count(1)
_MAX_COMPARED = 1 << 16
"""Arrays with at most this many numbers are compared by content, larger ones by identity."""


class Kept:
    """Puts passes and batches onto a frame; those that are not put again are removed by `tidy`."""

    def __init__(self) -> None:
        self.passes: dict[str, Pass] = {}
        self.targets: set[str] = set()
        self._targets: dict[str, tuple[Any, Target]] = {}
        self._batches: dict[tuple[str, str, float], tuple[Any, Batch]] = {}
        self._seen: set[str] = set()
        self._wanted: set[str] = set()

    def target(self, frame: Frame, name: str, size: tuple[int, int], *look: Any) -> None:
        """Declare a target, unless an equal one is declared already. look: formats, depth, filter and clear."""
        self._wanted.add(name)
        declared, target = self._targets.get(name, (None, None))
        if target is None or declared != (size, look):
            target = Target(name, size, *look)
            self._targets[name] = (size, look), target
        if frame.targets.get(name) is not target:
            frame.add_target(target, replace=True)

    def put(self, frame: Frame, name: str, **values: Any) -> Pass:
        """Add a pass without batches to the frame, with new values of its fields; return it."""
        pass_ = self.passes.get(name)
        if pass_ is None:
            pass_ = self.passes[name] = Pass(name)
        for field, value in values.items():
            setattr(pass_, field, value)
        pass_.batches.clear()
        self._seen.add(name)
        if frame.passes.get(name) is not pass_:
            frame.add_pass(pass_, replace=True)
        return pass_

    def add(self, pass_: Pass, batch: Batch, stamp: Any = None) -> None:
        """Add a batch to a pass; the one of the last frame if its arrays and its stamp are equal."""
        key = pass_.name, str(batch.kind), batch.z
        before, batch_kept = self._batches.get(key, (None, None))
        if batch_kept is None or type(batch_kept) is not type(batch):
            batch.version = next(_versions)
            batch_kept = batch
        else:
            is_same = before == stamp
            for name, array in batch.arrays.items():
                if not _equal(batch_kept.arrays[name], array):
                    batch_kept.arrays[name], is_same = array, False
            if isinstance(batch_kept, Surfaces) and isinstance(batch, Surfaces):
                batch_kept.library, batch_kept.tables = batch.library, batch.tables
            batch_kept.count = batch.count
            if not is_same:
                batch_kept.version = next(_versions)
        self._batches[key] = (stamp, batch_kept)
        pass_.batches.append(batch_kept)

    def tidy(self, frame: Frame) -> None:
        """Remove passes and targets that were not put since the last call."""
        for name in self.passes.keys() - self._seen:
            del self.passes[name]
            frame.remove_pass(name)
        targets = {target for pass_ in frame.passes.values() for target in (*pass_.targets, *pass_.inputs)}
        for name in self.targets - self._wanted:
            del self._targets[name]
            if name not in targets:
                frame.remove_target(name)
        for key in [key for key in self._batches if key[0] not in self._seen]:
            del self._batches[key]
        self.targets, self._wanted, self._seen = self._wanted, set(), set()

    def again(self, frame: Frame, passes: dict[str, list[Batch]]) -> None:
        """Put the batches of the last frame onto the same passes again."""
        for name, batches in passes.items():
            frame.passes[name].batches[:] = batches


def _equal(a: Array, b: Array) -> bool:
    if a is b:
        return True
    small = a.size == b.size <= _MAX_COMPARED and a.dtype == b.dtype and a.shape == b.shape
    if not small or a.dtype.names:
        return False
    return bool(np.array_equal(a, b))
