"""Packs the voices and buses of the World into the block of a tick."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..clips.library import ClipLibrary
from ..components import block as layout
from ..components.block import Block
from ..components.settings import AudioSettings
from ..components.tables import Buses, Voices
from ..sounds.bank import SoundBank
from ..space.panning import balance_gains, pan_gains, placed_gains
from .advance import loop_of

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
Places = dict[int, float]
"""Positions of voices in their clips, by serial."""


class Packer:
    """Packs blocks. frames are counted so that the ticks of a second have exactly `rate` frames together.

    slots, channels, rate: of the output. wait: whether clips are loaded before the block is returned (offline), or
    are silent until another thread has loaded them (live).
    """

    def __init__(self, world: World, *, wait: bool) -> None:
        settings: AudioSettings = world[AudioSettings]
        self.rate, self.channels, self.slots = settings.rate, settings.channels, settings.voices
        self.wait = wait
        self._sequence = 0
        self._places: Places = {}

    def frames_of(self, world: World, speed: float = 1.0) -> int:
        """Return the number of frames of the tick that just ended. speed: of the game's time, above 0."""
        per_tick = self.rate * world.dt
        first = math.floor((world.tick - 1) * per_tick + 1e-6)
        count = math.floor(world.tick * per_tick + 1e-6) - first
        return max(1, min(round(count / speed), layout.MAX_FRAMES))

    def pack(self, world: World, frames: int) -> Block:
        """Return the block of the tick that just ended: from where the voices were to where they are."""
        voices = world[Voices]
        rows = np.flatnonzero(voices.slot >= 0)
        block = self._begin(world, frames, rows)
        slots, infos = voices.slot[rows], self._infos
        ratio = np.array([info.rate for info in infos], np.float64) * world.dt / frames
        real = block.real
        real[slots, layout.POSITION] = voices.last_frame[rows] + voices.last_fraction[rows].astype(np.float64)
        real[slots, layout.RATE_BEGIN] = voices.last_rate[rows] * ratio
        real[slots, layout.RATE_END] = voices.rate[rows] * ratio
        self._places = self._now(world)
        self._feed(world, rows, block)
        return block

    def pack_jump(self, world: World, frames: int) -> Block:
        """Return a block for a World that went to another tick, such as in a rewind.

        The voices go from where the block before left them to where they are now, backwards in a rewind. A jump that
        is faster than four times the usual speed is silent.
        """
        voices, now = world[Voices], self._now(world)
        serials = voices.serial.tolist()
        steps = {serial: (now[serial] - self._places.get(serial, math.inf)) / frames for serial in serials}
        heard = np.array([0 < abs(steps[serial]) < _FASTEST for serial in serials], np.bool_)
        rows = np.flatnonzero((voices.slot >= 0) & heard)
        block = self._begin(world, frames, rows)
        for row in rows.tolist():
            slot, serial = int(voices.slot[row]), serials[row]
            block.real[slot, layout.POSITION] = self._places[serial]
            block.real[slot, layout.RATE_BEGIN : layout.RATE_END + 1] = steps[serial]
        self._places = now
        self._feed(world, rows, block)
        return block

    def pack_silence(self, world: World, frames: int) -> Block:
        """Return a block in which all voices fade out, because the game stands still."""
        block = self._begin(world, frames, np.zeros(0, np.int64))
        block.head[layout.FLAGS] = layout.SILENT
        return block

    def _now(self, world: World) -> Places:
        voices = world[Voices]
        places = voices.frame + voices.fraction.astype(np.float64)
        return dict(zip(voices.serial.tolist(), places.tolist(), strict=True))

    def _begin(self, world: World, frames: int, rows: Array) -> Block:
        """Return a block with everything except the positions and rates of the voices in `rows`."""
        voices, library, bank = world[Voices], world[ClipLibrary], world[SoundBank]
        block = Block.empty(self.slots, self.channels, len(world[Buses]))
        self._sequence += 1
        block.head[layout.FRAMES], block.head[layout.SEQUENCE] = frames, self._sequence
        self._put_buses(world, block)
        texts = world.texts.texts
        clips = [texts[number] for number in voices.column("clip")[rows].tolist()]
        self._infos = [library.info(world, clip) for clip in clips]
        if not len(rows):
            return block
        slots = voices.slot[rows]
        whole = block.whole
        whole[slots, layout.SERIAL] = voices.serial[rows]
        whole[slots, layout.LOOPS] = voices.loop[rows]
        sounds = [bank.sound(world, texts[number]) for number in voices.column("sound")[rows].tolist()]
        loops = [loop_of(sound, info) for sound, info in zip(sounds, self._infos, strict=True)]
        whole[slots, layout.LOOP_BEGIN : layout.LOOP_END + 1] = loops
        streamed = [sound.streamed for sound in sounds]
        whole[slots, layout.CLIP] = [
            library.row(world, clip, wait=self.wait, streamed=wanted, serial=int(serial))
            for clip, wanted, serial in zip(clips, streamed, voices.serial[rows], strict=True)
        ]
        names = world[Buses].column("name").tolist()
        at = {number: row for row, number in enumerate(names)}
        usual = at.get(world.texts.find("effects"), 0)
        whole[slots, layout.BUS] = [at.get(number, usual) for number in voices.column("bus")[rows].tolist()]
        echo = voices.echo[rows]
        whole[slots, layout.SEND] = np.where(echo > 0, at.get(world.texts.find("echo"), -1), -1)
        block.real[slots, layout.SEND_GAIN] = echo
        cutoff = voices.cutoff[rows]
        block.real[slots, layout.CUTOFF] = np.where(cutoff > 0, cutoff / self.rate, 0.5)
        block.gains[slots] = self._gains(world, rows)
        return block

    def _gains(self, world: World, rows: Array) -> Array:
        voices = world[Voices]
        channels = np.array([info.channels for info in self._infos])
        spatial = voices.spatial[rows]
        placed = placed_gains(pan_gains(voices.direction[rows].astype(np.float64), self.channels), channels)
        if spatial.all():
            gains = placed
        else:
            balanced = balance_gains(voices.pan[rows].astype(np.float64), channels, self.channels)
            gains = np.where(spatial[:, None, None], placed, balanced)
        return gains * voices.level[rows, None, None]

    def _put_buses(self, world: World, block: Block) -> None:
        buses, out, rate = world[Buses], block.buses, self.rate
        at = {number: row for row, number in enumerate(buses.column("name").tolist())}
        out[:, layout.PARENT] = [at.get(number, -1) for number in buses.column("parent").tolist()]
        out[:, layout.GAIN] = np.where(buses.muted, 0, buses.gain)
        out[:, layout.LOW_PASS], out[:, layout.HIGH_PASS] = buses.low_pass / rate, buses.high_pass / rate
        out[:, layout.DELAY] = buses.delay * rate
        out[:, layout.DELAY_FEEDBACK], out[:, layout.DELAY_MIX] = buses.delay_feedback, buses.delay_mix
        out[:, layout.REVERB_MIX], out[:, layout.REVERB_ROOM] = buses.reverb_mix, buses.reverb_room
        out[:, layout.REVERB_DAMP], out[:, layout.LIMIT] = buses.reverb_damp, buses.limit
        out[:, layout.DUCK_BY] = [at.get(number, -1) if number else -1 for number in buses.column("duck_by").tolist()]
        out[:, layout.DUCK_GAIN], out[:, layout.DUCK_THRESHOLD] = buses.duck_gain, buses.duck_threshold
        out[:, layout.DUCK_ATTACK] = buses.duck_attack * rate
        out[:, layout.DUCK_RELEASE] = buses.duck_release * rate

    def _feed(self, world: World, rows: Array, block: Block) -> None:
        """Let streams decode what this block and those that may follow need."""
        voices, library = world[Voices], world[ClipLibrary]
        for row, info in zip(rows.tolist(), self._infos, strict=True):
            slot = int(voices.slot[row])
            clip = int(block.whole[slot, layout.CLIP])
            if clip >= 0 and info.frames:
                library.feed(clip, block.real[slot], block.whole[slot], wait=self.wait)


_FASTEST = 4.0
"""The greatest speed of a clip that is heard in a jump."""
