"""Entries of a scene that plugins add while the manifest is read, such as those of an importer of levels.

Their entities are normal ones, but the game's text does not contain the entries. So saving leaves them out, and entries
have other numbers in the text than in the plan.
"""

from __future__ import annotations

from bisect import bisect_left

from rish_core.manifest import SpawnPlan, Spot

from ..text.nodes import Steps


class Foreign:
    """The entries that plugins have added to a scene. steps: the numbers of all their steps in the plan."""

    def __init__(self, plan: SpawnPlan) -> None:
        self._label = plan.origin
        tops = {number for number, step in enumerate(plan.steps) if step.parent < 0 and is_foreign(plan, number)}
        self.steps = {number for number, step in enumerate(plan.steps) if step.root in tops}
        entries = {plan.steps[number].node.path[2] for number in tops if len(plan.steps[number].node.path) > 2}
        self._entries = sorted(entry for entry in entries if isinstance(entry, int))

    def in_text(self, path: Steps) -> Steps:
        """Return the path in the text for a path in the plan."""
        if not self._entries or path[:2] != ("scenes", self._label) or len(path) < 3 or not isinstance(path[2], int):
            return path
        return (*path[:2], path[2] - bisect_left(self._entries, path[2]), *path[3:])


def is_foreign(plan: SpawnPlan, number: int) -> bool:
    """Return whether a plugin has added the entry of a step to a scene: its mark is not a place in the text."""
    node = plan.steps[plan.steps[number].root].node
    return node.path[:1] == ("scenes",) and isinstance(node.mark, Spot)
