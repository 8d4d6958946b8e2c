"""Edits between two drawings without a tick are shown, as a tool needs it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import Edges, Transform
from rish_render import Camera, CanvasGroup, Shape, Sprite, SpriteSheet, Text, TileMap

LEVEL = """\
legend:
  "#": {solid: true}
layers:
  walls: |
    ##
"""


def scene(studio: Any) -> Any:
    """Return a game that has run for some ticks, with one thing of each kind, in the middle between two ticks."""
    stage = studio((320, 240))
    stage.sprite = stage.put(60, 60, Sprite(image="face.png", size=(32, 32)))
    stage.sheet = stage.put(120, 60, Sprite(image="face.png", size=(32, 32)), SpriteSheet(cell=(8, 8)))
    stage.shape = stage.put(180, 60, Shape(size=(30, 30)))
    stage.text = stage.put(60, 160, Text(text="before"))
    stage.group = stage.put(0, 0, CanvasGroup())
    stage.member = stage.put(240, 160, Shape(size=(20, 20), color=(1, 0, 0, 1)), parent=stage.group)
    stage.camera = stage.put(160, 120, Camera())
    for _ in range(4):
        stage.shoot()
    stage.world.alpha = 0.25
    return stage


def give(stage: Any, name: str, kind: type, **fields: Any) -> None:
    """Set fields of a component of an entity of the scene."""
    stage.world.set(getattr(stage, name), kind(**fields))


EDITS = {
    "an entity moves": lambda s: give(s, "sprite", Transform, position=(90.0, 100.0)),
    "an entity turns": lambda s: give(s, "sprite", Transform, rotation=1.0),
    "an entity gets a parent": lambda s: give(s, "shape", Transform, parent=s.sprite),
    "a parent moves": lambda s: give(s, "group", Transform, position=(-60.0, 20.0)),
    "a sprite is tinted": lambda s: give(s, "sprite", Sprite, color=(1, 0, 0, 1)),
    "a sheet shows another cell": lambda s: give(s, "sheet", Sprite, frame=2),
    "a sheet has other cells": lambda s: give(s, "sheet", SpriteSheet, cell=(4, 16)),
    "a text changes": lambda s: give(s, "text", Text, text="after"),
    "a group fades": lambda s: give(s, "group", CanvasGroup, opacity=0.3),
    "the camera moves": lambda s: give(s, "camera", Transform, position=(150.0, 110.0)),
    "an entity comes": lambda s: s.put(200, 200, Sprite(image="face.png")),
    "an entity goes": lambda s: s.world.despawn(s.sprite),
}


@pytest.mark.slow
def test_an_edit_is_drawn_without_a_tick(studio):
    """After an edit and `refresh` the picture is that of a world that always was so, at its place, not interpolated."""
    stage = scene(studio)
    for name, edit in EDITS.items():
        stage.world.alpha = 0.25
        before, tick = stage.app.pixels().copy(), stage.world.tick
        edit(stage)
        stage.app.refresh()
        stage.app.draw(late=False)
        shown = stage.app.pixels().copy()
        assert not np.array_equal(shown, before), name
        assert stage.world.tick == tick, name
        for _ in range(3):
            stage.app.frame()
        assert np.array_equal(shown, stage.app.pixels()), name


def test_a_refresh_changes_no_state_but_what_is_derived(studio):
    """Without an edit a refresh changes no hash, and a second one never changes anything."""
    stage = scene(studio)
    before = stage.world.hash()
    stage.app.refresh()
    assert stage.world.hash() == before


def test_an_edited_map_publishes_its_edges(studio):
    """A map that a tool moves or adds has its edges at its place after a refresh, with no tick in between."""
    stage = studio((320, 240), files={"level.map.yaml": LEVEL.encode()})
    keep = stage.put(0, 0, TileMap(map="level.map.yaml"))
    stage.app.refresh()
    low = stage.world[Edges].column("x0").min()
    stage.world.set(keep, Transform(position=(64.0, 0.0)))
    stage.app.refresh()
    assert stage.world[Edges].column("x0").min() == low + 64
    before = stage.world.hash()
    stage.app.refresh()
    assert stage.world.hash() == before
