"""Sound for Rish: sources, a listener, buses with effects, and music. The World decides what is played; a mixer of
this package computes the samples.

from rish_audio import AudioListener, AudioSource, play
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import components, space
    from .clips.clip_library import ClipLibrary
    from .clips.info import ClipInfo
    from .clips.stream import Window
    from .clips.wav import WavWriter
    from .components.block import Block
    from .components.commands import SoundCommand, SoundEnded, SoundMarker, Verb
    from .components.settings import AudioSettings, RewindSound
    from .components.source import AudioListener, AudioSource, Rolloff, SoundState
    from .components.tables import AudioState, Buses, Voices
    from .mixer.live import LiveMixer
    from .mixer.mixing import Mixer
    from .outputs.card import CardOutput
    from .outputs.output import MemoryOutput, MixedOutput, Output
    from .outputs.session import AudioOutput
    from .sounds.bank import SoundBank
    from .sounds.sound import Sound
    from .synth.parameters import Synth, Wave, duration, frames_of, vary
    from .synth.presets import PRESETS
    from .synth.render import synthesize
    from .synth.tune import Track, Tune
    from .voices.playing import (
        change,
        pause,
        play,
        play_music,
        resume,
        seek,
        set_bus,
        set_mix,
        stop,
        stop_music,
    )

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "clips.info": "ClipInfo",
        "clips.clip_library": "ClipLibrary",
        "clips.stream": "Window",
        "clips.wav": "WavWriter",
        "components.block": "Block",
        "components.commands": "SoundCommand SoundEnded SoundMarker Verb",
        "components.settings": "AudioSettings RewindSound",
        "components.source": "AudioListener AudioSource Rolloff SoundState",
        "components.tables": "AudioState Buses Voices",
        "mixer.live": "LiveMixer",
        "mixer.mixing": "Mixer",
        "outputs.card": "CardOutput",
        "outputs.output": "MemoryOutput MixedOutput Output",
        "outputs.session": "AudioOutput",
        "sounds.bank": "SoundBank",
        "sounds.sound": "Sound",
        "synth.parameters": "Synth Wave duration frames_of vary",
        "synth.presets": "PRESETS",
        "synth.render": "synthesize",
        "synth.tune": "Track Tune",
        "voices.playing": "change pause play play_music resume seek set_bus set_mix stop stop_music",
    },
    modules=("components", "space"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
