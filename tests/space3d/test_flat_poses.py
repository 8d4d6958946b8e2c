"""Flat: 2D poses of entities in space."""

from __future__ import annotations

import math

import pytest

from rish_core import Transform, find
from rish_space3d import Transform3D, teleport_3d


def pose(app, name: str) -> list[float]:
    """Return position and rotation of an entity's 2D Transform."""
    found = app.world.get(find(app.world, name), Transform)
    return [*found.position, found.rotation]


def put(app, name: str, field: str, value: tuple[float, ...]) -> None:
    """Write a field of Transform3D into its column, as systems do, unchecked."""
    table = app.world.table(Transform3D)
    row = table.row_of(find(app.world, name))
    table.column(field)[row] = value
    table.mark(row)


@pytest.mark.parametrize(
    ("plane", "turn", "place"),
    [("ground", "[0, 90, 0]", [20, -60]), ("front", "[0, 0, 90]", [20, 40]), ("side", "[90, 0, 0]", [-60, 40])],
)
def test_a_pose_is_projected_on_a_plane(play, plane: str, turn: str, place: list[float]) -> None:
    """Each plane has its axes, scale and offset, and a quarter turn around its normal is one in 2D."""
    app = play(
        f"{{name: a, Transform3D: {{position: [2, 4, 6], rotation: {turn}}}, Transform: {{}}, "
        f"Flat: {{plane: {plane}, scale: 10, offset: [100, 200]}}}}"
    )
    app.tick()
    x, y, angle = pose(app, "a")
    assert [x, y] == [100 + place[0], 200 + place[1]]
    assert angle == pytest.approx(math.pi / 2, abs=1e-6)


def test_a_label_stays_upright(play) -> None:
    """Without `turns` only the position is written."""
    entry = "{name: a, Transform3D: {position: [1, 0, 0], rotation: [0, 90, 0]}, Transform: {}, Flat: {turns: false}}"
    app = play(entry)
    app.tick()
    assert pose(app, "a") == [1, 0, 0]


def test_parents_in_both_dimensions_are_regarded(play) -> None:
    """A child has its place in the world in both hierarchies, when its parent is flat as well and when it is not."""
    app = play(
        "{name: ship, Transform3D: {position: [10, 0, 0], rotation: [0, 90, 0]}, Transform: {}, Flat: {}, children: ["
        "{name: gun, Transform3D: {position: [0, 0, -3]}, Transform: {}, Flat: {}}]}",
        "{name: map, Transform: {position: [5, 5], rotation: 90, scale: [2, 2]}, children: ["
        "{name: dot, Transform3D: {position: [7, 0, -5]}, Transform: {}, Flat: {turns: false}}]}",
    )
    app.tick()
    assert pose(app, "ship") == pytest.approx([10, 0, math.pi / 2], abs=1e-5)
    assert pose(app, "gun") == pytest.approx([0, 3, 0], abs=1e-5)
    assert pose(app, "dot") == pytest.approx([0, -1, 0], abs=1e-5)
    app.tick()
    assert pose(app, "gun") == pytest.approx([0, 3, 0], abs=1e-5)


def test_it_does_not_slide_to_its_first_place(play) -> None:
    """At the start and after a teleport the last 2D pose is the current one; a step in between is interpolated."""
    app = play("{name: a, Transform3D: {position: [8, 0, 0]}, Transform: {}, Flat: {}}")
    table = app.world.table(Transform)
    app.tick()
    assert table.last_position[0].tolist() == [8, 0]
    app.world.set(find(app.world, "a"), Transform3D(position=(9, 0, 0)))
    app.tick()
    assert (table.last_position[0].tolist(), table.position[0].tolist()) == ([8, 0], [9, 0])
    teleport_3d(app.world, find(app.world, "a"), (50, 0, 0))
    app.tick()
    assert table.last_position[0].tolist() == [50, 0]


@pytest.mark.parametrize("place", [(3e38, 0, 0), (math.nan, 0, 0), (math.inf, 0, -math.inf)])
def test_what_is_no_number_is_not_written(play, place: tuple[float, float, float]) -> None:
    """A place too far away for 2D, or of NaN, leaves the 2D pose as it was; another entity is not touched."""
    app = play(
        "{name: a, Transform3D: {position: [2, 0, 0]}, Transform: {}, Flat: {scale: 4}}",
        "{name: b, Transform3D: {position: [1, 0, 0]}, Transform: {}, Flat: {}}",
        more=[],
    )
    app.tick()
    put(app, "a", "position", place)
    app.world.set(find(app.world, "b"), Transform3D(position=(5, 0, 0)))
    app.tick()
    assert pose(app, "a") == [8, 0, 0]
    assert pose(app, "b") == [5, 0, 0]


def test_a_rotation_of_nan_is_not_written(play) -> None:
    """A quaternion with NaN leaves the 2D pose as it was; it is written again when it is one."""
    app = play("{name: a, Transform3D: {position: [2, 0, 0]}, Transform: {}, Flat: {}}", more=[])
    app.tick()
    app.world.set(find(app.world, "a"), Transform3D(position=(3, 0, 0)))
    put(app, "a", "rotation", (0, math.nan, 0, 1))
    app.tick()
    assert pose(app, "a") == [2, 0, 0]
    app.world.set(find(app.world, "a"), Transform3D(rotation=(0, 0, 0, 1)))
    app.tick()
    assert pose(app, "a") == [3, 0, 0]
