"""The sound of a running game: packs a block after each tick, and passes it to the outputs."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Clock, resource, say
from rish_ecs.declarations import distinct
from rish_jit import Array, available

from ..clips.clip_library import ClipLibrary
from ..clips.wav import WavWriter
from ..components import block as layout
from ..components.settings import AudioSettings, RewindSound
from ..components.source import AudioSource
from ..components.tables import AudioState, Buses
from ..mixer.live import LiveMixer
from ..mixer.mixing import Mixer, Mixing
from ..sounds.bank import SoundBank
from ..voices.packing import Packer
from .card import PERIOD_SECONDS, PERIODS, CardOutput
from .output import MixedOutput, Output

if TYPE_CHECKING:
    from rish_core import World

    from ..components.block import Block

_log = logging.getLogger("rish.plugins.audio")
PAUSE_SECONDS = 0.12
"""The time without a tick, while frames are drawn, after which the game counts as paused, in seconds."""


@resource(derived=True)
class AudioOutput:
    """The outputs of the game's sound. It is not state: the World never depends on it.

    outputs: the open outputs; a test or a tool may add its own, such as a `MemoryOutput`.
    """

    outputs: list[Output] = dataclass_field(default_factory=list[Output])

    def __post_init__(self) -> None:
        """Start without an output."""
        self._packer: Packer | None = None
        self._live: LiveMixer | None = None
        self._offline: _OneMixer | None = None
        self._sizes = (0, 0, 0, 0)
        self._soundtrack: Any = None
        self._wants_card = self._unprepared = self._goes_on = False
        self._progress = _Progress()

    @property
    def waits(self) -> bool:
        """Whether samples are written to a file or to memory, so that the mixer is needed before the first tick."""
        return self._offline is not None

    @property
    def mixer(self) -> Mixing | None:
        """The mixer whose levels are shown; None if nothing is mixed, for example without a sound card."""
        mixers = (self._live, self._offline.mixer if self._offline is not None else None)
        return next((mixer for mixer in mixers if mixer is not None and mixer.frames), None)

    @property
    def latency(self) -> float:
        """The time from a tick until it is heard, in seconds."""
        return max((output.latency for output in self.outputs), default=0.0)

    def open(self, world: World, windowed: bool) -> None:
        """Open the output that the settings name. Raises RishError if a file can't be written."""
        settings: AudioSettings = world[AudioSettings]
        name = settings.output
        if name == "auto":
            name = "card" if windowed else "none"
        if name.lower().endswith(".wav"):
            writer = WavWriter(Path(name).absolute(), settings.rate, settings.channels)
            self.add_offline(world, name, writer.write, lambda: _finish(writer, name))
        elif name == "null":
            self.add_offline(world, name, lambda samples: None)
        elif name == "card" and not available():
            _log.warning("there is no sound, because the mixer needs numba to play in real time")
        elif name == "card":
            self._wants_card = True
        self._soundtrack = world.resource("frame.Soundtrack")
        if self._soundtrack is not None:
            self._soundtrack.offer(settings.rate, settings.channels)

    def prepare(self) -> None:
        """Start decoding the sounds of a new scene after its first frame, if a sound card plays them."""
        self._unprepared = True

    def _prepare(self, world: World) -> None:
        """Open the sound card, and start decoding the game's named sounds and the clips of sources.

        Both are done by threads, which start after a frame so that they do not delay the first picture.
        """
        if self._wants_card:
            self._wants_card = False
            self._open_card(world)
        if self._live is None or not self._unprepared or not self._is_heard:
            return
        self._unprepared = False
        for looped in (False, True):
            clips = [clip for clip, repeats in clips_of(world) if repeats is looped]
            world[ClipLibrary].prepare(world, clips, looped=looped)

    def _open_card(self, world: World) -> None:
        """Start a thread that opens the sound card."""
        settings: AudioSettings = world[AudioSettings]
        self._sizes = _sizes_of(world)
        ticks = max(1.0, (settings.latency - PERIOD_SECONDS * PERIODS) / world.dt)
        self._live = LiveMixer(*self._sizes, latency=ticks)
        card = CardOutput(self._live, rate=settings.rate, channels=settings.channels, device=settings.device)
        self.outputs.append(card)

    def add_offline(self, world: World, name: str, take: Any, end: Any = None) -> Output:
        """Add an output that gets the samples of each tick, float32 (frames, channels), and return it.

        Clips are then loaded before they are heard, so the samples depend on the World alone.
        """
        if self._offline is None:
            self._sizes = _sizes_of(world)
            self._offline = _OneMixer(Mixer(*self._sizes))
        output = MixedOutput(name, self._offline, take, end)
        self.outputs.append(output)
        self._packer = None
        return output

    def _fit(self, world: World) -> None:
        """Create new mixers if an edit of the settings, or a loaded save game, has changed their rate, channels,
        voices or buses.
        """
        before, self._sizes = self._sizes, _sizes_of(world)
        if self._sizes == before:
            return
        if self._sizes[:3] != before[:3]:
            self._packer = None
        if self._offline is not None:
            self._offline.replace(Mixer(*self._sizes))
        for output in [output for output in self.outputs if isinstance(output, CardOutput)]:
            output.close()
            self.outputs.remove(output)
            self._open_card(world)

    def expect(self, world: World, record: Any) -> Any:
        """Note that a tick or the end of a frame follows; the function for `TickHooks.before`."""
        self._goes_on = True
        return record

    def follow(self, world: World, record: Any) -> None:
        """Pack the tick that has ended; the function for `TickHooks.after`."""
        self.after_tick(world)

    def after_tick(self, world: World) -> None:
        """Pack the tick that has ended, and pass the block to the outputs."""
        self._goes_on = False
        if self._soundtrack is not None and self._soundtrack.wanted:
            self.add_offline(world, "film", self._soundtrack.add)
            self._soundtrack = None
        if not self._is_heard:
            self._progress = _Progress()
        else:
            self._fit(world)
            progress, speed = self._progress, self._speed(world)
            packer = self._packer_of(world)
            frames = packer.frames_of(world, speed)
            jumped = progress.tick not in (-1, world.tick - 1)
            self._push(world, self._jump(world, frames) if jumped else packer.pack(world, frames))
            progress.tick, progress.ticked = world.tick, time.monotonic()

    def after_frame(self, world: World) -> None:
        """If the World went to another tick, play the jump backwards or silently. If the game is paused, fade out."""
        progress, self._goes_on = self._progress, False
        self._prepare(world)
        if not self._is_heard or progress.tick == -1:
            return
        self._fit(world)
        if world.tick != progress.tick:
            self._push(world, self._jump(world, self._packer_of(world).frames_of(world)))
            progress.tick, progress.ticked = world.tick, time.monotonic()
        elif self._live is not None and (world[Clock].paused or time.monotonic() - progress.ticked > PAUSE_SECONDS):
            packer = self._packer_of(world)
            if self._live.pending < world[AudioSettings].rate * world.dt:
                self._push(world, packer.pack_silence(world, packer.frames_of(world)))

    def _jump(self, world: World, frames: int) -> Block:
        """Return the block for a World that went to another tick."""
        packer = self._packer_of(world)
        is_audible = world[AudioSettings].rewind is RewindSound.REVERSED
        return packer.pack_jump(world, frames) if is_audible else packer.pack_silence(world, frames)

    def rebuild(self, world: World) -> None:
        """Fade out immediately if a restore has removed all voices, because perhaps no frame follows, as after Stop in
        an editor. Between two ticks of a frame nothing is done, because ticks may be run again from a former state.
        """
        packer, progress = self._packer, self._progress
        if self._goes_on or packer is None or progress.tick == -1 or packer.continues(world):
            return
        if self._offline is None:
            self._fit(world)
            packer = self._packer_of(world)
            self._push(world, packer.pack_silence(world, packer.frames_of(world)))
        self._progress = _Progress()

    def close(self, world: World) -> None:
        """Close all outputs, and stop reading files. `open` may be called again."""
        outputs, self.outputs = self.outputs, []
        if outputs:
            counted = {name: count for output in outputs for name, count in output.counters.items() if count}
            facts = ", ".join(f"{name} {count}" for name, count in counted.items())
            _log.info("sound ends: %s stolen voices%s", world[AudioState].stolen, f", {facts}" if facts else "")
        for output in outputs:
            output.close()
        self._packer = self._live = self._offline = None
        self._wants_card, self._progress = False, _Progress()
        world[ClipLibrary].close()

    @property
    def _is_heard(self) -> bool:
        return any(output.listens for output in self.outputs)

    def _packer_of(self, world: World) -> Packer:
        if self._packer is None:
            self._packer = Packer(world, wait=self._offline is not None)
        return self._packer

    def _speed(self, world: World) -> float:
        """Return the speed of the game's time for the sound card; samples in memory follow the ticks."""
        speed = world[Clock].time_scale if self._live is not None and self._offline is None else 1.0
        return speed if 0.1 <= speed <= 8 else 1.0

    def _push(self, world: World, block: Block) -> None:
        library: ClipLibrary = world[ClipLibrary]
        newest = int(block.head[layout.SEQUENCE])
        for output in self.outputs:
            output.push(block, library.table)
        mixed = self._live.newest if self._live is not None else newest
        library.release(distinct(block.whole[:, layout.CLIP]), newest, mixed)


