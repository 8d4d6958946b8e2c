"""Pressure plates and gates: a crate or the hero on a plate opens the gates."""

from __future__ import annotations

from rish_core import Stage, Transform, World, every, system
from rish_physics import Collider
from rish_render import Sprite

from .components import Crate, Gate, Hero, Plate
from .level import nearest, place_of
from .walking import IN_KEEP

PRESSES = 11.0
"""The distance from the middle of a plate, in units, within which an object presses it."""
PASSES = 0.85
"""How far a gate must be open to let the hero pass."""

PAUSE = 4
"""The number of ticks between two updates of plates and gates."""


@system(
    Stage.POST, reads=(Crate, Hero), writes=(Plate, Gate, Collider, Transform, Sprite), run_if=(IN_KEEP, every(PAUSE))
)
def press_plates(world: World, dt: float) -> None:
    """Press the plates under crates and heroes, and open or close the gates."""
    dt *= PAUSE
    crates, heroes = world.query(Crate, Transform), world.query(Hero, Transform)
    pressed = False
    for entity in world.query(Plate).entities.tolist():
        at = place_of(world, entity)
        down = any(nearest(one[Transform.position], *at, PRESSES) >= 0 for one in (crates, heroes))
        if down != world.get(entity, Plate).down:
            world.set(entity, Plate(down=down), Sprite(frame=int(down)))
        pressed = pressed or down
    for entity in world.query(Gate).entities.tolist():
        gate = world.get(entity, Gate)
        opened = min(1.0, gate.open + 0.9 * dt) if pressed else max(0.0, gate.open - 1.4 * dt)
        if opened != gate.open:
            x, y = (float(v) for v in gate.home)
            world.set(entity, Gate(open=opened), Collider(enabled=opened < PASSES))
            world.set(entity, Transform(position=(x, y + 22 * opened)), Sprite(opacity=1 - 0.75 * opened))
