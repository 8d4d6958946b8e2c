"""Replay: plays a recorded game again, tick by tick, and compares it with the recorded hashes.

    app = open_recorded(recording)
    found = verify(app, recording)          # None, or the Divergence

The recorded inputs are passed to the ticks; the game gets no other input. If a hash differs, the replay continues to
the next hash of all parts, up to a second later, and reports the columns that differ there, and the tick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rish_core import App, InputRecord, Interventions, Snapshot, TickHooks, describe_error, read_manifest
from rish_core.plugin import NamedWish
from rish_ecs.snapshots import prepare_digests

from ..recordings.blocks import RecordingError
from ..recordings.origin import Origin, origin_of
from ..recordings.recording import Parts, Recording, Segment, parts_of, short_hash
from ..saves.saves import Saves
from ..timeline.history import History

_MAX_LISTED = 12
"""The maximum number of parts that a message lists."""


@dataclass(frozen=True)
class Divergence:
    """The first difference between a replay and its recording.

    tick: the first tick whose hash differs. segment: the index of its segment. parts_tick: the tick at which the parts
    were compared, or None. parts: the parts that differ there. what: a message that replaces all of these.
    """

    tick: int
    segment: int
    parts_tick: int | None = None
    parts: list[str] = field(default_factory=list[str])
    what: str = ""

    def __str__(self) -> str:
        if self.what:
            return self.what
        message = f"the replay differs from the recording at tick {self.tick}"
        if self.segment:
            message += f" (segment {self.segment + 1})"
        if self.parts_tick is None:
            return f"{message}; the recording ends before its next hash of all columns"
        if not self.parts:
            return f"{message}; at tick {self.parts_tick} all columns are equal again"
        names = ", ".join(self.parts[:_MAX_LISTED])
        more = f" and {len(self.parts) - _MAX_LISTED} more" if len(self.parts) > _MAX_LISTED else ""
        return f"{message}; at tick {self.parts_tick} these differ: {names}{more}"


def find_game(recording: Recording, path: Path, game: str | None = None) -> Path:
    """Return the folder or file of the recorded game: `game` if given, otherwise the recorded path.

    The recorded path is tried relative to the working directory and to the recording. Raises RecordingError if it does
    not exist.
    """
    if game is not None:
        return Path(game)
    recorded_path = Path(recording.origin.game)
    for place in (recorded_path, path.parent / recorded_path, path.parent / recorded_path.name):
        if recording.origin.game and place.exists():
            return place
    raise RecordingError(
        f"{path} is of the game {recording.origin.title!r} in {recording.origin.game!r}, which is not there",
        hint=f"Say where it is: rish replay {path} --game FOLDER",
    )


def open_recorded(recording: Recording, game: Path, overrides: Sequence[str] = (), **options: Any) -> App:
    """Make the recorded game's App with its seed, overrides, plugins and policy.

    overrides: further overrides of the manifest, which must not change the state. options: further options of App.
    """
    origin = recording.origin
    more = [NamedWish.parse(name) for name in origin.more]
    policy: Any = "raise" if origin.policy == "raise" else "disable"
    manifest = read_manifest(game, [*origin.overrides, *overrides])
    return App(manifest, seed=origin.seed, more=[*more, *options.pop("more", ())], policy=policy, **options)


def check_same(recording: Recording, app: Any, path: Path) -> None:
    """Raise RecordingError, with all differences, unless this is the game that was recorded."""
    now: Origin = origin_of(app)
    sentences = recording.origin.differences(now)
    if sentences:
        raise RecordingError(
            f"{path} was recorded with another game: {'; '.join(sentences)}",
            hint="Use the recorded version of the game, record again, or play it anyway with --anyway",
        )


class Player:
    """Plays a recording in an App, which must be new. `records()` iterates over the ticks."""

    def __init__(self, app: Any, recording: Recording) -> None:
        self.app = app
        self.recording = recording
        self.segment = 0
        app.world[TickHooks].replaying = True
        for cls in (History, Saves):  # rewinds and loaded games are in the recording, as segments
            if cls in app.world:
                app.world[cls].suspend()

    def records(self) -> Iterator[tuple[int, Segment, InputRecord]]:
        """Yield for each tick the index of its segment, the segment, and the input.

        At the start of a segment its snapshot is restored.
        """
        for number, segment in enumerate(self.recording.segments):
            self.segment = number
            self._begin(segment)
            for tick in range(segment.tick, segment.end):
                yield number, segment, segment.input(tick)
        if self.recording.crashed:
            last = self.recording.segments[-1]
            yield self.segment, last, last.input(last.end)

    def _begin(self, segment: Segment) -> None:
        """Restore the snapshot of a segment, if it has one."""
        world = self.app.world
        if segment.snapshot is None:
            if world.tick != segment.tick:
                raise RecordingError(f"a recording begins at tick {segment.tick}, and this game is at {world.tick}")
            return
        self.app.border()
        world.restore(Snapshot.from_bytes(segment.snapshot))
        world[Interventions].note(f"replay: {segment.reason}")


def verify(
    app: Any, recording: Recording, until: int | None = None, each: Callable[[Any], None] | None = None
) -> Divergence | None:
    """Play a recording and compare every recorded hash; return the first divergence, or None.

    until: stop when that tick is first reached. each: called after every tick.
    """
    prepare_digests()
    player = Player(app, recording)
    begun = -1
    for number, segment, record in player.records():
        world = app.world
        if number != begun:
            begun = number
            divergence = _compare_parts(world, segment, number, world.tick)
            if divergence is not None:
                return divergence
        if until is not None and world.tick >= until:
            break
        if recording.crashed and world.tick == segment.end:
            return _verify_crash(app, recording, record, number)
        try:
            app.simulate(record)
        except Exception as error:
            is_last = segment is recording.segments[-1] and world.tick == segment.end - 1
            if (
                is_last and not recording.crashed and describe(error) == recording.error
            ):  # an input log ends with the tick that failed
                return None
            what = f"tick {world.tick} now ends the game, which it did not do then: {describe(error)}"
            return Divergence(world.tick, number, what=what)
        if each is not None:
            each(app)
        expected = segment.hashes.get(world.tick)
        if expected is not None and expected != short_hash(world):
            return _trace(app, segment, number)
    return None


def _verify_crash(app: Any, recording: Recording, record: InputRecord, number: int) -> Divergence | None:
    """Run the tick that failed; return None if it fails with the recorded error again."""
    tick = app.world.tick
    try:
        app.simulate(record)
    except Exception as error:
        text = describe(error)
        if text == recording.error:
            return None
        what = f"tick {tick} ended the game with: {recording.error}; now it ends with: {text}"
        return Divergence(tick, number, what=what)
    return Divergence(tick, number, what=f"tick {tick} ended the game with: {recording.error}; now it does not")


def describe(error: BaseException) -> str:
    """Return the text of an error in the form used by capsules."""
    return describe_error(error)


def _trace(app: Any, segment: Segment, number: int) -> Divergence:
    """Continue to the next hash of all parts, and return the parts that differ there."""
    first = app.world.tick
    following = [tick for tick in segment.parts if tick >= first]
    if not following:
        return Divergence(first, number)
    for tick in range(first, following[0]):
        app.simulate(segment.input(tick))
    divergence = _compare_parts(app.world, segment, number, first)
    return divergence if divergence is not None else Divergence(first, number, following[0])


def _compare_parts(world: Any, segment: Segment, number: int, first: int) -> Divergence | None:
    """Compare the parts with the recorded hashes; None if they are equal or none were recorded. first: see `tick`."""
    expected = segment.parts.get(world.tick)
    if expected is None:
        return None
    differing = different_parts(expected, parts_of(world))
    return Divergence(first, number, world.tick, differing) if differing else None


def different_parts(then: Parts, now: Parts) -> list[str]:
    """Return the names of the parts that differ. Parts of one side only get a note."""
    notes = {name: "" for name in then if name in now and then[name] != now[name]}
    notes |= {name: " (only now)" for name in now if name not in then}
    notes |= {name: " (only then)" for name in then if name not in now}
    return [f"{name}{note}" for name, note in sorted(notes.items())]
