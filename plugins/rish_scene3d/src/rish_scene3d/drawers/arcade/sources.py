"""The pictures and shadow maps that a fragment shader reads by number: which samplers it has, and the GLSL for them."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from rish_frame import DrawTarget

from .programs import FIRST_UNIT

Samplers = tuple[tuple[str, int], ...]


class Sources(NamedTuple):
    """What a fragment shader reads.

    classes: sizes of pictures of the library. shown: numbers of inputs of the pass that materials show. maps: numbers
    of inputs that are shadow maps. whole: numbers of inputs that are read pixel by pixel.
    """

    classes: int = 0
    shown: tuple[int, ...] = ()
    maps: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()

    def use(self, target: DrawTarget) -> tuple[Samplers, tuple[bool, ...]]:
        """Bind the inputs of the pass to units after those of the pages.

        Return the samplers with their units, and for each of `shown` whether it
        is linear. Raises IndexError if an input is missing.
        """
        inputs = list(target.inputs.values())
        numbers = sorted({*self.shown, *self.maps, *self.whole})
        samplers = [(f"pages{k}", FIRST_UNIT + k) for k in range(self.classes)]
        for unit, number in enumerate(numbers, FIRST_UNIT + self.classes):
            inputs[number].use(unit)
            samplers.append((f"input{number}", unit))
        return tuple(samplers), tuple(inputs[number].dtype != "f1" for number in self.shown)


@cache
def text_of(sources: Sources, linear: tuple[bool, ...]) -> str:
    """Return the declarations of the samplers, and the functions that choose one by its number."""
    numbers = sorted({*sources.shown, *sources.maps, *sources.whole})
    lines = [f"uniform sampler2DArray pages{k};" for k in range(sources.classes)]
    lines += [f"uniform sampler2D input{number};" for number in numbers]
    if sources.classes:
        sides = {k: f"textureSize(pages{k}, 0).x" for k in range(sources.classes)}
        lines += _choice("int side_of(int page)", "page >> 12", sides, "1")
        texels = {k: f"texelFetch(pages{k}, ivec3(place, page & 4095), level)" for k in range(sources.classes)}
        lines += _choice("vec4 texel_of(int page, ivec2 place, int level)", "page >> 12", texels, "vec4(1.0)")
    if sources.shown:
        sizes = {n: f"textureSize(input{n}, 0)" for n in sources.shown}
        lines += _choice("ivec2 size_of_input(int number)", "number", sizes, "ivec2(1)")
        reads = {
            n: f"{'encoded' if is_linear else ''}(texelFetch(input{n}, place, 0))"
            for n, is_linear in zip(sources.shown, linear, strict=True)
        }
        lines += _choice("vec4 input_texel(int number, ivec2 place)", "number", reads, "vec4(1.0)")
    if sources.maps:
        depths = {n: f"texelFetch(input{n}, place, 0).r" for n in sources.maps}
        lines += _choice("float map_texel(int number, ivec2 place)", "number", depths, "1.0")
    return "\n".join([*lines, ""])


def _choice(head: str, number: str, values: dict[int, Any], other: str) -> list[str]:
    """Return a function that returns the value of a number."""
    cases = [f"    if ({number} == {key}) return {value};" for key, value in values.items()]
    return [f"{head} {{", *cases, f"    return {other};", "}"]
