"""The light of a scene for one camera as the arrays of batches: suns, lamps, clusters, sky, fog, and shadow views."""

from __future__ import annotations

import itertools
import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Assets, resource
from rish_ecs import Disabled, Inputs
from rish_jit import Array
from rish_space3d import matrices_of

from .. import layout as at
from ..components.lights import Lamp3D, Sun3D
from ..components.views import Sky3D
from ..light.prefilter import turned_ambient
from ..light.sky import SkyLight, even_sky, sky_of_colors, sky_of_picture
from ..models.materials import decoded
from .clusters import cluster_depths, make_clusters
from .lamps import Lamps, Suns, collect_lamps, collect_suns
from .shadows import Maps, aim_lamp, aim_sun, lamps_with_maps, side_of

if TYPE_CHECKING:
    from rish_core import World

    from .views import ShadowView, View3D

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

NO_SKY_LIGHT = 0.2
"""The factor of ambient light in a scene without Sky3D."""
_TOOL_SUN, _TOOL_AMBIENT = np.array([0.2, -0.35, 0.0]), 0.45
"""The offset from the view's direction to the sun of `plain_light`, and the brightness of its even light."""
FADE = 0.12
"""The fraction of a sun's reach in which its shadows fade out."""
_versions = itertools.count(1)
_log = logging.getLogger("rish.scene3d")
_TOO_MANY = (
    "%d lights with shadows reach into the view of a camera, which has room for %d shadow maps, so only the bright, "
    "large and near ones cast shadows; switch off `shadows` of lamps that can do without, or make their `range` smaller"
)


@dataclass(frozen=True, eq=False)
class SceneLights:
    """The light for one camera. The arrays are those of `passes.kinds`, the same objects while nothing changes.

    picture: of the sky, None: it is not drawn. shadows: the pictures of all shadow maps. maps: the targets of the maps
    in the order of their numbers. version: the same number means the same values.
    """

    suns: Floats
    lamps: Floats
    clusters: Ints
    cluster_lamps: Ints
    ambient: Floats
    atlas: Floats
    scene: Floats
    picture: Floats | None
    shadows: tuple[ShadowView, ...]
    maps: tuple[str, ...]
    version: int


_SOURCES = (Lamp3D, Sun3D, Sky3D, Disabled, matrices_of(Lamp3D), matrices_of(Sun3D))


@dataclass(eq=False)
class _Sky:
    """The sky in this frame. row: the columns of `scene` that it sets. source: the key of its light's inputs."""

    light: SkyLight
    source: Any
    row: Floats
    turn: float
    visible: bool


@resource(derived=True)
class Lights3D:
    """The data that `gather_lights` keeps from frame to frame; all of it can be computed again.

    views: by name, what the light of each view was computed from, None if lights have changed since, and the light.
    inputs, pixels: what the lights were read from. warned: see _TOO_MANY.
    """

    views: dict[str, tuple[Any, SceneLights]] = field(default_factory=dict[str, tuple[Any, SceneLights]])
    inputs: Inputs = field(default_factory=lambda: Inputs(_SOURCES))
    pixels: Any = None
    suns: Suns | None = None
    lamps: Lamps | None = None
    sky: _Sky | None = None
    maps: Maps = field(default_factory=Maps)
    warned: bool = False

    def rebuild(self, world: World) -> None:
        """Forget everything after a restore."""
        self.__init__()


def gather_lights(
    world: World, view: View3D, casters: Floats | None, quality: float = 1.0, *, plain: bool = False
) -> SceneLights:
    """Return the light that a camera sees; the world has the resource `Lights3D`.

    casters: (2, 3), the least and largest corner of all shadow casters; None: there are none. quality: factor of
    the sides of shadow maps; 0: there are none. plain: light from the camera, see `plain_light`, for tools.
    """
    lights_kept = world[Lights3D]
    if plain:
        before = lights_kept.views.get(view.name)
        lights = _settled(plain_light(view), None if before is None else before[1])
        lights_kept.views[view.name] = (None, lights)
        return lights
    _look(world, lights_kept)
    box = None if casters is None or quality <= 0 else np.asarray(casters, np.float32)
    camera = view.view.tobytes(), view.projection.tobytes(), view.near, view.far, view.orthographic, view.exposure
    key = (None if box is None else box.tobytes(), quality, camera)
    old = lights_kept.views.get(view.name)
    if old is not None and old[0] == key:
        return old[1]
    lights = _settled(_for_view(lights_kept, view, box, quality), None if old is None else old[1])
    lights_kept.views[view.name] = (key, lights)
    return lights


