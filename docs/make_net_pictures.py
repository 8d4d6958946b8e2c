"""Makes the pictures of the page about rollback from sessions over simulated links; look at them before committing.

python docs/make_net_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from plots import COLORS, Plot

from rish_core import App, Transform, World, parse_manifest
from rish_net import LinkQuality, SimulatedWay
from rish_render import Line, Shape, Text

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks._net_sessions import TICK_MS, Table

PICTURES = Path(__file__).parent / "pictures" / "theory"
SIZE = 960, 430
LANES = {0: 330.0, 1: 130.0}
"""The heights of the time lines of the host and the guest."""
BLUE, ORANGE, GREEN = COLORS[0], COLORS[1], COLORS[2]
INK, FAINT = "#222222", "#9fb4c8"


class RecordedWay(SimulatedWay):
    """A simulated way that records of each packet when it was sent, and when it arrived (None: lost)."""

    def __init__(self, quality: LinkQuality, seed: int) -> None:
        super().__init__(quality, seed)
        self.log: list[tuple[float, float | None, bytes]] = []

    def send(self, data: bytes, now: float) -> None:
        """Send a packet."""
        self.log.append((now, None, data))
        super().send(data, now)

    def arrived(self, now: float) -> list[bytes]:
        """Return the packets that arrived."""
        packets = super().arrived(now)
        for packet in packets:
            at = next(number for number, entry in enumerate(self.log) if entry[2] is packet)
            self.log[at] = self.log[at][0], now, packet
        return packets


def lanes() -> Image.Image:
    """Draw the ticks of two players, the packets between them, and the ticks that ran again."""
    quality = LinkQuality(delay=58, jitter=12, loss=0.1)
    table = Table(2, quality, seed=21, keys=0.05, moves=0.0, delay=0)
    ways = [RecordedWay(quality, seed) for seed in (5, 8)]
    for side, way in zip(table.links[0], ways, strict=True):
        side.way = way
    ticks: list[tuple[int, float, int]] = []
    table.on_tick = lambda number, now, depth: ticks.append((number, now, depth))
    table.run(20)
    begin = table.now
    table.run(27)

    manifest = parse_manifest(
        f"rish: 1\ngame: {{title: lanes, size: [{SIZE[0]}, {SIZE[1]}]}}\nplugins: [render]\n"
        'settings: {render: {background: "#ffffff"}}\nlayers: [back, packets, lanes, ink]\nscenes: {main: []}\n'
    )
    with App(manifest, headless=True, backend="software") as app:
        _draw_lanes(app.world, ticks, ways, begin, table.now)
        app.frame(seconds=0.0)
        return Image.fromarray(app.pixels()[..., :3])


def _draw_lanes(
    world: World, ticks: list[tuple[int, float, int]], ways: list[RecordedWay], begin: float, end: float
) -> None:
    def x(now: float) -> float:
        return 90 + (now - begin) / (end - begin) * (SIZE[0] - 120)

    step = x(TICK_MS) - x(0)
    for number, name in ((0, "host"), (1, "guest")):
        y = LANES[number]
        line(world, [(x(begin), y), (x(end), y)], INK, 2, "lanes")
        text(world, name, (16, y), 16)
    for sender, way in enumerate(ways):
        here, there = LANES[sender], LANES[1 - sender]
        for sent, arrived, _ in way.log:
            if not begin <= sent <= end - 60:
                continue
            if arrived is None:
                middle = x(sent + 30), here + 0.45 * (there - here)
                line(world, [(x(sent), here), middle], "#d55e0090", 1.5, "packets")
                cross(world, middle)
            elif arrived <= end:
                line(world, [(x(sent), here), (x(arrived), there)], FAINT, 1, "packets")
    for number, now, depth in ticks:
        if not begin <= now <= end:
            continue
        y, out = LANES[number], 1 if number == 0 else -1
        world.spawn(
            Transform(position=(x(now), y)),
            Shape(shape="circle", radius=4.5, color=rgba(BLUE if depth >= 0 else "#ffffff"), outline=rgba(BLUE),
                  outline_width=1.5, layer="ink"),
        )  # fmt: skip
        if depth > 0 and now - depth * TICK_MS > begin:
            low, high = x(now) - depth * step, x(now)
            line(world, [(low, y + 26 * out), (high, y + 26 * out)], ORANGE, 9, "lanes")
            line(world, [(high, y + 26 * out), (high, y + 6 * out)], ORANGE, 1.5, "lanes")
            text(world, f"{depth}", (low - 6, y + 26 * out), 14, (1, 0.5))
    line(world, [(x(begin), 40), (x(begin + 100), 40)], INK, 1.5, "lanes")
    text(world, "0.1 s", (x(begin + 50), 32), 13, (0.5, 1))
    text(world, "a line: a packet     cross: lost     bar: ticks that run again when the packet arrives",
         (SIZE[0] - 30, 30), 13, (1, 0.5))  # fmt: skip
    text(world, "Two players, 116 ms round trip, every tenth packet lost", (SIZE[0] / 2, SIZE[1] - 16), 17, (0.5, 0.5))


def rgba(color: str) -> tuple[float, float, float, float]:
    """Return the color of its text."""
    values = [int(color[k : k + 2], 16) / 255 for k in range(1, len(color), 2)]
    return values[0], values[1], values[2], values[3] if len(values) > 3 else 1.0


def line(world: World, points: list[tuple[float, float]], color: str, width: float, layer: str) -> None:
    """Spawn a line."""
    world.spawn(Transform(), Line(points=points, width=width, color=rgba(color), cap="butt", layer=layer))


def cross(world: World, at: tuple[float, float]) -> None:
    """Spawn the mark of a lost packet."""
    for slope in (-1, 1):
        ends = [(at[0] - 5, at[1] - 5 * slope), (at[0] + 5, at[1] + 5 * slope)]
        line(world, ends, ORANGE, 2.5, "ink")


def text(
    world: World, words: str, at: tuple[float, float], size: float, anchor: tuple[float, float] = (0, 0.5)
) -> None:
    """Spawn a text."""
    world.spawn(Transform(position=at), Text(text=words, size=size, anchor=anchor, color=rgba(INK), layer="ink"))


def trade() -> Plot:
    """Plot the input delay and how far the game goes back, for round trips of up to 300 ms."""
    plot = Plot("What a player notices of a round trip", "round trip, ms", "ticks", legend="top left")
    trips, delays, means, most, still = range(0, 301, 50), [], [], [], []
    for trip in trips:
        table = Table(2, LinkQuality(trip / 2, 5, 0.02), seed=4)
        table.depths.clear()
        table.run(300)
        guest = table.links[0][1].session
        delays.append(max(table.host.delay, guest.delay))
        means.append(float(np.mean(table.depths or [0])))
        most.append(max(table.depths, default=0))
        plain = Table(2, LinkQuality(trip / 2, 5, 0.02), seed=4, delay=0)
        plain.depths.clear()
        plain.run(300)
        still.append(float(np.mean(plain.depths or [0])))
    plot.y_range = (0.0, 13.0)
    plot.line("input delay", trips, delays, dots=True)
    plot.line("run again, mean", trips, means, dots=True)
    plot.line("run again, most", trips, most, dots=True)
    plot.line("mean without delay", trips, still, dashed=True)
    return plot


def cut() -> Plot:
    """Plot the ticks of a host and a guest whose link is cut for four seconds."""
    begin, length = 4000.0, 4000.0
    table = Table(2, LinkQuality(40, 5, 0.0, cut=(begin, begin + length)), seed=2)
    rows: list[tuple[float, int, int]] = []
    while table.now < 11_000:
        table.run(1)
        if 3000 < table.now < 11_000:
            rows.append((table.now / 1000, table.host.game.tick, table.links[0][1].session.game.tick))
    times, host, guest = np.array(rows).T
    plot = Plot("A link that is cut from second 4 to 8", "time, s", "ticks", legend="top left")
    plot.x_range, plot.y_range = (3.0, 11.0), (150.0, 640.0)
    plot.line("host", times, host)
    plot.line("guest", times, guest)
    return plot


DRAWINGS: dict[str, Any] = {"lanes": lanes, "trade": trade, "cut": cut}


def main(names: list[str]) -> None:
    """Make the pictures of these names; all without names."""
    for name in names or DRAWINGS:
        drawing = DRAWINGS[name]()
        path = PICTURES / f"rollback-{name}.png"
        if isinstance(drawing, Plot):
            drawing.save(path)
        else:
            drawing.quantize(64).save(path, optimize=True)
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
