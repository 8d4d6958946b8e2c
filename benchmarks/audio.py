"""Sound: mixing, one-shots from scripts, the step of a tick, and the memory of a stream.

The peers mix as many voices: OpenAL-soft by its loopback device, with Doppler, positions and a low-pass on each source,
and pygame-ce's mixer, which has only volumes. A frame has 735 samples. miniaudio's own mixing is not part of its Python
package, so it is no peer. `sound_started` is the tick that starts so many sounds, without the calls of `play`, divided
by their number. `source_still` is a tick with one source that plays and stands still, less a tick without it.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("mix_64", "ms", {"rish": "_audio_rish:moving_64", "openal": "_audio_openal:moving_64"}, limit=1.0),
    Case("mix_256", "ms", {"rish": "_audio_rish:moving_256", "openal": "_audio_openal:moving_256"}, limit=4.0),
    Case(
        "mix_plain_64",
        "ms",
        {"rish": "_audio_rish:plain_64", "openal": "_audio_openal:plain_64", "pygame": "_audio_pygame:plain_64"},
    ),
    Case("one_shot", "µs", {"rish": "_audio_rish:one_shot"}, limit=20),
    *(
        Case(f"sound_started_{count}", "µs", {"rish": f"_audio_rish:sound_started_{count}"}, limit=20)
        for count in (1000, 3000)
    ),
    Case("source_still", "µs", {"rish": "_audio_rish:source_still"}, limit=30),
    Case("tick_1", "ms", {"rish": "_audio_rish:tick_1"}),
    Case("tick_64", "ms", {"rish": "_audio_rish:tick_64"}),
    Case("tick_64_mixed", "ms", {"rish": "_audio_rish:tick_64_mixed"}),
    Case("stream_100_mb", "kB", {"rish": "_audio_rish:stream"}, limit=4000),
]
