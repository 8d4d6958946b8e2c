"""Shaking: moves and turns a camera's view by noise after a blow.

A camera has a *trauma*, from 0 to 1: each blow adds to it, and it decreases with time. The view moves and turns by
smooth noise, in proportion to the square of the trauma, so that a light blow has little effect and a hard one fades
softly (after Squirrel Eiserloh, "Juicing Your Cameras With Math", GDC 2016). The trauma is state of the World; the
movement affects only what is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit import maths

from ..components.visible import Camera

if TYPE_CHECKING:
    from rish_ecs import World

    from .view import View


def shaken(world: World, row: int, view: View) -> View:
    """Return the view of a camera, moved by its current shake."""
    table = world.table(Camera)
    trauma = float(table.column("trauma")[row])
    if trauma <= 0:
        return view
    time = (world.tick + world.alpha) * world.dt * float(table.column("shake_speed")[row])
    strength = trauma * trauma
    reach = strength * float(table.column("shake_reach")[row]) * view.size[1] / view.density
    turn = strength * float(table.column("shake_turn")[row])
    x, y, angle = (noise(time, view.camera * 3 + axis) for axis in range(3))
    return view.moved(reach * x, reach * y, turn * angle)


def noise(time: float, seed: int) -> float:
    """Return smooth noise from -1 to 1: a random value for each integer, interpolated in between."""
    whole = int(maths.floor(time))
    part = time - whole
    ease = part * part * (3 - 2 * part)  # smoothstep
    return maths.lerp(_value(whole, seed), _value(whole + 1, seed), ease)


def _value(number: int, seed: int) -> float:
    """Return a random number from -1 to 1 for a pair of integers (the mixing steps of MurmurHash3)."""
    mixed = (number * 0x9E3779B1 + seed * 0x85EBCA6B) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return ((mixed ^ (mixed >> 16)) / 0x7FFFFFFF) - 1.0
