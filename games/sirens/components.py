"""The game's own components and resources."""

from __future__ import annotations

from collections import deque
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import Str, Vec2, component, field, resource


@component
class Walker:
    """The person that hears; keys move it."""

    velocity: Vec2 = field((0, 0), unit="units/s")


@component
class Car:
    """A vehicle with a siren. The vehicles drive through the street one after the other."""

    number: int = field(0, low=0, doc="its turn")
    hertz: float = field(440.0, unit="Hz", low=1, doc="of its siren's lowest tone, at rest")
    side: float = field(1.0, low=-1, high=1, doc="1 drives to the right, -1 to the left")


@component
class Wall:
    """A wall along its longer side; it muffles sounds and stops the walker."""

    size: Vec2 = field((6, 6), unit="units", low=0)


@component
class Door:
    """A wall that can be opened."""

    open: bool = field(False)


@component
class Place:
    """A source of an exhibit, which a line joins with the walker."""

    title: Str = field("", doc="the key of its name in `places`")


@component
class Member:
    """One of the crowd."""

    kind: int = field(0, low=0, doc="its row in `crowd.KINDS`")


@component
class Row:
    """A line of the table of voices."""

    number: int = field(0, low=0, doc="the slot of the mixer")


@component
class Pilot:
    """The state of the tour, which shows the exhibits when there is no input; it goes on while time runs back."""

    active: bool = field(False)
    idle: float = field(0.0, unit="s", low=0)
    time: float = field(0.0, unit="s", low=0, doc="of the tour in this exhibit")


@resource
class Settings:
    """`settings: game:` in the manifest."""

    tour_after: float = field(25.0, unit="s", low=0, doc="time without input before the tour starts")
    tour_time: float = field(0.0, unit="s", low=0, doc="for each exhibit", meanings={0: "its own duration"})
    walk_speed: float = field(110.0, unit="units/s", low=0)
    most: int = field(400, low=1, high=900, doc="the greatest crowd")


@resource
class Visit:
    """The state of the visit.

    touring: whether the tour shows the exhibits. speed: the row of `street.SPEEDS`. turn: which vehicle drives. model:
    the row of `field.MODELS`. waiting: how many of the crowd are still to come, around `center`. held: the bus whose
    fader the pointer holds, -1 for none. mix: the row of `desk.MIXES`. beat: the ticks that the exhibit has run.
    """

    touring: bool = True
    speed: int = 1
    turn: int = 0
    model: int = 0
    waiting: int = 0
    center: tuple[float, ...] = ()
    held: int = -1
    mix: int = 0
    beat: int = 0


@resource
class Readings:
    """What the labels show. shown: numbers by name, those of the exhibit and those of the table of voices."""

    shown: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])


@resource(derived=True)
class Needles:
    """What the instruments remember from frame to frame; it is only drawn.

    held: float64 (buses,), the peaks that are held, in dB. spectrum: float64 (bands,), in dB, falling slowly.
    """

    held: npt.NDArray[Any] = dataclass_field(default_factory=lambda: np.zeros(0))
    spectrum: npt.NDArray[Any] = dataclass_field(default_factory=lambda: np.zeros(0))


@resource(derived=True)
class Trace:
    """The factors of the pitch of the last seconds, for the chart: vehicle, heard, theory; it is only drawn."""

    points: deque[tuple[int, float, float]] = dataclass_field(default_factory=lambda: deque(maxlen=360))
