"""Complete steps: rest, persistent impulses, and determinism."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from physics_rig import Rig, Scene, grid, mixed, pyramid, t

from long_runs import only_long

HERE = Path(__file__).parents[1]
SMALL = ("pyramid(5)", "mixed(40)", "grid(6)")


VECTORS = """
import numpy as np
from rish_jit import njit
from rish_jit.simd import LANES, load, store
from rish_physics.solver.contact import POINT0, SIZE, normal_step, small_turn, soft_step

@njit
def steps(blocks, numbers, out):
    for block in range(out.size // 40):
        q, soft = block * SIZE + POINT0, soft_step(numbers, block % 2 == 0, True)
        (sine_a, fall_a), (sine_b, fall_b) = small_turn(load(blocks, q)), small_turn(load(blocks, q + LANES))
        five = normal_step(blocks, q, sine_a, fall_a, sine_b, fall_b, sine_a * fall_b, soft)
        store(out, 40 * block, five[0])
        store(out, 40 * block + 8, five[1])
        store(out, 40 * block + 16, five[2])
        store(out, 40 * block + 24, five[3])
        store(out, 40 * block + 32, five[4])

random, out = np.random.default_rng(1), np.zeros(4000, np.float32)
steps(random.normal(0, 1, 100 * SIZE).astype(np.float32), random.uniform(0, 1, 64).astype(np.float32), out)
print(out.tobytes().hex())
"""
"""Prints the results of a step of the contact solver on random numbers."""


def printed(program: str, **environment: str) -> list[npt.NDArray[np.float32]]:
    """Return the arrays of float32 that a program prints as hexadecimal digits, run in a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return [np.frombuffer(bytes.fromhex(part), np.float32) for part in done.stdout.split()]


def ends(steps: int, **environment: str) -> list[npt.NDArray[np.float32]]:
    """Return poses and velocities of small scenes after some steps, computed in a separate process."""
    program = f"import sys; sys.path.insert(0, {str(HERE)!r}); import rig\n"
    for scene in SMALL:
        program += f"r = rig.Rig(rig.{scene}); r.step({steps})\n"
        program += "print(r.poses().tobytes().hex(), r.velocities().tobytes().hex())\n"
    return printed(program, **environment)


def ends_here(steps: int) -> list[npt.NDArray[np.float32]]:
    """Return the same, computed in this process."""
    rigs = [Rig(scene) for scene in (pyramid(5), mixed(40), grid(6))]
    for rig in rigs:
        rig.step(steps)
    return [part.ravel() for rig in rigs for part in (rig.poses(), rig.velocities())]


@pytest.mark.parametrize(("density", "mass"), [(1.0, 1.0), (7.5, 7.5), (1e-3, 1e-3)])
def test_the_ground_bears_a_resting_box(density: float, mass: float) -> None:
    """The impulses of a sub-step on both points add up to m g h, and friction to zero."""
    scene = Scene()
    scene.box(0, -1, 10, 1, t.STATIC)
    scene.box(0, 0.5, 0.5, 0.5)
    rig = Rig(scene, density=density)
    rig.step(60)
    manifold = rig.world[t.Contacts].manifold[0]
    assert manifold[[14, 22]].sum() == pytest.approx(mass * 10 / 240, rel=1e-3)
    assert manifold[[15, 23]].sum() == pytest.approx(0, abs=1e-5 * mass)
    assert rig.velocities()[1] == pytest.approx(0, abs=1e-5)


def test_the_lowest_box_bears_all_above_it() -> None:
    """In a stack of five each contact carries the boxes above it."""
    scene = Scene()
    scene.box(0, -1, 10, 1, t.STATIC)
    for k in range(5):
        scene.box(0, k + 0.5, 0.5, 0.5)
    rig = Rig(scene)
    rig.step(120)
    contacts = rig.world[t.Contacts]
    carried = contacts.manifold[:, [14, 22]].sum(1)[np.argsort(contacts.pair[:, 3])]
    np.testing.assert_allclose(carried, np.array([5, 4, 3, 2, 1]) * 10 / 240, rtol=0.01)


def test_impulses_persist_in_a_resting_pyramid() -> None:
    """More than 99 % of the points keep their features between steps, so that warm starting works."""
    rig = Rig("pyramid20")
    rig.step(60)
    contacts = rig.world[t.Contacts]
    kept = total = 0
    for _ in range(10):
        before = {tuple(pair): set(ids[: info[0]]) for pair, ids, info in zip(
            contacts.pair[:, :2].tolist(), contacts.ids.tolist(), contacts.info.tolist(), strict=True)}  # fmt: skip
        rig.step()
        for pair, ids, info in zip(
            contacts.pair[:, :2].tolist(), contacts.ids.tolist(), contacts.info.tolist(), strict=True
        ):
            total += info[0]
            kept += sum(feature in before.get(tuple(pair), set()) for feature in ids[: info[0]])
    assert kept / total > 0.99


def test_a_pyramid_stands() -> None:
    """After five seconds the pyramid has sunk by less than 0.06, and no box has rotated."""
    rig = Rig("pyramid20")
    before = rig.poses()
    rig.step(300)
    after = rig.poses()
    assert abs(after[:, 1] - before[:, 1]).max() < 0.06
    assert abs(after[:, 3]).max() < 0.01


def same(one: list[npt.NDArray[np.float32]], other: list[npt.NDArray[np.float32]]) -> bool:
    """Return True if all bits are equal."""
    return [part.tobytes() for part in one] == [part.tobytes() for part in other]


@pytest.mark.slow
def test_a_rerun_gives_the_same_bits() -> None:
    """A second process gives the same bits."""
    assert same(ends_here(60), ends(60, PYTHONHASHSEED="8"))


@only_long
@pytest.mark.slow
def test_code_for_the_least_of_processors_gives_the_same_bits() -> None:
    """Code for a generic processor, where vectors use two registers, gives the same bits."""
    assert same(ends_here(60), ends(60, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES=""))


@pytest.mark.slow
def test_a_step_on_the_least_of_processors_gives_the_same_bits() -> None:
    """A step of the contact solver gives the same bits if it is compiled for a generic processor."""
    here, generic = printed(VECTORS), printed(VECTORS, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    assert same(here, generic)
    assert np.isfinite(here[0]).all()
    assert len(np.unique(here[0])) > 2000


@pytest.mark.slow
def test_plain_python_agrees() -> None:
    """Without numba the scenes agree to 1e-5 after ten steps."""
    for one, other in zip(ends_here(10), ends(10, RISH_NO_JIT="1"), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_memory_that_was_used_before_changes_nothing() -> None:
    """Scratch memory that is larger and filled with old data does not change the result."""
    first, second = Rig("pyramid20"), Rig("pyramid20")
    for name in ("color.order", "contact.lanes"):
        second.state.scratch.take(name, 100_003, np.int32)[:] = 12345
    second.state.scratch.take("contact.blocks", 1_000_003)[:] = np.nan
    first.step(20)
    second.step(20)
    assert (first.poses() == second.poses()).all()


def test_a_snapshot_in_mid_fall_goes_on_to_the_same_bits() -> None:
    """A snapshot in the middle of motion continues with the same bits, because all state is in the tables."""
    from rish_physics.components.scratch import Scratch

    rig = Rig(mixed(300))
    rig.step(40)
    saved = rig.world.snapshot()
    rig.step(40)
    first = rig.poses()
    rig.world.restore(saved)
    assert rig.world[Scratch].state is None
    rig.step(40)
    assert (rig.poses() == first).all()


def test_warm_starting_can_be_switched_off() -> None:
    """Without warm starting a stack sags more."""
    sags = []
    for warm in (True, False):
        scene = Scene()
        scene.box(0, -1, 10, 1, t.STATIC)
        for k in range(10):
            scene.box(0, k + 0.5, 0.5, 0.5)
        rig = Rig(scene, warm_starting=warm)
        rig.step(60)
        sags.append(9.5 - rig.poses()[10, 1])
    assert sags[1] > 3 * sags[0]


@pytest.mark.parametrize(("hertz", "substeps"), [(30.0, 4), (30.0, 8), (15.0, 4)])
def test_a_stack_sags_as_springs_would(hertz: float, substeps: int) -> None:
    """A stack sags as if each contact point were a spring of the set frequency with the effective mass there."""
    scene, boxes = Scene(), 8
    scene.box(0, -1, 10, 1, t.STATIC)
    for k in range(boxes):
        scene.box(0, k + 0.5, 0.5, 0.5)
    rig = Rig(scene, contact_hertz=hertz, static_hertz=2 * hertz, substeps=substeps)
    rig.step(240)
    felt = 1 / (1 + 0.5**2 * 6)  # at a corner of a box of 1 kg and 1/6 kg m²; half of it between two such boxes
    omega = 2 * math.pi * hertz * substeps / 4
    between = sum(k * 10 / (2 * felt / 2 * omega**2) for k in range(1, boxes))
    ground = boxes * 10 / (2 * felt * (2 * omega) ** 2)
    assert boxes - 0.5 - rig.poses()[boxes, 1] == pytest.approx(between + ground, rel=0.12)


def test_more_passes_bear_a_heavy_box_on_a_light_one_better() -> None:
    """More passes or sub-steps reduce the sag of a mass of 400 on one of 1."""

    def sag(**settings: int) -> float:
        scene = Scene()
        scene.box(0, -1, 10, 1, t.STATIC)
        scene.box(0, 0.1, 0.1, 0.1)
        scene.box(0, 2.2, 2, 2)
        rig = Rig(scene, **settings)
        rig.step(60)
        return 2.2 - float(rig.poses()[2, 1])

    usual = sag()
    assert sag(iterations=4) < usual
    assert sag(substeps=8) < usual


def test_baumgarte_holds_a_stack_as_well() -> None:
    """A pyramid also stands with Baumgarte's correction, which exists for comparison."""
    from rish_physics.components.settings import Correction

    rig = Rig("pyramid20", correction=Correction.BAUMGARTE)
    rig.step(120)
    assert rig.poses()[:, 1].max() == pytest.approx(19.5, abs=0.05)
