"""Rows of a class that is taken out of the code and put back."""

from __future__ import annotations

from rish_core import Interventions


def test_a_class_that_is_gone_comes_back_with_its_rows(live) -> None:
    """A removed class loses its rows, and has them again with their values if it is declared again."""
    door = "@component\nclass Door:\n    width: int = 1\n    note: Chars = ''\n\n\n@event"
    live.edit("plugin.py", ("@event", door), ("[Crate, Lamp, Pointer]", "[Crate, Lamp, Pointer, Door]"))
    first = live.kind("Door")
    hero, sign = live.entity("hero"), live.entity("sign")
    live.world.add(hero, first(width=7, note="oak"))
    live.world.add(sign, first(width=8))
    live.edit("plugin.py", ("[Crate, Lamp, Pointer, Door]", "[Crate, Lamp, Pointer]"))
    assert live.world.kind("Door") is None
    assert "2 entities" in live.told[0]
    live.app.frame()
    live.world.despawn(sign)
    live.edit("plugin.py", ("[Crate, Lamp, Pointer]", "[Crate, Lamp, Pointer, Door]"), ("width: int", "width: float"))
    found = live.world.get(hero, live.kind("Door"))
    assert (found.width, found.note) == (7.0, "oak")
    assert len(live.world.table(live.kind("Door"))) == 1


def test_after_a_restore_nothing_comes_back(live) -> None:
    """After a change of the past the kept rows are dropped, since handles may mean other entities."""
    declared = "[Crate, Lamp, Pointer, Key]"
    live.edit("plugin.py", ("@event", "@component\nclass Key:\n    teeth: int = 1\n\n\n@event"),
              ("[Crate, Lamp, Pointer]", declared))  # fmt: skip
    live.world.add(live.entity("hero"), live.kind("Key")(teeth=3))
    live.edit("plugin.py", (declared, "[Crate, Lamp, Pointer]"))
    live.world[Interventions].note("a seek")
    live.edit("plugin.py", ("[Crate, Lamp, Pointer]", declared))
    assert len(live.world.table(live.kind("Key"))) == 0
