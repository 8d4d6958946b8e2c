"""EXTRACT: draws the scene of all cameras, once a frame, and shows it among the 2D layers."""

from __future__ import annotations

import logging
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, Any

from rish_core import Disabled, Stage, resource, system
from rish_ecs import Inputs, Rows
from rish_frame import Billboards, Frame, Recorder, Target
from rish_space3d import ToolView3D, Transform3D, WorldMatrices3D, matrices_of

from ..clips.skeleton_poses import Poses3D
from ..components.billboards import Billboard3D
from ..components.lights import Lamp3D, Sun3D
from ..components.models import Material3D, Model3D
from ..components.settings import Scene3DSettings
from ..components.views import Camera3D, Sky3D
from ..models.store import Models3D
from ..scene.cameras import VIEW, Cameras, picture_sizes
from ..scene.drawlist import DrawList
from ..scene.lights import Lights3D, forget_lights
from ..scene.listing.layers import LayerBits
from ..scene.views import View3D
from .compose import PICTURE_TARGET, Composer, onto_canvas, show, tone_of
from .lines import Lines3D

if TYPE_CHECKING:
    from rish_core import World

_log = logging.getLogger("rish.scene3d")
_SEEN = (Model3D, Material3D, Billboard3D, Billboards, Camera3D, Sky3D, Sun3D, Lamp3D)


@resource(derived=True)
class Scene3D:
    """The data that drawing keeps from frame to frame; all of it can be computed again.

    views, layers: of the last frame. places: of cameras and lights. on_screen: whether its
    passes show the scene on the screen. warned: whether a missing camera was logged.
    """

    cameras: Cameras = field(default_factory=Cameras)
    views: list[View3D] = field(default_factory=list[View3D])
    layers: LayerBits | None = None
    places: Inputs = field(default_factory=lambda: Inputs((_PLACES,)))
    composer: Composer = field(default_factory=Composer)
    on_screen: bool = False
    warned: bool = False

    def warn(self, world: World) -> None:
        """Log once that there are models but no camera."""
        if len(world.table(Model3D)) and not self.warned:
            self.warned = True
            _log.warning("no camera shows the models of the scene. Add an entity {Transform3D: {}, Camera3D: {}}")


@system(Stage.EXTRACT, reads=Camera3D, writes=Frame, before="render.extract", name="announce")
def announce(world: World, dt: float) -> None:
    """Publish the names and sizes of the pictures of cameras, for the plugin that draws sprites."""
    frame = world[Frame]
    sizes = picture_sizes(world)
    frame.cameras = sizes
    recorder = frame.record("scene3d.announce")
    for name, size in sizes.items():
        recorder.add_target(Target(PICTURE_TARGET + name.replace(":", "_"), size))


@system(
    Stage.EXTRACT,
    reads=(*_SEEN, Transform3D, WorldMatrices3D, Poses3D, Scene3DSettings, ToolView3D, Lines3D),
    writes=(Frame, Scene3D, Models3D, Lights3D, DrawList),
    after="render.extract",
    before="lighting.light",
    name="draw",
)
def draw(world: World, dt: float) -> None:
    """Fill the passes of the scene (system `scene3d.draw`)."""
    scene, frame = world[Scene3D], world[Frame]
    if not len(world.table(Camera3D)) and world[ToolView3D].view is None:
        scene.warn(world)
        forget_lights(world, set())
        return
    frame.retain("scene3d", world, (*_READ, world[Models3D].library), partial(_record, world))
    frame.ground = VIEW if scene.on_screen else frame.ground


def _record(world: World, recorder: Recorder) -> None:
    """Record the passes of the scene."""
    scene, store = world[Scene3D], world[Models3D]
    store.largest = int(world[Scene3DSettings].texture_size)
    draw_list = world[DrawList]
    is_same = not scene.places.changed(world) and _THINGS.issuperset(recorder.changed)
    is_same &= scene.layers is draw_list.layers
    if not is_same:
        scene.views = scene.cameras.views(world, draw_list.layers)
    if scene.views:
        draw_list.update(world)
    if is_same and scene.composer.follow(world, recorder):
        return
    scene.layers = None  # until all passes are recorded
    scene.composer.compose(world, recorder, scene.views, world[Lines3D].batch())
    scene.layers = draw_list.layers
    scene.on_screen = any(view.target == VIEW for view in scene.views)


@system(
    Stage.EXTRACT,
    reads=Scene3DSettings,
    writes=(Frame, Scene3D),
    after=("scene3d.draw", "render.extract", "render.apply_materials", "lighting.light", "lighting.post"),
    name="develop",
)
def develop(world: World, dt: float) -> None:
    """Show the scene among the layers, if no other plugin does that (system `scene3d.develop`)."""
    frame = world[Frame]
    if frame.ground == VIEW:
        frame.retain("scene3d.develop", world, (onto_canvas, tone_of), partial(show, world))
        frame.ground = ""


def _setting(world: World) -> tuple[Any, ...]:
    """Return the settings, where the scene is drawn, and what draws pictures for surfaces."""
    frame, settings, tool, cameras = world[Frame], world[Scene3DSettings], world[ToolView3D], world[Models3D].cameras
    onto = [(name, pass_.targets) for name, pass_ in frame.passes.items()] if cameras else None
    return (
        str(settings.pipeline), str(settings.shadows), str(settings.tone), int(settings.texture_size),
        frame.canvas, frame.canvas_size, frame.fit, frame.plain, cameras, onto, tool.view, tool.hidden,
    )  # fmt: skip


_PLACES = matrices_of(Camera3D, Sun3D, Lamp3D)
_THINGS = {Model3D, Material3D, Billboard3D, Billboards, Rows(Transform3D), WorldMatrices3D, Poses3D, Models3D}
"""The sources of which views, lights and passes need only _PLACES."""
_READ = (*_SEEN, Rows(Transform3D), Disabled, WorldMatrices3D, Poses3D, Models3D, Lines3D, _setting)
"""What the passes of the scene are made from, besides the library of models."""
