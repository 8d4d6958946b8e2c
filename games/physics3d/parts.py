"""Builders for the bodies of the gallery: each is drawn with the shape of its collider, in the gallery's colors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rish_core import World, spawn_prefab
from rish_jit import Array, maths
from rish_physics3d import Body3D, Collider3D
from rish_scene3d import Model3D
from rish_space3d import Transform3D, quaternions

from .components import Fleeting, Link, Paint

_HEX = ("e8705f", "eda35a", "edc95f", "7cc489", "4fb9a5", "5a9be0", "7f8fe0", "ac92e0", "de86ad", "c3cbdc")
PALETTE = np.array([[int(text[k : k + 2], 16) / 255 for k in (0, 2, 4)] for text in _HEX], np.float32)
RED, ORANGE, YELLOW, GREEN, TEAL, BLUE, INDIGO, VIOLET, PINK, STEEL = range(len(_HEX))
SPAN = 9
"""The number of colors in the palette apart from the gray STEEL."""
SLATE = (0.42, 0.48, 0.64, 1.0)
"""The color of what stands still."""
Three = tuple[float, float, float]
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def turn(axis: Three, degrees: Any) -> Array:
    """Return rotations about an axis, float64 (..., 4)."""
    return quaternions.from_axis(axis, np.asarray(degrees, np.float64) * (maths.PI / 180))


def paint(which: Any, count: int) -> Array:
    """Return the colors (n, 4) of things; which: the index of one color, or one for each."""
    tint = PALETTE[np.resize(np.asarray(which, np.int64) % len(PALETTE), count)]
    return np.hstack([tint, np.ones((count, 1), np.float32)])


def _spawn(
    world: World, prefab: str, places: Any, scale: Any, form: dict[str, Any], *, color: Any, rotation: Any,
    body: dict[str, Any] | None, more: Sequence[Any],
) -> Array:  # fmt: skip
    """Spawn bodies at places (n, 3); return their handles. form: values of their Collider3D. body: of their Body3D.

    The scale of a Transform3D enlarges the model and the collider alike.
    """
    at = np.asarray(places, np.float32).reshape(-1, 3)
    tint = paint(color, len(at))
    parts = [Transform3D(position=at, scale=scale, **({} if rotation is None else {"rotation": rotation}))]
    parts += [Collider3D(**form), Model3D(tint=tint), Paint(color=tint)]
    parts += [*([Body3D(**body)] if body else []), *more]
    return spawn_prefab(world, prefab, *parts, n=len(at))


def boxes(
    world: World, places: Any, size: Three, *, color: Any = BLUE, rotation: Any = None,
    body: dict[str, Any] | None = None, more: Sequence[Any] = (), **substance: Any,
) -> Array:  # fmt: skip
    """Spawn boxes at places (n, 3); return their handles. body, substance: values of their Body3D and Collider3D."""
    return _spawn(world, "box", places, size, substance, color=color, rotation=rotation, body=body, more=more)


def box(world: World, at: Three, size: Three, **options: Any) -> int:
    """Spawn one box; return its handle."""
    return int(boxes(world, at, size, **options)[0])


def balls(
    world: World, places: Any, radius: float, *, color: Any = BLUE, prefab: str = "ball", rotation: Any = None,
    body: dict[str, Any] | None = None, more: Sequence[Any] = (), **substance: Any,
) -> Array:  # fmt: skip
    """Spawn spheres at places (n, 3); return their handles. prefab: `ball`, or `steel` for heavy ones of metal."""
    return _spawn(
        world, prefab, places, (2 * radius,) * 3, substance, color=color, rotation=rotation, body=body, more=more
    )


def ball(world: World, at: Three, radius: float, **options: Any) -> int:
    """Spawn one sphere; return its handle."""
    return int(balls(world, at, radius, **options)[0])


def pills(
    world: World, places: Any, radius: float, length: float, *, color: Any = BLUE, rotation: Any = None,
    body: dict[str, Any] | None = None, more: Sequence[Any] = (), **substance: Any,
) -> Array:  # fmt: skip
    """Spawn capsules along their y axis; return their handles. length: from end to end."""
    form = _capsule(radius, length)
    return _spawn(
        world, "pill", places, form.pop("scale"), form | substance, color=color, rotation=rotation, body=body, more=more
    )


def shot(world: World, at: Three, velocity: Three, radius: float = 0.45, **options: Any) -> int:
    """Spawn a heavy ball that is thrown in and is removed after a while."""
    return ball(
        world, at, radius, color=STEEL, prefab="steel", body={"velocity": velocity}, more=[Fleeting()], **options
    )  # fmt: skip


def wall(
    world: World, at: Three, size: Three, *, rotation: Any = None, tint: Any = SLATE, parent: int = 0, **substance: Any
) -> int:
    """Spawn a static box, or one that belongs to the body `parent`."""
    place = {"position": at, "scale": size, **({} if rotation is None else {"rotation": rotation})}
    parts = Transform3D(**place), Collider3D(**substance), Model3D(tint=tint)
    return int(spawn_prefab(world, "wall", *parts, parent=parent))


def whole(world: World, at: Three, pieces: Iterable[dict[str, Any]], *, rotation: Any = None, **body: Any) -> int:
    """Spawn a body of several shapes; return its handle. pieces: the arguments of `piece`. body: of its Body3D."""
    place = {"position": at, **({} if rotation is None else {"rotation": rotation})}
    made = int(spawn_prefab(world, "whole", Transform3D(**place), Body3D(**body)))
    for each in pieces:
        piece(world, made, **each)
    return made


def piece(
    world: World, parent: int, at: Three = (0, 0, 0), size: Three = (1, 1, 1), *, shape: str = "box",
    rotation: Any = None, color: int = BLUE, visible: bool = True, **substance: Any,
) -> int:  # fmt: skip
    """Add a shape of a size to a body. shape: box, sphere, capsule (along y), cylinder or cone."""
    place = {"position": at, "scale": size, **({} if rotation is None else {"rotation": rotation})}
    form: dict[str, Any] = {"shape": shape}
    if shape == "capsule":
        form |= _capsule(size[0] / 2, size[1])
        place["scale"] = form.pop("scale")
    elif shape in ("cylinder", "cone"):
        form = {"shape": "hull", "points": _round(is_cone=shape == "cone")}
    model = Model3D(asset=shape, tint=paint(color, 1)[0], visible=visible)
    parts = Transform3D(**place), Collider3D(**form, **substance), model
    return int(spawn_prefab(world, "piece", *parts, parent=parent))


def _capsule(radius: float, length: float) -> dict[str, Any]:
    """Return the scale of a capsule's model, and the values of its collider, which is enlarged by the greatest part of
    the scale.
    """
    scale = (2 * radius, length / 2, 2 * radius)
    most = max(scale)
    return {"scale": scale, "radius": radius / most, "size": (0.0, length / most, 0.0)}


def _round(*, is_cone: bool, sides: int = 16) -> Array:
    """Return the corners of a cylinder or cone as large as that of Model3D."""
    angle = np.arange(sides) * maths.TAU / sides
    sin, cos = maths.sincos(angle)
    below = np.column_stack([0.5 * sin, np.full(sides, -0.5), 0.5 * cos])
    above = below * [1, -1, 1] if not is_cone else np.array([[0.0, 0.5, 0.0]])
    return np.concatenate([below, above])


def spot(
    world: World, parent: int, at: Three, size: Three, *, shape: str = "box", rotation: Any = None, color: Any = STEEL
) -> int:
    """Add something to a body that is only seen."""
    place = {"position": at, "scale": size, **({} if rotation is None else {"rotation": rotation})}
    parts = Transform3D(**place), Model3D(asset=shape, tint=paint(color, 1)[0])
    return int(spawn_prefab(world, "spot", *parts, parent=parent))


def show_link(world: World, joint: int, a: int, b: int, *, width: float = 0.05, color: Any = STEEL, **at: Any) -> int:
    """Draw a bar between two bodies as long as a joint exists. at: `anchor_a` and `anchor_b`."""
    return int(
        spawn_prefab(world, "link", Model3D(tint=paint(color, 1)[0]), Link(a=a, b=b, joint=joint, width=width, **at))
    )


def knots(world: World, places: Any, radius: float, *more: Any) -> Array:
    """Spawn spheres that are not drawn; return their handles."""
    parts = Transform3D(position=np.asarray(places, np.float32)), Collider3D(radius=radius)
    return spawn_prefab(world, "knot", *parts, *more, n=len(places))


def back(rotation: Any, vector: Any) -> Array:
    """Return a vector of the world in the frame of a rotation."""
    return quaternions.turned(quaternions.inverse(rotation), vector)
