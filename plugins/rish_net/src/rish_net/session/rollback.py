"""Prediction and rollback: the game runs ahead of the inputs it knows, and runs again where they were other ones.

A tick runs with the inputs that are known; a seat whose input is missing keeps its keys and axes as they are, or gets
the input that the game's function predicts. Before such a tick the state is saved. When a missing input arrives and is
not the predicted one, the state of its tick is restored, and the ticks since run again (GGPO, Cannon 2012:
https://github.com/pond3r/ggpo).

In lockstep nothing is predicted: a tick waits until all its inputs are known to all, and no state is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from rish_core import InputRecord, WindowEvent
from rish_core.loop import NOTHING

from .seats import released
from .stream import NEVER, InputStream

Predict = Callable[[int, int, InputRecord], InputRecord]
"""`(seat, tick, last) -> record`: the input to assume in a tick. last: that of the newest tick that is known."""

_CHECKPOINTS = 6
"""The number of checkpoints."""
HASH_EVERY = 30
"""The number of ticks between two hashes that peers compare."""


class Game(Protocol):
    """What the rollback needs of a game. `tick` counts the ticks that ran."""

    @property
    def tick(self) -> int:
        """The number of ticks that ran."""
        ...

    def save(self) -> Any:
        """Return a copy of the state."""
        ...

    def load(self, state: Any) -> None:
        """Replace the state by one that `save` returned."""
        ...

    def simulate(self, record: InputRecord) -> None:
        """Run a tick."""
        ...

    def hash(self) -> int:
        """Return a number below 2**64 that is equal for equal states."""
        ...


class Rollback:
    """Runs a game ahead of its inputs. streams: by seat; seats may be added and closed at any time.

    most: how many ticks the game may be ahead of the inputs that are known; 0: lockstep. predict: the inputs that are
    assumed; None: keys and axes stay as they are. hashes: by tick, those of states that can't change any more. acked:
    the first tick whose own input the host does not have; it may still refuse that input. checkpoints: some of the
    newest states by tick, to search where two games went apart. rolled_back: how many ticks were run again so far;
    times: how often.
    """

    def __init__(
        self, game: Game, streams: Mapping[int, InputStream], most: int = 8, predict: Predict | None = None
    ) -> None:
        self.game = game
        self.streams = streams
        self.most = most
        self.predict = predict
        self.hashes: dict[int, int] = {}
        self.checkpoints: dict[int, Any] = {}
        self.acked = NEVER
        self.rolled_back = self.times = 0
        self._states: dict[int, Any] = {}
        self._recent_hashes: dict[int, int] = {}
        self._predicted: dict[tuple[int, int], InputRecord] = {}
        self._dirty = NEVER

    @property
    def confirmed(self) -> int:
        """The first tick for which an input is missing."""
        return min([stream.known for stream in self.streams.values()], default=NEVER)

    @property
    def final(self) -> int:
        """The first tick that may have to run again: the state before it can't change."""
        return min(self.confirmed, self.acked)

    @property
    def may_advance(self) -> bool:
        """Whether the game may run another tick now."""
        tick = self.game.tick
        return tick - self.confirmed < self.most if self.most else tick < self.final

    @property
    def corrected(self) -> bool:
        """Whether no tick has to run again now."""
        return self._dirty == NEVER

    def arrived(self, seat: int, tick: int, record: InputRecord) -> None:
        """Note that the input of a tick became known, after it was put into its stream."""
        if (record.events or self._predicted) and record != self._predicted.pop((tick, seat), NOTHING):
            self.redo(tick)

    def ended(self, seat: int, tick: int) -> None:
        """Note that a seat has no input from a tick on: what was predicted for it was wrong."""
        for late in [key for key in self._predicted if key[1] == seat and key[0] >= tick]:
            del self._predicted[late]
            self.redo(late[0])

    def redo(self, tick: int) -> None:
        """Note that the input of a tick is another one than before."""
        if tick < self.game.tick:
            self._dirty = min(self._dirty, tick)

    def input_of(self, tick: int) -> InputRecord:
        """Return the inputs of all seats in a tick, in the order of the seats; those that are missing are predicted."""
        events = [event for seat, stream in sorted(self.streams.items()) for event in self._at(seat, stream, tick)]
        return released(InputRecord(tuple(events))) if events else NOTHING

    def _at(self, seat: int, stream: InputStream, tick: int) -> tuple[WindowEvent, ...]:
        if self.predict is None or not stream.awaits(tick):
            return stream.at(tick).events
        record = self.predict(seat, tick, stream.at(stream.next - 1))
        self._predicted[tick, seat] = record
        return record.events

    def correct(self) -> int:
        """Run the ticks again whose input was another one; return how many. Called between two ticks."""
        now, first = self.game.tick, self._dirty
        self._dirty = NEVER
        if first >= now:
            return 0
        self.game.load(self._states[first])
        while self.game.tick < now:
            self.game.simulate(self.begin())
        self.times += 1
        self.rolled_back += now - first
        return now - first

    def begin(self) -> InputRecord:
        """Return the input of the coming tick; save the state first if the tick may have to run again."""
        tick, final = self.game.tick, self.final
        if tick >= final:
            self._states[tick] = self.game.save()
        else:
            self._states.pop(tick, None)  # of a former run
        if tick % HASH_EVERY == 0:
            self._recent_hashes[tick] = self.game.hash()
        if self.most and (tick % HASH_EVERY == 0 or not self.checkpoints):
            self.keep(tick)
        self._settle(final)
        return self.input_of(tick)

    def keep(self, tick: int) -> Any:
        """Return the state before a tick, which was saved or is the present one, and keep it as a checkpoint."""
        state = self._states.get(tick)
        state = self.checkpoints[tick] = self.game.save() if state is None else state
        while len(self.checkpoints) > _CHECKPOINTS:
            del self.checkpoints[min(self.checkpoints)]
        return state

    def state_at(self, tick: int) -> Any:
        """Return the saved state before a tick; None if it was not saved."""
        return self._states.get(tick)

    def reset(self) -> None:
        """Forget all states and hashes, after the game's state was replaced."""
        self.hashes.clear()
        self._states.clear()
        self._recent_hashes.clear()
        self._predicted.clear()
        self.checkpoints.clear()
        self._dirty = NEVER

    def _settle(self, final: int) -> None:
        """Drop states that are not needed, and publish the hashes that are final."""
        for tick in [tick for tick in self._states if tick < final]:
            del self._states[tick]
        for key in [key for key in self._predicted if key[0] < final]:
            del self._predicted[key]
        for tick in [tick for tick in self._recent_hashes if tick <= final]:
            self.hashes[tick] = self._recent_hashes.pop(tick)
        while len(self.hashes) > 64:
            del self.hashes[min(self.hashes)]
