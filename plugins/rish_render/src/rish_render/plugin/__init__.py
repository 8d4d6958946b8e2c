"""The hooks of rish_render; importing this module loads neither numba nor Pillow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from rish_animation import CLIP_NAMES
from rish_animation import LOADERS as CLIP_LOADERS
from rish_core import About, AssetNames, hookimpl, load_text
from rish_frame import Frame

from ..animation import Animation, AnimationFinished, AnimationFrame, SpriteSheet
from ..animation.clips import SHEETS, read_clips
from ..animation.player import advance_animations, show_cells
from ..animation.table import ClipTable
from ..backends import make_arcade, make_software, make_software_window
from ..components.materials import check_materials
from ..components.visible import Camera, CanvasGroup, RenderSettings, Shape, Sprite, Text
from ..drawables import hooks as drawable_hooks
from ..drawables.extraction import RenderCache
from ..drawables.kind import DrawableKind, DrawableKinds
from ..extract.extract import extract
from ..extract.regions import region_at
from ..kinds.lines.kind import Lines
from ..kinds.lines.line import Line
from ..kinds.paintings.kind import PaintingsKind
from ..kinds.paintings.typesetter import RenderTypesetter, typesetter_of
from ..kinds.panels.kind import Panels
from ..kinds.panels.nine_patch import NinePatch
from ..kinds.shapes.kind import Shapes
from ..kinds.sprites.kind import Sprites
from ..kinds.text.drawing.kind import Texts
from ..kinds.text.fonts import load_font
from ..kinds.tiles.kind import Maps
from ..kinds.trails.kind import Trails
from ..kinds.trails.trail import Trail, TrailPlaces, follow_trails
from ..materials import hooks as material_hooks
from ..materials.material_images import Pictures
from ..materials.passes import apply_materials
from ..materials.table import Materials, Shaders, prepare_materials, renew_materials
from ..scene.camera import area_of
from ..scene.camera_systems import move_cameras
from ..scene.camera_views import CameraViews
from ..scene.notices import Notices
from ..scene.stretch import stretch_frame
from ..scene.tool_view import ToolView
from ..tiles import TileMap
from ..tiles.boards import TileMaps
from ..tiles.edges import publish_map_edges
from ..tiles.loaders import LOADERS as MAP_LOADERS
from ..tiles.loaders import MAPS, read_map
from ..tiles.spawning import spawn_map_objects
from .ahead import Ahead, begin_ahead, read_ahead
from .window_options import backend_options

FONTS = (".ttf", ".otf", ".ttc")
"""The suffixes of fonts."""


def rish_about() -> About:
    """Return the description of the plugin; it requires the plugin frame."""
    return About(
        requires=["frame"],
        optional={"backend[materials]": "materials are drawn by their fallbacks, or not at all"},
        description="sprites, cameras, shapes and text, and the backends arcade and software",
    )


def rish_hookspecs() -> list[ModuleType]:
    """Return the hooks `rish_drawables`, which adds kinds, and `rish_fallbacks`, which replaces shaders."""
    return [drawable_hooks, material_hooks]


def rish_settings() -> type:
    """Return the settings class for `settings: render:` in a manifest."""
    return RenderSettings


def rish_components() -> list[type]:
    """Return the components for visible things and cameras."""
    return [Sprite, SpriteSheet, Animation, NinePatch, Shape, Line, Trail, TileMap, Text, CanvasGroup, Camera]


def rish_resources() -> list[type]:
    """Return the resources: images, caches, messages, kinds, shaders, clips, maps, trails, and the view of a tool."""
    return [
        Pictures,
        Ahead,
        CameraViews,
        RenderCache,
        Notices,
        DrawableKinds,
        Materials,
        Shaders,
        ClipTable,
        TileMaps,
        TrailPlaces,
        ToolView,
    ]


def rish_drawables() -> list[DrawableKind]:
    """Return the built-in kinds in their drawing order for equal layer and z."""
    return [Maps(), Trails(), Shapes(), Lines(), Panels(), Sprites(), Texts(), PaintingsKind()]


def rish_events() -> list[type]:
    """Return the events of animations."""
    return [AnimationFrame, AnimationFinished]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems: animations advance in the tick, then `extract` turns columns into batches."""
    return [
        move_cameras,
        advance_animations,
        show_cells,
        follow_trails,
        spawn_map_objects,
        publish_map_edges,
        extract,
        apply_materials,
        read_ahead,
    ]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loaders for fonts, shaders, clips and maps."""
    fonts = dict.fromkeys(FONTS, load_font)
    shaders = dict.fromkeys((".frag", ".glsl"), load_text)
    return {**fonts, **shaders, **CLIP_LOADERS, **MAP_LOADERS}


def rish_names() -> dict[str, Callable[[Any], Iterable[str]]]:
    """Return the lists of materials, and of the files of fonts, maps and clips."""
    return {
        "materials": lambda world: world[RenderSettings].materials,
        "fonts": AssetNames(*FONTS),
        "maps": AssetNames(*MAPS, read=read_map),
        "clips": CLIP_NAMES,
        "sprite_clips": AssetNames(*CLIP_NAMES.suffixes, *SHEETS, read=read_clips),
        "sheets": AssetNames(*SHEETS, read=read_clips),
    }


def rish_manifest(manifest: Any) -> None:
    """Check the materials in the manifest."""
    check_materials(manifest)


def rish_ready(app: Any) -> None:
    """Collect the kinds of drawables, load materials, fit the game into its window, and begin to read ahead."""
    settings = app.world[RenderSettings]
    app.world[DrawableKinds].collect(app)
    app.world[Frame].pictures = app.world[Pictures]
    app.world[Frame].region_at, app.world[Frame].area_of = region_at, area_of
    typesetter_of(app.world)
    prepare_materials(app, settings.materials)
    stretch_frame(app.world)
    begin_ahead(app)


@hookimpl(tryfirst=True)
def rish_device_ready(backend: Any, world: Any) -> None:
    """Pass the options of the window and of drawing to the backend.

    Texts of paintings are set for it by this package; a plugin whose backend sets texts itself replaces the typesetter.
    """
    world[Frame].typesetter = RenderTypesetter(world)
    options = backend_options(world, world[RenderSettings])
    if options:
        backend.configure(**options)


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Apply edited settings to the materials, and edited code to kinds of drawables and to fallbacks."""
    if plugins:
        app.world[DrawableKinds].collect(app)
        app.world[RenderCache].clear()
    renew_materials(app, app.world[RenderSettings].materials, anew=bool(plugins))


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the features of packing, animations and strokes that the scene needs."""
    from .warm_up import warm_up

    return warm_up(world)


def rish_loading(world: Any, title: str, size: tuple[int, int], done: int, total: int, what: str) -> Any:
    """Return an image with the game's title, a bar and what happens."""
    from ..kinds.text.opening.card import paint_loading

    settings = world[RenderSettings]
    return paint_loading(settings.background, settings.language, title, size, done, total, what)


