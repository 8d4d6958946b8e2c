"""pygame-ce's side of the benchmark `churn`: the sprites of a Group, which draws all of them in each frame.

The surface has a clip of one pixel, so that nearly no pixels are copied.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ._churn_turns import changed_and_still
from ._sprites_scene import picture
from ._task import Task, figure

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
os.environ["SDL_VIDEODRIVER"] = "dummy"
import pygame

_WIDE, _HIGH = 640, 360


def _whole(count: int) -> Task:
    """A whole frame in which one sprite comes."""
    pygame.display.init()
    screen = pygame.display.set_mode((_WIDE, _HIGH), depth=32)
    screen.set_clip((0, 0, 1, 1))
    sides = [4 + 4 * k for k in range(4)]
    images = [
        pygame.image.frombuffer(picture(k, side).tobytes(), (side, side), "RGBA").convert_alpha()
        for k, side in enumerate(sides)
    ]
    group: Any = pygame.sprite.Group()
    numbers, added = itertools.count(), list[Any]()

    def spawn(number: int, at: list[float]) -> Any:
        sprite = pygame.sprite.Sprite(group)
        sprite.image = images[number % 4]
        sprite.rect = sprite.image.get_rect(center=at)
        return sprite

    for k, at in enumerate(np.random.default_rng(1).uniform(0, (_WIDE, _HIGH), (count, 2)).tolist()):
        spawn(k, at)

    def frame() -> None:
        screen.fill((20, 22, 34))
        group.draw(screen)

    def comes() -> None:
        added.append(spawn(1, [next(numbers) % _WIDE, 100]))

    return figure(lambda: changed_and_still(frame, comes, lambda: added.pop().kill())[0])


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `whole_1000`."""
    what, _, count = name.partition("_")
    if what == "whole" and count.isdigit():
        return partial(_whole, int(count))
    raise AttributeError(name)
