"""Reads the text of a shader as an author writes it.

An author's file contains uniforms and one function, and no other code:

    uniform float strength = 1.5;
    uniform vec3 glow = vec3(1.0, 0.5, 0.0);

    vec4 shade(Pixel p) { return p.color + vec4(glow * strength, 0.0) * p.color.a; }

The declarations are read here, with their types and default values, and replaced by spaces, because a backend writes
its own. Lines keep their numbers, so that a compiler's message can be mapped to the author's line.
"""

from __future__ import annotations

import re
from typing import Any

from rish_core import AssetError
from rish_ecs import Place, did_you_mean
from rish_frame import Shader
from rish_frame.frame import UNIFORMS

_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_UNIFORM = re.compile(r"\buniform\s+(?P<type>\w+)\s+(?P<name>\w+)\s*(?P<array>\[[^\]]*\])?\s*(?:=(?P<value>[^;]*))?;")
_SHADE = re.compile(r"\bvec4\s+shade\s*\(\s*(?:in\s+)?Pixel\s+\w+\s*\)")
_SCREEN = re.compile(r"\bscreen\s*\(")
_VERSION = re.compile(r"^[ \t]*#[ \t]*version\b", re.MULTILINE)
_MAIN = re.compile(r"\bvoid\s+main\s*\(")
_GIVEN = frozenset({"time", "resolution"})
_CALL = re.compile(r"(?:vec[234]\s*)?\((?P<inside>[^()]*)\)\Z")

MAX_CHARACTERS = 256 * 1024
"""The most characters of a shader."""


def read_shader(name: str, text: str, file: str) -> Shader:
    """Return the shader of an author's text. name: of the material. file: for messages.

    Raises AssetError with file and line: if `shade` is missing, if the text has its own `main` or `#version`, or if a
    uniform has an unknown type or an invalid default value.
    """
    if len(text) > MAX_CHARACTERS:
        raise AssetError(
            f"a shader of {len(text):,} characters is too large",
            where=file,
            hint=f"At most {MAX_CHARACTERS:,} characters",
        )
    bare = _COMMENT.sub(lambda match: _blank(match.group()), text)
    _refuse(bare, file, _VERSION, "a '#version' line is written by the engine", "Take the line out")
    _refuse(bare, file, _MAIN, "the engine writes 'main' itself", "Write `vec4 shade(Pixel p)` in its place")
    if not _SHADE.search(bare):
        raise AssetError(
            "the shader has no function `vec4 shade(Pixel p)`", where=file, hint="See the how-to on materials"
        )
    types: dict[str, str] = {}
    defaults: dict[str, Any] = {}
    for match in _UNIFORM.finditer(bare):
        uniform, kind = match["name"], match["type"]
        if uniform in _GIVEN:
            continue
        place = _place(bare, match.start(), file)
        _check_uniform(uniform, kind, match["array"], place)
        types[uniform] = kind
        if match["value"] is not None:
            defaults[uniform] = _first_value(match["value"].strip(), kind, uniform, place)
    source = _UNIFORM.sub(lambda match: _blank(match.group()), bare)
    return Shader(name, source, types, defaults, file)


def reads_screen(shader: Shader) -> bool:
    """Return True if a shader reads the previous content of its target."""
    return _SCREEN.search(shader.source) is not None


def _blank(text: str) -> str:
    """Return the text with all characters except line ends replaced by spaces."""
    return re.sub(r"[^\n]", " ", text)


def _place(text: str, at: int, file: str) -> Place:
    line = text.count("\n", 0, at) + 1
    return Place(file, line, at - text.rfind("\n", 0, at))


def _refuse(text: str, file: str, what: re.Pattern[str], why: str, hint: str) -> None:
    match = what.search(text)
    if match is not None:
        raise AssetError(why, where=_place(text, match.start(), file), hint=hint)


def _check_uniform(name: str, kind: str, array: str | None, place: Place) -> None:
    if array:
        raise AssetError(f"the uniform '{name}' is an array, which materials do not support", where=place)
    if kind not in UNIFORMS:
        choices = f"{did_you_mean(kind, UNIFORMS)}. Types: {', '.join(UNIFORMS)}"
        raise AssetError(f"the uniform '{name}' has the type '{kind}'{choices}", where=place)


def _first_value(text: str, kind: str, name: str, place: Place) -> Any:
    """Return the value after `=`: a number, true or false, or numbers in `vec3( )`."""
    words = {"true": 1.0, "false": 0.0}
    call = _CALL.match(text)
    parts = [part.strip() for part in (call["inside"] if call else text).split(",")]
    try:
        numbers = [words[part] if part in words else float(part.rstrip("fF")) for part in parts]
    except ValueError:
        raise AssetError(f"the default value of '{name}' is {text!r}, not plain numbers", where=place) from None
    if len(numbers) not in (1, UNIFORMS[kind]):
        raise AssetError(
            f"the default value of '{name}' has {len(numbers)} numbers, a {kind} has {UNIFORMS[kind]}", where=place
        )
    return numbers[0] if len(numbers) == 1 else tuple(numbers)
