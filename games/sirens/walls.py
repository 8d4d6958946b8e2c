"""Walls: places behind none, one and two walls, and a door; lines show what comes through."""

from __future__ import annotations

import numpy as np

from rish_audio import AudioSource, Voices
from rish_core import Scenes, Stage, Transform, World, spawn_prefab, system
from rish_render import Shape
from rish_ui import Label

from .components import Door, Place, Wall
from .field import decibels
from .pen import AMBER, GREEN, RED, Pen, faded
from .walking import publish_walls, walker_of


def in_town(world: World) -> bool:
    """Whether this exhibit is shown."""
    return world[Scenes].current == "walls"


def build(world: World) -> None:
    """Give walls their form, and write what comes through above each place."""
    for entity in world.query(Wall).entities.tolist():
        world.set(entity, Shape(size=world.get(entity, Wall).size))
    for entity in world.query(Place).entities.tolist():
        x, y = world.get(entity, Transform).position.tolist()
        title = world.get(entity, Place).title
        for key, up in ((title, 38), (f"{title}_heard", 22)):
            spawn_prefab(world, "caption", Label(text=f"$places.{key}"), at=(x, y + up))
    publish_walls(world)


def open_door(world: World) -> None:
    """Open or close the door."""
    for entity in world.query(Door).entities.tolist():
        opened = not world.get(entity, Door).open
        world.set(entity, Door(open=opened), Shape(opacity=0.12 if opened else 1.0))
    publish_walls(world)


def read(world: World) -> dict[str, float]:
    """Return what the labels above the places show: dB that walls take, and the cutoff of their low-pass in kHz."""
    voices = world[Voices]
    shown: dict[str, float] = {}
    for entity in world.query(Place).entities.tolist():
        title, rows = world.get(entity, Place).title, np.flatnonzero(voices.source == entity)
        muffled = voices.muffled[rows[:1]].astype(np.float64)
        shown[f"{title}_taken"] = float(decibels(1 - muffled)[0]) if len(rows) else 0.0
        shown[f"{title}_cutoff"] = float(voices.cutoff[rows[0]]) / 1000 if len(rows) else 0.0
    return shown


@system(Stage.EXTRACT, before="render.extract", reads=(Place, Voices, AudioSource), run_if=in_town)
def draw_rays(world: World, dt: float) -> None:
    """Draw a line from the walker to each place: wider if it is louder, red if walls muffle it."""
    voices, pen = world[Voices], Pen(world, "marks", -1)
    x, y = world.get(walker_of(world), Transform).position.tolist()
    for entity in world.query(Place).entities.tolist():
        rows = np.flatnonzero(voices.source == entity)
        if not len(rows):
            continue
        muffled, level = float(voices.muffled[rows[0]]), float(voices.level[rows[0]])
        loud = min(max(1 + float(decibels(np.array([level]))[0]) / 48, 0.1), 1.0)
        ink = GREEN if muffled < 0.05 else AMBER if muffled < 0.55 else RED
        ends = [[x, y, *world.get(entity, Transform).position.tolist()]]
        pen.lines(ends, faded(ink, 0.18), 10 * loud)
        pen.lines(ends, faded(ink, 0.3 + 0.6 * loud), 0.8 + 2.2 * loud)
    pen.done()
