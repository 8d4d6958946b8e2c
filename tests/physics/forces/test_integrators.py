"""Integrators: measured orders, energy, and refused arguments."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import UsageError
from rish_physics.forces.integrators import INTEGRATORS, fly

_COS_ONE = 0.5403023058681398


def measured_order(method: str, h: float = 1 / 32, halvings: int = 4) -> float:
    """Measure the order of a method on an oscillator (x'' = -x over one second), by halving the step.

    Returns the slope of the error's logarithm against the step's, by least squares.
    """
    steps = [h / 2**k for k in range(halvings + 1)]
    errors: list[float] = []
    for each in steps:
        places, _ = fly(lambda x, v, t: -x, 1.0, 0.0, each, round(1 / each), method)
        errors.append(abs(float(places[-1]) - _COS_ONE))
    return float(np.polyfit(np.log2(steps), np.log2(errors), 1)[0])


@pytest.mark.parametrize(("method", "order"), [("explicit_euler", 1), ("semi_implicit_euler", 1), ("runge_kutta_4", 4)])
def test_each_method_shows_its_order(method: str, order: float) -> None:
    """Halving the step divides the error by two to the power of the method's order."""
    assert measured_order(method) == pytest.approx(order, abs=0.2)


def test_a_constant_force_is_integrated_exactly_by_runge_kutta() -> None:
    """With a constant force Runge-Kutta gives the exact parabola for any step."""
    places, velocities = fly(lambda x, v, t: np.array([0.0, -10.0]), (1.0, 2.0), (3.0, 4.0), 0.25, 8)
    t = np.arange(9) * 0.25
    np.testing.assert_allclose(places, np.column_stack([1 + 3 * t, 2 + 4 * t - 5 * t * t]), rtol=1e-12)
    np.testing.assert_allclose(velocities, np.column_stack([3 + 0 * t, 4 - 10 * t]), rtol=1e-12)


def _energy(method: str) -> np.ndarray:
    places, velocities = fly(lambda x, v, t: -x, 1.0, 0.0, 0.1, 1000, method)
    return (places**2 + velocities**2) / 2


def test_explicit_euler_feeds_energy_into_a_spring() -> None:
    """Explicit Euler multiplies the energy of a spring by 1 + h² in each step."""
    energy = _energy("explicit_euler")
    np.testing.assert_allclose(energy, 0.5 * 1.01 ** np.arange(1001), rtol=1e-9)


def test_semi_implicit_euler_keeps_the_energy_of_a_spring() -> None:
    """Semi-implicit Euler keeps the energy of a spring within ten percent for a hundred seconds."""
    assert np.abs(_energy("semi_implicit_euler") / 0.5 - 1).max() < 0.1


def test_many_bodies_fly_as_each_alone() -> None:
    """An array of bodies gives the same bits as the bodies one by one."""
    start, speed = np.random.default_rng(1).normal(size=(2, 5, 2))

    def pull(x: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        return -x - 0.1 * v + t

    for method in INTEGRATORS:
        together, _ = fly(pull, start, speed, 0.05, 20, method)
        for k in range(5):
            alone, _ = fly(pull, start[k], speed[k], 0.05, 20, method)
            assert np.array_equal(together[:, k], alone)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"method": "verlet"}, "no integrator is called 'verlet'; there are explicit_euler"),
        ({"h": 0.0}, "h must be positive"),
        ({"h": float("nan")}, "h must be positive"),
        ({"v": (1.0, 2.0, 3.0)}, "must be the same"),
    ],
)
def test_a_wrong_flight_is_refused_with_what_is_wrong(wrong: dict[str, object], said: str) -> None:
    """A wrong argument is refused with a message that names it."""
    given: dict[str, object] = {"x": (0.0, 0.0), "v": (1.0, 0.0), "h": 0.1, "steps": 3}
    with pytest.raises(UsageError, match=said):
        fly(lambda x, v, t: -x, **(given | wrong))  # pyright: ignore[reportArgumentType]


def test_a_path_that_explodes_is_named_by_its_step() -> None:
    """Numbers that overflow raise UsageError with the step; no NaN is returned."""
    with pytest.raises(UsageError, match="is not finite from step"):
        fly(lambda x, v, t: 1e200 * x * x, 1.0, 0.0, 1.0, 20)
