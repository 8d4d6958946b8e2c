"""The timeline: any tick in reach is restored bit for bit, and the game continues from there as before."""

from __future__ import annotations

import random
from typing import Any

import pytest
from history_flock import inputs, play

from rish_core import InputRecord, Interventions, Transform, UsageError
from rish_history import History


@pytest.mark.slow
def test_any_tick_is_what_it_was(birds: Any) -> None:
    """Random seeks restore each tick's hash, and sixty ticks played from one are the same again."""
    app = birds()
    hashes = play(app, 400)
    history, dice = app.world[History], random.Random(2)
    assert (history.oldest, history.newest) == (0, 400)
    for tick in [dice.randint(1, 400) for _ in range(40)]:
        history.seek(tick)
        assert app.world.tick == tick
        assert app.world.hash() == hashes[tick]
    history.seek(250)
    again = play(app, 310)
    assert again == {tick: hashes[tick] for tick in range(251, 311)}


def test_stepping_back_is_the_same(birds: Any) -> None:
    """Stepping back tick by tick restores each hash, across keyframes and a scene change, down to the oldest."""
    app = birds()
    hashes = play(app, 150)
    timeline = app.world[History].timeline
    for tick in range(149, 0, -1):
        assert timeline.step_back()
        assert (app.world.tick, app.world.hash()) == (tick, hashes[tick])
    assert timeline.step_back(5)
    assert not timeline.step_back()


def test_what_came_after_is_in_reach_until_the_game_goes_on(birds: Any) -> None:
    """Later ticks stay in reach after a seek back, until the game continues and replaces them."""
    app = birds()
    hashes = play(app, 200)
    history = app.world[History]
    history.seek(50)
    history.seek(180)
    assert app.world.hash() == hashes[180]
    history.seek(60)
    app.tick(InputRecord())
    assert history.newest == 61
    with pytest.raises(UsageError, match="tick 180 can't be restored: ticks 0 to 61 are in reach"):
        history.seek(180)
    fresh = {app.world.tick: app.world.hash()}
    while app.world.tick < 120:
        app.tick(InputRecord())
        fresh[app.world.tick] = app.world.hash()
    for tick in (120, 61, 100, 61, 90):
        history.seek(tick)
        assert app.world.hash() == fresh[tick]
    history.seek(30)
    assert app.world.hash() == hashes[30]


def test_a_branch_leaves_no_trace(birds: Any) -> None:
    """A branch with other input has other hashes; after it the state is restored and the game continues equally."""
    app = birds()
    hashes = play(app, 120)
    count = app.world[Interventions].count
    history = app.world[History]
    with history.branch(40) as there:
        assert (there.world.tick, there.world.hash()) == (40, hashes[40])
        for _ in range(30):
            there.simulate(InputRecord())
        assert there.world.hash() != hashes[70]
    with pytest.raises(ZeroDivisionError), history.branch(10):
        raise ZeroDivisionError
    assert (app.world.tick, app.world.hash(), app.world[Interventions].count) == (120, hashes[120], count)
    undisturbed = play(birds(), 140)
    assert play(app, 140) == {tick: undisturbed[tick] for tick in range(121, 141)}


@pytest.mark.slow
def test_the_budget_is_kept(birds: Any) -> None:
    """The oldest ticks are removed to keep the memory budget in every tick, and the rest stays in reach."""
    app = birds(settings={"budget_mb": 0.03})
    hashes, history = {}, app.world[History]
    for end in range(1, 901):
        hashes |= play(app, end)
        assert history.nbytes <= 30_000
    assert 0 < history.oldest < 880
    for tick in (history.oldest, history.oldest + 7, 899):
        history.seek(tick)
        assert app.world.hash() == hashes[tick]
    with pytest.raises(UsageError, match="tick 0 can't be restored: ticks"):
        history.seek(0)


def test_the_past_can_be_left_behind(birds: Any) -> None:
    """`forget` makes the current tick the oldest one in reach."""
    app = birds()
    play(app, 50)
    history = app.world[History]
    history.forget()
    hashes = play(app, 90)
    assert (history.oldest, history.newest) == (50, 90)
    history.seek(70)
    assert app.world.hash() == hashes[70]


def test_an_edit_is_part_of_the_past(birds: Any) -> None:
    """A reported change from outside is part of the history, before and after it."""
    app = birds()
    before = play(app, 40)
    app.world[Transform].position[0] = 99
    app.world[Interventions].note("a push")
    after = play(app, 100)
    history = app.world[History]
    for tick, expected in ((30, before), (70, after), (39, before), (41, after)):
        history.seek(tick)
        assert app.world.hash() == expected[tick]


def test_within_a_stage_it_waits_for_the_border(birds: Any, rish_app: Any) -> None:
    """A system may request a seek; the current tick is finished first."""
    from types import SimpleNamespace

    from rish_core import Stage, system

    @system(Stage.PRE)
    def ask(world: Any, dt: float) -> None:
        if world.tick == 20 and not world[Interventions].count:
            world[History].seek(5)

    app = rish_app(
        {}, plugins={"mine": SimpleNamespace(rish_systems=lambda: [ask])}, installed=["history"], strict=False
    )
    app.run(21)
    assert app.world.tick == 21
    app.frame()
    assert app.world.tick == 6
    assert app.world[Interventions].reasons[-1] == (5, "back to tick 5")


def test_a_game_that_keeps_nothing_says_so(birds: Any) -> None:
    """A seek without a budget raises UsageError with the setting to change."""
    app = birds(settings={"budget_mb": 0})
    play(app, 5)
    assert not app.world[History].kept
    with pytest.raises(UsageError, match=r"nothing is kept of the past. settings: history: budget_mb"):
        app.world[History].seek(2)
    app.world[History].forget()


def test_it_is_no_state(birds: Any) -> None:
    """A game with the plugin has the hashes of one without it."""
    assert play(birds(), 80) == play(birds(history=False), 80)
    assert inputs(3) == inputs(23)