def plain_light(view: View3D) -> SceneLights:
    """Return the light for tools, without the lights of the scene: a sun along the view, and an even light around."""
    sun = np.zeros((1, at.SUN), np.float32)
    ahead = -view.view[2, :3].astype(np.float64)
    sun[0, at.SUN_AXIS : at.SUN_AXIS + 3] = (ahead + _TOOL_SUN) / np.linalg.norm(ahead + _TOOL_SUN)
    sun[0, at.SUN_COLOR : at.SUN_COLOR + 3], sun[0, at.SUN_MAP] = 1, -1
    lamps, scene = np.zeros((0, at.LAMP), np.float32), np.zeros(at.SCENE, np.float32)
    scene[at.AMBIENT_STRENGTH] = _TOOL_AMBIENT
    sky = _Sky(even_sky(1.0), "even", scene, 0.0, False)
    unexposed = replace(view, exposure=1.0)
    return SceneLights(
        sun, lamps, *make_clusters(view, lamps), sky.light.ambient, sky.light.atlas, _scene_row(unexposed, sky), None,
        (), (), next(_versions),
    )  # fmt: skip


def is_same_sky(world: World) -> bool:
    """Return whether the picture of the sky is the one that the lights were read with."""
    return world[Lights3D].pixels is _map_of(world)


def prepare_sky(world: World) -> None:
    """Compute the light of the sky before the first frame."""
    lights = world[Lights3D]
    lights.sky = _sky(world, lights.sky, _map_of(world))


def forget_lights(world: World, names: set[str]) -> None:
    """Remove the light of all views except those with these names, and the shadow maps that none of them uses."""
    lights_kept = world[Lights3D]
    for name in lights_kept.views.keys() - names:
        del lights_kept.views[name]
    lights_kept.maps.forget({target for _, lights in lights_kept.views.values() for target in lights.maps})


def _look(world: World, lights: Lights3D) -> None:
    """Read the components if any of them, or a pose, changed; if a value differs, the light of all views is stale."""
    before, pixels = lights.pixels, _map_of(world)
    if not lights.inputs.changed(world) and before is pixels:
        return
    lights.pixels = pixels
    suns, lamps, sky = collect_suns(world), collect_lamps(world), _sky(world, lights.sky, pixels)
    if lights.suns is None or lights.lamps is None or lights.sky is None or not (
        suns.same(lights.suns) and lamps.same(lights.lamps) and sky.light is lights.sky.light
        and np.array_equal(sky.row, lights.sky.row) and sky.visible == lights.sky.visible
    ):  # fmt: skip
        lights.views = {name: (None, light) for name, (_, light) in lights.views.items()}
        lights.suns, lights.lamps, lights.sky = suns, lamps, sky


def _first_sky(world: World) -> int:
    """Return the row of the first enabled Sky3D, -1: there is none."""
    table = world.table(Sky3D)
    if not len(table):
        return -1
    rows = np.flatnonzero(table.column("enabled"))
    return int(rows[np.argmin(table.entities[rows])]) if len(rows) else -1


def _map_of(world: World) -> Array | None:
    """Return the pixels of the sky's picture, None: it has none. Assets report pictures that cannot be read."""
    row = _first_sky(world)
    path = world.text(int(world.table(Sky3D).column("map")[row])) if row >= 0 else ""
    pixels: Any = world[Assets].load(path) if path else None
    return pixels if getattr(pixels, "ndim", 0) == 3 else None


