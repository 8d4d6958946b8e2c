"""`rish replay run.rish`: play a recording again, to watch or verify it."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from rish_cli import add_audio_option, add_log_options, add_trust, audio_overrides, game_of, set_up_log, whole_number
from rish_core import FINE, OURS, YOURS, InputRecord, RishError, TickHooks, say
from rish_expressions import Expression, ExpressionError

from ..recordings.blocks import RecordingError
from ..recordings.recording import Recording, read_recording
from ..replay.replay import Player, check_same, find_game, open_recorded, verify


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the recording, and the options for its end, verification and display."""
    parser.add_argument("recording", metavar="FILE", help="what rish record wrote, or the .part of one that was killed")
    parser.add_argument("--until", type=whole_number, metavar="TICK", help="stop when that tick is reached")
    parser.add_argument("--when", metavar="EXPR", help="stop after the tick in which EXPR becomes true, and print it")
    parser.add_argument(
        "--verify", action="store_true", help="compare every hash, as fast as it goes; 1 if one differs"
    )
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--backend", metavar="NAME", help="how to draw it")
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help="times real time, in a window")
    parser.add_argument(
        "--capture", action="append", default=[], metavar="FILE", help="write .png (the last frame), .gif or .mp4"
    )
    add_audio_option(parser)
    parser.add_argument("--game", metavar="GAME", help="the game's folder or pack, where it is not where it was")
    add_trust(parser)
    parser.add_argument("--anyway", action="store_true", help="play it although the game has changed")
    parser.add_argument("--hash", action="store_true", help="print the hash of the world's state at the end")
    add_log_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the recording; return 1 with --verify if it diverges, 2 if its file is cut or damaged."""
    set_up_log(arguments)
    path = Path(arguments.recording)
    captures = [Path(name) for name in arguments.capture]
    recording = read_recording(path)
    arguments.game = find_game(recording, path, arguments.game)
    game = game_of(arguments)
    if arguments.when is not None and arguments.verify:
        raise RecordingError("--when and --verify don't go together", hint="Run the command twice")
    headless = arguments.headless or arguments.verify
    options: dict[str, Any] = {"backend": arguments.backend, "headless": headless, "capture": captures or None}
    app = open_recorded(recording, game, audio_overrides(arguments), **options)
    with app:
        if not arguments.anyway:
            check_same(recording, app, path)
        if recording.cut:
            say(f"{path}: {recording.cut}; it is played up to there", error=True)
        code = _verify(app, recording, arguments) if arguments.verify else _show(app, recording, arguments, captures)
        if arguments.hash:
            say(f"hash {app.world.hash()}")
        return code or (YOURS if recording.cut else FINE)


def _verify(app: Any, recording: Recording, arguments: argparse.Namespace) -> int:
    """Compare all hashes and print the result; return the exit code."""
    begin = time.perf_counter()
    divergence = verify(app, recording, arguments.until)
    if divergence is not None:
        say(f"{arguments.recording}: {divergence}", error=True)
        _hint(app, recording)
        return OURS
    seconds = time.perf_counter() - begin
    hashes = sum(len(segment.hashes) for segment in recording.segments)
    say(f"{arguments.recording}: the same again ({recording.ticks} ticks, {hashes} hashes, {seconds:.1f} s)")
    if recording.crashed:
        say(f"and the same end: {recording.error}")
    elif recording.error:
        say(f"the recording ends with: {recording.error}")
    return FINE


def _hint(app: Any, recording: Recording) -> None:
    """Print how this machine differs from the one of the recording."""
    from ..recordings.origin import origin_of

    then, now = recording.origin.machine, origin_of(app).machine
    for name, value in then.items():
        if now.get(name) != value:
            say(f"  {name} was {value}, and is {now.get(name)}", error=True)


def _show(app: Any, recording: Recording, arguments: argparse.Namespace, captures: list[Path]) -> int:
    """Play the recording frame by frame, in a window or headless; return the exit code.

    Input of the window is ignored.
    """
    ticks = Player(app, recording).records()
    over = False
    until = When(app.world, arguments.when) if arguments.when is not None else None

    def feed(world: Any, heard: InputRecord) -> InputRecord | None:
        nonlocal over
        tick = next(ticks, None)
        over = tick is None or (arguments.until is not None and world.tick >= arguments.until)
        over = over or (until is not None and until.tick is not None)
        return None if tick is None or over else tick[2]

    app.world[TickHooks].before.insert(0, feed)
    if until is not None:
        app.world[TickHooks].after.append(until)
    draw = bool(captures) or not app.headless
    with app.host.record(captures, app.clock.dt) as captured:
        try:
            while app.running and not over:
                app.run(1, speed=arguments.speed, draw=draw, each=lambda app: captured.take())
        except RishError:
            if not recording.error:
                raise
            say(f"{arguments.recording}: it ends as it did: {recording.error}", error=True)
        if over and recording.error and not recording.crashed and until is None and arguments.until is None:
            say(f"{arguments.recording}: the recording ends with: {recording.error}", error=True)
        for path in captured.finish():
            say(f"wrote {path}", error=True)
    return FINE if until is None else until.tell(arguments.recording)


class When:
    """Finds the first tick after which an expression becomes true. tick: that tick; None: not yet.

    While the expression fails, for instance because an entity does not exist, it counts as false.
    """

    def __init__(self, world: Any, text: str) -> None:
        self._test = Expression.parse(text).bind(world)
        self._before = True  # it must become true
        self._failure = ""
        self.tick: int | None = None

    def __call__(self, world: Any, record: InputRecord) -> None:
        """Evaluate the expression after a tick."""
        try:
            is_true = bool(self._test())
        except ExpressionError as error:
            is_true, self._failure = False, error.line
        if is_true and not self._before and self.tick is None:
            self.tick = world.tick
        self._before = is_true

    def tell(self, recording: str) -> int:
        """Print the tick, or that there is none; return the exit code 0 or 1."""
        if self.tick is not None:
            say(f"{recording}: at tick {self.tick}, {self._test.text} became true")
            return FINE
        why = f". The last failure of the expression: {self._failure}" if self._failure else ""
        say(f"{recording}: {self._test.text} never became true{why}", error=True)
        return OURS
