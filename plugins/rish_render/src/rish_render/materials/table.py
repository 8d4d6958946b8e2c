"""The materials of a world: shaders by name, the values of their uniforms, and their fallbacks.

Shaders are made from the settings and the game's files and can be rebuilt. Values that a game changes while it runs
are stored in the World, as view state. A file that changes on disk is read again; if it can't be read, the shader stays
unchanged.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

from rish_assets import AssetLibrary, AssetReader
from rish_core import AssetError
from rish_ecs import DeclarationError, RishError, UnknownName, did_you_mean, resource
from rish_frame import Frame, Material, PerVersion, Shader
from rish_frame.frame import Fallback

from ..components.materials import MaterialText, value_of
from ..components.shader_source import read_shader, reads_screen

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import World

_log = logging.getLogger("rish.render")


@resource(view=True)
class Materials:
    """The values of uniforms that the game has set, by material and uniform; `set_uniforms` changes them."""

    values: dict[str, dict[str, Any]] = dataclass_field(default_factory=dict[str, dict[str, Any]])


@dataclass
class Loaded:
    """A material's shader with the manifest's values, and whether it reads the screen."""

    path: str
    shader: Shader
    reads_screen: bool


@resource(derived=True)
class Shaders:
    """The loaded materials of the manifest.

    loaded: by material. by_text: materials by the number of their name in the World's texts. shown: the shader passed
    to the frame last, with the values that it had. library: the shaders of the files by material, None for one
    that can't be used. seen: the version of `library` that `loaded` has.
    """

    loaded: dict[str, Loaded] = dataclass_field(default_factory=dict[str, Loaded])
    fallbacks: dict[str, Fallback] = dataclass_field(default_factory=dict[str, Fallback])
    texts: dict[str, MaterialText] = dataclass_field(default_factory=dict[str, MaterialText])
    by_text: dict[int, Material | None] = dataclass_field(default_factory=dict[int, "Material | None"])
    shown: PerVersion[Shader] = dataclass_field(default_factory=PerVersion)
    seen: int = 0

    def __post_init__(self) -> None:
        """Make the library of shaders."""
        self.library = AssetLibrary[Shader | None]("material", self._read, placeholder=lambda: None, log="rish.render")

    def rebuild(self, world: World) -> None:
        """Clear the materials by number, because numbers may mean other names after a restore."""
        self.by_text.clear()

    def renew(self, world: World) -> None:
        """Use the shaders whose files have changed."""
        for name in self.library.changed(self.seen):
            if name in self.texts:
                self.load(world, name)
        self.seen = self.library.version

    def load(self, world: World, name: str) -> None:
        """Use the shader of a material's file; if it can't be used, the existing shader stays."""
        shader = self.library.get(world, name)
        if shader is None or self.library.failed(name):
            return
        old = self.loaded.get(name)
        version = old.shader.version + 1 if old is not None else 0
        shader = dataclasses.replace(shader, fallback=self.fallbacks.get(name), version=version)
        self.loaded[name] = Loaded(self.texts[name].shader, shader, reads_screen(shader))
        self.by_text.clear()

    def _read(self, name: str, read: AssetReader) -> Shader:
        """Return the shader of a material's file, with the values of the manifest."""
        text = self.texts[name]
        try:
            source = read(text.shader)
            if not isinstance(source, str):
                raise RishError(f"{text.shader} is not a text file")
            shader = read_shader(name, source, text.shader)
            written = text.uniforms
            defaults = {key: value_of(value, shader.uniforms.get(key, "float")) for key, value in written.items()}
            shader.values(defaults)
        except (RishError, ValueError) as error:
            raise AssetError(f"material '{name}': {error}") from error
        return dataclasses.replace(shader, defaults={**shader.defaults, **defaults})


def prepare_materials(app: App, texts: Mapping[str, MaterialText]) -> None:
    """Load the manifest's materials and gather their fallbacks; called when startup is complete."""
    world: World = app.world
    shaders: Shaders = world[Shaders]
    shaders.texts = dict(texts)
    for plugin, fallbacks in app.plugins.gather("rish_fallbacks"):
        if not isinstance(fallbacks, Mapping) or not all(callable(fallback) for fallback in fallbacks.values()):
            app.plugins.fail(
                plugin,
                "rish_fallbacks",
                DeclarationError(f"rish_fallbacks returned {fallbacks!r}, expected {{name: function}}"),
            )
            continue
        shaders.fallbacks.update(fallbacks)
    for name in shaders.texts:
        shaders.library.forget(name)
        shaders.load(world, name)


def renew_materials(app: App, texts: Mapping[str, MaterialText], *, anew: bool) -> None:
    """Apply changes of the manifest's materials while the game runs. anew: fallbacks may have changed too."""
    shaders: Shaders = app.world[Shaders]
    if (anew and app.plugins.has("rish_fallbacks")) or dict(texts) != shaders.texts:
        for name in shaders.texts.keys() - texts.keys():
            shaders.loaded.pop(name, None)
        shaders.by_text.clear()
        prepare_materials(app, texts)


def material_of(world: World, text: int) -> Material | None:
    """Return the material for the number of its name in the World's texts; None if unknown, which is reported once."""
    if text == 0 or Shaders not in world:
        return None
    shaders: Shaders = world[Shaders]
    if text not in shaders.by_text:
        name = world.text(text)
        exists = name in shaders.loaded
        if not exists and name not in shaders.texts:
            _log.warning(
                "no material is called %r%s; the image is drawn without a material",
                name,
                did_you_mean(name, shaders.texts),
            )
        shaders.by_text[text] = Material(name) if exists else None
    return shaders.by_text[text]


def set_uniforms(world: World, material: str, **values: Any) -> None:
    """Give uniforms of a material new values: numbers, tuples of numbers, or colors by name.

    The values apply from the next frame on and are never part of the hash. Raises UnknownName for an unknown material
    or uniform, and UsageError or ValueError for a value of the wrong form.
    """
    loaded = world[Shaders].loaded
    if material not in loaded:
        raise UnknownName(f"no material is called '{material}'", given=material, choices=loaded)
    shader = loaded[material].shader
    new = {name: value_of(value, shader.uniforms.get(name, "float")) for name, value in values.items()}
    shader.values(new)
    world[Materials].values.setdefault(material, {}).update(new)


def publish_shaders(world: World, frame: Frame) -> None:
    """Pass every shader to the frame with its current values."""
    shaders: Shaders = world[Shaders]
    values: dict[str, dict[str, Any]] = world[Materials].values
    for name, loaded in shaders.loaded.items():
        own = values.get(name, {})
        shown = shaders.shown.get(loaded.shader, own)
        if shown is None:
            defaults = {**loaded.shader.defaults, **{key: own[key] for key in own if key in loaded.shader.uniforms}}
            shown = dataclasses.replace(loaded.shader, defaults=defaults)
            shaders.shown.put(loaded.shader, shown, dict(own))
        frame.shaders[name] = shown
