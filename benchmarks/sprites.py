"""Sprites and tiles: the cost of an engine per frame, and the time of a complete frame without a graphics card.

`cpu_<N>`: a frame without the calls that draw, clear and wait, for N sprites of 8 pixels that all move and rotate,
passed to OpenGL (off screen, by EGL). `drawn_<N>`: the same as a complete frame, with the driver's drawing.
`frame_<N>_<S>px`: a complete frame for sprites of S pixels; for Rish it is the software backend in quality `fast` on
one thread, `frame_exact` in quality `exact`. Rish runs a real App: every sprite is an entity with one of 16 moving
roots as parent, on one of 16 layers; poses are interpolated, the schedule runs, sprites are culled and sorted. The
peers get the same positions from numpy. `moderngl` neither culls nor sorts, `moderngl_sorted` does both in numpy;
`moderngl_presorted` sorts once, since the layers are constant, and `moderngl_numba` also culls and packs in a compiled
loop.
"""

from __future__ import annotations

from .harness import Case, Results

COUNTS = (100, 1000, 10_000, 100_000)
MANY = 1_000_000
_OURS, _PEERS, _GL, _TILES = "_sprites_rish", "_sprites_peers", "_sprites_moderngl", "_sprites_tiles"
_BY_HAND = {
    "moderngl": "plain", "moderngl_sorted": "sorted", "moderngl_presorted": "presorted", "moderngl_numba": "compiled"
}  # fmt: skip
_STRONG = {"moderngl_presorted": 1.0, "moderngl_numba": 1.5}
"""The limits beside the strongest peers, on both clocks."""
_CPU_LIMITS = {
    100_000: {"arcade": 0.01, "moderngl": 1.6, "moderngl_sorted": 0.67, **_STRONG}, MANY: {"cpu_100000": 12.0}
}  # fmt: skip
_FRAME_LIMITS = {(100_000, 8): {"pygame": 0.34}, (10_000, 32): {"arcade": 0.125}}
_EXACT_LIMITS = {10_000: {"pygame": 2.0}}
_STATIC, _STATIC_CAMERA = {"moving": 0.02}, {"moving": 0.05}


def _cpu(count: int) -> Case:
    engines = {
        "rish": f"{_OURS}:cpu_{count}",
        "arcade": f"{_PEERS}:arcade_cpu_{count}_8",
        "pyglet": f"{_PEERS}:pyglet_cpu_{count}_8",
        **{peer: f"{_GL}:{how}_{count}_8_engine" for peer, how in _BY_HAND.items()},
    }
    if count == MANY:
        engines["cpu_100000"] = f"{_OURS}:cpu_100000"
    return Case(f"cpu_{count}", "ms", engines, _CPU_LIMITS.get(count, {}), full=count == MANY)


def _drawn(count: int) -> Case:
    engines = {"rish": f"{_OURS}:drawn_{count}", "arcade": f"{_PEERS}:arcade_frame_{count}_8"}
    engines |= {peer: f"{_GL}:{how}_{count}_8_frame" for peer, how in _BY_HAND.items()}
    return Case(f"drawn_{count}", "ms", engines, _STRONG if count == 100_000 else {})


def _frame(count: int, size: int) -> Case:
    engines = {"rish": f"{_OURS}:frame_{count}_{size}_fast_1"}
    engines |= {peer: f"{_PEERS}:{peer}_frame_{count}_{size}" for peer in ("pygame", "arcade", "raylib")}
    return Case(f"frame_{count}_{size}px", "ms", engines, _FRAME_LIMITS.get((count, size), {}))


def _exact(count: int) -> Case:
    engines = {"rish": f"{_OURS}:frame_{count}_32_exact_1", "pygame": f"{_PEERS}:pygame_frame_{count}_32"}
    return Case(f"frame_exact_{count}_32px", "ms", engines, _EXACT_LIMITS.get(count, {}))


def _batched(count: int) -> Case:
    engines = {"rish": f"{_OURS}:batched_{count}", "single": f"{_OURS}:single_{count}"}
    return Case(f"batched_{count}", "ms", engines, {"single": 0.02} if count == 5000 else {})


CASES = [
    *(_cpu(count) for count in (*COUNTS, MANY)),
    *(_drawn(count) for count in (10_000, 100_000)),
    *(_frame(count, size) for size in (8, 32) for count in (*COUNTS, MANY)),
    Case(
        "frame_2threads_100000_8px",
        "ms",
        {"rish": f"{_OURS}:frame_100000_8_fast_2", "pygame": f"{_PEERS}:pygame_frame_100000_8"},
        {"pygame": 0.17},
        full=True,
    ),
    *(_exact(count) for count in COUNTS),
    Case(
        "static_100000",
        "ms",
        {"rish": f"{_OURS}:static_100000", "moving": f"{_OURS}:cpu_100000"},
        _STATIC,
    ),
    Case(
        "static_camera_100000",
        "ms",
        {"rish": f"{_OURS}:camera_100000", "moving": f"{_OURS}:moving_100000"},
        _STATIC_CAMERA,
    ),
    *(_batched(count) for count in (100, 1000, 5000, 10_000, 100_000)),
    Case("pick_100000", "ms", {"rish": f"{_OURS}:pick_100000"}, limit=2),
    Case("tiles_cpu", "ms", {"rish": f"{_TILES}:cpu"}, limit=0.5),
    Case("tiles_frame", "ms", {"rish": f"{_TILES}:software_frame"}, limit=8),
    Case("tiles_whole_map", "ms", {"rish": f"{_TILES}:whole_map"}, limit=16),
    Case("tiles_load", "s", {"rish": f"{_TILES}:load"}, limit=2),
]


def notes(results: Results) -> str:
    """Return a table of frames a second by number of sprites; empty without figures."""
    took = {(row.case, row.engine): row.value for row in results.rows}
    lines = ["| sprites | whole frame, software | engine alone | drawn at once | one draw each |"]
    lines.append("|--:|--:|--:|--:|--:|")
    for count in (*COUNTS[:2], 5000, *COUNTS[2:]):
        found = [
            took.get((f"frame_{count}_8px", "rish")),
            took.get((f"cpu_{count}", "rish")),
            took.get((f"batched_{count}", "rish")),
            took.get((f"batched_{count}", "single")),
        ]
        if any(found):
            cells = [f"{1000 / value:,.0f}" if value else "" for value in found]
            lines.append(f"| {count:,} | {' | '.join(cells)} |")
    return "" if len(lines) == 2 else "Frames per second\n\n" + "\n".join(lines) + "\n"
