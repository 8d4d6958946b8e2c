"""Packs the voices and buses of the World into the block of a tick."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rish_core import RishError
from rish_jit import Array

from ..clips.clip_library import ClipLibrary
from ..components import block as layout
from ..components.block import Block
from ..components.settings import AudioSettings
from ..components.tables import Buses, Voices
from ..sounds.bank import SoundBank
from ..space.panning import balance_gains, pan_gains, placed_gains

if TYPE_CHECKING:
    from rish_core import World

    from ..clips.info import ClipInfo
    from ..sounds.sound import Sound

Places = dict[int, float]
"""Positions of voices in their clips, by serial."""


class Packer:
    """Packs blocks. Frames are counted so that all ticks of a second together have exactly `rate` frames.

    slots, channels, rate: of the output. wait: True if clips are loaded before the block is returned (offline);
    otherwise they are silent until another thread has loaded them (live).
    """

    def __init__(self, world: World, *, wait: bool) -> None:
        settings: AudioSettings = world[AudioSettings]
        self.rate, self.channels, self.slots = settings.rate, settings.channels, settings.voices
        self.wait = wait
        if self.rate * world.dt > layout.MAX_FRAMES:
            max_rate = math.floor(layout.MAX_FRAMES / world.dt)
            what = f"a tick of {world.dt:.3g} s has too many samples at {self.rate} Hz"
            raise RishError(
                what, where="settings.audio.rate", hint=f"At most {max_rate} Hz are possible with this tick rate"
            )
        self._sequence = 0
        self._places: Places = {}
        self._buses: Array = np.zeros((0, layout.BUS_COLUMNS))

    def continues(self, world: World) -> bool:
        """Return True if the World has any of the voices of the previous block."""
        return not self._places.keys().isdisjoint(world[Voices].serial.tolist())

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
        begin = voices.last_frame[rows] + voices.last_fraction[rows].astype(np.float64)
        self._places = self._current_places(world)
        end = np.array([self._places[serial] for serial in voices.serial[rows].tolist()])
        block = self._begin(world, frames, rows, begin, end)
        slots = voices.slot[rows]
        ratio = voices.clip_rate[rows].astype(np.float64) * (world.dt / frames)
        block.real[slots, layout.RATE_BEGIN] = voices.last_rate[rows] * ratio
        block.real[slots, layout.RATE_END] = voices.rate[rows] * ratio
        return block

    def pack_jump(self, world: World, frames: int) -> Block:
        """Return a block for a World that went to another tick, such as in a rewind.

        The voices move from their positions in the previous block to their current positions, backwards in a rewind. A
        jump of more than four times the normal speed is silent.
        """
        voices, before, places = world[Voices], self._places, self._current_places(world)
        self._places = places
        serials = voices.serial.tolist()
        begin = np.array([before.get(serial, math.inf) for serial in serials])
        end = np.array([places[serial] for serial in serials])
        audible = (voices.slot >= 0) & (begin != end) & (np.abs(end - begin) < _MAX_RATE * frames)
        rows = np.flatnonzero(audible)
        block = self._begin(world, frames, rows, begin[rows], end[rows])
        step = (end[rows] - begin[rows]) / frames
        block.real[voices.slot[rows], layout.RATE_BEGIN : layout.RATE_END + 1] = step[:, None]
        return block

    def pack_silence(self, world: World, frames: int) -> Block:
        """Return a block in which all voices fade out, because the game is paused."""
        block = self._begin(world, frames, np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
        block.head[layout.FLAGS] = layout.SILENT
        return block

    def _current_places(self, world: World) -> Places:
        voices = world[Voices]
        places = voices.frame + voices.fraction.astype(np.float64)
        return dict(zip(voices.serial.tolist(), places.tolist(), strict=True))

    def _begin(self, world: World, frames: int, rows: Array, begin: Array, end: Array) -> Block:
        """Return a block with everything except the rates of the voices. rows: of the voices. begin, end: float64,
        their positions at both ends of the block.
        """
        voices, library, bank = world[Voices], world[ClipLibrary], world[SoundBank]
        block = Block.empty(self.slots, self.channels, len(world[Buses]) or len(self._buses))
        self._sequence += 1
        block.head[layout.FRAMES], block.head[layout.SEQUENCE] = frames, self._sequence
        if len(world[Buses]):
            self._put_buses(world, block)
            self._buses = block.buses
        else:  # as before the first tick, to which an editor has restored the World
            block.buses[:] = self._buses
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
        loops = voices.repeats[rows]
        whole[slots, layout.LOOP_BEGIN : layout.LOOP_END + 1] = loops
        block.real[slots, layout.POSITION] = begin
        moves = begin.tolist(), (end - begin).tolist()
        voice_rows = zip(rows.tolist(), sounds, clips, self._infos, map(tuple, loops.tolist()), *moves, strict=True)
        whole[slots, layout.CLIP] = [self._row(world, *each) for each in voice_rows]
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
        panned = placed_gains(pan_gains(voices.direction[rows].astype(np.float64), self.channels), channels)
        if spatial.all():
            gains = panned
        else:
            balanced = balance_gains(voices.pan[rows].astype(np.float64), channels, self.channels)
            gains = np.where(spatial[:, None, None], panned, balanced)
        return gains * voices.level[rows, None, None]

    def _put_buses(self, world: World, block: Block) -> None:
        buses, out, rate = world[Buses], block.buses, self.rate
        at = {number: row for row, number in enumerate(buses.column("name").tolist())}
        out[:, layout.PARENT] = [at.get(number, -1) for number in buses.column("parent").tolist()]
        out[:, layout.GAIN] = np.where(buses.muted, 0, buses.gain)
        for name, volume in world[AudioSettings].volumes.items():
            row = at.get(world.texts.find(name), -1)
            if row >= 0:
                out[row, layout.GAIN] *= volume
        out[:, layout.LOW_PASS], out[:, layout.HIGH_PASS] = buses.low_pass / rate, buses.high_pass / rate
        out[:, layout.DELAY] = buses.delay * rate
        out[:, layout.DELAY_FEEDBACK], out[:, layout.DELAY_MIX] = buses.delay_feedback, buses.delay_mix
        out[:, layout.REVERB_MIX], out[:, layout.REVERB_ROOM] = buses.reverb_mix, buses.reverb_room
        out[:, layout.REVERB_DAMP], out[:, layout.LIMIT] = buses.reverb_damp, buses.limit
        out[:, layout.DUCK_BY] = [at.get(number, -1) if number else -1 for number in buses.column("duck_by").tolist()]
        out[:, layout.DUCK_GAIN], out[:, layout.DUCK_THRESHOLD] = buses.duck_gain, buses.duck_threshold
        out[:, layout.DUCK_ATTACK] = buses.duck_attack * rate
        out[:, layout.DUCK_RELEASE] = buses.duck_release * rate

    def _row(
        self, world: World, row: int, sound: Sound, clip: str, info: ClipInfo, loop: tuple[int, int], at: float,
        step: float,
    ) -> int:  # fmt: skip
        """Return the row of the clip table that a voice reads; streams decode the frames that this block needs."""
        library, voices = world[ClipLibrary], world[Voices]
        repeats = bool(voices.loop[row])
        streamed = info.streamed if sound.streamed is None else sound.streamed
        if not streamed:
            return library.row(world, clip, looped=repeats, wait=self.wait)
        serial = int(voices.serial[row])
        return library.feed(world, clip, serial, at, step, loop=loop if repeats else None, wait=self.wait)


_MAX_RATE = 4.0
"""The greatest speed, as a factor, at which a clip is played in a jump."""
