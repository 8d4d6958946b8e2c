"""The materials section of the manifest, and its checks with file, line and column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from rish_core import Assets, load_text
from rish_core.manifest import Mark, YamlList, YamlMap, path_text, place_at
from rish_ecs import Problem, RishError, did_you_mean, parse_color
from rish_frame import Shader
from rish_frame.frame import UNIFORMS

from .shader_source import read_shader

if TYPE_CHECKING:
    from rish_core import Manifest

Uniform: TypeAlias = float | list[float] | str
"""A number, several, or a color by name or code for a vec3 or vec4."""
_Add: TypeAlias = Callable[[Mark, str, str], None]
_WITH_MATERIALS = ("Sprite", "render.Sprite", "CanvasGroup", "render.CanvasGroup")
_WHERE = "Define it in `settings: render: materials`"


@dataclass
class MaterialText:
    """One material in the manifest. shader: path of its file. uniforms: values that replace the file's defaults."""

    shader: str
    uniforms: dict[str, Uniform] = field(default_factory=dict[str, Uniform])


def value_of(value: Any, kind: str) -> Any:
    """Return a uniform's value in the form of `Shader`: colors become three or four numbers. Raises ValueError."""
    if isinstance(value, str):
        red_to_alpha = tuple(float(part) for part in parse_color(value))
        if kind not in ("vec3", "vec4"):
            raise ValueError(f"a color is only valid for a vec3 or vec4, not for a {kind}")
        return red_to_alpha[: UNIFORMS[kind]]
    return tuple(float(part) for part in value) if isinstance(value, (list, tuple)) else value


def check_materials(manifest: Manifest) -> None:
    """Add the mistakes in `settings: render: materials` and `post`, and unknown materials, to the manifest's problems.

    Checks the shaders' files, the names and lengths of their uniforms, and the materials that `post` and components
    name. The form of the section is checked by the manifest itself.
    """
    section_value = manifest.settings.get("render")
    section = section_value if isinstance(section_value, YamlMap) else YamlMap(manifest.data.mark)

    def add(mark: Mark, path: str, what: str) -> None:
        manifest.problems.append(Problem(place_at(mark), f"settings.render.{path}", what))

    materials = section.get("materials")
    names: list[str] = []
    if isinstance(materials, YamlMap):
        names = list(materials)
        for name, text in materials.items():
            if isinstance(text, YamlMap) and isinstance(text.get("shader"), str):
                _check_material(manifest.root, name, text, add)
    post = section.get("post")
    if isinstance(post, YamlList):
        for index, name in enumerate(post):
            if isinstance(name, str) and name not in names:
                what = f"no material is called {name!r}{did_you_mean(name, names)}"
                add(post.items_at[index], f"post[{index}]", what)
    for name in ("prefabs", "scenes"):
        manifest.problems += _unknown_materials(manifest.section(name), (name,), names)


def _unknown_materials(node: Any, path: tuple[str | int, ...], names: list[str]) -> Iterator[Problem]:
    """Yield the materials that the components in a part of a manifest name and that it does not define."""
    for index, item in enumerate(node if isinstance(node, YamlList) else ()):
        if isinstance(item, (YamlMap, YamlList)):
            yield from _unknown_materials(item, (*path, index), names)
    for key, value in node.items() if isinstance(node, YamlMap) else ():
        name = value.get("material") if isinstance(value, YamlMap) and key in _WITH_MATERIALS else None
        if isinstance(name, str) and name and name not in names:
            what = f"no material is called {name!r}{did_you_mean(name, names)}. {_WHERE}"
            yield Problem(place_at(value.values_at["material"]), path_text((*path, key, "material")), what)
        if isinstance(value, (YamlMap, YamlList)):
            yield from _unknown_materials(value, (*path, key), names)


def _check_material(root: Path | None, name: str, text: YamlMap, add: _Add) -> None:
    path = text["shader"]
    mark = text.values_at["shader"]
    try:
        file = Assets(root).resolve(path)
        shader = read_shader(name, load_text(file), path)
    except RishError as error:
        add(mark, f"materials.{name}.shader", str(error))
        return
    uniforms = text.get("uniforms")
    if isinstance(uniforms, YamlMap):
        for uniform, value in uniforms.items():
            wrong = _wrong_value(shader, uniform, value)
            if wrong:
                add(uniforms.values_at[uniform], f"materials.{name}.uniforms.{uniform}", wrong)


def _wrong_value(shader: Shader, uniform: str, value: Any) -> str | None:
    """Return the mistake in a uniform's name or value as a message, or None."""
    kind = shader.uniforms.get(uniform)
    if kind is None:
        choices = f". It has {', '.join(shader.uniforms)}" if shader.uniforms else ". It has none"
        return f"{shader.place} has no uniform {uniform!r}{did_you_mean(uniform, shader.uniforms)}{choices}"
    try:
        shader.values({uniform: value_of(value, kind)})
    except (ValueError, TypeError, RishError) as error:
        return str(error)
    return None
