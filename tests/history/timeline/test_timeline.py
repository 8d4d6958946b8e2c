"""The timeline: any tick in reach is what it was, bit for bit, and the game goes on from there as it did."""

from __future__ import annotations

import random
from typing import Any

import pytest
from history_flock import inputs, play

from rish_core import InputRecord, Interventions, Transform, UsageError
from rish_history import History


def test_any_tick_is_what_it_was(birds: Any) -> None:
    """Random seeks to and fro, and sixty ticks more from each."""
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
    """Tick by tick, across keyframes and a change of scene, down to the oldest."""
    app = birds()
    hashes = play(app, 150)
    timeline = app.world[History].timeline
    for tick in range(149, 0, -1):
        assert timeline.step_back()
        assert (app.world.tick, app.world.hash()) == (tick, hashes[tick])
    assert timeline.step_back(5)
    assert not timeline.step_back()


def test_what_came_after_is_in_reach_until_the_game_goes_on(birds: Any) -> None:
    """One may look back and return; who plays on from the past has another future."""
    app = birds()
    hashes = play(app, 200)
    history = app.world[History]
    history.seek(50)
    history.seek(180)
    assert app.world.hash() == hashes[180]
    history.seek(60)
    app.tick(InputRecord())
    assert history.newest == 61
    with pytest.raises(UsageError, match="no way back to tick 180: ticks 0 to 61 are in reach"):
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
    """Within, another input makes another game; afterwards everything is as it was, and goes on so."""
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


def test_the_budget_is_kept(birds: Any) -> None:
    """What is oldest goes, and the rest stays in reach."""
    app = birds(settings={"budget_mb": 0.03})
    hashes = play(app, 900)
    history = app.world[History]
    assert history.nbytes <= 30_000
    assert 0 < history.oldest < 880
    for tick in (history.oldest, history.oldest + 7, 899):
        history.seek(tick)
        assert app.world.hash() == hashes[tick]
    with pytest.raises(UsageError, match="no way back to tick 0: ticks"):
        history.seek(0)


def test_the_past_can_be_left_behind(birds: Any) -> None:
    """A level that begins is as far back as one gets."""
    app = birds()
    play(app, 50)
    history = app.world[History]
    history.forget()
    hashes = play(app, 90)
    assert (history.oldest, history.newest) == (50, 90)
    history.seek(70)
    assert app.world.hash() == hashes[70]


def test_an_edit_is_part_of_the_past(birds: Any) -> None:
    """State that was written from outside is found again, for it is noted and kept."""
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
    """A system may ask; the tick that asks is finished first."""
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
    """With the line to write."""
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
