"""Pressure plates and gates: a crate or the hero on a plate opens the gates."""

from __future__ import annotations

from typing import Any

from rish_animation import Tweens, tween
from rish_core import Stage, Transform, World, every, system
from rish_physics import Collider
from rish_render import Sprite

from .components import Crate, Gate, Hero, Plate
from .level import nearest, place_of
from .sounds import sound
from .walking import IN_KEEP

PRESSES = 11.0
"""The distance from the middle of a plate, in units, within which an object presses it."""
PASSES = 0.85
"""The share of its way that a gate must rise to let the hero pass."""
RISES = 22.0
"""How far a gate rises, in units."""

PAUSE = 4
"""The number of ticks between two updates of plates and gates."""


@system(Stage.POST, reads=(Crate, Hero), writes=(Plate, Gate, Collider, Sprite, Tweens), run_if=(IN_KEEP, every(PAUSE)))
def press_plates(world: World, dt: float) -> None:
    """Press the plates under crates and heroes, and open or close the gates."""
    crates, heroes = world.query(Crate, Transform), world.query(Hero, Transform)
    pressed = False
    for entity in world.query(Plate).entities.tolist():
        at = place_of(world, entity)
        down = any(nearest(one[Transform.position], *at, PRESSES) >= 0 for one in (crates, heroes))
        if down != world.get(entity, Plate).down:
            world.set(entity, Plate(down=down), Sprite(frame=int(down)))
            sound(world, "plate", at, pitch=1.0 if down else 1.2)
        pressed = pressed or down
    gates = world.query(Gate, Transform)
    entities, raised, homes = gates.entities, gates[Gate.raised], gates[Gate.home]
    if (raised != pressed).any():
        _move(world, entities, homes, pressed)
    free = pressed & (gates[Transform.position][:, 1] > homes[:, 1] + PASSES * RISES)
    closed = world[Collider].rows_of(entities)
    world[Collider].enabled[closed] = ~free


def _move(world: World, gates: Any, homes: Any, up: bool) -> None:
    """Raise gates, or let them fall; they bounce on the floor."""
    world.set(gates, Gate(raised=up))
    for x, y in homes.tolist():
        sound(world, "gate_up" if up else "gate_down", (x, y))
    seconds, easing = (1.1, "back_in_out") if up else (0.8, "bounce_out")
    tween(world, gates, "Transform.position.y", homes[:, 1] + RISES * up, seconds=seconds, easing=easing)
    tween(world, gates, "Sprite.opacity", 0.25 if up else 1.0, seconds=seconds)
