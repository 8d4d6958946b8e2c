"""Hundreds of random edits by the functions that panels use: undo and redo lead to exactly the states before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from long_runs import long
from random_person import Person
from rish_editor.testing import UIDriver

GAME = """rish: 1
game: {title: Random, size: [640, 360]}
plugins: [render]
prefabs:
  crate: {Transform: {}, Shape: {size: [20, 20]}, children: [{name: lid, Transform: {}, Shape: {}}]}
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: box, count: 8, at: {grid: [4, 2], step: [60, 60]}, Transform: {}, Shape: {size: [30, 30]}}
    - {prefab: crate, name: crate, at: [-100, 40]}
"""


EDITS = long(500, 80)


@pytest.mark.slow
@pytest.mark.parametrize("number", long([1, 2, 3], [1]))
def test_random_edits_are_undone_and_done_again(driver: UIDriver, open_text: Callable[..., Any], number: int) -> None:
    """After the edits, undo leads to the first hash, and redo passes the same states to the last one."""
    game = open_text(GAME)
    driver.shell.editor.show("editor.scene")
    driver.step(3)
    person = Person(driver, number)
    hashes = [game.world.hash()]
    for _ in range(EDITS):
        person.edit()
    driver.step(2)
    last = game.world.hash()
    count = len(game.history.done)
    assert count > EDITS // 2
    assert last != hashes[0]
    while game.undo() is not None:
        hashes.append(game.world.hash())
    assert hashes[-1] == hashes[0]
    back = hashes[:0:-1]
    forth = []
    while game.redo() is not None:
        forth.append(game.world.hash())
    assert forth[-1] == last
    assert forth[:-1] == back[1:]
