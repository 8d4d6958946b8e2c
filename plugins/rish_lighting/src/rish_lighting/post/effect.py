"""The declaration of an effect: parameters with ranges, and stages, each in GLSL and as a function on arrays.

    WOBBLE = '''
    vec4 shade(vec2 at) {
        return picture(at + vec2(sin(at.y * 40.0 + time * 3.0) * strength * unit / resolution.x, 0.0));
    }'''

    @effect(glsl=WOBBLE, fallback=wobble, samples=True)
    class Wobble:
        "Waves run over the picture."
        strength: float = field(4.0, unit="px", low=0, high=100, doc="how far a wave reaches")

A stage either changes each pixel independently, `vec4 shade(vec4 pixel, vec2 at)`, and is then fused with its
neighbors into one pass; or it *samples*, `vec4 shade(vec2 at)`, and may read the image anywhere. Colors are linear,
premultiplied, and may be above 1; `at` is 0..1 from the bottom left corner. A stage can use

    vec4 picture(vec2 at)     the input of the stage, bilinear; outside 0..1 the color of the edge
    vec2 resolution           width and height of its output, pixels
    float time, unit          seconds of the game; pixels per logical pixel
    encode, decode, luminance, noise, random    see `formulas`

and every parameter by its name: a `Color` is a vec4 (linear), a choice an int, an asset an image `vec4 name(vec2)`.
The fallback does the same on a `Block` of rows; several threads may call it at once. Without a fallback the effect
needs GL, and a backend without GL logs that once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt

from rish_core import resource
from rish_ecs import DeclarationError, place_of
from rish_ecs.declarations import FieldSpec, resource_spec

Array: TypeAlias = npt.NDArray[Any]
Size: TypeAlias = tuple[int, int]
Fallback: TypeAlias = "Callable[[Block], None]"
Values: TypeAlias = dict[str, Any]

ENABLED, OVER = "enabled", "over"
"""Fields of every effect besides its own parameters: whether it is visible, and the layers that it covers."""
WORLD, GAME = "world", "game"
"""The layers of the world, or the complete frame with layers in screen space. Overlays are never covered."""
_SWIZZLE = re.compile(r"[xyzwrgbastpq]{1,4}\Z")
_TIME = re.compile(r"\btime\b")
_TAKEN = frozenset({
    ENABLED, OVER, "at", "picture", "pixel", "resolution", "time", "unit", "encode", "decode", "luminance", "noise",
    "random", "shade", "main", "name", "seconds",
})  # fmt: skip
_T = TypeVar("_T")


@dataclass
class Block:
    """Rows of the image, for a fallback.

    out: float32 (rows, width, 4), top row first: the colors; the fallback changes them in place, or fills them if the
    stage samples. row: the index of its first row in the complete image. size: width and height of the complete image,
    pixels. pictures: the inputs of the stage by name, each float32 (height, width, 4). values: the parameters, colors
    linear. time: seconds. unit: pixels per logical pixel.
    """

    out: npt.NDArray[np.float32]
    row: int
    size: Size
    pictures: Mapping[str, npt.NDArray[np.float32]]
    values: Values
    time: float
    unit: float

    def at(self) -> npt.NDArray[np.float32]:
        """Return the positions of the pixels, float32 (rows, width, 2), 0..1 from the image's bottom left corner."""
        rows, width = self.out.shape[:2]
        positions = np.empty((rows, width, 2), np.float32)
        positions[..., 0] = (np.arange(width) + 0.5) / self.size[0]
        positions[..., 1] = (1 - (self.row + np.arange(rows) + 0.5) / self.size[1])[:, None]
        return positions

    def sample(self, at: Array, name: str = "picture") -> npt.NDArray[np.float32]:
        """Sample an input at positions (rows, width, 2), bilinear; outside 0..1 the color of the edge."""
        from .kernels import sample

        samples = np.empty((*at.shape[:2], 4), np.float32)
        sample(self.pictures[name], np.ascontiguousarray(at, dtype=np.float32), samples)
        return samples

    def resized(self, name: str, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Return these rows of an input that is resized to the size of the image, bilinear. out: the result, if any."""
        from .kernels import resample

        result = np.empty_like(self.out) if out is None else out
        resample(self.pictures[name], self.row, self.size[1], result)
        return result

    def floats(self, *names: str) -> list[np.float32]:
        """Return parameters as float32, in the order of their names."""
        return [np.float32(self.values[name]) for name in names]


@dataclass(frozen=True, eq=False)
class Stage:
    """One step of an effect.

    glsl, fallback: see the module. samples: whether it reads the image anywhere. source: the target that `picture`
    reads: "" for the image of the chain, a name for the output of an earlier stage of the effect, None for no input.
    reads: further such outputs, each with the name of the function that reads it. writes: the output: "" for the image
    of the chain, otherwise a name; size: of that output, pixels. values: constants by name, in addition to the
    parameters. old: whether it reads `old(at)`, the last image of the previous scene.
    """

    glsl: str
    fallback: Fallback | None = None
    samples: bool = False
    source: str | None = ""
    reads: tuple[tuple[str, str], ...] = ()
    writes: str = ""
    size: Size | None = None
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    old: bool = False

    @property
    def fuses(self) -> bool:
        """Whether it can be drawn in one pass with the previous stage."""
        return not self.samples and not self.writes

    @property
    def goes_on(self) -> bool:
        """Whether its result may change with time, because its GLSL uses `time`."""
        return _TIME.search(self.glsl) is not None


Stages: TypeAlias = Callable[[Values, Size, float], Sequence[Stage]]
"""stages(values, size, unit): return the stages for these values, for an image of a size, pixels."""


@dataclass(frozen=True, eq=False)
class Effect:
    """The declaration of an effect.

    fields: its parameters. stages: see `Stages`. transition: whether it is a transition between scenes, which has a
    parameter `progress` from 0 to 1, and reads `old(at)`.
    """

    name: str
    cls: type
    fields: Mapping[str, FieldSpec]
    stages: Stages
    transition: bool = False

    @property
    def doc(self) -> str:
        """The description of the effect: the docstring of its class."""
        return (self.cls.__doc__ or "").strip()

    def defaults(self) -> Values:
        """Return the default of every parameter."""
        return {name: spec.default for name, spec in self.fields.items()}


@overload
def effect(cls: type[_T], /) -> type[_T]: ...
@overload
def effect(
    *, name: str = ..., glsl: str = ..., fallback: Fallback | None = ..., samples: bool = ...,
    stages: Stages | None = ..., transition: bool = ...,
) -> Callable[[type[_T]], type[_T]]: ...  # fmt: skip
def effect(
    cls: Any = None, /, *, name: str = "", glsl: str = "", fallback: Fallback | None = None, samples: bool = False,
    stages: Stages | None = None, transition: bool = False,
) -> Any:  # fmt: skip
    """Declare an effect; its annotated fields are its parameters. Return the class from `rish_effects`.

    name: in manifests; by default the class's name in lower case, `tone_map` for `ToneMap`. glsl, fallback, samples: of
    its only stage, or stages: a function that returns several. transition: see `Effect`. Raises DeclarationError.
    """

    def declare(cls: Any) -> Any:
        resource_class = resource(view=True)(cls)
        single = (Stage(glsl, fallback, samples, old=transition),)
        _check(resource_class, glsl, stages)
        effect_name = name or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        spec = resource_spec(resource_class)
        assert spec is not None
        resource_class.__effect__ = Effect(
            effect_name, resource_class, spec.fields, stages or (lambda values, size, unit: single), transition
        )
        return resource_class

    return declare if cls is None else declare(cls)


def effect_of(cls: Any) -> Effect | None:
    """Return the effect that a class declares, or None."""
    return cls.__dict__.get("__effect__") if isinstance(cls, type) else None


def _check(cls: type, glsl: str, stages: Stages | None) -> None:
    for what, hint in _mistakes(cls, glsl, stages):
        raise DeclarationError(what, where=place_of(cls), hint=hint)


def _mistakes(cls: type, glsl: str, stages: Stages | None) -> Iterator[tuple[str, str | None]]:
    """Yield each mistake as a sentence with a hint."""
    if not glsl and stages is None:
        yield f"the effect {cls.__name__} has neither GLSL nor stages", "Write @effect(glsl=..., fallback=...) above it"
    spec = resource_spec(cls)
    assert spec is not None
    for name in spec.hints:
        if name not in spec.fields:
            yield f"{cls.__name__}.{name} has a type that is not allowed for a parameter", None
    for name, field_spec in spec.fields.items():
        kind = field_spec.type
        fits = kind.special in ("", "asset", "enum") or (kind.special == "str" and field_spec.choices)
        if not fits or len(kind.shape) > 1 or (kind.shape and not 2 <= kind.shape[0] <= 4):
            yield f"{cls.__name__}.{name}: a parameter can't be {kind.name}", None
        if name in _TAKEN or _SWIZZLE.match(name) or name.startswith("gl_") or "__" in name:
            hint = "Names of one to four letters of xyzwrgbastpq are swizzles in GLSL" if _SWIZZLE.match(name) else None
            yield f"{cls.__name__}: a parameter can't be called '{name}'", hint
