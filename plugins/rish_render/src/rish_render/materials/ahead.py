"""Reads ahead: while a scene is played in a window, loads what other scenes and prefabs will show, a part each frame.

Otherwise the frame in which a scene begins waits for all of its images. Only caches change (`Assets`, `Pictures`), so the
state of the game is the same with and without it. Without a window nothing is read ahead: images then get their
places in the atlas in the order in which they are first drawn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import AssetError, Assets
from rish_ecs import Stage, kind_of, resource, system
from rish_frame.pictures import image_header

from ..components.visible import Blend, Shape, Sprite
from ..extract.nine_patch import NinePatch
from ..strokes import Line
from .pictures import CAMERA, PLAIN, Maps, Pictures

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import World

LIMIT = 64 * 2**20
"""The most bytes that are read ahead: decoded images and maps, and the sizes of other files."""
LARGEST = 4 * 2**20
"""The largest image that is read ahead, in texels; a larger one would itself take longer than a frame."""
_SLICE = 0.003
"""Seconds of a frame, beside an image that takes longer."""
_SHOWN = (Sprite, Shape, NinePatch, Line)
"""The components whose `image` is a whole picture in the atlas."""


@dataclass(frozen=True)
class Wish:
    """An asset that a plan names. maps: for an image of the atlas; None for any other asset."""

    path: str
    maps: Maps | None


@resource(derived=True)
class Ahead:
    """What is read ahead. wishes: the rest of it. spent: bytes so far. limit: the most bytes."""

    wishes: Iterator[Wish | None] = iter(())
    spent: float = 0
    limit: int = LIMIT

    def rebuild(self, world: World) -> None:
        """Do nothing after a restore: what was read stays valid."""


def begin_ahead(app: App) -> None:
    """Read ahead what the game's scenes and prefabs name, if it has a window."""
    if app.windowed:
        app.world[Ahead].wishes = wishes_of([*app.game.scenes.values(), *app.game.prefabs.values()])


@system(Stage.LAST, writes=(Ahead, Assets, Pictures))
def read_ahead(world: World, dt: float) -> None:
    """Read some of the files that other scenes and prefabs name."""
    ahead: Ahead = world[Ahead]
    end = time.perf_counter() + _SLICE
    for wish in ahead.wishes:
        if wish is not None:
            _read(world, ahead, wish)
        if time.perf_counter() > end:
            return


def wishes_of(plans: Iterable[Any]) -> Iterator[Wish | None]:
    """Yield the assets that plans name, each once, and None after each plan, which may take time to compile."""
    known: set[Wish] = set()
    for plan in plans:
        for step in plan.steps:
            for cls, values in step.parts.items():
                for wish in _named(cls, values):
                    if wish not in known:
                        known.add(wish)
                        yield wish
        yield None


def _named(cls: type, values: dict[str, Any]) -> Iterator[Wish]:
    """Yield the assets in the fields of a component; the values of `{each: ...}` are not followed."""
    fields = kind_of(cls).fields
    named = {name: text for name, text in values.items() if fields[name].type.special == "asset" and _is_path(text)}
    if issubclass(cls, _SHOWN):
        image = named.pop("image", "")
        maps = Maps(named.pop("normal", ""), named.pop("emission", ""), values.get("blend") is Blend.ADD)
        if image:
            yield Wish(image, maps if cls is Sprite else PLAIN)
    for path in named.values():
        yield Wish(path, None)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and not value.startswith(CAMERA)


def _read(world: World, ahead: Ahead, wish: Wish) -> None:
    """Load an asset. A file that can't be loaded is reported now, or when it is used."""
    assets = world[Assets]
    maps = wish.maps
    paths = [wish.path, *(path for path in (maps or PLAIN)[:2] if path)]
    try:
        cost = sum(_size(assets.resolve(path)) for path in paths)
        if ahead.spent + cost > ahead.limit:
            return
        ahead.spent += cost
        if maps is None:
            assets.load(wish.path)
        else:
            world[Pictures].frame_of(world, wish.path, maps=maps)
    except AssetError:
        return  # the asset is not there, or its problem is kept: its user reports it


def _size(path: Path) -> float:
    """Return how many bytes a file may take: an image in the cache and in the atlas, any other as on the disk."""
    try:
        width, height = image_header(path)[1]
    except AssetError:
        return path.stat().st_size
    return 8 * width * height if width * height <= LARGEST else math.inf
