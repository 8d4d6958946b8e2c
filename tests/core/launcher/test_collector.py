"""The garbage collector is disabled while a game is loaded, but only in a program that Rish runs itself."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from rish_core.launcher import collector


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Enable the garbage collector of this process again; what is frozen stays so, as the tests themselves are."""
    monkeypatch.setattr(collector, "_controls_collector", False)
    yield
    gc.enable()


def test_what_is_there_when_it_settles_is_never_looked_at_again() -> None:
    """Objects that exist at `settle` are frozen, and later ones are collected as usual."""
    collector.put_off()
    assert not gc.isenabled()
    before = gc.get_freeze_count()
    kept = [[] for _ in range(1000)]
    collector.settle()
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(kept)
    assert not any(thing is kept for thing in gc.get_objects())


def test_a_program_that_only_calls_rish_keeps_its_collector() -> None:
    """`settle` without `put_off` does nothing."""
    kept = [[]]
    collector.settle()
    assert any(thing is kept for thing in gc.get_objects())  # it is not frozen
    gc.disable()
    collector.settle()
    assert not gc.isenabled()


@pytest.mark.slow
def test_the_command_line_settles_however_it_ends() -> None:
    """The collector is enabled and settled again after a played game and after a mistake."""
    code = (
        "import gc, sys; from rish_core import launcher; sys.argv = ['rish', *sys.argv[1:]]; launcher.main();"
        "print(gc.isenabled(), gc.get_freeze_count() > 10_000)"
    )
    for arguments in (["run", "games/hello", "--headless", "--frames", "1"], ["check", "nowhere"]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
        assert done.stdout.split()[-2:] == ["True", "True"]
