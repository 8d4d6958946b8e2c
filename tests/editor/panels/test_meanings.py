"""Numbers with a meaning of their own in the inspector: names, numbers and back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from rish_core import named
from rish_editor.look.language import catalog
from rish_editor.testing import UIDriver

from .conftest import Inspector

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render, physics, audio, lighting, particles, animation, basics, ui, scene3d]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: one, Transform: {position: [0, 0]}, Body: {}, Collider: {}}
    - {name: two, Transform: {position: [50, 0]}, Body: {mass: 5}, Collider: {density: 3}}
"""


@pytest.fixture
def inspector(driver: UIDriver, open_text: Callable[..., Any]) -> Inspector:
    """A person at the inspector of a game with bodies."""
    return Inspector(driver, open_text(GAME))


def density(inspector: Inspector, name: str) -> float:
    """Return the density of an entity's collider."""
    game = inspector.game
    return float(game.read(named(game.world, name), game.world.kind("Collider"), "density"))


def test_a_number_with_a_meaning_is_shown_by_name(inspector: Inspector) -> None:
    """-1 is *As the settings say*; a choice goes to a number, and the number's button to the names."""
    driver = inspector.driver
    inspector.select("one")
    inspector.search("Collider density")
    at = inspector.at("Collider/surface/density")
    driver.click(at)
    assert {mark.rpartition(":")[2] for mark in driver.marks(f"{at}:")} == {"-1", "0", "label", "number"}
    driver.click(f"{at}:number")
    driver.step(2)
    assert density(inspector, "one") == 1.0
    inspector.enter("Collider/surface/density", "2.5")
    assert density(inspector, "one") == 2.5
    driver.click(f"{at}:meanings")
    driver.click(f"{at}:names/0")
    driver.step(2)
    assert density(inspector, "one") == 0.0
    driver.click(at)
    driver.click(f"{at}:number")
    driver.step(2)
    assert density(inspector, "one") == 2.5
    inspector.enter("Collider/surface/density", "-1")
    driver.step(2)
    driver.click(at)
    assert driver.sees(f"{at}:number")
    driver.key("Escape")
    assert len(inspector.steps) == 5


def test_a_number_that_is_dragged_stays_one(inspector: Inspector) -> None:
    """A drag that passes a number with a meaning goes on; the name is shown after it."""
    driver = inspector.driver
    inspector.select("two")
    inspector.search("Collider density")
    at = inspector.at("Collider/surface/density")
    driver.move(at)
    driver.press()
    for _ in range(29):
        driver.move((driver.at[0] - 20, driver.at[1]))
    assert density(inspector, "two") == -1.0
    assert driver.sees(f"{at}:meanings")
    for _ in range(29):
        driver.move((driver.at[0] + 20, driver.at[1]))
    assert density(inspector, "two") > -1.0
    driver.release()
    driver.step(2)


def test_several_entities_with_and_without_a_number(inspector: Inspector) -> None:
    """Where only some have a number with a meaning, none is named, and a name can be given to all."""
    driver = inspector.driver
    inspector.select("one", "two")
    inspector.search("Collider density")
    at = inspector.at("Collider/surface/density")
    driver.click(f"{at}:meanings")
    driver.click(f"{at}:names/-1")
    driver.step(2)
    assert [density(inspector, name) for name in ("one", "two")] == [-1.0, -1.0]


def test_every_number_with_a_meaning_is_declared(inspector: Inspector) -> None:
    """A number whose description says what -1 means declares it; each name is that of its number, and translated."""
    known = {**catalog("zh-TW"), **inspector.driver.shell.editor.language._added.get("zh-TW", {})}
    specs = [
        spec
        for cls, table in inspector.world.tables.items()
        for spec in table.schema.fields.values()
        if not spec.hidden and spec.type.special == "" and spec.type.name != "Color"
    ]
    assert sum(bool(spec.meanings) for spec in specs) > 40
    for spec in specs:
        magic = re.search(r"(?:^|[;,] )(-1|below 0): ", spec.doc)
        assert magic is None or spec.meanings or spec.name in ("ratio", "speed"), f"{spec!r}: {spec.doc}"
        for number, text in spec.meanings.items():
            assert spec.meaning(spec.check([number] * spec.type.width if spec.type.shape else number)) == text
            assert text in known, f"{spec!r}: {text}"
