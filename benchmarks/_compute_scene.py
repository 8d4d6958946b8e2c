"""The scenes of the benchmark `compute`: the flock of the game Boids, and drifting dust."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import open_game
from rish_frame import INSTANCE, ArraySpec, Compute, pack_sprites

BIRDS, MOTES = 6_000, 200_000
SIZE = (480, 270)
GAME = Path(__file__).parents[1] / "games" / "boids"
DRIFT = """
vec2 wave(vec2 times, vec2 p, float turn) {
    vec2 k = 6.2832 / area * times;
    return 30.0 * cos(dot(k, p) + turn) * vec2(k.y, -k.x);
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= threads.x) return;
    vec2 p = place[i];
    vec2 way = wave(vec2(1.0, 1.0), p, 0.3) + wave(vec2(3.0, -1.0), p, -0.2) + wave(vec2(-2.0, 2.0), p, 0.5);
    p = mod(p + way * 40.0 * dt, area);
    place[i] = p;
    motes[i] = sprite((p - area * 0.5) * 4.0, vec2(20.0 * length(way), 3.0), atan(way.y, way.x), 0u, vec4(1.0));
}
"""
WAVES = np.array([(1, 1, 0.3), (3, -1, -0.2), (-2, 2, 0.5)], np.float32)


def drift(arrays: Any, uniforms: Any) -> None:
    """Do what DRIFT does."""
    (x, y), area = arrays["place"].T, np.array(uniforms["area"], np.float32)
    across, up = np.zeros((2, len(x)), np.float32)
    for kx, ky, turn in WAVES:
        a, b = np.array([kx, ky]) * np.float32(6.2832) / area
        swing = 30 * np.cos(a * x + b * y + turn)
        across, up = across + swing * b, up - swing * a
    step = np.float32(40 * uniforms["dt"])
    x, y = (x + across * step) % area[0], (y + up * step) % area[1]
    arrays["place"][:] = np.column_stack([x, y])
    half, speed = area / 2, np.hypot(across, up)
    arrays["motes"][:] = pack_sprites(x - half[0], y - half[1], 5 * speed, 0.75, np.arctan2(up, across), unit=0.25)


DUST = Compute(
    "bench.drift",
    "",
    {"place": ArraySpec(np.dtype(np.float32), ("n", 2), ""), "motes": ArraySpec(INSTANCE, ("n",), "")},
    drift,
    {"dt": "float", "area": "vec2"},
    source=DRIFT,
)


def dust() -> dict[str, np.ndarray]:
    """Return the arrays of the dust."""
    place = np.random.default_rng(3).uniform((0, 0), SIZE, (MOTES, 2)).astype(np.float32)
    return {"place": place, "motes": np.zeros(MOTES, INSTANCE)}


def settled() -> tuple[list[Compute], list[Any], dict[str, np.ndarray]]:
    """Return the work of Boids with its sources, the orders of a frame, and the arrays after two seconds in numpy."""
    changes = [f"settings.game.without_compute={BIRDS}"]
    with open_game(GAME, changes, headless=True, backend="software") as app:
        from rish_frame import Frame

        app.run(frames=120)
        orders = list(app.world[Frame].dispatches)
        computes = list(app.world[Frame].computes.values())
        module = importlib.import_module(f"{app.plugins['game'].module.__name__}.flock")
        assert len(app.world[module.Flock].birds[0].array) == BIRDS
    arrays = {name: array.array for order in orders for name, array in order.arrays.items()}
    return computes, orders, arrays
