"""The panel Rules: variables, rules, and waiting rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Interventions, RishError, Scenes
from rish_expressions import Variables

from ..program import Rule
from ..state import RulesState, WaitingRules
from ..systems import Rules

if TYPE_CHECKING:
    from rish_editor import UI, Editor


class RulesPanel:
    """Shows the variables and rules of the game. While it is played, variables can be changed."""

    id, title, icon, dock, order = "rules.panel", "Rules", "rule", "right", 70
    open = False

    def __init__(self) -> None:
        self._search = ""

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel."""
        tr, game = editor.tr, editor.game
        if game is None or Rules not in game.world or not (game.world[Rules].rules or game.world[Variables].values):
            ui.empty(
                tr("The game has no rules"), tr("Write them below on: and variables: in game.yaml"), ui.icon("rule")
            )
            return
        ui.fill()
        typed = ui.line("search", self._search, hint=tr("Search rules and variables"))
        self._search = self._search if typed is None else typed
        world, running = game.world, game.play.running
        with ui.area("content"):
            with ui.section(tr("Variables"), "variables") as shown:
                if shown:
                    self._variables(ui, editor, world, running)
            with ui.section(tr("Waiting"), "waiting", opened=running) as shown:
                if shown:
                    self._waiting(ui, editor, world)
            with ui.section(tr("Rules"), "rules") as shown:
                if shown:
                    self._rules(ui, editor, world)

    def _matches(self, *texts: str) -> bool:
        return any(self._search.lower() in text.lower() for text in texts)

    def _variables(self, ui: UI, editor: Editor, world: Any, running: bool) -> None:
        """Draw the variables; they can be changed while the game runs, and have their first values otherwise."""
        variables: Variables = world[Variables]
        if not variables.values:
            ui.text(editor.tr("None"), "dim")
        with ui.disabled(not running):
            for name, value in variables.values.items():
                if not self._matches(name):
                    continue
                with ui.property(name, name):
                    new = _widget(ui, name, value)
                if new is not None and running:
                    _set(editor, world, name, new)

    def _waiting(self, ui: UI, editor: Editor, world: Any) -> None:
        table = world[WaitingRules]
        if not len(table):
            ui.text(editor.tr("No rule waits"), "dim")
        for row in np.argsort(table.column("tick"), kind="stable").tolist():
            key = str(table.read_row("rule", row)).partition("#")[0]
            seconds = max(int(table.tick[row]) - world.tick, 0) * world.dt
            with ui.property(key, f"wait.{row}"):
                ui.text(editor.tr("goes on in {seconds} s", seconds=f"{seconds:.1f}"), "accent")

    def _rules(self, ui: UI, editor: Editor, world: Any) -> None:
        rules: Rules = world[Rules]
        scene, true = world[Scenes].current, set(world[RulesState].true)
        waiting = {str(world[WaitingRules].read_row("rule", row)) for row in range(len(world[WaitingRules]))}
        for number, rule in enumerate(rules.rules):
            if self._matches(rule.trigger.key, *rule.used):
                with ui.inside(number):
                    self._rule(ui, editor, rule, _state(editor, rule, rules, scene, true, waiting))

    def _rule(self, ui: UI, editor: Editor, rule: Rule, state: tuple[str, str]) -> None:
        state_text, style = state
        place = rule.place
        if ui.icon_button(ui.icon("external"), "open", f"{place}", enabled=bool(place.file)):
            assert editor.game is not None
            editor.open_source(editor.game.path / place.file, place.line)
        ui.same_line(6)
        ui.text(f"on {rule.trigger.key}", "bold")
        if state_text:
            ui.same_line()
            ui.text(state_text, style)  # pyright: ignore[reportArgumentType]
        count = editor.tr("steps: {count}", count=len(rule.steps))
        names = f"  ·  {', '.join(sorted(rule.used))}" if rule.used else ""
        ui.text(f"        {count}{names}", "small")


def _state(editor: Editor, rule: Rule, rules: Rules, scene: str, true: set[str], waiting: set[str]) -> tuple[str, str]:
    """Return a text for the state of a rule, and the style of the text."""
    if rule.key in rules.log:
        return editor.tr("has failed; see the log"), "error"
    if rule.key in waiting:
        return editor.tr("waits"), "accent"
    if rule.scenes and scene not in rule.scenes:
        return editor.tr("not in this scene"), "disabled"
    if rule.trigger.key in true:
        return editor.tr("true"), "ok"
    return "", "dim"


def _widget(ui: UI, name: str, value: Any) -> Any:
    if isinstance(value, bool):
        return ui.checkbox("", name, value)
    if isinstance(value, int):
        return ui.whole(name, value)
    if isinstance(value, float):
        return ui.number(name, value)
    return ui.line(name, str(value), enter=True)


def _set(editor: Editor, world: Any, name: str, value: Any) -> None:
    """Set a variable of a run, and count it for recordings, which contain only input."""
    try:
        world[Variables][name] = value
    except RishError as error:
        editor.report(editor.tr("Set the variable {name}", name=name), error)
        return
    if Interventions in world:
        world[Interventions].note(f"{name} = {value!r}")
