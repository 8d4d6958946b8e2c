"""`rish host` and `rish join`, as processes."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from long_runs import long
from rish_core.launcher import main

GAME = """
rish: 1
game: {title: Two}
plugins: [rules]
input:
  players: [{left: [A]}, {left: [LEFT]}]
variables: {sum: 0.0}
scene: play
scenes: {play: [{name: thing, Transform: {}}]}
on:
  tick: [{add: {sum: "random(0, 1)", thing.Transform.position.x: "random(0, 1)"}}]
  net.Joined: [{add: {sum: 100}}]
"""
LINK = "15ms 8ms 10%"


def _take_interrupts() -> None:
    """Let a process be interrupted, also where the tests run in the background and interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def rish(*arguments: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a command, and end it at last."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rish_core", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, preexec_fn=_take_interrupts,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("by_relay", long([False, True], [True]))
def test_two_processes_play_the_same_game(tmp_path: Path, capsys: pytest.CaptureFixture[str], by_relay: bool) -> None:
    """The host prints its invitation first; a guest with it finds the game, and both end with the same hash, also by a
    relay, whose first line says where it is. A replay of what the guest recorded has this hash too.
    """
    (tmp_path / "game.yaml").write_text(GAME)
    play = ["--headless", "--frames", "600", "--hash", "--net-sim", LINK]
    with ExitStack() as stack:
        more: list[str] = []
        if by_relay:
            listen = ["--address", "127.0.0.1", "--port", "0"]
            relay = stack.enter_context(rish("relay", *listen, folder=tmp_path))
            assert relay.stdout is not None
            more = ["--relay", relay.stdout.readline().split()[-1]]
        host = stack.enter_context(rish("host", ".", *more, *play, folder=tmp_path))
        assert host.stdout is not None
        invitation = host.stdout.readline().strip()
        with rish("join", invitation, *play, "--record", "guest.rish", folder=tmp_path) as guest:
            answers = [process.communicate(timeout=100) for process in (guest, host)]
    hashes = [output.strip().splitlines()[-1] for output, _ in answers]
    assert hashes[0].startswith("hash "), answers
    assert hashes[0] == hashes[1]
    assert (host.returncode, guest.returncode) == (0, 0)
    main(["replay", str(tmp_path / "guest.rish"), "--verify", "--hash", "--game", str(tmp_path)])
    assert capsys.readouterr().out.strip().splitlines()[-1] == hashes[0]


def test_a_guest_without_the_game(tmp_path: Path) -> None:
    """An invitation that is none ends the command with an error that names the command which prints one."""
    with rish("join", "rish:nobody", folder=tmp_path) as guest:
        _, errors = guest.communicate(timeout=60)
    assert guest.returncode == 2
    assert "rish host" in errors
