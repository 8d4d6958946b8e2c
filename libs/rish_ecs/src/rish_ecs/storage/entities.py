"""Entities: handles of slot and generation, so that a stale handle is refused and never refers to a later entity.

A handle is `generation << 32 | index`. Freeing a slot increments its generation, which makes all old handles to it
stale immediately. Generations start at 1, so handle 0 is not an entity. Freed slots are reused last-in first-out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rish_jit.errors import StaleEntity, UsageError

from ..declarations.columns import Column

NONE = 0
"""The handle that refers to no entity."""

INDEX_MASK = 0xFFFFFFFF
_LAST_GENERATION = 2**31 - 1
FREE, ALIVE, RESERVED = 0, 1, 2


class Entities:
    """The slots: generation (int64), state (uint8: FREE, ALIVE, RESERVED), signature (uint64, words by slots)."""

    def __init__(self, words: int = 1, capacity: int = 64) -> None:
        self.words = words
        self.used = 0
        self.generation: Column = np.ones(capacity, np.int64)
        self.state: Column = np.zeros(capacity, np.uint8)
        self.signature: Column = np.zeros((words, capacity), np.uint64)
        self._free: Column = np.zeros(capacity, np.int32)
        self._free_count = 0

    def __len__(self) -> int:
        """The number of slots in use."""
        return self.used - self._free_count

    @property
    def free(self) -> Column:
        """int32: the free slots; the next one to be used is the last."""
        return self._free[: self._free_count]

    @property
    def arrays(self) -> tuple[Column, Column, Column]:
        """The arrays of generations, states and free slots, with their full capacity."""
        return self.generation, self.state, self._free

    def take(self, state: int = ALIVE) -> int:
        """Allocate one slot; return its handle."""
        if self._free_count:
            self._free_count -= 1
            index = self._free.item(self._free_count)
        else:
            index = self.used
            self._ensure(index + 1)
            self.used += 1
        self.state[index] = state
        return self.generation.item(index) << 32 | index

    def take_many(self, count: int, state: int = ALIVE) -> Column:
        """Allocate many slots; return their handles, int64."""
        reused = min(count, self._free_count)
        added = count - reused
        self._ensure(self.used + added)
        index = np.empty(count, np.int64)
        index[:reused] = self._free[self._free_count - reused : self._free_count][::-1]
        index[reused:] = np.arange(self.used, self.used + added)
        self._free_count -= reused
        self.used += added
        self.state[index] = state
        return self.generation[index] << 32 | index

    def release(self, handles: Column) -> None:
        """Free slots, so that all handles to them are stale; a slot whose generations are used up is not reused."""
        if len(handles) == 1:
            self._release_one(int(handles[0]) & INDEX_MASK)
            return
        index = handles & INDEX_MASK
        self.state[index] = FREE
        self.signature[:, index] = 0
        self.generation[index] += 1
        reusable = index[self.generation[index] <= _LAST_GENERATION]
        end = self._free_count + len(reusable)
        if end > len(self._free):
            self._free = np.resize(self._free, max(end, 2 * len(self._free)))
        self._free[self._free_count : end] = reusable
        self._free_count = end

    def _release_one(self, index: int) -> None:
        self.state[index] = FREE
        self.signature[:, index] = 0
        generation = self.generation[index] = self.generation.item(index) + 1
        if generation <= _LAST_GENERATION:
            if self._free_count == len(self._free):
                self._free = np.resize(self._free, 2 * len(self._free))
            self._free[self._free_count] = index
            self._free_count += 1

    def status(self, handle: int) -> int:
        """Return FREE (also for stale and unknown handles), ALIVE or RESERVED."""
        index = handle & INDEX_MASK
        if handle <= 0 or index >= self.used or self.generation.item(index) != handle >> 32:
            return FREE
        return self.state.item(index)

    def status_many(self, handles: Column) -> Column:
        """Return uint8: the status of each handle."""
        if len(handles) == 1:  # otherwise a queued spawn takes a third longer
            return np.array([self.status(handles.item())], np.uint8)
        index = handles & INDEX_MASK
        in_range = (handles > 0) & (index < self.used)
        index = np.where(in_range, index, 0)
        if not self.used:
            return np.zeros(len(handles), np.uint8)
        same = in_range & (self.generation[index] == handles >> 32)
        return np.where(same, self.state[index], FREE).astype(np.uint8)

    def among(self, handles: Column, members: Column) -> Column:
        """Return bool: which handles are among `members`, which must be alive. Takes linear time."""
        marks: Column = np.zeros(self.used, np.bool_)
        marks[members & INDEX_MASK] = True
        index = handles & INDEX_MASK
        index[index >= self.used] = 0
        return marks.take(index) & (self.generation.take(index) == handles >> 32)

    def stale(self, handle: int | None) -> StaleEntity:
        """Return the error for a handle that is not alive."""
        if not handle:
            return StaleEntity(
                f"{'None' if handle is None else 'entity 0'} is no entity",
                hint="find() gives None where no entity has the name; named() raises with the nearest name",
            )
        index, generation = handle & INDEX_MASK, handle >> 32
        if handle < 0 or index >= self.used:
            return StaleEntity(f"entity {describe(handle)} was never given out by this world")
        now = int(self.generation[index])
        state = "its slot is free" if self.state[index] == FREE else f"its slot now holds {describe(now << 32 | index)}"
        return StaleEntity(
            f"entity {describe(generation << 32 | index)} is gone; {state}",
            hint="Test kept handles with world.alive(...) before use",
        )

    def capture(self) -> dict[str, Any]:
        """Return copies of the arrays for a snapshot; signatures are derived from the tables."""
        return {
            "generation": self.generation[: self.used].copy(),
            "state": self.state[: self.used].copy(),
            "free": self.free.copy(),
        }

    def restore(self, captured: dict[str, Any]) -> None:
        """Restore a capture. Signatures are zero afterwards and must be set again from the tables."""
        self.used = len(captured["generation"])
        self._ensure(self.used)
        self.generation[:] = 1
        self.generation[: self.used] = captured["generation"]
        self.state[:] = FREE
        self.state[: self.used] = captured["state"]
        self.signature[:] = 0
        self._free_count = len(captured["free"])
        self._free = np.resize(self._free, max(len(self._free), self._free_count))
        self._free[: self._free_count] = captured["free"]

    def save(self) -> tuple[bytes, ...]:
        """Return the slots as bytes: generations, states, signatures and free slots."""
        used = self.used
        return (
            self.generation[:used].tobytes(),
            self.state[:used].tobytes(),
            self.signature[:, :used].tobytes(),
            self.free.tobytes(),
        )

    def load(self, saved: tuple[bytes, ...]) -> bool:
        """Let the slots be as `save` returned them, with the same number of words; return whether they differed."""
        if self.save() == saved:
            return False
        generation, state, signature, free = map(np.frombuffer, saved, (np.int64, np.uint8, np.uint64, np.int32))
        self.restore({"generation": generation, "state": state, "free": free})
        self.signature[:, : self.used] = signature.reshape(self.words, -1)
        return True

    def set_signatures(self, words: int, members: Iterable[Column]) -> None:
        """Write all signatures again with this number of words. members: the handles that have bit 0, bit 1, ..."""
        self.words = words
        self.signature = np.zeros((words, len(self.state)), np.uint64)
        for bit, handles in enumerate(members):
            self.signature[bit >> 6, handles & INDEX_MASK] |= np.uint64(1 << (bit & 63))

    def _ensure(self, need: int) -> None:
        have = len(self.generation)
        if need <= have:
            return
        capacity = max(need, 2 * have)
        generation, state = np.ones(capacity, np.int64), np.zeros(capacity, np.uint8)
        signature = np.zeros((self.words, capacity), np.uint64)
        generation[:have], state[:have], signature[:, :have] = self.generation, self.state, self.signature
        self.generation, self.state, self.signature = generation, state, signature


def describe(handle: int) -> str:
    """Return a handle as text for messages: index and generation, `17v2`."""
    return f"{handle & INDEX_MASK}v{handle >> 32}"


def as_handles(which: Any) -> Column:
    """Return handles as a flat int64 array, a copy. Raises UsageError for other values."""
    try:
        handles: Column = np.asarray(which)
    except (ValueError, OverflowError):
        handles = np.zeros((1, 1))
    if handles.ndim != 1 or (len(handles) and handles.dtype.kind not in "iu"):
        raise UsageError(
            f"expected a handle, or an array of handles, got {which!r:.60}",
            hint="Give query.entities, or an int",
        )
    return handles.astype(np.int64)
