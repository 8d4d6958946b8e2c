"""`rish record GAME --out run.rish`: play a game like `rish run`, and write a recording."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rish_cli import run as play
from rish_core import say

from ..recordings.blocks import PART, RecordingError
from ..recordings.origin import origin_of_run
from ..recordings.random_player import RandomPlayer
from ..recordings.recorder import Recorder
from ..replay.log_tail import LogTail
from ..replay.replay import describe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `rish run`, `--out` and `--random`."""
    parser.add_argument("--out", default="run.rish", metavar="FILE", help="the recording; run.rish where not given")
    parser.add_argument(
        "--random", type=int, metavar="SEED", help="press random keys of the game: a seed plays the same game again"
    )
    play.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play and record; if an error ends the game, the recording becomes a capsule that reproduces the error."""
    out = Path(arguments.out)
    if not out.parent.is_dir():
        raise RecordingError(
            f"there is no folder {out.parent} for the recording", hint="Make it, or give another --out"
        )
    recorders: list[Recorder] = []  # stays empty if the window is closed while the game is loading

    def begin(app: Any) -> None:
        if arguments.random is not None:
            RandomPlayer(app, arguments.random).take_over()
        recorders.append(Recorder(app, out, origin_of_run(app, arguments)))

    with LogTail() as log:
        try:
            code = play.run(arguments, begin)
            for recorder in recorders:
                recorder.finish()
        except BaseException as error:  # also an interrupt of `finish`, which is called again
            if recorders:
                crash = isinstance(error, Exception)
                recorders[0].finish(describe(error) if crash else "", log.text() if crash else "")
                _tell(recorders[0])
            raise
    for recorder in recorders:
        _tell(recorder)
    return code


def _tell(recorder: Recorder) -> None:
    """Print where the recording is. Raises RecordingError if it ended early."""
    if recorder.failed:
        raise RecordingError(recorder.failed, hint=f"What there is can be played: rish replay {recorder.path}{PART}")
    say(f"wrote {recorder.path}: {recorder.ticks} ticks. Play it again: rish replay {recorder.path}", error=True)