@hookimpl(optional=True)
def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of new assets: clips of sprites, and materials."""
    from .templates import TEMPLATES

    return TEMPLATES


@hookimpl(optional=True)
def rish_diagnose(manifest: Any) -> list[tuple[str, str, str]]:
    """Return lines about backends that are missing, and about fonts: which writing and which characters have none."""
    from .diagnosis import diagnose_backends, diagnose_fonts

    return [*diagnose_backends(), *diagnose_fonts(manifest)]


def rish_samples(world: Any, backend: Any, frame: Any) -> list[Any]:
    """Return sample batches of everything that the plugin can draw."""
    from .warm_up import samples

    return samples(world, frame)


def rish_pickers() -> dict[str, Callable[..., Any]]:
    """Return the picker of everything that the plugin draws."""
    return {"visible": _pick}


def _pick(world: Any, region: Any) -> Any:
    from ..extract.picker import pick_visible

    return pick_visible(world, region)


def rish_backends() -> dict[str, Callable[[], Any]]:
    """Return the backends by name."""
    return {"arcade": make_arcade, "software_window": make_software_window, "software": make_software}


@hookimpl(optional=True)
def rish_actions() -> list[Any]:
    """Return the actions of rules: `shake` and `animate_sprite`."""
    from .actions import ACTIONS

    return list(ACTIONS)


@hookimpl(optional=True)
def rish_editor_references() -> dict[str, dict[str, list[str]]]:
    """Return where maps, sheets and fonts name other files."""
    return {
        **{key: {"relative": ["*/image/source", "*/tileset/source", "*/template"]} for key in (".tmx", ".tsx", ".tx")},
        **{key: {"relative": ["*/image", "*/source", "*/template"]} for key in (".tmj", ".tsj", ".tj", ".json")},
        ".map.yaml": {"relative": ["tilesets/*"]},
        ".fnt": {"relative": ["*/page/file"]},
        "game.yaml": {"rooted": ["settings/render/materials/*"]},
    }
