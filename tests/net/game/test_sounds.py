"""What is heard of ticks that run again, and of those that are undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from net_two import link, play

from rish_audio import AudioOutput, Block, Output
from rish_audio.components.block import FLAGS, SERIAL
from rish_core import InputRecord, PendingInput, WindowEvent, open_game
from rish_net.game.net import Net
from rish_net.game.prediction import Prediction

GAME = """
rish: 1
game: {title: Loud}
plugins: [net, audio]
input:
  players: [{hit: [A]}, {hit: [B]}]
scenes: {play: []}
"""
PLUGIN = """
from rish_audio import SoundCommand, play
from rish_core import Input, Stage, system


@system(Stage.UPDATE, reads=Input, writes=SoundCommand)
def hit(world, dt):
    for number in (1, 2):
        if world[Input].player(number).pressed("hit"):
            play(world, "click" if number == 1 else "coin")


def rish_systems():
    return [hit]
"""


class Ear(Output):
    """An output that notes the voices of each block. serials: of each block. silences: blocks that fade all out."""

    def __init__(self) -> None:
        self.serials: list[set[int]] = []
        self.silences = 0

    def push(self, block: Block, clips: Any) -> None:
        """Note the voices."""
        self.serials.append({int(serial) for serial in block.whole[:, SERIAL] if serial})
        self.silences += bool(block.head[FLAGS])

    @property
    def starts(self) -> int:
        """How many sounds began."""
        return sum(len(now - before) for before, now in zip([set[int](), *self.serials], self.serials, strict=False))


Opener = Callable[[], tuple[Any, Ear]]


@pytest.fixture
def open_loud(tmp_path: Path) -> Iterator[Opener]:
    """A function that opens the game, and returns what is heard of it."""
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "plugin.py").write_text(PLUGIN)
    apps: list[Any] = []

    def open_one() -> tuple[Any, Ear]:
        app, ear = open_game(tmp_path, headless=True), Ear()
        app.world[AudioOutput].outputs.append(ear)
        apps.append(app)
        return app, ear

    yield open_one
    for app in apps:
        app.close()


def test_a_sound_of_ticks_that_run_again_starts_once(open_loud: Opener) -> None:
    """Each press is heard once on both sides, as on one machine, although ticks run again; and each tick has one block,
    without pauses.
    """
    (host, at_host), (guest, at_guest) = open_loud(), open_loud()
    link(host, guest, loss=0.4)
    first = host.world.tick, len(at_host.serials)
    before = at_host.starts, at_guest.starts
    for frame in range(120):
        for app, key in ((host, "A"), (guest, "B")):
            if frame % 20 in (0, 2):
                app.world[PendingInput].send(WindowEvent("key", key, frame % 20 == 0))
        play([host, guest], 1)
    assert host.world[Net].session.rollback.times > 3
    assert at_host.starts - before[0] == at_guest.starts - before[1] == 12
    assert len(at_host.serials) - first[1] == host.world.tick - first[0]
    assert at_host.silences == at_guest.silences == 0


def test_a_sound_whose_cause_is_undone_ends(open_loud: Opener) -> None:
    """A press that was predicted and did not happen is silent from the next tick on; the mixer fades it out."""
    (host, at_host), (guest, _) = open_loud(), open_loud()
    link(host, guest)
    host.world[Prediction].function = lambda seat, tick, last: InputRecord((WindowEvent("key", "B", True),))
    play([host], 2)
    host.world[Prediction].function = None
    assert at_host.serials[-1]
    play([guest, host], 3)
    assert not at_host.serials[-1]
    assert at_host.silences == 0
