"""Runs: the stages that are drawn one after another in one pass.

A chain is drawn in as few passes as possible. A stage that samples begins a new run, since its input must be complete;
a stage that changes each pixel independently is added to the previous run. The last run encodes onto the canvas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rish_frame import Batch

from .effect import Effect, Size, Stage, Values
from .formulas import Texels, decode

A, B = "light.post.a", "light.post.b"
"""The two targets that are alternately read and written."""
OLD = "light.old"
"""The target that stores the frame of the previous scene."""


@dataclass(frozen=True, eq=False)
class Call:
    """A stage with its values.

    effect: the name of its effect. values: numbers and tuples of numbers, colors linear. images: by name, float32
    (h, w, 4), values as in the file, top row first. inputs: targets by the name of the function that reads them.
    """

    effect: str
    stage: Stage
    values: Values
    images: Mapping[str, Texels]
    inputs: Mapping[str, str]

    @property
    def look(self) -> tuple[Any, ...]:
        """A key of all values that the result of the stage depends on."""
        stage = self.stage
        images = tuple((name, id(image)) for name, image in self.images.items())
        return stage.glsl, stage.fallback, stage.samples, *self.values.items(), *images, *self.inputs.items()


@dataclass(eq=False)
class Run:
    """Calls that are drawn in one pass.

    source: the target that the first one reads, "" for none; encoded: whether it has eight bits. onto: the target;
    develop: whether that is the canvas, and the result is encoded. size: of the result, pixels. read_at, drawn_at: its
    position on the source and on the target, x and y in pixels from their bottom left; a stage that samples reads its
    complete source. dither: levels. See `Block` for time and unit.
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

    def __eq__(self, other: object) -> bool:
        """Return True if both give the same result for the same inputs."""
        return isinstance(other, Run) and self.look == other.look

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    @property
    def samples(self) -> bool:
        """Whether the first stage samples its source."""
        return bool(self.calls) and self.calls[0].stage.samples

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the targets that are read."""
        names = [self.source, *(name for call in self.calls for name in call.inputs.values())]
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def look(self) -> tuple[Any, ...]:
        """A key of all values that the result depends on, except the contents of the inputs."""
        time = self.time if any(call.stage.goes_on for call in self.calls) else 0.0
        calls = tuple(call.look for call in self.calls)
        place = (self.source, self.onto, self.size, self.encoded, self.develop, self.read_at, self.drawn_at)
        return (*place, self.dither, self.unit, time, calls)


@dataclass(eq=False)
class Effects(Batch):
    """A batch of `light.effect`, which draws a run."""

    run: Run = field(kw_only=True)


def run_of(batch: Batch) -> Run:
    """Return the run that a batch of `light.effect` draws."""
    assert isinstance(batch, Effects)
    return batch.run


@dataclass(frozen=True)
class Ground:
    """The first input and the last output of a chain.

    source: the target with the image; encoded: whether it has eight bits. canvas: the target of the result. place: x,
    y, width, height of the image on both, pixels from the bottom left; whole: whether it fills the source. unit:
    pixels per logical pixel.
    """

    source: str
    encoded: bool
    canvas: str
    place: tuple[int, int, int, int]
    whole: bool
    unit: float

    @property
    def size(self) -> Size:
        """Width and height of the image."""
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
        """Add an effect. prefix: of the names of its targets. values: numbers, see `uniforms`, and images or None."""
        size = self.ground.size
        images = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        numbers = {name: value for name, value in values.items() if value is not None and name not in images}
        target_names: dict[str, str] = {}
        for stage in effect.stages(values, size, self.ground.unit):
            inputs = {name: target_names[target_name] for target_name, name in stage.reads}
            if stage.old:
                inputs["old"] = OLD
            call = Call(effect.name, stage, {**numbers, **stage.values}, images, inputs)
            if stage.fuses:
                self._current().calls.append(call)
            elif stage.writes:
                name = target_names[stage.writes] = f"light.post.{prefix}.{stage.writes}"
                source = self._read(stage, target_names)
                self.sizes[name] = stage.size or size
                self._push(Run(source, name, stage.size or size, [call]))
            else:
                source = self._read(stage, target_names)
                self._open = self._onto_other(Run(source, "", size, [call]))

    def _read(self, stage: Stage, target_names: Mapping[str, str]) -> str:
        """Return the target that a stage samples, "" for none."""
        if stage.source is None:
            return ""
        return target_names[stage.source] if stage.source else self._finished()

    def finish(self, dither: float = 0.0) -> list[Run]:
        """Return the runs; the last one draws onto the canvas."""
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
        """Set the target of a run to A or B, whichever the run does not read."""
        run.onto = B if self._picture == A else A
        self.sizes[run.onto] = self.ground.size
        return self._push(run)

    def _current(self) -> Run:
        """Return the open run; begin a new run if there is none."""
        if self._open is None:
            run = Run(self._picture, "", self.ground.size, encoded=self._encoded, read_at=self._at)
            self._open = self._onto_other(run)
        return self._open

    def _finished(self) -> str:
        """Close the open run, and return the float target that holds the current image alone."""
        if not self._ready:
            self._current()
        if self._open is not None:
            self._picture, self._encoded, self._at = self._open.onto, False, (0, 0)
            self._open, self._ready = None, True
        return self._picture


def uniforms(effect: Effect, values: Values) -> Values:
    """Return the parameters of an effect in the form for stages: numbers and tuples of numbers, without assets.

    Colors become linear, choices and members of enums become their index.
    """
    converted: Values = {}
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
        converted[name] = value
    return converted
