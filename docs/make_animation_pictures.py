"""Makes the pictures of docs/how-to/animation.md; look at them before committing.

python docs/make_animation_pictures.py
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from rish_animation import FollowPath, MotionPath, PathShape, path_points, tween
from rish_core import App, Transform, World, parse_manifest
from rish_ecs import parse_color
from rish_jit import easing
from rish_render import Line, Shape, Text

PICTURES = Path(__file__).parent / "pictures" / "animation"
FAMILIES = ("sine", "quad", "cubic", "quart", "quint", "expo", "circ", "back", "elastic", "bounce")
OTHERS = ("linear", "steps(4)", "spring")
INK, BLUE, ORANGE, FAINT = map(parse_color, ("#222222", "#0072b2", "#d55e00", "#dddddd"))


def draw(name: str, size: tuple[int, int], fill: Callable[[World, App], object]) -> None:
    """Draw a scene that `fill` spawns, and write it as a PNG."""
    manifest = parse_manifest(
        f"rish: 1\ngame: {{title: {name}, size: [{size[0]}, {size[1]}]}}\nplugins: [render, animation]\n"
        'settings: {render: {background: "#ffffff"}}\nscenes: {main: []}\n'
    )
    with App(manifest, headless=True, backend="software") as app:
        fill(app.world, app)
        app.frame(seconds=0.0)
        Image.fromarray(app.pixels()[..., :3]).save(PICTURES / f"{name}.png", optimize=True)


def label(world: World, text: str, x: float, y: float) -> None:
    """Write a small text, centered."""
    world.spawn(Transform(position=(x, y)), Text(text=text, size=11, color=INK, anchor=(0.5, 0.5)))


def easings(world: World, app: App) -> None:
    """Draw the curve of every easing."""
    names = [f"{family}_{way}" for way in ("in", "out", "in_out") for family in FAMILIES]
    cells = [(name, k % 10, k // 10) for k, name in enumerate(names)]
    cells += [(name, k, 3) for k, name in enumerate((*OTHERS, "bezier(.2, 1, .4, 1)"))]
    u = np.linspace(0, 1, 121)
    for name, column, row in cells:
        x, y = 14 + column * 90 + (20 if row == 3 else 0) * column, 330 - row * 100
        points = np.stack([x + 62 * u, y + 44 * easing(name.replace("(.2", "(0.2").replace(" .4", " 0.4"))(u)], axis=1)
        world.spawn(Transform(), Line(points=[(x, y), (x + 62, y)], width=1, color=FAINT))
        world.spawn(Transform(), Line(points=[(x, y + 44), (x + 62, y + 44)], width=1, color=FAINT))
        world.spawn(Transform(), Line(points=points.astype(np.float32), width=2, color=BLUE, z=1))
        label(world, name, x + 31, y - 20)


def film(world: World, app: App) -> None:
    """Draw the places of balls in every third tick of tweens of one second."""
    names = ("linear", "quad_in_out", "cubic_out", "back_out", "elastic_out", "bounce_out", "steps(6)", "spring")
    balls = []
    for k, name in enumerate(names):
        y = 300 - 36 * k
        world.spawn(Transform(position=(20, y)), Text(text=name, size=12, color=INK, anchor=(0, 0.5)))
        balls.append(world.spawn(Transform(position=(140, y))))
        tween(world, balls[-1], "Transform.position.x", 560, seconds=1, easing=name)
    for tick in range(61):
        if tick % 3 == 0:
            places = [tuple(world.get(ball, Transform).position) for ball in balls]
            look = Shape(shape="circle", radius=9, color=BLUE if tick < 60 else ORANGE, opacity=0.3 if tick < 60 else 1)
            for place in places:
                world.spawn(Transform(position=place), look)
        app.tick()


def paths(world: World, app: App) -> None:
    """Draw every shape of path, with an arrow in equal steps of time."""
    points = [(-60, -40), (-20, 40), (20, -30), (60, 35)]
    arrow = [(-6, -5), (7, 0), (-6, 5)]
    followers = []
    for k, shape in enumerate(PathShape):
        middle = (90 + 180 * (k % 4), 250 - 160 * (k // 4))
        path = MotionPath(shape=shape, points=points, size=(130, 90))
        holder = world.spawn(Transform(position=middle), path)
        line = path_points(shape, np.array(points, float), closed=False, size=np.array((130, 90)), turns=3,
                       ratio=np.array((3, 2)), phase=0)  # fmt: skip
        world.spawn(Transform(position=middle), Line(points=line.astype(np.float32), width=2, color=FAINT))
        label(world, shape.value, middle[0], middle[1] - 72)
        followers.append(world.spawn(Transform(), FollowPath(path=holder, seconds=2, mode="once", orient=True)))
    for tick in range(121):
        app.tick()
        if tick % 10 == 0:
            for follower in followers:
                at = world.get(follower, Transform)
                world.spawn(
                    Transform(
                        position=tuple(at.position), rotation=float(at.rotation), last_rotation=float(at.rotation)
                    ),
                    Shape(shape="polygon", points=arrow, color=ORANGE, z=1),
                )


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    draw("easings", (920, 400), easings)
    draw("tweens", (660, 330), film)
    draw("paths", (720, 340), paths)


if __name__ == "__main__":
    main()
