"""World matrices of Transform3D, against products of plain matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import World
from rish_ecs.storage import POSE
from rish_space3d import Transform3D, matrices, quaternions, world_matrices_3d
from rish_space3d.matrices import READY, fill_matrices, write_matrices


def forest(links: list[int], seed: int = 0) -> World:
    """Return a world with random poses in which entity k is a child of entity links[k], or of none if that is -1."""
    world, random = World([Transform3D]), np.random.default_rng(seed)
    handles = [world.spawn(Transform3D) for _ in links]
    for handle, link in zip(handles, links, strict=True):
        turn = quaternions.normalized(random.normal(size=4))
        place, scale = random.normal(size=3), random.uniform(0.5, 2, 3)
        parent = handles[link] if link >= 0 else 0
        world.set(handle, Transform3D(position=place, rotation=turn, scale=scale, parent=parent))
    return world


def expected(world: World, row: int, seen: tuple[int, ...] = ()) -> np.ndarray:
    """Return the world matrix (4, 4) of a row by its definition; rows in a circle have no parent."""
    table = world.table(Transform3D)
    made = np.eye(4)
    made[:3, :3] = quaternions.to_matrix(table.rotation[row]) * table.scale[row]
    made[:3, 3] = table.position[row]
    parent = int(table.rows_of(table.parent[row : row + 1])[0]) if table.parent[row] else -1
    chain, at = [], parent
    while at >= 0 and at not in chain:
        chain.append(at)
        at = int(table.rows_of(table.parent[at : at + 1])[0]) if table.parent[at] else -1
    in_circle = row in chain
    return made if parent < 0 or in_circle else expected(world, parent) @ made


@settings(max_examples=long(60, 15), deadline=None)
@given(st.lists(st.integers(-1, 9), min_size=1, max_size=10), st.integers(0, 5))
def test_they_are_products_along_the_parents(links: list[int], seed: int) -> None:
    """For any parents, circles included, a matrix is the product of the matrices from the root down."""
    world = forest([link if link < len(links) else -1 for link in links], seed)
    found = world_matrices_3d(world)
    for row in range(len(links)):
        np.testing.assert_allclose(found[row], expected(world, row)[:3], rtol=1e-3, atol=1e-3)


def test_no_entities_no_matrices() -> None:
    """A world without entities has an empty array."""
    assert world_matrices_3d(World([Transform3D])).shape == (0, 3, 4)


def test_the_length_of_a_quaternion_does_not_matter() -> None:
    """Quaternions of lengths from 1e-15 to 1e15 turn the same way; zeros and shorter ones turn nothing."""
    world = World([Transform3D])
    for turn in ((0, 0, 0, 0), (0, 1e-20, 0, 1e-20), (0, 0, 0, 7)):
        world.spawn(Transform3D(rotation=turn))
    for length in (3, 1e-3, 1e-15, 1e15):
        world.spawn(Transform3D(rotation=(0, length, 0, length)))
    found = world_matrices_3d(world)
    assert (found[:3] == np.eye(3, 4)).all()
    np.testing.assert_allclose(found[3:], np.tile([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]], (4, 1, 1)), atol=1e-6)


def test_nan_and_huge_numbers_stay_in_their_family() -> None:
    """NaN or an overflow in one pose reaches only the entity and those below it, without a warning."""
    world = forest([-1, 0, -1, 2])
    table = world.table(Transform3D)
    table.column("position")[0] = np.nan
    table.column("scale")[2] = 3e38
    found = world_matrices_3d(world)
    assert np.isnan(found[:2, :, 3]).all()
    assert not np.isnan(found[2]).any()
    assert np.isfinite(found[3]).all() or np.isinf(found[3]).any()


@pytest.mark.slow
def test_the_kernel_gives_the_bits_of_numpy() -> None:
    """The kernel and its numpy form give the same bits, for whole poses and for poses between two."""
    random = np.random.default_rng(3)
    links = [-1, *(int(random.integers(-1, k)) for k in range(1, 300))]
    world = forest(links)
    table = world.table(Transform3D)
    table.column("last_rotation")[:] = -quaternions.normalized(random.normal(size=(300, 4)))
    table.column("last_position")[:] = random.normal(size=(300, 3))
    tree = matrices.hierarchy_of(world, Transform3D)
    for back, last in ((0.0, POSE), (0.3, tuple(f"last_{name}" for name in POSE))):
        plain, compiled = np.zeros((2, 300, 3, 4), np.float32)
        write_matrices(table, tree, None, np.float32(back), plain, last)
        columns = [table.column(name).reshape(-1) for name in (*POSE, *last)]
        fill_matrices(tree.order, tree.parents, *columns, np.float32(back), compiled.reshape(-1))
        assert plain.tobytes() == compiled.tobytes()
    assert READY.now()
    some = np.array([7, 250, 40])
    compiled = plain.copy()
    compiled[some] = 0
    write_matrices(table, tree, some, np.float32(0.3), compiled, last)
    assert plain.tobytes() == compiled.tobytes()
