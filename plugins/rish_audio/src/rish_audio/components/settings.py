"""The settings in the section `settings: audio:` of a manifest."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from enum import Enum
from typing import Any

from rish_core import Str, Vec2, field, resource

from .source import Rolloff


class RewindSound(Enum):
    """The sound while the game is rewound."""

    SILENCE = "silence"
    REVERSED = "reversed"


@resource(view=True)
class AudioSettings:
    """The settings of the plugin, `settings: audio:`.

    sounds: named sounds, see `docs/how-to/sound.md`. buses: the game's own buses, and parameters of the buses that
    always exist. mixes: named sets of bus parameters, for `set_mix`. on: sounds at events, by the event's name.
    volumes: the volume that the player has set, by bus, 0 to 1. It multiplies the gain of the bus, which mixes and
    `set_bus` change.
    """

    output: Str = field(
        "auto",
        doc="auto: the sound card if there is a window; card, 'null' in quotes (mixed, not heard), none, a .wav file",
    )
    device: Str = field("", doc="a part of the name of the sound card; empty: the system's default")
    rate: int = field(44100, unit="Hz", low=8000, high=192000, doc="samples a second")
    channels: int = field(2, low=1, high=8, doc="of the output: 1 mono, 2 stereo, 4 quad, 6 for 5.1, 8 for 7.1")
    voices: int = field(64, low=1, high=256, doc="the most sounds that are mixed at once; the others are virtual")
    latency: float = field(0.05, unit="s", low=0.01, high=1, doc="that the output aims at")
    units_per_meter: float = field(64.0, unit="units/m", low=1e-3, high=1e5, doc="world units that make a meter")
    speed_of_sound: float = field(343.0, unit="m/s", low=1, high=1e6, doc="for the Doppler effect")
    doppler: float = field(1.0, low=0, high=10, doc="strength of the Doppler effect; 0: none")
    rolloff: Rolloff = field(Rolloff.INVERSE, doc="how sources get quieter with distance")
    min_distance: float = field(200.0, unit="units", low=1e-3, high=1e9, doc="up to which a source is at its full gain")
    max_distance: float = field(4000.0, unit="units", low=1e-3, high=1e9, doc="at which a source is silent")
    air: float = field(0.0, low=0, high=100, doc="how much the air takes from high frequencies; 1: as much as outdoors")
    walls: float = field(0.7, low=0, high=1, doc="how much a wall muffles: 0 not at all, 1 completely")
    wall_mask: int = field(
        -1, low=-(2**31), high=2**31 - 1, doc="the bits of the edges that count as walls", meanings={-1: "all edges"}
    )
    listener: Vec2 = field((0, 0), unit="units", doc="where one listens if there is neither AudioListener nor camera")
    stream_above: float = field(4.0, unit="MB", low=0, high=1e6, doc="files that are larger when decoded are streamed")
    memory: float = field(
        256.0, unit="MB", low=1, high=1e6, doc="for decoded files; those not used for longest are dropped"
    )
    rewind: RewindSound = field(RewindSound.REVERSED, doc="what is heard while the game is rewound")
    sounds: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    buses: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    mixes: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    on: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    volumes: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
