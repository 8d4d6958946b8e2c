"""The compiled update equals the plain one, and removes dead particles without gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from plain_particles import Mote, Whirl, update
from rish_particles.curves import Curve, ramp
from rish_particles.files.preset_library import page_of
from rish_particles.kernels.update import BLOCK, FLOW, SCRATCH
from rish_particles.kernels.update import update as kernel
from rish_particles.pools.numbers import attractor_rows, flow, step_numbers, vortex_row, vortex_rows
from rish_particles.preset import Attractor, Forces, Preset

F32 = np.float32
DT = 1 / 60


def columns_of(n: int, seed: int = 1, min_life: float = 0.5) -> list[Any]:
    """Return the columns of n random particles."""
    rng = np.random.default_rng(seed)
    places = [rng.uniform(-50, 50, n) for _ in range(4)]
    age = rng.uniform(0, 1, n)
    rest = [rng.uniform(min_life, 3, n), rng.uniform(-3, 3, n), rng.uniform(-2, 2, n), rng.uniform(1, 9, n)]
    columns: list[Any] = [column.astype(F32) for column in (*places, age, *rest)]
    return [*columns, rng.integers(0, 2**31 - 1, n).astype(np.int32)]


def step(columns: list[Any], preset: Preset, *, whirls: Any = (), extras: Any = None, died: Any = None) -> int:
    """Run the kernel for one tick; return the number of live particles."""
    page = page_of(preset)
    nothing = [np.zeros(0, F32)] * 3 + [np.zeros(0, np.int32)]
    n = len(columns[0])
    kept, dead = kernel(
        n, (tuple(columns), tuple(extras or nothing)), (page.speed, page.spin, page.straight), step_numbers(page, DT),
        vortex_rows(list(whirls)), (attractor_rows(preset, (0, 0), DT), flow()),
        (np.zeros(SCRATCH, F32), np.zeros(2 * BLOCK + 2, np.uint64)), np.zeros(0, F32) if died is None else died,
    )  # fmt: skip
    assert kept + dead == n
    return int(kept)


def motes_of(columns: list[Any]) -> list[Mote]:
    """Return the same particles as plain objects."""
    return [Mote(*(float(column[k]) for column in columns[:9])) for k in range(len(columns[0]))]


PRESETS = {
    "free": Preset(),
    "gravity and drag": Preset(forces=Forces(gravity=(3, -200), drag=1.5, wind=(40, 5))),
    "curves": Preset(
        speed_over_life=Curve((0.0, 0.25, 1.0), ((1.0,), (0.2,), (0.0,)), ("linear", "linear", "linear")),
        spin_over_life=ramp((1.0,), (0.0,)),
        spin_growth=2.0,
    ),
    "attractors": Preset(forces=Forces(attractors=(Attractor((5, 5), 90.0, 60.0, 4.0), Attractor((-9, 0), -30.0)))),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_the_kernel_agrees_with_plain_python(name: str):
    """The kernel equals plain Python over forty ticks in which some particles die."""
    preset = PRESETS[name]
    columns = columns_of(90)
    motes = motes_of(columns)
    for _ in range(40):
        kept = step(columns, preset)
        columns = [column[:kept].copy() for column in columns]
        motes = update(motes, preset, (), (0, 0), DT)
        assert len(motes) == kept
    for k, field in enumerate(("x", "y", "vx", "vy", "age", "life", "angle", "spin")):
        assert columns[k] == pytest.approx([getattr(m, field) for m in motes], rel=2e-4, abs=2e-3), field
    assert 0 < len(motes) < 90


@pytest.mark.parametrize("literal", [False, True])
@pytest.mark.parametrize("fixed", [False, True])
def test_vortices_agree_with_a_plain_integration(literal: bool, fixed: bool):
    """Two vortices in sequence equal a plain integration, for both formulas, fixed and emitted."""
    preset = Preset()
    columns = columns_of(60, min_life=3)
    motes = motes_of(columns)
    whirls = [
        Whirl(3, -4, (2.0, 2.0), 900.0, 1.0 if fixed else 0.84, literal, fixed),
        Whirl(-20, 10, (-3.0, 1.0), 400.0, 1.0 if fixed else 0.36, literal, fixed),
    ]
    rows = []
    for whirl in whirls:
        row = vortex_row((whirl.x, whirl.y), whirl.turn, whirl.size, whirl.share, literal)
        if not fixed:
            row[4] = 1 / (0.1 * whirl.size)
        rows.append(row)
    for _ in range(20 if not literal else 4):
        step(columns, preset, whirls=rows)
        motes = update(motes, preset, whirls, (0, 0), DT)
    assert columns[0] == pytest.approx([m.x for m in motes], rel=1e-3, abs=1e-2)
    assert columns[1] == pytest.approx([m.y for m in motes], rel=1e-3, abs=1e-2)


@settings(max_examples=long(40, 10), deadline=None)
@given(st.lists(st.booleans(), max_size=3 * BLOCK))
def test_the_living_keep_their_order_and_the_dead_are_removed(alive: list[bool]):
    """The live particles keep their order in every column, for any pattern of dead ones over several blocks."""
    n = len(alive)
    columns: list[Any] = [np.arange(n, dtype=F32) for _ in range(9)] + [np.arange(n, dtype=np.int32)]
    columns[2:5] = [np.zeros(n, F32), np.zeros(n, F32), np.zeros(n, F32)]
    columns[5] = np.where(alive, F32(9), F32(0.001)).astype(F32)
    extras = [np.arange(n, dtype=F32), np.ones(n, F32), np.arange(n, dtype=F32), np.arange(n, dtype=np.int32)]
    columns[7] = np.zeros(n, F32)
    died = np.zeros(5 * n + 5, F32)
    kept = step(columns, Preset(), extras=extras, died=died)
    stay = np.flatnonzero(alive)
    assert kept == len(stay)
    for column in (columns[0], columns[1], columns[6], columns[8], columns[9], extras[0], extras[2], extras[3]):
        assert column[:kept].tolist() == stay.tolist()
    gone = np.flatnonzero(~np.array(alive, bool))
    assert died.reshape(-1, 5)[: len(gone), 0].tolist() == gone.tolist()


def test_variations_change_speed_along_a_straight_line():
    """The speed factor changes linearly over the life, from the first to the last value."""
    columns = [np.zeros(1, F32) for _ in range(9)] + [np.zeros(1, np.int32)]
    columns[2][:], columns[5][:] = 60, 1
    extras = [np.ones(1, F32), np.full(1, 3, F32), np.full(1, -1, F32), np.zeros(1, np.int32)]
    for k in range(30):
        before = float(columns[0][0])
        step(columns, Preset(), extras=extras)
        assert columns[0][0] - before == pytest.approx(1 + 2 * (k + 1) / 60, rel=1e-4)


def test_turbulence_is_a_flow_without_sources():
    """The turbulence field has mean 0, mean square 1 and no divergence."""
    field = flow().reshape(2, FLOW, FLOW).astype(float)
    assert field.mean() == pytest.approx(0, abs=1e-6)
    assert (field**2).sum(axis=0).mean() == pytest.approx(1, rel=1e-5)
    modes = np.fft.fft2(field)
    k = np.fft.fftfreq(FLOW) * FLOW
    divergence = modes[0] * k[None, :] + modes[1] * k[:, None]
    assert abs(divergence).max() < 1e-3 * abs(modes).max() * 9


def test_turbulence_stirs_what_stood_still():
    """Turbulence accelerates particles at rest, by no more than its strength."""
    columns = columns_of(200, min_life=2)
    columns[2][:] = columns[3][:] = 0
    step(columns, Preset(forces=Forces(turbulence=60)))
    speed = np.hypot(columns[2], columns[3])
    assert 0.2 < speed.mean() < 3
