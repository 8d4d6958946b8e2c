"""Players: worlds that follow each other in one running game are those of new processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rish_core import RishError, open_game
from rish_ray import Job, Outcome, Player, Trial

X = "walker.Transform.position.x"


@pytest.fixture
def play(walk: Path) -> Iterator[Callable[..., Outcome]]:
    """Play a job of a trial with these options; each combination of options has one player."""
    players: dict[str, Player] = {}

    def once(seed: int = 1, *changes: str, autopilots: tuple[Path, ...] = (), **options: Any) -> Outcome:
        trial = Trial(str(walk), **{"ticks": 20, "columns": (X,), **options})
        player = players.setdefault(repr(trial), Player(trial))
        return player(Job(seed, changes, tuple(str(path) for path in autopilots)))

    yield once
    for player in players.values():
        player.close()


def test_worlds_have_the_hashes_of_new_games(walk: Path, play: Callable[..., Outcome]) -> None:
    """After other worlds, with another seed or other settings, a world has the hash of a game that was just opened."""
    for seed, changes in ((1, ()), (2, ()), (1, ("settings.game.step=3",)), (1, ())):
        outcome = play(seed, *changes)
        with closing(open_game(walk, changes, seed=seed, headless=True)) as app:
            app.run(20, draw=False)
            assert (outcome.hash, outcome.ticks, outcome.end) == (app.world.hash(), 20, "ticks")


def test_a_condition_ends_a_world(play: Callable[..., Outcome]) -> None:
    """A world ends after the first tick after which the expression is true; the columns are those of that moment."""
    ended = play(until=f"{X} > 9")
    (x,) = ended.values
    assert ended.end == "until"
    assert x > 9
    before = play(ticks=ended.ticks - 1).values[0]
    assert before <= 9


def test_a_game_may_end_itself(play: Callable[..., Outcome]) -> None:
    """A game that quits ends its world."""
    assert play(1, "settings.game.end=5").end == "quit"


def test_an_autopilot_holds_actions(walk: Path, play: Callable[..., Outcome]) -> None:
    """The walker whose autopilot holds its key is twice as far, and that of the other player only with another one."""
    fast = walk.parent / "fast.py"
    columns = (X, "other.Transform.position.x")
    alone, first, both = (play(columns=columns, autopilots=(fast,) * count).values for count in (0, 1, 2))
    assert first == (pytest.approx(2 * alone[0]), alone[1])
    assert both == pytest.approx([2 * alone[0], 2 * alone[1]])


def test_a_world_that_raises_is_a_row(play: Callable[..., Outcome]) -> None:
    """The error of a world is in its row, in one line, and the next world of the same player is as always."""
    change = "settings.game.stumble=8"
    failed = play(1, change)
    assert (failed.end, failed.hash, failed.values) == ("error", "", (None,))
    assert "stumbled" in failed.error
    assert "\n" not in failed.error
    short = play(1, change, ticks=3)
    assert short.hash == play(1, change, ticks=3).hash != ""


@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        (("settings.game.stp=1",), {}, "step"),
        ((), {"until": "walker.Transfrom.position.x > 1"}, "Transfrom"),
        ((), {"until": "'text'"}, "true or false"),
        ((), {"columns": ("1 +",)}, "columns"),
    ],
)
def test_mistakes_stop_all_worlds(
    play: Callable[..., Outcome], changes: tuple[str, ...], options: dict[str, Any], said: str
) -> None:
    """A wrong setting or expression is no row: it is raised, with what is wrong."""
    with pytest.raises(RishError, match=said):
        play(1, *changes, **options)


def test_a_wrong_autopilot_is_reported(tmp_path: Path, play: Callable[..., Outcome]) -> None:
    """An unknown action is named in the row of the world."""
    path = tmp_path / "wrong.py"
    path.write_text("def play(world, player): return ['fsat']", encoding="utf-8")
    assert "fsat" in play(autopilots=(path,)).error


def test_an_expression_without_a_value_is_an_empty_cell(play: Callable[..., Outcome]) -> None:
    """A column that has no value at the end is None."""
    assert play(columns=("1 / (tick - 20)", "tick")).values == (None, 20)
