"""The list of all built-in effects."""

from __future__ import annotations

from .bloom import Bloom
from .blur import Blur
from .crossings import Crossfade, Dissolve, Iris, Wipe
from .crt import Crt
from .fade import Fade
from .grade import Grading
from .grain import Grain
from .lens import Aberration
from .lut import Lut
from .pixelate import Pixelate
from .tone import ToneMap
from .vignette import Vignette

EFFECTS: list[type] = [
    Bloom, ToneMap, Grading, Lut, Vignette, Aberration, Crt, Pixelate, Blur, Grain, Fade, Dissolve, Crossfade, Wipe,
    Iris,
]  # fmt: skip
