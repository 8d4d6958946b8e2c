"""Reads ahead: while a scene is played in a window, loads what other scenes and prefabs will show, a part each frame.

Otherwise the frame in which a scene begins waits for all of its images. Only caches change (`Assets`, `Pictures`), so
the state of the game is the same with and without it. Without a window nothing is read ahead: images then get their
places in the atlas in the order in which they are first drawn.
"""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import AssetError, Assets
from rish_ecs import Stage, kind_of, resource, system
from rish_frame.pictures import image_header

from ..components.visible import Blend
from ..drawables.kind import DrawableKinds
from ..materials.material_images import CAMERA, FLIPS, PLAIN, Maps, Pictures

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import World

LIMIT = 64 * 2**20
"""The most bytes that are read ahead: decoded images and maps, and the sizes of other files."""
LARGEST = 4 * 2**20
"""The largest image that is read ahead, in texels; a larger one would itself take longer than a frame."""
_SLICE = 0.003
"""Seconds of a frame, beside an image that takes longer."""

Wish = tuple[str, Maps | None]
"""The path of an asset, and the maps of an image for the atlas; None for any other asset."""


@resource(derived=True)
class Ahead:
    """What is read ahead. steps: the rest of the work. wait: frames until it begins, in which the first scene is
    prepared. spent: bytes read so far. limit: the largest number of bytes.
    """

    steps: Iterator[None] = iter(())
    wait: int = 30
    spent: float = 0
    limit: int = LIMIT


def begin_ahead(app: App) -> None:
    """Read ahead what the game's scenes and prefabs name, if it has a window."""
    if app.windowed:
        app.world[Ahead].steps = _steps(app.world, [*app.game.scenes.values(), *app.game.prefabs.values()])


@system(Stage.LAST, writes=(Ahead, Assets, Pictures))
def read_ahead(world: World, dt: float) -> None:
    """Read some of the files that other scenes and prefabs name."""
    ahead: Ahead = world[Ahead]
    ahead.wait -= 1
    if ahead.wait > 0:
        return
    end = time.perf_counter() + _SLICE
    for _ in ahead.steps:
        if time.perf_counter() > end:
            return


def _steps(world: World, plans: Iterable[Any]) -> Iterator[None]:
    """Read what plans name, each asset once; a step reads a file or puts an image or map into the atlas.

    The first step imports what `np.unique` imports at its first call, which takes longer than a frame.
    """
    importlib.import_module("numpy.ma")
    yield
    wishes: set[Wish] = set()
    drawn = tuple(kind.component for kind in world[DrawableKinds].kinds)
    for plan in plans:
        for step in plan.steps:
            for wish in [wish for cls, values in step.parts.items() for wish in _named(cls, values, drawn)]:
                if wish not in wishes:
                    wishes.add(wish)
                    yield from _read(world, *wish)
        yield


def _named(cls: type, values: dict[str, Any], drawn: tuple[type, ...]) -> Iterator[Wish]:
    """Yield the assets in the fields of a component; the values of `{each: ...}` are not followed.

    drawn: the components of drawables; the field `image` of these is an image in the atlas.
    """
    fields = kind_of(cls).fields
    named = {name: text for name, text in values.items() if fields[name].type.special == "asset" and _is_path(text)}
    if issubclass(cls, drawn) and "image" in named:
        image, normal, emission = (named.pop(name, "") for name in ("image", "normal", "emission"))
        yield image, Maps(normal, emission, values.get("blend") is Blend.ADD)
    for path in named.values():
        yield path, None


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and not value.startswith(CAMERA)


def _read(world: World, path: str, maps: Maps | None) -> Iterator[None]:
    """Load an asset in steps, if there is room. A problem with it is reported when it is found, or by its user."""
    ahead, assets = world[Ahead], world[Assets]
    normal, emission, _ = maps or PLAIN
    copies = {name: number for name, number in ((path, 1), (normal, FLIPS), (emission, 1)) if name}
    try:
        cost = sum(_size(assets.resolve(name), number) for name, number in copies.items() if not assets.knows(name))
        if ahead.spent + cost > ahead.limit:
            return
        ahead.spent += cost
        for name in copies:
            assets.load(name)
            yield
        if maps is not None:
            yield from world[Pictures].prepare(world, path, maps)
    except (AssetError, OSError):
        return


def _size(path: Path, copies: int) -> float:
    """Return how many bytes a file may take: an image with its copies in the atlas, any other as on the disk."""
    try:
        width, height = image_header(path)[1]
    except AssetError:
        return path.stat().st_size
    return 4 * width * height * (1 + copies) if width * height <= LARGEST else math.inf
