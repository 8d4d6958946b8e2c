"""arcade's side of the benchmark `churn`: sprites of a SpriteList, which is drawn without the work of the driver."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from . import _engine_clock
from ._churn_turns import Call, above_still, changed_and_still
from ._sprites_scene import picture
from ._task import Task, figure

os.environ["ARCADE_HEADLESS"] = "True"
import pyglet

pyglet.options.debug_gl = False
import arcade  # noqa: E402

_WIDE, _HIGH, _MANY = 640, 360, 100
_windows: list[arcade.Window] = []


class _Sprites:
    """A list of sprites that stand still, of four sizes."""

    def __init__(self, count: int) -> None:
        from PIL import Image

        if not _windows:
            _windows.append(arcade.Window(_WIDE, _HIGH, "bench", antialiasing=False, visible=False))
        self._window, self._numbers = _windows[0], itertools.count()
        self._textures = [arcade.Texture(Image.fromarray(picture(k, 4 + 4 * k)), hash=f"s{k}") for k in range(4)]
        self._list: Any = arcade.SpriteList(capacity=count + _MANY)
        places = np.random.default_rng(1).uniform(0, (_WIDE, _HIGH), (count, 2)).tolist()
        self._list.extend([arcade.Sprite(self._textures[k % 4], 1.0, *at) for k, at in enumerate(places)])
        _engine_clock.set_clock("engine")

    def frame(self) -> None:
        """Draw all sprites; OpenGL itself draws nothing."""
        self._window.clear()
        self._list.draw(pixelated=True)

    def comes(self) -> None:
        self._list.append(arcade.Sprite(self._textures[1], 1.0, next(self._numbers) % _WIDE, 100))

    def goes(self) -> None:
        self._list.remove(self._one())

    def changes(self) -> None:
        self._one().color = (128, next(self._numbers) % 256, 255, 255)

    def many(self) -> None:
        """Let many sprites come, as many go, and as many change."""
        for work in (self.comes, self.goes, self.changes):
            for _ in range(_MANY):
                work()

    def _one(self) -> Any:
        return self._list[next(self._numbers) * 37 % len(self._list)]


def _work(sprites: _Sprites, what: str) -> tuple[Call, Call]:
    """Return a change, and what undoes it."""
    undone = {"comes": "goes", "goes": "comes", "whole": "goes"}.get(what, "changes")
    return getattr(sprites, "comes" if what == "whole" else what), getattr(sprites, undone)


def _task(what: str, count: int) -> Task:
    sprites = _Sprites(count)
    work, undo = _work(sprites, what)
    if what == "whole":
        return figure(lambda: changed_and_still(sprites.frame, work, undo)[0])
    return figure(partial(above_still, sprites.frame, work, undo))


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `comes_1000` or `whole_1000`."""
    what, _, count = name.partition("_")
    if what in ("comes", "goes", "changes", "many", "whole") and count.isdigit():
        return partial(_task, what, int(count))
    raise AttributeError(name)
