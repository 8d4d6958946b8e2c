"""The session: the request to quit, and the count of interventions from outside the input."""

from __future__ import annotations

from typing import Any

from rish_core import Interventions, Session


def test_a_game_begins_without_either(rish_app: Any) -> None:
    """A new World has a session without a request to quit, and no interventions."""
    world = rish_app({}).world
    assert (world[Session].quit, world[Session].exit_code) == (False, 0)
    assert (world[Interventions].count, world[Interventions].reasons) == (0, [])


def test_each_intervention_is_reported_with_its_tick(rish_app: Any) -> None:
    """Each intervention is counted, and its reason is kept with the number of the next tick."""
    app = rish_app({})
    app.run(3)
    found = app.world[Interventions]
    found.note("reload of door.py")
    app.run(2)
    found.note("a loaded game")
    assert found.count == 2
    assert found.reasons == [(3, "reload of door.py"), (5, "a loaded game")]


def test_only_the_last_reasons_are_kept(rish_app: Any) -> None:
    """Only the last 32 reasons are kept, but all are counted."""
    found = rish_app({}).world[Interventions]
    for number in range(100):
        found.note(f"edit {number}")
    assert found.count == 100
    assert len(found.reasons) == 32
    assert found.reasons[-1] == (0, "edit 99")


def test_an_intervention_is_no_state(rish_app: Any) -> None:
    """Interventions are not in the hash, and a restore does not undo them, because it is an intervention itself."""
    app = rish_app({})
    app.run(2)
    before, snapshot = app.world.hash(), app.world.snapshot()
    app.world[Interventions].note("an edit")
    assert app.world.hash() == before
    app.run(2)
    app.world.restore(snapshot)
    assert app.world[Interventions].count == 1
    assert app.world.hash() == before
