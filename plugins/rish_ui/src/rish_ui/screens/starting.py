"""Where play begins behind a menu: a run without a player begins there, if the manifest does not say where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..components.screen import Screen
from ..components.widgets import Button

if TYPE_CHECKING:
    from rish_core.manifest import SpawnPlan


def scene_behind(plan: SpawnPlan) -> str:
    """Return the scene that the menu of a scene leads to, or "".

    A menu is a visible Screen that takes keys. Its button that gets the focus first leads to play; if no button is
    named so, the first one that leads to a scene does.
    """
    for number, step in enumerate(plan.steps):
        screen: dict[str, Any] = step.parts.get(Screen, {})
        if screen.get("takes_keys", False) and screen.get("visible", True):
            scenes = _buttons(plan, number)
            found = scenes.get(screen.get("first", "")) or next(iter(scenes.values()), "")
            if found:
                return found
    return ""


def _buttons(plan: SpawnPlan, screen: int) -> dict[str, str]:
    """Return the scenes that the buttons below a step lead to, by the names of the buttons."""
    below, found = {screen}, dict[str, str]()
    for number, step in enumerate(plan.steps):
        if step.parent in below:
            below.add(number)
            scene = step.parts.get(Button, {}).get("goto", "")
            if isinstance(scene, str) and scene:
                found.setdefault(step.node.name, scene)
    return found
