"""A new component with a form takes that of what its entity draws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rish_core import Transform, named
from rish_editor.commands.entities.creating import add_to
from rish_editor.commands.entities.fitting import fit_to_drawn
from rish_editor.testing import UIDriver
from rish_lighting import Occluder
from rish_physics import Body, Collider
from rish_render import drawn_boxes

GAME = """rish: 1
game: {title: Forms, size: [640, 360]}
plugins: [render, physics, lighting]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: box, Transform: {scale: [2, 3]}, Shape: {size: [48, 20], anchor: [0, 1]}}
    - {name: disc, Transform: {}, Shape: {shape: circle, radius: 9}}
    - {name: round, Transform: {}, Shape: {shape: circle, size: [30, 30]}}
    - {name: egg, Transform: {}, Shape: {shape: circle, size: [30, 60]}}
    - {name: hill, Transform: {}, Shape: {shape: polygon, points: [[-50, 0], [50, 0], [0, 80]]}}
    - {name: arrow, Transform: {}, Shape: {shape: polygon, points: [[-50, 0], [0, 20], [50, 0], [0, 80]]}}
    - {name: floor, Transform: {}, Shape: {shape: line, points: [[0, 0], [90, 0]]}}
    - {name: path, Transform: {}, Shape: {shape: line, points: [[0, 0], [90, 0], [90, 50]]}}
    - {name: picture, Transform: {}, Sprite: {image: wide.png}}
    - {name: stretched, Transform: {}, Sprite: {image: wide.png, size: [100, 7]}}
    - {name: panel, Transform: {}, NinePatch: {size: [80, 50]}}
    - {name: bare, Transform: {}}
"""


@pytest.fixture
def game(open_text: Callable[..., Any], tmp_path: Path) -> Any:
    """A game with entities of all forms."""
    (tmp_path / "game").mkdir()
    Image.fromarray(np.full((12, 40, 4), 255, np.uint8)).save(tmp_path / "game" / "wide.png")
    return open_text(GAME)


def added(game: Any, driver: UIDriver, cls: type, *names: str) -> list[Any]:
    """Add a component to entities as one step; return each as it is now, as fields by name."""
    handles = [named(game.world, name) for name in names]
    with game.edit("Add"):
        add_to(driver.shell.editor, handles, cls.__name__)
    return [game.world.get(handle, cls) for handle in handles]


SIZES = {
    "box": (48, 20), "disc": (18, 18), "round": (30, 30), "picture": (40, 12), "stretched": (100, 7), "panel": (80, 50),
    "bare": (32, 32),
}  # fmt: skip


def test_each_of_several_gets_its_own_size(game: Any, driver: UIDriver) -> None:
    """Colliders that are added to several entities at once have the sizes of each one; without a picture the usual."""
    found = added(game, driver, Collider, *SIZES)
    assert {name: tuple(each.size.tolist()) for name, each in zip(SIZES, found, strict=True)} == SIZES
    assert {each.shape.value for each in found} == {"box", "circle"}
    assert found[0].offset.tolist() == [24, -10]
    assert len(game.history.done) == 1


FORMS = {"disc": "circle", "round": "circle", "egg": "polygon", "hill": "polygon", "arrow": "outline",
         "floor": "segment", "path": "chain"}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_the_form_is_that_of_the_shape(game: Any, driver: UIDriver, name: str) -> None:
    """Circles, polygons and lines give their own form; what is not convex is an outline. The run accepts it."""
    [collider] = added(game, driver, Collider, name)
    assert collider.shape.value == FORMS[name]
    box = drawn_boxes(game.world, [named(game.world, name)]).local[0]
    if len(collider.points) and name != "egg":
        points = np.asarray(collider.points)
        assert points.min(axis=0).tolist() == pytest.approx(box[:2], abs=0.6)
        assert points.max(axis=0).tolist() == pytest.approx(box[2:], abs=0.6)
    assert not game.project.plan().problems
    game.play.start()
    game.play.step()
    game.play.advance(1 / 60)
    assert not game.play.disabled


def test_other_components_with_a_form_too_and_those_without_are_left(game: Any, driver: UIDriver) -> None:
    """An occluder has ellipses; a body has no form, and a component that is there already keeps its values."""
    [occluder] = added(game, driver, Occluder, "egg")
    assert (occluder.shape.value, occluder.size.tolist()) == ("circle", [30, 60])
    added(game, driver, Body, "egg")
    added(game, driver, Collider, "box")
    box = named(game.world, "box")
    game.set([box], Collider, "size", (5, 5))
    added(game, driver, Collider, "box")
    assert game.read(box, Collider, "size").tolist() == [5, 5]
    fit_to_drawn(game.world, [box], Transform)
    assert game.read(box, Transform, "scale").tolist() == [2, 3]
