"""Scripts are called after a reload of their code."""

from __future__ import annotations


def test_on_reload_is_called_once_for_each_script(live) -> None:
    """`on_reload` is called once for each script, with its old fields, and only if its code is new."""
    live.edit("walker.py", ("self.reloads += 1", "self.reloads += 10 * self.speed"))
    assert live.world.get(live.entity("hero"), live.kind("Walker")).reloads == 20
    live.edit("game.yaml", ("{hits: 9}", "{hits: 8}"))
    assert live.world.get(live.entity("hero"), live.kind("Walker")).reloads == 20


def test_an_on_reload_that_raises_stops_nothing(live) -> None:
    """An `on_reload` that raises is reported like any error of a script, and the new code runs."""
    live.edit("walker.py", ("self.reloads += 1", "self.reloads += 1 // 0"), ("steps += 1", "steps += 5"))
    assert "ZeroDivisionError" in live.told[0]
    live.app.frame()
    assert live.world.get(live.entity("hero"), live.kind("Walker")).steps == 6


def test_a_script_that_was_set_aside_runs_again(live) -> None:
    """A script disabled after too many errors is called again once its code has changed."""
    live.edit("walker.py", ("self.steps += 1", "self.steps += 1 // 0"))
    for _ in range(4):
        live.app.frame()
    walker = live.world.get(live.entity("hero"), live.kind("Walker"))
    assert walker.steps == 1
    live.edit("walker.py", ("1 // 0", "1"))
    live.app.frame()
    assert live.world.get(live.entity("hero"), live.kind("Walker")).steps == 2
