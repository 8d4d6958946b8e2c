"""Finds the scene where play begins behind a menu: a run without a player begins there unless the manifest names a
scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..components.screen import Screen
from ..components.widgets import Button

if TYPE_CHECKING:
    from rish_core.manifest import SpawnPlan


def scene_behind(plan: SpawnPlan) -> str:
    """Return the scene that the menu of a scene leads to, or "".

    A menu is a visible Screen that takes keys. The button named by `first` leads to the scene; if there is none, the
    first button that leads to a scene.
    """
    for number, step in enumerate(plan.steps):
        screen: dict[str, Any] = step.parts.get(Screen, {})
        if screen.get("takes_keys", False) and screen.get("visible", True):
            scenes = _buttons(plan, number)
            scene = scenes.get(screen.get("first", "")) or next(iter(scenes.values()), "")
            if scene:
                return scene
    return ""


def _buttons(plan: SpawnPlan, screen: int) -> dict[str, str]:
    """Return the scenes that the buttons below a step lead to, by the names of the buttons."""
    below, targets = {screen}, dict[str, str]()
    for number, step in enumerate(plan.steps):
        if step.parent in below:
            below.add(number)
            scene = step.parts.get(Button, {}).get("goto", "")
            if isinstance(scene, str) and scene:
                targets.setdefault(step.node.name, scene)
    return targets
