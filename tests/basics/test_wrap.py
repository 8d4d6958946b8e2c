"""An entity that leaves a rectangle appears on the opposite side."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Transform, find


def moved(app, name: str, x: float, y: float) -> tuple[float, float]:
    """Return the place of an entity one tick after it was put somewhere."""
    handle = find(app.world, name)
    app.world.set(handle, Transform(position=(x, y), last_position=(x - 1, y)))
    app.tick()
    return tuple(app.world.get(handle, Transform).position.tolist())


@pytest.mark.parametrize(
    ("at", "goes"),
    [
        ((321, 90), (1, 90)),
        ((-1, 90), (319, 90)),
        ((100, 181), (100, 1)),
        ((100, -2), (100, 178)),
        ((320, 180), (320, 180)),
        ((0, 0), (0, 0)),
        ((3210, -900), (10, 0)),
    ],
)
def test_the_picture_is_the_rectangle_of_one_without_extent(play, at, goes) -> None:
    """Without an extent the rectangle is the game's area; a place outside is wrapped, one on the edge is not."""
    app = play("{name: ship, Transform: {}, Wrap: {}}")
    assert moved(app, "ship", *at) == pytest.approx(goes)


def test_a_margin_is_outside_and_sides_can_be_left_apart(play) -> None:
    """A margin extends the rectangle, so that an entity wraps out of sight; each axis can be switched off."""
    app = play(
        "{name: ship, Transform: {}, Wrap: {margin: 20}}",
        "{name: cloud, Transform: {}, Wrap: {low: [-100, -50], high: [100, 50], y: false}}",
    )
    assert moved(app, "ship", 339, 90) == (339, 90)
    assert moved(app, "ship", 341, 90) == pytest.approx((-19, 90))
    assert moved(app, "cloud", 101, 70) == pytest.approx((-99, 70))


def test_the_picture_shows_no_way_across(play) -> None:
    """The previous position is wrapped too, so that interpolation shows no movement across the frame."""
    app = play("{name: ship, Transform: {}, Wrap: {}}")
    moved(app, "ship", 321, 90)
    row = app.world.table(Transform).row_of(find(app.world, "ship"))
    place, last = (app.world.table(Transform).column(name)[row] for name in ("position", "last_position"))
    assert np.abs(place - last).max() < 2


def test_a_place_that_is_no_number_stays_what_it_is(play) -> None:
    """A position that is NaN or infinite stays unchanged."""
    app = play("{name: ship, Transform: {}, Wrap: {}}")
    table = app.world.table(Transform)
    table.position[table.row_of(find(app.world, "ship"))] = np.inf, 200
    app.tick()
    assert table.position[table.row_of(find(app.world, "ship"))].tolist() == [np.inf, 20]
