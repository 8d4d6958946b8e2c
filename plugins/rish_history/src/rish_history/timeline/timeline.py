"""The timeline: stores the past of a game, and restores past states.

While a game runs, its inputs are kept, and a keyframe (`keyframes`) at intervals. Any tick in between is restored by
running the game forward from the previous keyframe with the recorded inputs, which gives the same state, bit for bit. A
keyframe is taken when the ticks since the last one have used 20 ms of processor time, or after a second; so a seek
takes about the same time in every game, and memory is used where it saves time. Where a keyframe itself is expensive,
the next one waits until the ticks have used twenty times as much, so the history takes at most a twentieth of the time.
(The clock decides only the ticks of keyframes, never the result of a seek.) The oldest keyframes are removed when the
memory is used up.

The timeline is not state of the World: a look at the past does not change the game. A *seek* changes it, like an edit:
it is recorded in `Interventions`, a recording starts a new segment, and the later ticks are discarded as soon as the
game continues.

Ticks in which the whole game is paused are kept like all others, but steps back leave them out (`pauses`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from typing import Any

from rish_core import InputRecord, Interventions, Layers, Snapshot, SnapshotError, UsageError
from rish_core.loop import NOTHING
from rish_ecs.states import SavedState

from .keyframes import Keyframe, Packer
from .pauses import Pauses
from .timeless import keep_timeless

KEYFRAME_SECONDS = 0.020
"""The processor time, in seconds, of the ticks between two keyframes. A seek takes as long to run them again."""
MAX_SHARE = 0.05
"""The maximum processor time of keyframes, as a share of that of the ticks."""
_MIN_INTERVAL, _MAX_INTERVAL = 3, 60
"""The minimum and the maximum number of ticks between two keyframes."""
_NEW_GROUP_SHARE = 0.75
"""The share of the budget from which a second group of keyframes is begun."""
_EVENT_SIZE = 200
"""The approximate size of a stored event, in bytes."""


class Timeline:
    """The recorded past of a running game. budget: the maximum memory in bytes."""

    def __init__(self, app: Any, budget: int) -> None:
        self.app = app
        self.world = app.world
        self.budget = budget
        self.newest: int = self.world.tick
        self.frames: list[Keyframe] = []
        self.inputs: dict[int, InputRecord] = {}
        self.nbytes = 0
        self._packer = Packer(self.world)
        self._pauses = Pauses()
        self._interventions: Interventions = self.world[Interventions]
        self._seen = -1
        self._run = 0.0
        self._cost = 0.0
        self._states: dict[int, SavedState] = {}

    @property
    def oldest(self) -> int:
        """The first tick that can be reached."""
        return self.frames[0].tick if self.frames else self.world.tick

    # Called by the loop

    def before_tick(self) -> None:
        """Take a keyframe if something else changed the state; called at the border, before a tick.

        Such a change is an intervention, or a snapshot of another tick that a tool has restored.
        """
        if self._interventions.count != self._seen or self.world.tick != self.newest:
            reasons = self._interventions.reasons
            self._forget_after(self.world.tick)
            self._take("it begins" if not self.frames or not reasons else reasons[-1][1])
            self._seen = self._interventions.count

    def after_tick(self, record: InputRecord, seconds: float) -> None:
        """Store the input of a tick, and take a keyframe if needed. seconds: processor time of the tick."""
        tick: int = self.world.tick
        if tick - 1 != self.newest or not self.frames:  # the state was replaced without a call of `before_tick`
            if not self.world.has_deferred:
                self._forget_after(tick - 1)
                self._take("a jump")
            return
        self._run += seconds
        self.newest = tick
        if self.world[Layers].all_paused:
            self._pauses.note(tick)
        if record.events:
            self.inputs[tick - 1] = record
            self.nbytes += _EVENT_SIZE * len(record.events)
            self._keep_budget()
        ticks = tick - self.frames[-1].tick
        due = ticks >= _MAX_INTERVAL or (
            ticks >= _MIN_INTERVAL and self._run >= max(KEYFRAME_SECONDS, self._cost / MAX_SHARE)
        )
        if due and not self.world.has_deferred:
            self._take("")

    def _take(self, reason: str) -> None:
        """Take a keyframe of the current state."""
        began = thread_time()
        if self.frames and self.frames[-1].tick == self.world.tick:
            self.nbytes -= self.frames.pop().nbytes
            self._packer.restart()
        frame = self._packer.pack(reason)
        self.frames.append(frame)
        self.nbytes += frame.nbytes
        self.newest = frame.tick
        self._run, self._cost = 0.0, thread_time() - began
        self._keep_budget()
        if self.nbytes > _NEW_GROUP_SHARE * self.budget and not any(frame.base for frame in self.frames[1:]):
            self._packer.restart()  # one group uses all memory: start another, so that this one can be removed

    def undo(self, tick: int) -> None:
        """Discard what is kept after a tick, which the World has now: the ticks since run again with other input."""
        if tick <= self.newest:
            self._forget_after(tick)

    def forget(self) -> None:
        """Discard everything; later ticks are stored again."""
        self.frames.clear()
        self.inputs.clear()
        self._states.clear()
        self._packer.restart()
        self.nbytes = 0
        self.newest = self.world.tick
        self._pauses.keep(self.newest, self.newest)
        self._seen = -1

    def _keep_budget(self) -> None:
        """Discard the oldest groups while the budget is exceeded."""
        while self.nbytes > self.budget and self._drop_oldest():
            pass

    def _drop_oldest(self) -> bool:
        """Discard the oldest group of keyframes and its inputs; return False if there is only one group."""
        following = next((i for i, frame in enumerate(self.frames) if i and frame.base), None)
        if following is None:
            return False
        self.nbytes -= sum(frame.nbytes for frame in self.frames[:following])
        del self.frames[:following]
        self._pauses.keep(self.oldest, self.newest)
        for tick in [tick for tick in self.inputs if tick < self.oldest]:
            self.nbytes -= _EVENT_SIZE * len(self.inputs.pop(tick).events)
        return True

    def _forget_after(self, tick: int) -> None:
        """Discard the keyframes and inputs after a tick, since the game continues differently from here."""
        self._states.clear()
        while self.frames and self.frames[-1].tick > tick:
            self.nbytes -= self.frames.pop().nbytes
            self._packer.restart()
        while self.inputs and (last := next(reversed(self.inputs))) >= tick:  # their ticks ascend
            self.nbytes -= _EVENT_SIZE * len(self.inputs.pop(last).events)
        self._pauses.keep(self.oldest, tick)
        self.newest = tick

    # Seek and rewind

    def seek(self, tick: int, reason: str = "") -> None:
        """Restore the world's state at a tick, except for `Timeless` entities; only at the tick border.

        Raises UsageError for a tick that can't be reached. Later ticks can be reached until the game continues.
        """
        self._check(tick)
        with keep_timeless(self.world):
            self._go(tick)
        self._interventions.note(reason or f"back to tick {tick}")
        self.world.end_frame()

    def step_back(self, ticks: int = 1, until: int = 0) -> bool:
        """Go back by `ticks`, but not beyond `until` or the oldest tick; return False if that is not possible.

        Pauses of the whole game are skipped: they do not count, and no step ends in one. Repeated calls are fast. Ticks
        of plugins that were taken out since are not reached: they are discarded.
        """
        current: int = self.world.tick
        goal = self._pauses.back(current, ticks, max(self.oldest, self._pauses.played(until)))
        if goal == current or not self.frames:
            return False
        with keep_timeless(self.world):
            try:
                if goal not in self._states or not self._states[goal].fits(self.world):
                    self._save_states(goal)
                self.world.load_state(self._states[goal])
            except SnapshotError:
                self.forget()
                return False
        self._interventions.note(f"rewound to tick {goal}")
        self.world.end_frame()
        return True

    @contextmanager
    def branch(self, tick: int) -> Iterator[Any]:
        """Set the game to a tick within the block; `app.simulate(record)` advances it there.

        Afterwards the former state is restored, bit for bit, and no hook was called. Raises UsageError for a tick that
        can't be reached.
        """
        self._check(tick)
        world = self.world
        state = world.save_state()
        try:
            self._go(tick)
            yield self.app
        finally:
            world.load_state(state)
            world.end_frame()

    def _check(self, tick: int) -> None:
        """Raise UsageError for a tick that can't be reached."""
        if not self.frames or not self.oldest <= tick <= self.newest:
            reach = f"ticks {self.oldest} to {self.newest} are in reach" if self.frames else "nothing is kept yet"
            raise UsageError(f"tick {tick} can't be restored: {reach}", hint="settings: history: budget_mb: more")

    def _go(self, tick: int) -> None:
        """Restore the state at a tick: that of the keyframe before it, and the ticks in between."""
        self.world.restore(self.snapshot_before(tick))
        for current in range(self.world.tick, tick):
            self.app.simulate(self.inputs.get(current, NOTHING))

    def _save_states(self, tick: int) -> None:
        """Save the state of each tick from the keyframe before `tick` up to it, for fast single steps back."""
        self._states.clear()
        self.world.restore(self.snapshot_before(tick))
        while True:
            current: int = self.world.tick
            self._states[current] = self.world.save_state()
            if current >= tick:
                return
            self.app.simulate(self.inputs.get(current, NOTHING))

    def snapshot_before(self, tick: int) -> Snapshot:
        """Return the snapshot of the last keyframe at a tick or before it."""
        index = bisect_right(self.frames, tick, key=lambda frame: frame.tick) - 1
        first = index
        while not self.frames[first].base:
            first -= 1
        return self._packer.unpack(self.frames[first : index + 1])
