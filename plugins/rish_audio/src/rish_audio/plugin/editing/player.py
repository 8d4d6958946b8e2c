"""Plays previews on the sound card with a separate mixer. Neither the World nor the output of the game is used."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import available

from ...components import block as layout
from ...components.block import Block
from ...mixer.live import LiveMixer
from ...outputs.card import CardOutput

if TYPE_CHECKING:
    from rish_editor import Editor

    from .clips import Clip

RATE, FRAMES = 44_100, 735
_MAX_CLIPS = 16
"""The number of clips whose samples are kept, because the card may still be fading them out."""
_QUEUE_BLOCKS = 4
"""The number of blocks that wait for the card."""
_IDLE_SECONDS = 5.0
"""The time without a preview after which the card is closed, in seconds."""
_MEMORY = "audio.player"


class Player:
    """Plays one clip at a time. name: the name of the clip, "" if none is played. problem: the reason why nothing is
    heard, or "".
    """

    def __init__(self) -> None:
        self.name = self.problem = ""
        self._clip: Clip | None = None
        self._load: Callable[[], Clip | None] | None = None
        self._card: CardOutput | None = None
        self._live: LiveMixer | None = None
        self._table = np.zeros((_MAX_CLIPS + 1, layout.CLIP_COLUMNS), np.int64)
        self._kept: dict[int, Any] = {}
        self._serial = self._sequence = 0
        self._gain, self._pitch, self._loop = 1.0, 1.0, False
        self._position = 0.0
        self._used = 0.0

    @classmethod
    def of(cls, editor: Editor) -> Player:
        """Return the player of an editor, and feed the card. If another game was opened, its preview is stopped."""
        cached = editor.memory.get(_MEMORY)
        if cached is None or cached[0] is not editor.game:
            player = cached[1] if cached is not None else cls()
            player.stop()
            cached = editor.memory[_MEMORY] = (editor.game, player)
        cached[1].step()
        return cached[1]

    @property
    def place(self) -> float:
        """The share of the clip that has been played, 0 to 1."""
        if self._clip is None or self._live is None or not len(self._clip.samples):
            return 0.0
        waiting = self._live.pending * self._rate
        part = max(self._position - waiting, 0.0) / len(self._clip.samples)
        return part % 1.0 if self._loop else min(part, 1.0)

    @property
    def _rate(self) -> float:
        return 0.0 if self._clip is None else self._clip.rate / RATE * self._pitch

    def play(
        self, name: str, load: Callable[[], Clip | None], *, gain: float = 1.0, pitch: float = 1.0, loop: bool = False
    ) -> None:
        """Play a clip from its beginning, and stop the previous one. Without a card, `problem` has the reason.

        load: returns the clip, or None until it is read.
        """
        self._open()
        self.stop()
        if not self.problem:
            self.name, self._load, self._used = name, load, time.monotonic()
            self._gain, self._pitch, self._loop = gain, pitch, loop
            self.step()

    def _begin(self, clip: Clip) -> None:
        """Put a clip into the table, and play it from its beginning."""
        self._serial += 1
        row = 1 + self._serial % _MAX_CLIPS
        samples = self._kept[row] = np.ascontiguousarray(clip.samples, np.float32)
        columns = self._table[row]
        columns[layout.CHANNELS] = samples.shape[1]
        columns[[layout.CAPACITY, layout.LENGTH, layout.END]] = len(samples)
        columns[layout.ADDRESS] = samples.ctypes.data
        self._clip, self._position, self._load = clip, 0.0, None

    def stop(self) -> None:
        """End the preview, with a short fade."""
        self.name, self._clip, self._load = "", None, None

    def step(self) -> None:
        """Push the blocks that the card needs until the next frame."""
        card, live = self._card, self._live
        if card is None or live is None:
            return
        if card.problem:
            self.problem = card.problem
            self.close()
            return
        now = time.monotonic()
        if self.name:
            self._used = now
        elif now - self._used > _IDLE_SECONDS:
            self.close()
            return
        clip = self._load() if self._load is not None else None
        if clip is not None:
            self._begin(clip)
        while card.is_open and live.pending < _QUEUE_BLOCKS * FRAMES:
            card.push(self._block(), self._table)

    def close(self) -> None:
        """End the preview and close the card; the next preview opens it again."""
        self.stop()
        card, self._card, self._live = self._card, None, None
        if card is not None:
            card.close()

    def _open(self) -> None:
        if self._card is not None:
            return
        self.problem = "" if available() else "numba is not installed, which the mixer needs to play in real time"
        if not self.problem:
            self._live = LiveMixer(RATE, 2, 1, 1)
            self._card = CardOutput(self._live, rate=RATE, channels=2)

    def _block(self) -> Block:
        """Return the next block: it continues the clip, or is silent."""
        block = Block.empty(1, 2, 1)
        self._sequence += 1
        block.head[layout.FRAMES], block.head[layout.SEQUENCE] = FRAMES, self._sequence
        block.buses[0, [layout.PARENT, layout.DUCK_BY]] = -1
        block.buses[0, [layout.GAIN, layout.LIMIT]] = 1.0, 0.98
        if self._clip is None:
            return block
        frames, stereo = len(self._clip.samples), self._clip.samples.shape[1] == 2
        block.whole[0, [layout.SERIAL, layout.CLIP]] = self._serial, 1 + self._serial % _MAX_CLIPS
        block.whole[0, [layout.LOOPS, layout.LOOP_END]] = self._loop, frames
        block.real[0, [layout.POSITION, layout.CUTOFF]] = self._position, 0.5
        block.real[0, layout.RATE_BEGIN : layout.RATE_END + 1] = self._rate
        block.gains[0] = self._gain * (np.eye(2) if stereo else np.full((2, 2), 0.5**0.5))
        self._position += self._rate * FRAMES
        if not self._loop and self._position > frames + _QUEUE_BLOCKS * FRAMES * self._rate:
            self.stop()
        return block
