"""Sound for Rish: sources, a listener, buses with effects, and music; decided by the World, mixed by an own mixer.

from rish_audio import AudioListener, AudioSource, play
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .components.block import Block
    from .mixer.live import LiveMixer
    from .mixer.mixing import Mixer
<<<<<<< HEAD
    from .synth.notes import hertz_of
    from .synth.parameters import Synth, Wave, copy_synth, duration, frames_of, to_mapping, vary
    from .synth.presets import PRESETS
    from .synth.reading import load_tune, read_synth, read_tune, shipped_tunes, tune_mapping
    from .synth.render import synthesise
    from .synth.tune import Track, Tune, render_tune, tune_duration, tune_frames
=======
    from .outputs.card import CardOutput
    from .outputs.output import MemoryOutput, MixedOutput, Output, wav_output
>>>>>>> outputs

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "components.block": "Block",
        "mixer.live": "LiveMixer",
        "mixer.mixing": "Mixer",
<<<<<<< HEAD
        "synth.notes": "hertz_of",
        "synth.parameters": "Synth Wave copy_synth duration frames_of to_mapping vary",
        "synth.presets": "PRESETS",
        "synth.reading": "load_tune read_synth read_tune shipped_tunes tune_mapping",
        "synth.render": "synthesise",
        "synth.tune": "Track Tune render_tune tune_duration tune_frames",
=======
        "outputs.card": "CardOutput",
        "outputs.output": "MemoryOutput MixedOutput Output wav_output",
>>>>>>> outputs
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
