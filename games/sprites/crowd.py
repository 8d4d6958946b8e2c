"""The crowd: adds, removes, moves and sorts hoppers; and moves the camera."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Session, Stage, Transform, World, find, resource_equals, spawn_prefab, system
from rish_jit import maths
from rish_render import Camera, Sprite, to_world
from rish_ui import Pressed, Released

from .components import Choice, Hopper, Settings
from .kernels import hop

WIDTH, HEIGHT = 960, 540
ROWS = 8
CELL = (32, 40)
COATS = 8
"""The number of cells of the sheet `hoppers.png`."""
_EDGE = 16.0
_FLOORS = np.linspace(172, 44, ROWS).astype(np.float32)
_SCALES = np.linspace(0.62, 1.18, ROWS).astype(np.float32)


_HELD = {"more": "add", "fewer": "take"}
"""The buttons of the bar, and the actions that are held as long as they are pressed."""


@system(Stage.INPUT, reads=(Pressed, Released), writes=Input, after=("ui.obey_commands", "game.autopilot"))
def hold_buttons(world: World, dt: float) -> None:
    """Hold the action of a button of the bar from its press to its release."""
    pressed, released = world.events(Pressed).widget.tolist(), world.events(Released).widget.tolist()
    for name, action in _HELD.items() if pressed or released else ():
        button = find(world, name)
        if button in pressed:
            world[Input].press(action)
        if button in released:
            world[Input].release(action)


@system(Stage.PRE, reads=Input, writes=(Choice, Session))
def choose(world: World, dt: float) -> None:
    """Toggle a mode for each key that was pressed."""
    keys, choice = world[Input], world[Choice]
    if keys.pressed("move"):
        choice.moving = not choice.moving
    if keys.pressed("turn"):
        choice.turning = not choice.turning
    if keys.pressed("sort"):
        choice.sorted = not choice.sorted
    if keys.pressed("zoom"):
        choice.zooming = not choice.zooming
    if keys.pressed("leave"):
        world[Session].quit = True


def _crowding(world: World) -> bool:
    """Return True while hoppers are added or removed.

    The system does not run otherwise, so nothing counts as changed and the uploaded data stays valid.
    """
    return world[Input].down("add") or world[Input].down("take")


@system(
    Stage.PRE,
    reads=(Input, Settings, Choice, Camera),
    writes=(Hopper, Transform, Sprite),
    run_if=_crowding,
)
def come_and_go(world: World, dt: float) -> None:
    """Add hoppers at the pointer while its button is pressed; remove the last ones while the other one is."""
    keys, settings = world[Input], world[Settings]
    crowd = world.query(Hopper).entities
    if keys.down("add") and len(crowd) < settings.most:
        at = to_world(world, keys.pointer) if keys.pointer != (0, 0) else (WIDTH / 2, HEIGHT * 0.7)
        _spawn(world, min(settings.burst, settings.most - len(crowd)), float(at[0]), float(at[1]))
    if keys.down("take") and len(crowd):
        world.despawn(crowd[-settings.burst :])


def _spawn(world: World, count: int, x: float, y: float) -> None:
    """Spawn hoppers with random coats at a place, each with a random row."""
    luck = world.random("hoppers")
    row = luck.integers(0, ROWS, size=count)
    coat = luck.integers(0, COATS, size=count)
    region = np.zeros((count, 4), np.float32)
    region[:, 0], region[:, 2:] = coat * CELL[0], CELL
    velocity = np.stack([luck.uniform(-170, 170, count), luck.uniform(-60, 320, count)], axis=-1)
    spring = luck.uniform(260, 700, count) * (0.75 + 0.05 * row)
    place = np.stack([np.full(count, x), np.full(count, y)], axis=-1) + luck.uniform(-6, 6, (count, 2))
    spawn_prefab(
        world,
        "hopper",
        Hopper(velocity=velocity, spin=luck.uniform(-4, 4, count), floor=_FLOORS[row], spring=spring, row=row),
        Transform(position=place, scale=np.repeat(_SCALES[row][:, None], 2, axis=1)),
        Sprite(region=region, layer=_layers(world, world[Choice].sorted)[row]),
        n=count,
    )


def _layers(world: World, ordered: bool) -> np.ndarray:
    """Return the interned layer name of each row: a layer for each, or the same one for all."""
    return np.array([world.intern(f"row{row if ordered else 0}") for row in range(ROWS)], np.int32)


@system(
    Stage.STEP, reads=(Settings, Choice), writes=(Hopper, Transform), run_if=resource_equals(Choice, "moving", True)
)
def move(world: World, dt: float) -> None:
    """Move all hoppers by one tick."""
    query = world.query(Hopper, Transform)
    hopper, place = world[Hopper], world[Transform]
    one = np.float32
    hop(
        query.rows(Hopper), query.rows(Transform), hopper.flat("velocity"), hopper.spin, hopper.floor, hopper.spring,
        place.flat("position"), place.rotation, one(world[Settings].gravity), one(world[Choice].turning),
        one(_EDGE), one(WIDTH - _EDGE), one(dt),
    )  # fmt: skip


def _rearranging(world: World) -> bool:
    choice = world[Choice]
    return choice.sorted != choice.layered or choice.turning == choice.upright


@system(Stage.UPDATE, reads=Hopper, writes=(Choice, Sprite, Transform), run_if=_rearranging)
def line_up(world: World, dt: float) -> None:
    """Give every row its own layer or all the same one, as the player chose; reset the rotation when turning ends.

    With layers by row, hoppers in front hide those behind.
    """
    choice = world[Choice]
    if choice.sorted != choice.layered:
        choice.layered = choice.sorted
        query = world.query(Hopper, Sprite)
        query[Sprite.layer] = _layers(world, choice.sorted)[query[Hopper.row]]
    if choice.turning == choice.upright:
        choice.upright = not choice.turning
        if choice.upright:
            query = world.query(Hopper, Transform)
            query[Transform.rotation] = 0.0


def _swinging(world: World) -> bool:
    return bool(world[Choice].zooming or world[Choice].swing)


@system(Stage.UPDATE, writes=(Choice, Camera, Transform), run_if=_swinging)
def swing_camera(world: World, dt: float) -> None:
    """Zoom the camera in and out and move it left and right while zooming is on; otherwise put it back to rest."""
    choice = world[Choice]
    choice.swing = (choice.swing + dt * 0.5) if choice.zooming else 0.0
    query = world.query(Camera, Transform)
    query[Camera.zoom] = 1.0 + 0.7 * (0.5 - 0.5 * maths.cos(choice.swing * 2))
    query[Transform.position] = (WIDTH / 2 + 150 * maths.sin(choice.swing), HEIGHT / 2)
