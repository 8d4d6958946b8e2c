"""Makes the pictures of the physics page again; look at them before committing.

python docs/make_physics_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image
from plots import Plot

from rish_core.launcher import main as main_of_rish
from rish_physics import INTEGRATORS, fly
from rish_teach import Method, Mover, Point, Rules, solve

PICTURES = Path(__file__).parent / "pictures" / "physics"
CRASH = Path(__file__).parent / "scenes" / "crash"
GRAVITY, H = 10.0, 1 / 60
_NAMES = {
    "explicit_euler": "explicit Euler",
    "semi_implicit_euler": "semi-implicit Euler",
    "runge_kutta_4": "Runge-Kutta 4",
}


def integrator_orders() -> Plot:
    """Plot the error after one second of a mass on a spring, by the length of the step."""
    plot = Plot("One second of a spring", "step, s", "error", log_x=True, log_y=True, legend="bottom right")
    steps = [1 / 2**k for k in range(2, 9)]
    for method in INTEGRATORS:
        ends = [float(fly(lambda x, v, t: -x, 1.0, 0.0, h, round(1 / h), method)[0][-1]) for h in steps]
        plot.line(_NAMES[method], steps, np.abs(np.array(ends) - np.cos(1)), dots=True)
    return plot


def integrator_energy() -> Plot:
    """Plot the energy of a mass on a spring over a minute."""
    plot = Plot("The energy of a spring, h = 0.1 s", "time, s", "energy ÷ energy at the start", legend="top left")
    plot.y_range, plot.x_range = (0.0, 4.0), (0.0, 20.0)
    for method in INTEGRATORS:
        places, velocities = fly(lambda x, v, t: -x, 1.0, 0.0, 0.1, 200, method)
        plot.line(_NAMES[method], np.arange(201) * 0.1, places**2 + velocities**2)
    return plot


def integrator_orbit() -> Plot:
    """Plot three orbits around a sun, in steps of a twentieth of a radian."""
    plot = Plot("Three years round a sun, 62 steps a year", "x", "y", size=(720, 590), legend="top right")
    plot.x_range, plot.y_range = (-1.9, 3.4), (-1.9, 2.1)
    for method in INTEGRATORS:
        places, _ = fly(_towards_the_sun, (1.0, 0.0), (0.0, 1.0), 2 * np.pi / 62, 186, method)
        plot.line(_NAMES[method], places[:, 0], places[:, 1])
    return plot


def _towards_the_sun(x: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
    return -x / (x @ x) ** 1.5


def _stack(count: int) -> tuple[list[Mover], list[Point]]:
    """Return a stack of boxes of 1 kg and 1 m and their contacts, after one step of gravity."""
    bodies = [Mover(0.0, 0.0), *(Mover(1.0, 6.0, (0.0, -GRAVITY * H)) for _ in range(count))]
    points = [
        Point(k, k + 1, (0.0, 1.0), (x, 0.5), (x, -0.5), separation=-0.005) for k in range(count) for x in (-0.5, 0.5)
    ]
    return bodies, points


def solver_sums() -> Plot:
    """Plot a box that lands flat on two corners, with single and with accumulated impulses."""
    plot = Plot("A box lands flat on two corners", "passes over both", "worst point, m/s", log_y=True)
    plot.y_range = (1e-8, 1.0)
    for method in (Method.NAIVE, Method.ACCUMULATED):
        bodies, points = _stack(1)
        plot.line(method.value, np.arange(21), np.maximum(solve(bodies, points, method, 20, Rules()), 1e-8))
    return plot


def solver_passes() -> Plot:
    """Plot the remaining error in a stack of ten boxes after each pass."""
    plot = Plot("Ten boxes on one another: one step", "passes over all contacts", "worst point, m/s", log_y=True)
    for method in (Method.ACCUMULATED, Method.WARM):
        bodies, points = _stack(10)
        bodies[10].spin = 1.0
        if method is Method.WARM:
            for _ in range(60):  # it has been standing for a second
                solve(bodies, points, method, 10, Rules())
                for body in bodies[1:]:
                    body.velocity = body.velocity[0], body.velocity[1] - GRAVITY * H
            bodies[10].spin += 1.0
        plot.line(method.value, np.arange(61), solve(bodies, points, method, 60, Rules()))
    return plot


def solver_overlap() -> Plot:
    """Plot how an overlap of ten centimeters is resolved, and the speed that remains."""
    plot = Plot(
        "A box that begins 10 cm inside the ground", "time, s", "height above the ground, m", legend="bottom right"
    )
    for method in (Method.ACCUMULATED, Method.BAUMGARTE, Method.SOFT):
        height, heights = -0.1, [-0.1]
        bodies, points = [Mover(0.0, 0.0), Mover(1.0, 6.0)], _stack(1)[1]
        for _ in range(60):
            bodies[1].velocity = 0.0, bodies[1].velocity[1] - GRAVITY * H
            for point in points:
                point.separation = height
            moved = _solve_and_move(bodies, points, method)
            height += moved
            heights.append(height)
        plot.line("no push" if method is Method.ACCUMULATED else method.value, np.arange(61) * H, heights)
    return plot


def _solve_and_move(bodies: list[Mover], points: list[Point], method: Method) -> float:
    """Do one step and return how far body 1 moves up.

    A soft contact moves before its relaxing pass removes the push.
    """
    if method is not Method.SOFT:
        solve(bodies, points, method, 10, Rules())
        return bodies[1].velocity[1] * H
    way: list[float] = []
    solve(bodies, points, method, 10, Rules(), moving=lambda: way.append(bodies[1].velocity[1] * H))
    return way[0]


def providers() -> Image.Image:
    """Draw the same scene after 62 ticks, with both providers of physics2d side by side."""
    pictures: list[Image.Image] = []
    with TemporaryDirectory() as folder:
        for name in ("physics", "teach"):
            file = Path(folder) / f"{name}.png"
            options = ["--headless", "--frames", "62", "--backend", "software", "--capture", str(file)]
            if main_of_rish(["run", str(CRASH), "--with", f"physics2d={name}", *options]):
                raise SystemExit(f"docs/scenes/crash does not run with {name}")
            pictures.append(Image.open(file).convert("RGB"))
    width, height = pictures[0].size
    whole = Image.new("RGB", (2 * width + 10, height), "white")
    for k, picture in enumerate(pictures):
        whole.paste(picture, (k * (width + 10), 0))
    return whole


PLOTS: dict[str, Callable[[], Plot | Image.Image]] = {
    plot.__name__: plot
    for plot in (
        integrator_orders, integrator_energy, integrator_orbit, solver_sums, solver_passes, solver_overlap, providers,
    )
}  # fmt: skip


def main(names: list[str]) -> int:
    """Draw the named plots, all of them if none is named."""
    PICTURES.mkdir(exist_ok=True)
    for name in names or PLOTS:
        PLOTS[name]().save(PICTURES / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