def _sky(world: World, old: _Sky | None, pixels: Array | None) -> _Sky:
    row, scene = _first_sky(world), np.zeros(at.SCENE, np.float32)
    if row < 0:
        scene[at.AMBIENT_STRENGTH] = NO_SKY_LIGHT
        return _Sky(even_sky(1.0) if old is None or old.source != "even" else old.light, "even", scene, 0.0, False)
    table = world.table(Sky3D)
    value = {name: table.column(name)[row] for name in _SKY_FIELDS}
    scene[at.FOG_COLOR : at.FOG_COLOR + 3] = decoded(value["fog"][:3])
    scene[at.FOG_DENSITY], scene[at.FOG_BASE] = value["fog_density"], value["fog_base"]
    scene[at.FOG_FALL], scene[at.SKY_TURN] = value["fog_fall"], value["turn"]
    scene[at.AMBIENT_STRENGTH], scene[at.SKY_LIGHT] = value["ambient"] * value["intensity"], value["intensity"]
    scene[at.DISC], scene[at.STARS] = value["sun_size"] / 2, value["stars"]
    if not value["visible"]:
        scene[[at.SKY_LIGHT, at.DISC, at.STARS]] = 0
    colors = decoded(np.stack([value["zenith"], value["horizon"], value["ground"]])[:, :3])
    source = colors.tobytes() if pixels is None else None
    if old is not None and (old.source is pixels if source is None else old.source == source):
        light = old.light
    else:
        light = sky_of_colors(*colors) if pixels is None else sky_of_picture(pixels)
    return _Sky(light, pixels if source is None else source, scene, float(value["turn"]), bool(value["visible"]))


_SKY_FIELDS = (
    "zenith", "horizon", "ground", "intensity", "ambient", "turn", "visible", "stars", "sun_size", "fog",
    "fog_density", "fog_base", "fog_fall",
)  # fmt: skip


def _for_view(lights: Lights3D, view: View3D, casters: Floats | None, quality: float) -> SceneLights:
    """Return the light of one camera, all arrays new."""
    assert lights.suns is not None
    assert lights.lamps is not None
    assert lights.sky is not None
    sky, lamps, suns = lights.sky, lights.lamps.rows.copy(), lights.suns.rows.copy()
    clusters, cluster_lamps = make_clusters(view, lamps)
    shadows: list[ShadowView] = []
    maps: list[str] = []
    if casters is not None:
        for k, plan in enumerate(lights.suns.plans):
            if plan.shadows:
                suns[k, at.SUN_MAP], suns[k, at.SUN_FADE] = len(maps), FADE
                maps.append(f"{view.name}.sun{k}")
                shadows += aim_sun(lights.maps, view, suns[k], plan, casters, quality, maps[-1])
        casting = np.flatnonzero(lights.lamps.sides > 0)
        visible = np.flatnonzero(np.bincount(cluster_lamps, minlength=1))
        rows, needed_count = lamps_with_maps(lamps, casting, visible, view.eye, casters, at.MAX_MAPS - len(maps))
        if needed_count > len(rows) and not lights.warned:
            lights.warned = True
            _log.warning(_TOO_MANY, len(maps) + needed_count, at.MAX_MAPS)
        for k in rows.tolist():
            lamps[k, at.LAMP_MAP] = len(maps)
            maps.append(f"scene3d.lamp{int(lights.lamps.entities[k])}")
            count = 1 if lamps[k, at.LAMP_ANGLE] > -1 else 6
            side = side_of(float(lights.lamps.sides[k]), quality, count)
            shadows += aim_lamp(lights.maps, lamps[k], side, maps[-1])
    ambient = turned_ambient(sky.light.ambient, sky.turn) if sky.turn else sky.light.ambient
    picture = sky.light.picture if sky.visible else None
    return SceneLights(
        suns, lamps, clusters, cluster_lamps, ambient, sky.light.atlas, _scene_row(view, sky), picture,
        tuple(shadows), tuple(maps), next(_versions),
    )  # fmt: skip


def _scene_row(view: View3D, sky: _Sky) -> Floats:
    row = sky.row.copy()
    row[at.EYE : at.EYE + 3], row[at.EXPOSURE] = view.eye, view.exposure
    row[at.NEAR], row[at.FAR] = cluster_depths(view)
    row[at.ORTHOGRAPHIC] = view.orthographic
    return row


def _settled(new: SceneLights, old: SceneLights | None) -> SceneLights:
    """Return the new light with the old arrays where they are equal, and the old light if all of them are."""
    if old is None:
        return new
    equal_arrays = {
        name: getattr(old, name)
        for name in ("suns", "lamps", "clusters", "cluster_lamps", "ambient", "atlas", "scene")
        if np.array_equal(getattr(new, name), getattr(old, name))
    }
    alike = len(equal_arrays) == 7 and new.picture is old.picture and new.maps == old.maps
    if alike and all(a is b for a, b in zip(new.shadows, old.shadows, strict=True)):
        return old
    return replace(new, **equal_arrays)
