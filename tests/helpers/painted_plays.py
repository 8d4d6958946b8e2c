"""Plays for pages of games that are painted instead of being played: they cost little and are known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from rish_frame import Soundtrack
from rish_page import page
from rish_page.playing import Shown

RATE = 8_000


class PaintedPlay:
    """Stands in for a game: a bright square moves over a background that changes its color; and a tone is heard."""

    def __init__(self, seconds: float, dt: float, size: tuple[int, int]) -> None:
        self.dt, self.size = dt, size
        self.total = round(seconds / dt)
        self.soundtrack = Soundtrack()
        self.soundtrack.offer(RATE, 1)

    def images(self) -> Iterator[Shown]:
        """Yield the images."""
        width, height = self.size
        for number in range(self.total):
            share = number / self.total
            pixels = np.full((height, width, 4), 255, np.uint8)
            pixels[..., :3] = (20 + round(120 * share), 40, 120 - round(80 * share))
            left = round(share * (width - height // 3))
            pixels[height // 3 : height // 3 * 2, left : left + height // 3, :3] = (250, 180, 60)
            time = (number * self.dt + np.arange(round(RATE * self.dt)) / RATE)[:, None]
            yield Shown(pixels, np.sin(time * 2 * np.pi * 440).astype(np.float32) * 0.2)


def paint_plays(
    monkeypatch: pytest.MonkeyPatch, seconds: float = 3.0, dt: float = 0.1, size: tuple[int, int] = (160, 90)
) -> None:
    """Let pages be made of painted plays."""

    @contextmanager
    def play(*_: Any) -> Iterator[PaintedPlay]:
        yield PaintedPlay(seconds, dt, size)

    monkeypatch.setattr(page, "play", play)
