"""Builders for the bodies of the gallery: each is drawn with the shape of its collider, in the gallery's colors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rish_core import Array, Transform, World, spawn_prefab
from rish_physics import Body, Collider, DistanceJoint, RevoluteJoint
from rish_render import Shape, Text
from rish_ui import Label

from .components import Flash, Fleeting, Link
from .sounds import sound

_HEX = ("ff6b6b", "ffa94d", "ffd43b", "69db7c", "38d9a9", "4dabf7", "748ffc", "b197fc", "f783ac", "ced4e6")
PALETTE = np.array([[int(text[k : k + 2], 16) / 255 for k in (0, 2, 4)] for text in _HEX], np.float32)
RED, ORANGE, YELLOW, GREEN, TEAL, BLUE, INDIGO, VIOLET, PINK, STEEL = range(len(_HEX))
SPAN = 9
"""The number of colors in the palette apart from the gray STEEL."""
FLOOR = 44.0
"""The height of the floor's surface."""


def colors(which: Any, count: int) -> dict[str, Any]:
    """Return the fill, the darker fill below, and the lighter outline of things; which: one color, or one for each."""
    tint = PALETTE[np.resize(np.asarray(which, np.int64) % len(PALETTE), count)]
    opaque = np.ones((count, 1), np.float32)
    shades = {"color": 0.86 * tint, "color_end": 0.5 * tint, "outline": 0.55 * tint + 0.45}
    return {name: np.hstack([shade, opaque]).astype(np.float32) for name, shade in shades.items()}


def things(
    world: World, places: Any, form: dict[str, Any], *, color: Any = BLUE, angle: Any = 0.0, body: Any = None,
    more: Sequence[Any] = (), **substance: Any,
) -> Array:  # fmt: skip
    """Spawn bodies of one form at places (n, 2); return their handles.

    form: the fields that `Collider` and `Shape` have in common. body, substance: values of their Body and of their
    Collider.
    """
    at = np.asarray(places, np.float32).reshape(-1, 2)
    count, paint = len(at), colors(color, len(at))
    angles = np.broadcast_to(np.asarray(angle, np.float32), count)
    parts = [Transform(rotation=angles), Collider(**form, **substance), _drawn(form, paint)]
    parts += [Flash(rest=paint["outline"]), *([Body(**body)] if body else []), *more]
    return spawn_prefab(world, "thing", *parts, n=count, at=at)


def _drawn(form: dict[str, Any], paint: dict[str, Any]) -> Shape:
    """Return the Shape that looks like a Collider."""
    kind = str(form.get("shape", "box"))
    if kind == "circle":
        return Shape(shape="circle", radius=form["radius"], **paint)
    if kind == "capsule":
        return Shape(size=form["size"], corner_radius=min(form["size"]) / 2, **paint)
    if kind in ("polygon", "outline"):
        return Shape(shape="polygon", points=form["points"], **paint)
    return Shape(size=form["size"], **paint)


def boxes(world: World, places: Any, w: float, h: float, **options: Any) -> Array:
    """Spawn boxes at places; return their handles."""
    return things(world, places, {"size": (w, h)}, **options)


def box(world: World, x: float, y: float, w: float, h: float, **options: Any) -> int:
    """Spawn one box; return its handle."""
    return int(boxes(world, (x, y), w, h, **options)[0])


def balls(world: World, places: Any, radius: float, **options: Any) -> Array:
    """Spawn circles, each with a spot that shows its rotation; return their handles."""
    made = things(world, places, {"shape": "circle", "radius": radius}, **options)
    spawn_prefab(
        world, "spot", Shape(radius=0.22 * radius), n=len(made), at=(0.0, 0.55 * radius), parent=made
    )  # fmt: skip
    return made


def ball(world: World, x: float, y: float, radius: float, **options: Any) -> int:
    """Spawn one circle; return its handle."""
    return int(balls(world, (x, y), radius, **options)[0])


