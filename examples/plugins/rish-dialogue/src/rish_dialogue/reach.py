"""Checks that every node of a dialogue can be reached, and that no node goes around in a circle without a line."""

from __future__ import annotations

from collections.abc import Iterator

from rish_core.manifest import Report

from .script import END, Choices, Dialogue, Goto, Line, Random, Step


def check_reach(dialogue: Dialogue, report: Report) -> None:
    """Report the nodes that nothing leads to, and circles in which nothing is ever shown."""
    reached = set(dialogue.entries)
    pending = list(dialogue.entries)
    while pending:
        for node in _targets(dialogue.nodes[pending.pop()]):
            if node not in reached and node != END:
                reached.add(node)
                pending.append(node)
    for name in dialogue.nodes:
        if name not in reached:
            message = f"nothing leads to the node {name!r}: add a goto, or name it in `start:`, or remove it"
            report.add(dialogue.marks[name], ("nodes", name), message)
        elif _silent_circle(dialogue, name):
            message = "goes around in a circle without a line or a choice, so it would never end"
            report.add(dialogue.marks[name], ("nodes", name), message)


def _targets(steps: tuple[Step, ...]) -> Iterator[str]:
    for step in steps:
        if isinstance(step, Goto):
            yield step.node
        elif isinstance(step, Choices):
            yield from (option.goto for option in step.options if option.goto is not None)


def _silent_circle(dialogue: Dialogue, name: str) -> bool:
    """Return True if a node leads back to itself by jumps that are always made, without showing anything."""
    node, passed = name, set[str]()
    while node != END and node not in passed:
        passed.add(node)
        following = next((step for step in dialogue.nodes[node] if _counts(step)), None)
        if not isinstance(following, Goto):
            return False
        node = following.node
    return node == name


def _counts(step: Step) -> bool:
    """Return True for the steps that show something, and for jumps that are always made."""
    shows = isinstance(step, Line | Choices | Random)
    return shows or (isinstance(step, Goto) and step.condition is None and not step.once)
