"""Fields for numbers take formulas, which are computed and never executed; curves are edited by their points."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_editor.testing import RIGHT, UIDriver
from rish_editor.ui.values import Formula, FormulaError, read_formula


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12), ("-90", -90), (" 1.5 ", 1.5), ("2*pi", math.tau), ("2**10", 1024), ("90°", 90), ("−3", -3),
        ("7//2", 3), ("max(1, 2) + abs(-3)", 5), ("cos(60)", 0.5), ("1e3", 1000),
    ],
)  # fmt: skip
def test_a_plain_number(text: str, value: float) -> None:
    """What does not depend on the entity is one number."""
    assert read_formula(text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("*2", [2, 8]), ("+=10", [11, 14]), ("-=1", [0, 3]), ("/ 2", [0.5, 2]), ("x*x", [1, 16]), ("10*i", [0, 10]),
        ("n", [2, 2]), ("*= 1 + 1", [2, 8]), ("%3", [1, 1]),
    ],
)  # fmt: skip
def test_a_formula_for_each(text: str, values: list[float]) -> None:
    """A formula continues the present value of each entity, or counts the entities."""
    found = read_formula(text)
    assert isinstance(found, Formula)
    assert found.of([1, 4]).tolist() == pytest.approx(values)


def test_random_numbers_differ_and_stay_between() -> None:
    """`random` is from 0 to 1, `random(a, b)` from a to b, with another number for each entity."""
    for text, low, high in (("random", 0, 1), ("random(5, 6)", 5, 6)):
        found = read_formula(text)
        assert isinstance(found, Formula)
        made = found.of(np.zeros(50))
        assert ((made >= low) & (made <= high)).all()
        assert len(set(made.tolist())) > 40


@pytest.mark.parametrize(
    "text",
    ["", "abc", "1 2", "__import__('os')", "x.real", "[1]", "lambda: 1", "'a'", "1/0", "sqrt(-1)", "sin()",
     "x if x else 1", "9**9**9", "1" * 300, "True", "1j", "x := 3"],
)  # fmt: skip
def test_what_is_no_formula_is_refused(text: str) -> None:
    """Other code, other names, and results that are not finite are refused."""
    with pytest.raises(FormulaError):
        read_formula(text)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_formulas_compute_as_python_does(a: float, b: float) -> None:
    """Sums and products of written numbers are those of Python."""
    assert read_formula(f"{a!r} + {b!r}") == a + b
    assert read_formula(f"({a!r}) * ({b!r})") == a * b


class _Panel:
    """A panel of a test that shows a curve and a gradient."""

    id, title, dock = "editor.curves", "Curves", "right"

    def __init__(self) -> None:
        self.points: Any = [(0.0, 0.0), (1.0, 1.0)]
        self.stops: Any = [(0.0, (1.0, 0.0, 0.0, 1.0)), (1.0, (0.0, 0.0, 1.0, 0.0))]

    def draw(self, ui: Any, editor: Any) -> None:
        """Draw both."""
        self.points = ui.curve("speed", self.points) or self.points
        self.stops = ui.gradient("color", self.stops) or self.stops


@pytest.fixture
def curves(driver: UIDriver, open_text: Callable[..., Any]) -> tuple[UIDriver, _Panel]:
    """A person at the panel."""
    open_text()
    panels = driver.shell.editor.panels
    panels.use([_Panel], {})
    driver.shell.editor.layouts.reset()
    driver.step(3)
    return driver, panels["editor.curves"]


def test_points_of_a_curve_are_dragged_added_and_removed(curves: tuple[UIDriver, _Panel]) -> None:
    """A point follows the pointer within its neighbors, a double click adds one, a right click removes one."""
    driver, panel = curves
    driver.double_click("editor.curves/speed")
    assert len(panel.points) == 3
    assert panel.points[1] == pytest.approx((0.5, 0.5), abs=0.03)
    driver.drag("editor.curves/speed.1", by=(20, -15))
    assert panel.points[1][0] > 0.52
    assert panel.points[1] == tuple(round(part, 3) for part in panel.points[1])
    assert panel.points[1][1] > 0.6
    driver.drag("editor.curves/speed.1", by=(2000, -2000))
    assert panel.points[1] == (1.0, 1.0)
    driver.click("editor.curves/speed.0", button=RIGHT)
    assert len(panel.points) == 2


def test_stops_of_a_gradient_have_the_color_of_their_place(curves: tuple[UIDriver, _Panel]) -> None:
    """A stop that is added has the color that was there, so nothing changes until it is moved."""
    driver, panel = curves
    left, right = driver.place("editor.curves/color.0").center, driver.place("editor.curves/color.1").center
    driver.double_click(((left[0] + right[0]) / 2, left[1]))
    assert len(panel.stops) == 3
    assert panel.stops[1][1] == pytest.approx((0.5, 0, 0.5, 0.5), abs=0.03)
    driver.key("Escape")  # its picker
    driver.drag("editor.curves/color.1", by=(20, 0))
    assert panel.stops[1][0] > 0.52
    assert panel.stops[1][1] == pytest.approx((0.5, 0, 0.5, 0.5), abs=0.03)
