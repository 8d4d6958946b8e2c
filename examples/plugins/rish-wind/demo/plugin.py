"""The demo's own code: flags of small bodies, the keys, and the readout."""

import numpy as np

from rish_core import About, Input, Stage, Transform, World, named, spawn_prefab, system, tagged
from rish_physics import Body, RevoluteJoint, teleport_bodies
from rish_render import Shape, Text
from rish_wind import WindZone, wind_at

FLAGS = (((92, 168), (0.84, 0.2, 0.42, 1)), ((360, 168), (0.96, 0.62, 0, 1)), ((560, 168), (0.11, 0.49, 0.84, 1)))
PIECES, LENGTH = 8, 11
READOUT_AT = (320, 200)


def rish_about():
    """The demo needs the plugins whose classes it uses."""
    return About(requires=["wind", "physics", "render"])


def rish_prefabs():
    """A piece of a flag: a thin body that collides with nothing, drawn as a strip of cloth."""
    piece = {
        "Transform": {},
        "Body": {"angular_damping": 0.8, "linear_damping": 0.2},
        "Collider": {"size": [LENGTH, 2], "density": 0.25, "collision_layer": "cloth"},
        "Drag": {"coefficient": 1.6},
        "Shape": {"size": [LENGTH + 2, 34], "layer": "things", "z": 2},
    }
    return {"piece": piece}


def rish_scene_loaded(world, scene):
    """Hang the flags on their poles: each piece on the one before."""
    for place, color in FLAGS:
        before, anchor = 0, place
        for k in range(PIECES):
            at = (place[0] + LENGTH * (k + 0.5), place[1])
            piece = spawn_prefab(world, "piece", at=at)
            shape = world.get(piece, Shape)
            shape.color = shape.color_end = color
            shape.opacity = 1 if k % 2 else 0.92
            world.spawn(RevoluteJoint(a=before, b=piece, anchor_a=anchor, anchor_b=(-LENGTH / 2, 0)))
            before, anchor = piece, (LENGTH / 2, 0)


@system(Stage.INPUT, reads=Input, writes=WindZone)
def steer(world, dt):
    """Turn the wind up and down, and begin a gust."""
    zone = world.get(named(world, "breeze"), WindZone)
    keys = world[Input]
    zone.speed = min(max(zone.speed + keys.axis("less", "more") * 240 * dt, 0), 700)
    if keys.pressed("gust"):
        zone.gust_wait = 0


@system(Stage.UPDATE, reads=(WindZone, Transform), writes=Text)
def tell(world, dt):
    """Write the speed of the air in the middle of the picture."""
    x, y = wind_at(world, READOUT_AT)
    gust = "   GUST" if world.get(named(world, "breeze"), WindZone).gust_age >= 0 else ""
    world.get(named(world, "readout"), Text).text = f"{(x * x + y * y) ** 0.5 / 64:.1f} m/s{gust}"


@system(Stage.UPDATE, writes=World)
def fall_again(world, dt):
    """Let leaves that lie still fall from the sky again, one after another."""
    leaves, stream = tagged(world, "leaf"), world.random("leaves")
    velocity = world[Body].velocity[world.table(Body).rows_of(leaves)]
    still = np.abs(velocity).max(axis=1) < 12
    again = leaves[still & (stream.uniform(0, 1, len(leaves)) < 0.015)]
    if len(again):
        places = np.column_stack([stream.uniform(-20, 500, len(again)), stream.uniform(365, 410, len(again))])
        teleport_bodies(world, again, places)


def rish_systems():
    """Return the systems of the demo."""
    return [steer, tell, fall_again]