def _sizes_of(world: World) -> tuple[int, int, int, int]:
    """Return the sizes of a mixer: rate, channels, voices and buses. There are no buses before the first tick."""
    settings: AudioSettings = world[AudioSettings]
    buses = len(world[Buses]) or len(world[SoundBank].of_world(world).buses)
    return settings.rate, settings.channels, settings.voices, buses


@dataclass
class _Progress:
    """tick: the tick of the newest block, -1 before the first. ticked: the time of that block, in seconds of the
    system's clock.
    """

    tick: int = -1
    ticked: float = 0.0


class _OneMixer:
    """Mixes each block once for all outputs in memory, and cross-fades when the mixer is replaced."""

    def __init__(self, mixer: Mixer) -> None:
        self.mixer = mixer
        self._old: Mixer | None = None
        self._block: Block | None = None
        self._samples = np.zeros((0, 0), np.float32)

    def replace(self, mixer: Mixer) -> None:
        """Use another mixer from the next block on; in that block the old one fades out, if it has as many channels."""
        self._old, self.mixer = self.mixer, mixer

    def mix(self, block: Block, clips: Array) -> Array:
        """Return the samples of a block, float32 (frames, channels)."""
        if block is not self._block:
            self._block, self._samples = block, self.mixer.mix(block, clips)
            if self._old is not None and self._old.sizes[1] == self.mixer.sizes[1]:
                self._samples = self._samples + self._old.mix(_ending(block, self._old), clips)
            self._old = None
        return self._samples


def _ending(block: Block, mixer: Mixer) -> Block:
    """Return a block of the same length in which all buses of a mixer fade out."""
    ending = layout.Block.empty(*mixer.sizes)
    ending.head[:] = block.head
    ending.head[layout.FLAGS] = layout.SILENT
    ending.buses[0, layout.PARENT] = -1
    ending.buses[:, layout.DUCK_BY] = -1
    return ending


def clips_of(world: World) -> list[tuple[str, bool]]:
    """Return the clips that named sounds and sources play, and whether voices repeat them.

    A clip that repeats has other samples at its ends, so it is not decoded in the form that nothing plays.
    """
    bank, texts, sources = world[SoundBank].of_world(world), world.texts.texts, world.table(AudioSource)
    names = {(name, False) for name in bank.sounds}
    names.update(
        (texts[number], loop) for number, loop in zip(sources.clip.tolist(), sources.loop.tolist(), strict=True)
    )
    sounds = [(bank.sound(world, name), loop) for name, loop in sorted(names) if name]
    return [(clip, loop or sound.loop) for sound, loop in sounds for clip in sound.clips]


def _finish(writer: WavWriter, name: str) -> None:
    writer.close()
    say(f"wrote {name}", error=True)
