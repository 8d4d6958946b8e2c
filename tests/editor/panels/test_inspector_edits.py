"""Edits in the inspector: whatever a person does in any order, undoing all of it brings the first state back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import Transform
from rish_ecs import DeclarationError
from rish_editor.session.target import Target
from rish_editor.testing import UIDriver
from rish_render import Shape, Sprite, Text

from .conftest import INSPECTED, Inspector

NAMES = ("camera", "hero", "red", "blue", "box", "note", "rope")
VALUES = st.one_of(
    st.tuples(st.just("number"), st.sampled_from(["7", "*2", "+=3", "random", "x*x", "1e30", "-5"])),
    st.tuples(st.just("reset"), st.just("")),
    st.tuples(st.just("each"), st.just("")),
    st.tuples(st.just("undo"), st.just("")),
    st.tuples(st.just("redo"), st.just("")),
)


@pytest.mark.slow
@given(
    chosen=st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    edits=st.lists(st.tuples(st.integers(0, 10_000), VALUES), min_size=1, max_size=12),
)
@example(chosen=["camera", "hero", "red"], edits=[(4685, ("number", "1e30")), (431, ("number", "x*x"))])
@settings(max_examples=long(25, 10), deadline=None, suppress_health_check=list(HealthCheck))
def test_random_edits_are_undone_to_the_first_state(
    inspector: Inspector, chosen: list[str], edits: list[tuple[int, tuple[str, str]]]
) -> None:
    """Random edits of random fields of several entities are undone to the first hash, and done again to the last."""
    from rish_editor.panels.inspector.fields.drawing import put_parts
    from rish_editor.ui.values import read_formula

    inspector.select(*chosen)
    panel = inspector.driver.shell.editor.panels["editor.inspector"]
    first, ui = inspector.world.hash(), inspector.driver.shell.editor.ui
    begun = len(inspector.game.history.done)
    for number, (what, text) in edits:
        ui.gesture += 1
        targets = list(panel._targets[1].values())
        target = targets[number % len(targets)]
        name = target.shown[(number // 7) % len(target.shown)] if target.shown else ""
        if not name:
            continue
        spec = target.spec(name)
        if what == "undo" and len(inspector.game.history.done) > begun:
            inspector.game.undo()
        elif what == "redo":
            inspector.game.redo()
        elif what == "reset":
            target.set(name, spec.default)
        elif what == "each" and name != "parent":
            target.set_each(name, lambda values: values)
        elif what == "number" and not spec.type.special and spec.type.dtype.kind in "fi" and len(spec.type.shape) < 2:
            before = inspector.world.hash()
            try:
                put_parts(target, spec, {number % max(spec.type.width, 1): read_formula(text)})
            except DeclarationError:  # such as the square of 1e30
                assert inspector.world.hash() == before
        inspector.driver.step()
    last = inspector.world.hash()
    done = len(inspector.game.history.done) - begun
    for _ in range(done):
        inspector.game.undo()
    assert inspector.world.hash() == first
    for _ in range(done):
        inspector.game.redo()
    assert inspector.world.hash() == last
    for _ in range(done):
        inspector.game.undo()
    assert inspector.driver.shell.editor.failures == 0


def test_components_of_missing_plugins_are_shown_as_text(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """What no loaded plugin has is shown as it is in the file, and can't be edited."""
    text = INSPECTED.replace("Text: {text: Hi}", "Text: {text: Hi}, Spell: {power: 3}")

    person = Inspector(driver, open_text(text))
    person.select("note")
    person.search("Spell")
    assert driver.sees(person.at("left_out/Spell:data"))
    person.select("red")
    assert not driver.sees(person.at("left_out/Spell:data"))


@pytest.mark.slow
def test_many_selected_entities_are_compared_once(inspector: Inspector, monkeypatch: pytest.MonkeyPatch) -> None:
    """The values of 10,000 selected entities are compared once after a change, not in each frame, and one edit sets
    them all."""
    handles = inspector.world.spawn_many(10_000, Transform(), Shape(), Text(text="a"), Sprite(image="hero.png"))
    compared, compare = list[str](), Target._mixture

    def noted(target: Target, name: str) -> Any:
        compared.append(f"{target.cls.__name__}.{name}")
        return compare(target, name)

    monkeypatch.setattr(Target, "_mixture", noted)
    inspector.game.selection.set(handles.tolist())
    inspector.driver.step(3)
    assert "Transform.rotation" in compared
    assert len(compared) == len(set(compared))
    compared.clear()
    inspector.driver.step(5)
    assert compared == []
    targets = inspector.driver.shell.editor.panels["editor.inspector"]._targets[1]
    targets[Transform].set("rotation", 1.0)
    inspector.driver.step(2)
    assert {name.partition(".")[0] for name in compared} == {"Transform"}
    assert (inspector.world.table(Transform).rotation[inspector.world.table(Transform).rows_of(handles)] == 1).all()
    inspector.game.undo()
    assert not inspector.world.table(Transform).rotation.any()


def test_an_added_component_is_scrolled_to(inspector: Inspector) -> None:
    """The new component is in view, also if it is below what fits, and if a search or its fold would hide it."""
    inspector.select("red")
    inspector.search("rotation")
    inspector.driver.click("editor.inspector/add")
    inspector.driver.type("CanvasGroup")
    inspector.driver.key("Enter")
    inspector.driver.step(6)
    shown, header = (
        inspector.driver.place(f"editor.inspector/{name}") for name in ("components", "CanvasGroup:header")
    )
    assert shown.top <= header.top
    assert header.bottom <= shown.bottom
