"""The things of the harbour: quay, crates, lighthouse, lantern, boat, warehouse, bollards, rocks."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from . import surfaces
from .glb import Material, Writer
from .meshes import Shape, ball, box, joined, lathe, sheet, tube


def quay(writer: Writer) -> None:
    """Forty meters of paved quay; its top is at 0, its edge towards the sea at z = 5."""
    top = Material("paving", maps=surfaces.quay())
    side = Material("sea wall", maps=surfaces.wall())
    iron = Material("iron", (0.05, 0.05, 0.055), metallic=0.8, roughness=0.5)
    kerb = Material("kerb", maps={k: v for k, v in top.maps.items() if k != "normal"}, color=(0.8, 0.8, 0.8))
    floor = sheet(
        np.dstack([*np.meshgrid(np.linspace(-24, 24, 2), np.linspace(-12, 4.4, 2)), np.zeros((2, 2))])[..., [0, 2, 1]],
        np.dstack(np.meshgrid([0, 48 / 2.4], [0, 16.4 / 2.4])),
    )
    wall = box(48, 4, 0.6, 0.03).moved(0, -2.12, 4.7).mapped(1 / 2.4)
    edge = joined(*(box(1.18, 0.3, 0.62, 0.05).moved(x, 0.02, 4.68) for x in np.arange(-23.4, 24, 1.2)))
    ladder = joined(
        *(tube([(x, 0.05, 5.05), (x, -3.2, 5.05)], 0.03, 6) for x in (-9.3, -8.8)),
        *(tube([(-9.3, y, 5.05), (-8.8, y, 5.05)], 0.02, 6) for y in np.arange(-3.0, 0.1, 0.3)),
    )
    parts = [(floor, top), (wall, side), (edge.mapped(0.4), kerb), (ladder, iron)]
    writer.node("quay", writer.mesh("quay", parts))


def bollard(writer: Writer) -> None:
    """An iron bollard for ropes."""
    iron = Material("cast iron", (0.045, 0.045, 0.05), metallic=0.7, roughness=0.42)
    profile = [
        (0, 0),
        (0.3, 0),
        (0.3, 0.04),
        (0.17, 0.1),
        (0.15, 0.36),
        (0.24, 0.42),
        (0.26, 0.5),
        (0.18, 0.56),
        (0, 0.58),
    ]
    writer.node("bollard", writer.mesh("bollard", [(lathe(profile, 20), iron)]))


def crate(writer: Writer) -> None:
    """A crate of one cubic meter around the origin: planks in a frame, with iron at the corners."""
    wood = Material("planks", maps=surfaces.planks())
    frame = Material("frame", maps={"color": surfaces.planks((44, 28, 18), (112, 78, 48))["color"]}, roughness=0.7)
    iron = Material("iron", (0.2, 0.19, 0.18), metallic=1.0, roughness=0.5)
    body = box(0.94, 0.94, 0.94, 0.01)
    beams: list[Shape] = []
    for a in (-0.45, 0.45):
        for b in (-0.45, 0.45):
            beams += [
                box(1.0, 0.1, 0.1, 0.014).moved(0, a, b),
                box(0.1, 1.0, 0.1, 0.014).moved(a, 0, b),
                box(0.1, 0.1, 1.0, 0.014).moved(a, b, 0),
            ]
    corners = joined(
        *(
            box(0.13, 0.13, 0.13, 0.02).moved(a, b, c)
            for a in (-0.442, 0.442) for b in (-0.442, 0.442) for c in (-0.442, 0.442)
        )
    )  # fmt: skip
    writer.node("crate", writer.mesh("crate", [(body, wood), (joined(*beams).mapped(2.2), frame), (corners, iron)]))


def lantern(writer: Writer) -> None:
    """A storm lantern that hangs from its ring, which is at the origin."""
    brass = Material("brass", (0.82, 0.58, 0.26), metallic=1.0, roughness=0.28)
    flame = Material("flame", (0.2, 0.1, 0.02), glow=(1.0, 0.56, 0.17), strength=14.0)
    foot = lathe([(0, -0.4), (0.085, -0.4), (0.09, -0.36), (0.06, -0.33), (0, -0.33)], 16)
    cap = lathe([(0.075, -0.14), (0.08, -0.12), (0.03, -0.06), (0.018, -0.03), (0, -0.03)], 16)
    bars = [
        tube([(0.07 * np.cos(a), -0.35, 0.07 * np.sin(a)), (0.07 * np.cos(a), -0.13, 0.07 * np.sin(a))], 0.006, 5)
        for a in np.linspace(0, 2 * np.pi, 5)[:-1]
    ]
    around = np.linspace(0, 2 * np.pi, 17)
    ring = tube(np.column_stack([0.035 * np.cos(around), 0.035 * np.sin(around), 0 * around]), 0.006, 5)  # type: ignore[arg-type]
    core = lathe([(0, -0.33), (0.034, -0.28), (0.028, -0.22), (0.0, -0.15)], 12, sharp=180)
    writer.node("lantern", writer.mesh("lantern", [(joined(foot, cap, ring, *bars), brass), (core, flame)]))


def lighthouse(writer: Writer) -> None:
    """A tower of nine meters with a gallery and a lamp room, whose floor is at 9.2."""
    white = Material("plaster", maps=surfaces.plaster())
    red = Material("red plaster", (0.5, 0.07, 0.05), maps=white.maps)
    stone = Material("stone", maps=surfaces.wall())
    iron = Material("railing", (0.04, 0.045, 0.05), metallic=0.6, roughness=0.5)
    pane = Material("windows", (0.1, 0.08, 0.05), glow=(1.0, 0.62, 0.28), strength=1.6)
    radius = lambda y: 2.1 - 0.085 * y - 0.25 * min(y, 2) / 2  # noqa: E731
    bands: dict[bool, list[Shape]] = {True: [], False: []}
    levels = [0.9, 2.5, 4.1, 5.7, 7.3, 8.9]
    for k, (low, high) in enumerate(itertools.pairwise(levels)):
        steps = np.linspace(low, high, 5)
        bands[k % 2 == 0].append(lathe([(radius(y), y) for y in steps], 40).mapped(0.4))
    base = lathe([(0, 0), (2.5, 0), (2.5, 0.7), (2.3, 0.9), (1.9, 0.95)], 40).mapped(0.4)
    gallery = lathe([(1.1, 8.7), (1.75, 8.95), (1.8, 9.1), (1.8, 9.2), (0, 9.2)], 40)
    roof = lathe([(1.15, 11.2), (1.2, 11.3), (0.55, 11.95), (0.12, 12.2), (0.1, 12.6), (0, 12.65)], 32)
    rail = [
        tube([(1.7 * np.cos(a), 9.2, 1.7 * np.sin(a)), (1.7 * np.cos(a), 9.75, 1.7 * np.sin(a))], 0.02, 5)
        for a in np.linspace(0, 2 * np.pi, 25)[:-1]
    ]
    around = np.linspace(0, 2 * np.pi, 41)
    rail += [
        tube(np.column_stack([1.7 * np.cos(around), y + 0 * around, 1.7 * np.sin(around)]), 0.025, 6)  # type: ignore[arg-type]
        for y in (9.5, 9.75)
    ]
    posts = [
        tube([(1.08 * np.cos(a), 9.2, 1.08 * np.sin(a)), (1.08 * np.cos(a), 11.22, 1.08 * np.sin(a))], 0.035, 6)
        for a in np.linspace(0, 2 * np.pi, 9)[:-1]
    ]
    holes = [
        box(0.42, 0.7, 0.2, 0.04).moved(0, 0, radius(y)).turned("y", turn).moved(0, y, 0)
        for y, turn in ((2.2, 20), (4.6, -40), (6.6, 30))
    ]
    door = box(0.95, 1.7, 0.3, 0.05).moved(0, 0.9 + 0.85, radius(1.2) + 0.02)
    wood = Material("door", maps=surfaces.planks((30, 22, 16), (84, 60, 40)))
    parts = [
        (joined(*bands[False]), white), (joined(*bands[True]), red), (base, stone), (gallery.mapped(0.4), stone),
        (joined(roof, *rail, *posts), iron), (joined(*holes), pane), (door, wood),
    ]  # fmt: skip
    writer.node("lighthouse", writer.mesh("lighthouse", parts))


def lens(writer: Writer) -> None:
    """The lens of the lighthouse: rings of glass around a lamp, which is at the origin; it is lit by its material."""
    glass = Material("glass", (0.62, 0.7, 0.72), metallic=0.9, roughness=0.12)
    bronze = Material("bronze", (0.6, 0.42, 0.2), metallic=1.0, roughness=0.35)
    rings = [lathe([(0.34, y - 0.06), (0.42, y), (0.34, y + 0.06)], 24) for y in np.linspace(-0.36, 0.36, 7)]
    frame = [lathe([(0, y), (0.45, y), (0.45, y + 0.05), (0, y + 0.05)], 24) for y in (-0.5, 0.45)]
    stand = lathe([(0.3, -1.0), (0.12, -0.9), (0.1, -0.5)], 16)
    writer.node("lens", writer.mesh("lens", [(joined(*rings), glass), (joined(*frame, stand), bronze)]))


def ray(writer: Writer) -> None:
    """A ray of light of 46 meters along -z: planes through its axis, each brightest there and clear at its edges."""
    haze = Material("haze", (1.0, 0.86, 0.62), ghost=True, both_sides=True)
    planes, far, across = 12, 46.0 * np.linspace(0, 1, 24) ** 1.5, np.linspace(-1, 1, 25)
    z, t = np.meshgrid(far, across, indexing="ij")
    bell = (np.exp(-((2.4 * t) ** 2)) - np.exp(-(2.4**2))) / (1 - np.exp(-(2.4**2)))
    fade = 0.42 / planes * bell * (1 - z / 46.0) ** 2
    colors = np.column_stack([np.ones((fade.size, 3)), fade.reshape(-1)])
    sides = [
        replace(sheet(np.dstack([(0.16 + 0.15 * z) * t, 0 * z, -z]), np.dstack([t, z])), colors=colors)
        for _ in range(planes)
    ]
    turned = [side.turned("z", 180 / planes * k) for k, side in enumerate(sides)]
    writer.node("ray", writer.mesh("ray", [(joined(*turned), haze)]))


def boat(writer: Writer) -> None:
    """A fishing boat with a cabin; its water line is at 0."""
    hull = Material("hull", maps=surfaces.metal((24, 58, 74), (96, 80, 62), 71))
    deck = Material("deck", maps=surfaces.planks((52, 42, 32), (130, 106, 78)))
    paint = Material("cabin", (0.75, 0.74, 0.7), roughness=0.5)
    pane = Material("panes", (0.1, 0.08, 0.05), glow=(1.0, 0.7, 0.36), strength=1.8)
    iron = Material("mast", (0.1, 0.1, 0.1), metallic=0.7, roughness=0.5)
    along, around = np.linspace(-1, 1, 21), np.linspace(-1, 1, 13)
    s, t = np.meshgrid(along, around, indexing="ij")
    half = 1.15 * np.clip(1 - np.clip(s, 0, 1) ** 2.4, 0, 1) * (1 - 0.12 * np.clip(-s, 0, 1) ** 2)
    depth = 0.75 * (1 - 0.5 * np.clip(s, 0, 1) ** 3)
    across = np.sign(t) * np.abs(t) ** 0.7
    rim = 0.75 + 0.35 * np.clip(s, 0, 1) ** 2 + 0.08 * np.clip(-s, 0, 1)
    y = -depth + (rim + depth) * np.abs(t) ** 2.2
    z = s * 3.4 + 0.5 * np.clip(s, 0, 1) ** 2 * np.abs(t) ** 2
    shell = sheet(np.dstack([half * across, y, z]), np.dstack([s * 3, t]))
    long, wide = np.meshgrid(np.linspace(-0.99, 0.9, 15), np.linspace(-1, 1, 3), indexing="ij")
    beam = 0.93 * 1.15 * np.clip(1 - np.clip(long, 0, 1) ** 2.4, 0, 1) * (1 - 0.12 * np.clip(-long, 0, 1) ** 2)
    planks = np.dstack([beam * wide, 0.42 + 0 * wide, long * 3.4 + 0.3 * np.clip(long, 0, 1) ** 2])
    floor = sheet(planks, planks[..., [2, 0]] * 0.5)
    stern = box(2.0, 1.1, 0.08, 0.02).moved(0, 0.25, -3.38)
    cabin = joined(box(1.25, 1.2, 1.5, 0.06).moved(0, 1.05, -1.2), box(1.45, 0.1, 1.75, 0.04).moved(0, 1.7, -1.2))
    glass = joined(
        *(box(0.34, 0.4, 0.04, 0.01).moved(x, 1.28, -0.44) for x in (-0.36, 0.04, 0.4)),
        *(box(0.04, 0.4, 0.5, 0.01).moved(x, 1.28, -1.1) for x in (-0.63, 0.63)),
    )
    mast = joined(tube([(0, 0.4, 0.9), (0, 4.2, 0.9)], 0.05, 8), tube([(0, 1.6, 0.9), (0, 3.2, 2.7)], 0.03, 6))
    hull.both_sides = True
    parts = [(joined(shell, stern), hull), (floor, deck), (cabin, paint), (glass, pane), (mast, iron)]
    writer.node("boat", writer.mesh("boat", parts))


def warehouse(writer: Writer) -> None:
    """A brick warehouse of 12 x 7 x 6 meters, its foot at 0; its front faces +z."""
    brick = Material("front", maps=surfaces.windows(6, 3, 61), glow=(1, 1, 1), strength=1.4)
    slate = Material("roof", (0.05, 0.055, 0.065), roughness=0.55)
    front = box(12, 6.4, 6, 0.05).moved(0, 3.2, 0)
    uvs = front.uvs / (12, 6.4)
    body = Shape(front.places, front.normals, uvs, front.triangles)
    roof = joined(
        box(12.6, 0.14, 3.9, 0.04).turned("x", 32).moved(0, 7.35, 1.6),
        box(12.6, 0.14, 3.9, 0.04).turned("x", -32).moved(0, 7.35, -1.6),
    )
    gable = [box(0.5, 2.0, 0.6, 0.04).moved(x, 8.3, -0.6) for x in (-4, 2.5)]
    writer.node("warehouse", writer.mesh("warehouse", [(body, brick), (joined(roof, *gable), slate)]))


def street_lamp(writer: Writer) -> None:
    """A street lamp of three meters; its light is at (0, 2.85, 0.5)."""
    iron = Material("post", (0.04, 0.05, 0.05), metallic=0.6, roughness=0.5)
    bulb = Material("bulb", (0.2, 0.15, 0.1), glow=(1.0, 0.68, 0.36), strength=9.0)
    post = lathe([(0, 0), (0.16, 0), (0.14, 0.25), (0.06, 0.4), (0.05, 2.9), (0, 2.95)], 14)
    arm = tube([(0, 2.75, 0), (0, 3.0, 0.15), (0, 3.08, 0.35), (0, 3.02, 0.5)], 0.03, 8)
    shade = lathe([(0.24, 2.84), (0.07, 3.02), (0, 3.03)], 16).moved(0, 0, 0.5)
    light = ball(0.09, 14, 8).moved(0, 2.85, 0.5)
    writer.node("lamp", writer.mesh("lamp", [(joined(post, arm, shade), iron), (light, bulb)]))


def hills(writer: Writer) -> None:
    """The other shore: dark hills that stand half around the harbour, 120 meters away."""
    dark = Material("hills", (0.025, 0.032, 0.045), roughness=1.0)
    angles = np.linspace(np.radians(-20), np.radians(200), 90)
    rng = np.random.default_rng(81)
    crest = sum(
        size * np.sin(angles * turns + rng.uniform(0, 6)) for size, turns in ((3.5, 5), (2, 11), (1, 23), (0.6, 41))
    )
    heights = np.clip(8 + crest, 2, None)
    rows = [
        np.column_stack([radius * np.cos(angles), y, -radius * np.sin(angles)])
        for radius, y in ((118, -2 + 0 * angles), (124, heights * 0.55), (134, heights), (150, heights * 0.7))
    ]
    places = np.stack(rows)
    writer.node("hills", writer.mesh("hills", [(sheet(places, places[..., :2] / 20), dark)]))
