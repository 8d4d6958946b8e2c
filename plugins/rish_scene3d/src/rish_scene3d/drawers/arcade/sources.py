"""The pictures and shadow maps that a fragment shader reads by number: which samplers it has, and the GLSL for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from rish_frame import DrawTarget

from .programs import FIRST_INPUT

Samplers = tuple[tuple[str, int], ...]


class Sources(NamedTuple):
    """The inputs of a fragment shader.

    classes: how many sizes of pictures; the uniform `class0` and so on says which. shown: numbers of inputs of the pass
    that materials show. lamp_maps: numbers of inputs that are shadow maps of lamps. sun_maps: of each sun, -1: none.
    whole: numbers of inputs that are read pixel by pixel. short: whether some shadow maps have no room; their lights
    have no shadows.
    """

    classes: int = 0
    shown: tuple[int, ...] = ()
    lamp_maps: tuple[int, ...] = ()
    sun_maps: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()
    short: bool = False

    def fitting(self, max_textures: int) -> Sources:
        """Return these sources without the last shadow maps, if there are more than `most` textures."""
        maps = sorted({*self.lamp_maps, *self.sun_maps} - {-1})
        fitting_maps = maps[: max(max_textures - self.classes - len({*self.shown, *self.whole}), 0)]
        lamps = tuple(number for number in self.lamp_maps if number in fitting_maps)
        suns = tuple(number if number in fitting_maps else -1 for number in self.sun_maps)
        return self._replace(lamp_maps=lamps, sun_maps=suns, short=len(fitting_maps) < len(maps))

    @property
    def numbers(self) -> list[int]:
        """The numbers of all inputs that are read, each once."""
        return sorted({*self.shown, *self.lamp_maps, *self.sun_maps, *self.whole} - {-1})

    def use(self, target: DrawTarget) -> tuple[Samplers, tuple[bool, ...]]:
        """Bind the inputs of the pass to the last texture units.

        Return the samplers with their units, and for each of `shown` whether it is linear. Raises IndexError if an
        input is missing.
        """
        inputs = list(target.inputs.values())
        samplers: list[tuple[str, int]] = []
        for unit, number in enumerate(self.numbers, FIRST_INPUT):
            inputs[number].use(unit)
            samplers.append((f"input{number}", unit))
        return tuple(samplers), tuple(inputs[number].dtype != "f1" for number in self.shown)


@cache
def text_of(sources: Sources, linear: tuple[bool, ...]) -> str:
    """Return the declarations of the samplers, and the functions that choose one by its number."""
    lines = [f"uniform sampler2DArray pages{k};\nuniform int class{k};" for k in range(sources.classes)]
    lines += [f"uniform sampler2D input{number};" for number in sources.numbers]
    if sources.classes:
        sides = {f"class{k}": f"textureSize(pages{k}, 0).x" for k in range(sources.classes)}
        lines += _choice("int side_of(int page)", "page >> 12", sides)
        texels = {
            f"class{k}": f"texelFetch(pages{k}, ivec3(place, page & 4095), level)" for k in range(sources.classes)
        }
        lines += _choice("vec4 texel_of(int page, ivec2 place, int level)", "page >> 12", texels)
    if sources.shown:
        sizes = {n: f"textureSize(input{n}, 0)" for n in sources.shown}
        lines += _choice("ivec2 size_of_input(int number)", "number", sizes)
        reads = {
            n: f"{'encoded' if is_linear else ''}(texelFetch(input{n}, place, 0))"
            for n, is_linear in zip(sources.shown, linear, strict=True)
        }
        lines += _choice("vec4 input_texel(int number, ivec2 place)", "number", reads)
    maps = sorted({*sources.lamp_maps, *sources.sun_maps} - {-1})
    if maps or sources.short:
        depths: dict[int, str] = {n: f"texelFetch(input{n}, place, 0).r" for n in maps}
        if sources.short:
            depths[-1] = "1.0"
        lines += _choice("float map_texel(int number, ivec2 place)", "number", depths)
    if sources.sun_maps:
        lines.append(f"const int SUN_MAPS[{len(sources.sun_maps)}] = int[]({', '.join(map(str, sources.sun_maps))});")
    return "\n".join([*lines, ""])


def _choice(head: str, number: str, values: Mapping[Any, str]) -> list[str]:
    """Return a function that returns the value of a number; the last one for all other numbers."""
    cases = [f"    if ({number} == {key}) return {value};" for key, value in list(values.items())[:-1]]
    return [f"{head} {{", *cases, f"    return {list(values.values())[-1]};", "}"]
