"""Poses: matrices in the world, and which of some entities have none of the others above them."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_core import Transform, World, world_matrices
from rish_editor.views.plane.entity_poses import into, out_of, roots, world_poses

number = st.floats(-10, 10, width=32)
factor = st.floats(0.125, 4, width=32)
node = st.tuples(st.integers(-1, 60), number, number, st.floats(-3, 3, width=32), factor, factor)


def grown(nodes: list[tuple[int, float, float, float, float, float]]) -> tuple[World, list[int]]:
    """Return a World with entities below one another; each names an earlier one, or none, as its parent."""
    world = World([Transform])
    made: list[int] = []
    for parent, x, y, angle, w, h in nodes:
        above = made[parent % len(made)] if made and parent >= 0 else 0
        made.append(world.spawn(Transform(position=(x, y), rotation=angle, scale=(w, h), parent=above)))
    return world, made


@settings(max_examples=30, deadline=None)
@given(st.lists(node, min_size=1, max_size=12))
def test_matrices_are_those_of_the_kernel(nodes: list[tuple[int, float, float, float, float, float]]) -> None:
    """The matrices of few entities, walked in float64, are those that the kernel computes for all."""
    world, made = grown(nodes)
    expected = world_matrices(world)[world.table(Transform).rows_of(np.array(made))]
    np.testing.assert_allclose(
        world_poses(world, np.array(made)), expected, rtol=1e-3, atol=1e-2 * np.abs(expected).max()
    )


@settings(max_examples=30, deadline=None)
@given(st.lists(node, min_size=1, max_size=12), st.sets(st.integers(0, 11)))
def test_roots_are_those_without_a_chosen_parent(
    nodes: list[tuple[int, float, float, float, float, float]], chosen: set[int]
) -> None:
    """An entity is left out exactly if some entity above it is chosen too."""
    world, made = grown(nodes)
    picked = [made[k] for k in sorted(chosen) if k < len(made)]
    parent = {handle: int(world.get(handle, Transform).parent) for handle in made}

    def has_chosen_parent(handle: int) -> bool:
        above = parent[handle]
        while above:
            if above in picked:
                return True
            above = parent[above]
        return False

    expected = [handle for handle in picked if not has_chosen_parent(handle)]
    assert roots(world, np.array(picked, np.int64)).tolist() == expected


@given(st.lists(st.tuples(factor, number, number, factor, number, number), min_size=1, max_size=5), number, number)
def test_vectors_return_from_a_space(matrices: list[tuple[float, ...]], x: float, y: float) -> None:
    """A vector that is brought into the space of a matrix and out again is the same; a flat space gives none."""
    matrix = np.array(matrices, np.float64)
    matrix = matrix[np.abs(matrix[:, 0] * matrix[:, 3] - matrix[:, 1] * matrix[:, 2]) > 0.05]
    vectors = np.tile((x, y), (len(matrix), 1))
    np.testing.assert_allclose(out_of(matrix, into(matrix, vectors)), vectors, atol=1e-6)
    flat = np.array([[1.0, 2, 2, 4, 0, 0]])
    np.testing.assert_array_equal(into(flat, np.array([[x, y]])), [[0, 0]])
