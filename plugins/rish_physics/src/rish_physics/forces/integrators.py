"""Three integrators, which compute a path from an acceleration, for bodies in free flight.

The acceleration a(x, v, t) is given (Newton); the position follows by integrating twice, in steps of length h. The
*order* of a method says how fast the error of a flight shrinks with h: if the step is halved, the error of a method of
order p is divided by 2^p.

- **Explicit Euler** moves with the velocity from before the step. Order 1, and it adds energy to oscillations: the
  amplitude of a mass on a spring grows without bound.
- **Semi-implicit Euler** (symplectic Euler) changes the velocity first and moves with the new one. Order 1 as well, at
  the same cost, but oscillations keep their energy on average. The solver uses it in every sub-step, because stacks and
  joints are stiff springs.
- **Runge-Kutta of fourth order** evaluates the acceleration four times per step. Order 4: use it where the path itself
  is the result (the preview of a thrown ball, an orbit), and where nothing touches.

Positions and velocities are arrays of any shape, one body or ten thousand; they are not changed. Source: Hairer, Lubich
and Wanner, Geometric Numerical Integration, chapters I and II.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from rish_core import UsageError
from rish_ecs.declarations import Column

Acceleration: TypeAlias = Callable[[Column, Column, float], Any]
"""a(x, v, t): positions and velocities in, accelerations of the same shape out."""
Integrator: TypeAlias = Callable[[Acceleration, Column, Column, float, float], tuple[Column, Column]]
"""One step: (acceleration, x, v, t, h) gives x and v at t + h."""


def explicit_euler(acceleration: Acceleration, x: Column, v: Column, t: float, h: float) -> tuple[Column, Column]:
    """Do one step that moves with the old velocity: order 1, energy grows."""
    return x + h * v, v + h * np.asarray(acceleration(x, v, t))


def semi_implicit_euler(acceleration: Acceleration, x: Column, v: Column, t: float, h: float) -> tuple[Column, Column]:
    """Do one step that moves with the new velocity: order 1, energy is kept on average."""
    faster = v + h * np.asarray(acceleration(x, v, t))
    return x + h * faster, faster


def runge_kutta_4(acceleration: Acceleration, x: Column, v: Column, t: float, h: float) -> tuple[Column, Column]:
    """Do one step of the classical Runge-Kutta method: order 4, four evaluations of the acceleration."""
    half = h / 2
    a1 = np.asarray(acceleration(x, v, t))
    v2 = v + half * a1
    a2 = np.asarray(acceleration(x + half * v, v2, t + half))
    v3 = v + half * a2
    a3 = np.asarray(acceleration(x + half * v2, v3, t + half))
    v4 = v + h * a3
    a4 = np.asarray(acceleration(x + h * v3, v4, t + h))
    return x + h / 6 * (v + 2 * (v2 + v3) + v4), v + h / 6 * (a1 + 2 * (a2 + a3) + a4)


INTEGRATORS: dict[str, Integrator] = {
    "explicit_euler": explicit_euler,
    "semi_implicit_euler": semi_implicit_euler,
    "runge_kutta_4": runge_kutta_4,
}


def fly(
    acceleration: Acceleration, x: Any, v: Any, h: float, steps: int, method: str = "runge_kutta_4", t: float = 0.0
) -> tuple[Column, Column]:
    """Return the path of bodies in free flight: positions and velocities, each float64 (steps + 1, *shape of x).

    h: seconds per step. t: the start time. Raises UsageError for an unknown method, a step that is not a positive
    number, different shapes, and a path that overflows.
    """
    step = INTEGRATORS.get(method)
    if step is None:
        raise UsageError(f"no integrator is called {method!r}; there are {', '.join(INTEGRATORS)}")
    if not (h > 0 and np.isfinite(h)) or steps < 0:
        raise UsageError(f"h must be positive and steps at least 0, got h={h!r}, steps={steps!r}")
    places, velocities = np.array(x, np.float64), np.array(v, np.float64)
    if places.shape != velocities.shape:
        raise UsageError(f"places have the shape {places.shape}, velocities {velocities.shape}; they must be the same")
    path = np.empty((steps + 1, 2, *places.shape))
    path[0, 0], path[0, 1] = places, velocities
    with np.errstate(all="ignore"):
        for k in range(steps):
            path[k + 1] = step(acceleration, path[k, 0], path[k, 1], t + k * h, h)
    finite = np.isfinite(path).reshape(steps + 1, -1).all(axis=1)
    if not finite.all():
        first = int(np.argmin(finite))
        raise UsageError(f"the path is not finite from step {first} on; a step of {h} s is too long for this force")
    return path[:, 0], path[:, 1]
