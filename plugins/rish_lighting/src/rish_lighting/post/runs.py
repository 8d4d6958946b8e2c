"""Runs: what is drawn in one pass, stages one after another.

A chain becomes as few passes as can be. A stage that samples begins a run, for what it reads must be finished; one that
changes each pixel by itself joins the run before it. The last run encodes onto the canvas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from .effect import Effect, Size, Stage, Values
from .formulas import Texels, decode

A, B = "light.post.a", "light.post.b"
"""The two targets between which the picture goes to and fro."""
OLD = "light.old"
"""The target that keeps the picture of the scene before."""


@dataclass(frozen=True, eq=False)
class Call:
    """A stage with its values.

    effect: whose it is. values: numbers and tuples of numbers, colours linear. images: pictures by name, float32
    (h, w, 4), values as in the file, top row first. inputs: targets by the name of the function that reads them.
    """

    effect: str
    stage: Stage
    values: Values
    images: Mapping[str, Texels]
    inputs: Mapping[str, str]

    @property
    def look(self) -> tuple[Any, ...]:
        """All values that decide what the stage draws."""
        stage = self.stage
        images = tuple((name, id(image)) for name, image in self.images.items())
        return stage.glsl, stage.fallback, stage.samples, *self.values.items(), *images, *self.inputs.items()


@dataclass(eq=False)
class Run:
    """Calls that are done in one pass.

    source: the target that the first one reads, "" for none; encoded: whether it is one of eight bits. onto: the
    target; develop: whether that is the canvas, and the result is encoded. size: of what is drawn, pixels. read_at,
    drawn_at: where that lies on the source and on the target, x and y in pixels from their bottom left; a stage that
    samples reads all of its source. dither: levels. See `Block` for time and unit.
    """

    source: str
    onto: str
    size: Size
    calls: list[Call] = field(default_factory=list[Call])
    encoded: bool = False
    develop: bool = False
    read_at: tuple[int, int] = (0, 0)
    drawn_at: tuple[int, int] = (0, 0)
    dither: float = 0.0
    time: float = 0.0
    unit: float = 1.0

    def take(self, other: Run) -> None:
        """Become equal to another run; the object stays the same, so what was prepared for its batch does as well."""
        for each in fields(self):
            setattr(self, each.name, getattr(other, each.name))

    @property
    def samples(self) -> bool:
        """Whether the first stage reads the source anywhere."""
        return bool(self.calls) and self.calls[0].stage.samples

    @property
    def inputs(self) -> tuple[str, ...]:
        """The targets that are read."""
        names = [self.source, *(name for call in self.calls for name in call.inputs.values())]
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def look(self) -> tuple[Any, ...]:
        """All that decides what the run makes of its inputs; equal ones make the same."""
        time = self.time if any(call.stage.goes_on for call in self.calls) else 0.0
        calls = tuple(call.look for call in self.calls)
        place = (self.source, self.onto, self.size, self.encoded, self.develop, self.read_at, self.drawn_at)
        return (*place, self.dither, self.unit, time, calls)


@dataclass(frozen=True)
class Ground:
    """The first input and the last output of a chain.

    source: the target with the picture; encoded: whether it is one of eight bits. canvas: where the result goes. place:
    x, y, width, height of the picture on both, pixels from the bottom left; whole: it fills the source. unit: pixels a
    logical pixel.
    """

    source: str
    encoded: bool
    canvas: str
    place: tuple[int, int, int, int]
    whole: bool
    unit: float

    @property
    def size(self) -> Size:
        """Width and height of the picture."""
        return self.place[2], self.place[3]


class RunMaker:
    """Makes the runs of a chain, one effect after another."""

    def __init__(self, ground: Ground, time: float) -> None:
        self.ground, self.time = ground, time
        self.runs: list[Run] = []
        self.sizes: dict[str, Size] = {}
        self._picture, self._encoded, self._at = ground.source, ground.encoded, ground.place[:2]
        self._ready = ground.whole and not ground.encoded
        self._open: Run | None = None

    def add(self, prefix: str, effect: Effect, values: Values) -> None:
        """Add an effect. prefix: of its own targets. values: numbers, see `uniforms`, and pictures or None."""
        size = self.ground.size
        images = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        numbers = {name: value for name, value in values.items() if value is not None and name not in images}
        written: dict[str, str] = {}
        for stage in effect.stages(values, size, self.ground.unit):
            inputs = {name: written[read] for read, name in stage.reads}
            if stage.old:
                inputs["old"] = OLD
            call = Call(effect.name, stage, {**numbers, **stage.values}, images, inputs)
            if stage.fuses:
                self._current().calls.append(call)
            elif stage.writes:
                name = written[stage.writes] = f"light.post.{prefix}.{stage.writes}"
                source = self._read(stage, written)
                self.sizes[name] = stage.size or size
                self._push(Run(source, name, stage.size or size, [call]))
            else:
                source = self._read(stage, written)
                self._open = self._onto_other(Run(source, "", size, [call]))

    def _read(self, stage: Stage, written: Mapping[str, str]) -> str:
        """The target that a stage samples, "" for none."""
        if stage.source is None:
            return ""
        return written[stage.source] if stage.source else self._finished()

    def finish(self, dither: float = 0.0) -> list[Run]:
        """The runs, the last of which goes onto the canvas."""
        last = self._current()
        last.onto, last.develop, last.drawn_at = self.ground.canvas, True, self.ground.place[:2]
        last.dither = dither
        used = {run.onto for run in self.runs}
        self.sizes = {name: size for name, size in self.sizes.items() if name in used}
        return self.runs

    def _push(self, run: Run) -> Run:
        run.time, run.unit = self.time, self.ground.unit
        self.runs.append(run)
        return run

    def _onto_other(self, run: Run) -> Run:
        """Draw a run onto the one of both targets that it does not read."""
        run.onto = B if self._picture == A else A
        self.sizes[run.onto] = self.ground.size
        return self._push(run)

    def _current(self) -> Run:
        """The run that changes the picture now; a new one where none is under way."""
        if self._open is None:
            made = Run(self._picture, "", self.ground.size, encoded=self._encoded, read_at=self._at)
            self._open = self._onto_other(made)
        return self._open

    def _finished(self) -> str:
        """The picture as it is by now, as a target of floats of its own size."""
        if not self._ready:
            self._current()
        if self._open is not None:
            self._picture, self._encoded, self._at = self._open.onto, False, (0, 0)
            self._open, self._ready = None, True
        return self._picture


def uniforms(effect: Effect, values: Values) -> Values:
    """Every parameter of an effect as stages take it: numbers and tuples of numbers; assets are left out.

    Colours become linear, choices and members of enums their number.
    """
    made: Values = {}
    for name, spec in effect.fields.items():
        value: Any = values.get(name, spec.default)
        if spec.type.special == "asset":
            continue
        if spec.type.name == "Color":
            red_to_alpha = np.asarray(value, np.float64)
            value = (*decode(red_to_alpha[:3]).tolist(), float(red_to_alpha[3]))
        elif spec.choices:
            value = spec.choices.index(value)
        elif spec.type.enum is not None:
            value = list(spec.type.enum).index(value)
        elif spec.type.shape:
            value = tuple(float(part) for part in value)
        else:
            value = value.item() if isinstance(value, np.generic) else value
        made[name] = value
    return made