def shot(world: World, x: float, y: float, velocity: Any, radius: float = 22.0, density: float = 6.0) -> int:
    """Spawn a heavy ball that is thrown in and is removed after a while."""
    sound(world, "throw", (x, y))
    return ball(
        world, x, y, radius, color=STEEL, body={"velocity": velocity, "bullet": True}, density=density,
        more=[Fleeting()],
    )  # fmt: skip


def wall(
    world: World, x: float, y: float, w: float, h: float, *, angle: float = 0.0, parent: int = 0, **substance: Any
) -> int:
    """Spawn a static box, or one that belongs to the body `parent`; `angle` in radians."""
    return spawn_prefab(
        world, "wall", Transform(rotation=angle), Collider(size=(w, h), **substance), Shape(size=(w, h)), at=(x, y),
        parent=parent,
    )  # fmt: skip


def wedge(world: World, points: Sequence[tuple[float, float]], **substance: Any) -> int:
    """Spawn a static convex polygon; its corners are positions in the world."""
    corners = np.array(points, np.float32)
    return spawn_prefab(
        world, "wall", Collider(shape="polygon", points=corners, **substance), Shape(shape="polygon", points=corners)
    )  # fmt: skip


def terrain(world: World, points: Sequence[tuple[float, float]], depth: float) -> int:
    """Spawn ground as a chain; points: from left to right. It is drawn filled down to a depth."""
    line = np.array(points, np.float32)
    below = np.array([(line[-1, 0], depth), (line[0, 0], depth)], np.float32)
    return spawn_prefab(
        world, "wall", Collider(shape="chain", points=line[::-1]),
        Shape(shape="polygon", points=np.concatenate([line, below])),
    )  # fmt: skip


def label(world: World, x: float, y: float, text: str) -> int:
    """Spawn a small text, such as a number, at a position."""
    return spawn_prefab(world, "label", Text(text=text), at=(x, y))


def caption(world: World, x: float, y: float, key: str) -> int:
    """Spawn a small text in the player's language at a position. key: of the translations, below `parts`."""
    return spawn_prefab(world, "caption", Label(text=f"$parts.{key}"), at=(x, y))


def tag(world: World, body: int, text: str) -> int:
    """Spawn a small text that moves with a body."""
    return spawn_prefab(world, "tag", Text(text=text), parent=body)


def pin(world: World, a: int, b: int, at: tuple[float, float], **options: Any) -> int:
    """Connect two unrotated bodies with a revolute joint at a position in the world."""
    return world.spawn(RevoluteJoint(a=a, b=b, anchor_a=local(world, a, at), anchor_b=local(world, b, at), **options))


def planks(
    world: World, start: tuple[float, float], length: float, count: int, thickness: float, friction: float, **pins: Any
) -> None:
    """Spawn a bridge of planks that are pinned to each other, and at both ends to the world. pins: of the joints."""
    (left, y), width = start, length / count
    x = left + width * (np.arange(count) + 0.5)
    made = boxes(
        world, np.column_stack([x, np.full(count, y)]), width + 2, thickness, color=ORANGE, density=2,
        friction=friction,
    ).tolist()  # fmt: skip
    for number, (a, b) in enumerate(pairwise([0, *made, 0])):
        pin(world, a, b, (left + width * number, y), **pins)


def local(world: World, body: int, at: tuple[float, float]) -> tuple[float, float]:
    """Return a position relative to a body that is not rotated; 0: the world."""
    x, y = world.get(body, Transform).position.tolist() if body else (0.0, 0.0)
    return at[0] - x, at[1] - y


def tie(world: World, a: int, b: int, length: float, *, width: float = 1.5, color: int = STEEL, **options: Any) -> int:
    """Connect the centers of two bodies with a distance joint, drawn as a bar."""
    joint = world.spawn(DistanceJoint(a=a, b=b, length=length, **options))
    show_link(world, joint, a, b, width=width, color=color)
    return joint


def show_link(world: World, joint: int, a: int, b: int, *, color: int = STEEL, **options: Any) -> int:
    """Draw a bar between two bodies as long as a joint exists."""
    fill = (*PALETTE[color].tolist(), 0.8)
    return spawn_prefab(world, "link", Shape(color=fill), Link(a=a, b=b, joint=joint, **options))
