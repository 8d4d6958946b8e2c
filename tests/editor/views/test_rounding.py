"""Drags give numbers that a pixel of the view can show."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import Transform
from rish_editor.views.rounding import digits_of, on_step, significant, step_of, tidy
from rish_physics import Collider
from rish_render import Shape

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render, physics]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: red, Transform: {position: [12.3456789, -40.7]}, Shape: {size: [60, 40]}, Collider: {size: [60, 40]}}
    - {name: big, Transform: {position: [10, 30], scale: [10, 10]}, Shape: {size: [4, 4]}}
    - {name: hill, Transform: {position: [100, -60]}, Shape: {shape: polygon, points: [[-50, 0], [50, 0], [0, 80]]}}
"""
Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("zoom", "step"),
    [(1, 1), (2, 0.5), (3, 0.25), (8, 0.125), (10, 0.1), (64, 0.01), (0.63, 1), (0.25, 2), (0.01, 100)],
)
def test_the_step_follows_the_zoom(zoom: float, step: float) -> None:
    """At a zoom of 1 whole units are shown, at 8 eighths, far away as many units as a pixel has."""
    assert step_of(1 / zoom) == pytest.approx(step)


@given(st.floats(1e-6, 1e6))
def test_a_step_is_never_longer_than_a_pixel_and_has_few_digits(pixel: float) -> None:
    """It is more than a third of a pixel; a value on a step has no digits that the step has not."""
    step = step_of(pixel)
    assert pixel * 0.3 < step <= pixel * 1.001
    value = float(on_step(math.pi * 100 * pixel, step))
    assert value == pytest.approx(round(value, digits_of(step)), abs=1e-12)


def test_only_what_changed_is_rounded() -> None:
    """Numbers that a drag leaves keep their digits; factors keep four that count."""
    assert tidy(np.array([1.23456, 2.34567]), np.array([1.23456, 0.0]), 1.0).tolist() == [1.23456, 2.3]
    assert significant([0.00123456, 123456.0, 0.0]).tolist() == [0.001235, 123500.0, 0.0]


@pytest.mark.parametrize(("zoom", "step"), [(1.0, 1.0), (8.0, 0.125), (2.7, 0.25)])
def test_a_moved_entity_lies_on_steps(hands: Make, zoom: float, step: float) -> None:
    """Moving freely puts both coordinates onto steps of the zoom, an arrow only its own."""
    made = hands(GAME)
    made.select("red")
    plane = made.panel.views["2d"].camera
    plane.x, plane.y, plane.density = 12.0, -41.0, zoom
    made.driver.step(2)
    made.drag("move.center", (30.4, 17.3))
    at = made.game.read(made.entity("red"), Transform, "position").astype(float)
    assert (at / step).tolist() == np.round(at / step).tolist()
    made.driver.key("Ctrl+Z")
    made.drag("move.x", (33.3, 9))
    x, y = made.game.read(made.entity("red"), Transform, "position").tolist()
    assert x / step == round(x / step)
    assert y == pytest.approx(-40.7)


@pytest.mark.slow
def test_sizes_angles_factors_and_points_too(hands: Make) -> None:
    """Stretching gives whole sizes, rotating degrees, scaling hundredths, handles of components whole units."""
    made = hands(GAME)
    made.game.set([made.entity("red")], Transform, "position", (10, -40))
    made.select("red")
    made.use("stretch")
    made.drag("stretch.right", (17.6, 0))
    width = float(made.game.read(made.entity("red"), Shape, "size")[0])
    assert width == round(width) != 60
    made.use("rotate")
    made.drag("rotate", (-9, 33))
    turned = math.degrees(float(made.game.read(made.entity("red"), Transform, "rotation")))
    assert turned == pytest.approx(round(turned), abs=1e-4)
    assert round(turned) not in (0, 360)
    made.use("scale")
    made.drag("scale.center", (13, 4))
    scale = float(made.game.read(made.entity("red"), Transform, "scale")[0])
    assert scale == pytest.approx(round(scale, 2), abs=1e-6)
    made.use("move")
    made.game.set([made.entity("red")], Transform, "rotation", 0.0)
    made.game.set([made.entity("red")], Transform, "scale", (1, 1))
    made.driver.step(2)
    made.drag(f"collider.{made.entity('red')}.top", (0, 7.7))
    assert [float(part) % 0.5 for part in made.game.read(made.entity("red"), Collider, "size")] == [0, 0]
    made.select("hill")
    made.drag(f"shape.{made.entity('hill')}.2", (5.3, 8.8))
    points = np.asarray(made.game.read(made.entity("hill"), Shape, "points"))
    assert points.tolist() == np.round(points).tolist()


def test_what_is_enlarged_keeps_its_place_to_the_pixel(hands: Make) -> None:
    """The steps of sizes are those of the entity's own space: with a scale of 10, a tenth of a unit is a pixel."""
    made = hands(GAME)
    made.select("big")
    made.use("stretch")
    made.drag("stretch.right", (13, 0))
    size = float(made.game.read(made.entity("big"), Shape, "size")[0])
    assert size == pytest.approx(5.3, abs=0.11)


def test_snapping_stays_as_it_is(hands: Make) -> None:
    """With snapping, things end on the grid, whatever the zoom."""
    made = hands(GAME)
    made.editor.settings.snap, made.editor.settings.grid = True, 16.0
    made.select("red")
    made.drag("move.center", (30, 17))
    at = made.game.read(made.entity("red"), Transform, "position").astype(float)
    assert (at / 16).tolist() == np.round(at / 16).tolist()


_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
_DRAGS = {
    "move": ("move.center", "move.x", "move.y"), "stretch": ("stretch.right", "stretch.top_left", "stretch.bottom"),
    "scale": ("scale.center", "scale.x"), "rotate": ("rotate",),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_what_drags_write_is_short(hands: Make, tmp_path: Path, seed: int) -> None:
    """After random drags at random zooms, the saved text has no number with more digits than the closest zoom shows."""
    random = np.random.default_rng(seed)
    made = hands(GAME.replace("12.3456789", "12"))
    plane, closest = made.panel.views["2d"].camera, 1.0
    for _ in range(4):
        name = ("red", "big", "hill")[random.integers(3)]
        made.select(name)
        plane.x, plane.y = made.pose(name)[0].tolist()
        plane.density = float(np.exp(random.uniform(-1.5, 2.5)))
        closest = max(closest, plane.density * 10)  # the scale of one of the entities
        tool = list(_DRAGS)[random.integers(len(_DRAGS))]
        made.use(tool)
        marks = [mark for mark in _DRAGS[tool] if made.driver.sees(f"editor.scene/{mark}")]
        if marks:
            made.drag(marks[random.integers(len(marks))], tuple(random.uniform(-60, 60, 2).tolist()))
    made.driver.key("Ctrl+S")
    made.driver.step(3)
    text = (tmp_path / "game" / "game.yaml").read_text(encoding="utf-8").partition("scenes:")[2]
    most = digits_of(step_of(1 / closest)) + 1
    long = [part for part in _NUMBER.findall(text) if len(part.partition(".")[2]) > max(most, 3)]
    assert not long, text
