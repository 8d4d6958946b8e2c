"""The kinds of widgets for the line and the choices. The visible part of a line is no state, because it depends on the
language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rish_ui import Context, Kind, Locales, Node, Painter

from .components import DialogueChoices, DialogueLine
from .markup import revealed, veiled, visible_length

FIRST = "choice1"
"""The name of the first button."""
_GIVEN = {"visits": "number"}
_SIGN = "▾"
_BLINK = 1.0
"""Seconds from one appearance of the sign to the next."""


@dataclass(eq=False)
class Reveal:
    """The visible part of a line. number: of the line. since: when it began, seconds. text: the complete line."""

    number: int
    since: float
    text: str
    length: int
    shown: int = 0

    @property
    def done(self) -> bool:
        """Whether the complete line is visible."""
        return self.shown >= self.length


def line_of(node: Node, ui: Context) -> str:
    """Return the line in the language of the player."""
    text, _, _, visits = node.values
    if text[:1] != "$":
        return text
    cache: dict[Any, Any] = ui.state.memory.setdefault("dialogue texts", {})
    locales: Locales = ui.world[Locales]
    key = text, locales.update(ui.world)
    if key not in cache:
        cache.clear()
        cache[key] = locales.bind(ui.world, text, _GIVEN)
    return str(cache[key]({"visits": visits}))


def reveal_of(node: Node, ui: Context) -> Reveal:
    """Return the visible part of a line at this moment."""
    reveals: dict[int, Reveal] = ui.state.memory.setdefault("dialogue lines", {})
    _, speed, number, _ = node.values
    reveal, text = reveals.get(node.entity), line_of(node, ui)
    if reveal is None or reveal.number != number or reveal.text != text:
        is_same_line = reveal is not None and reveal.number == number  # another language
        since = reveal.since if is_same_line and reveal is not None else ui.state.time
        reveal = reveals[node.entity] = Reveal(number, since, text, visible_length(text))
    if not reveal.done:
        at_once = not speed or ui.settings.reduced_motion
        reveal.shown = reveal.length if at_once else min(int((ui.state.time - reveal.since) * speed), reveal.length)
    return reveal


class LineKind(Kind):
    """A line that appears letter by letter."""

    component = DialogueLine
    name = "DialogueLine"
    styled_as = "Label"
    focusable = True
    solid = True

    def read(self, view: Any) -> Any:
        """Return the values of the component."""
        return view.text, float(view.speed), int(view.number), int(view.visits)

    def moves(self, node: Node, ui: Context) -> Any:
        """Return a key of the visible part of the line. When it is complete, the choices appear, and the first gets the
        focus."""
        memory: dict[int, Any] = ui.state.memory.setdefault("dialogue focus", {})
        before = memory.get(node.entity)
        reveal = reveal_of(node, ui)
        choice = next((each for each in node.root.nodes if each.name == FIRST), None)
        if before != (reveal.number, reveal.text, reveal.done, choice):
            memory[node.entity] = reveal.number, reveal.text, reveal.done, choice
            ui.resize(node)
            ui.relayout(node.root)
            if not (reveal.done and choice is not None and ui.state.focus_of(choice)):
                ui.focus(choice if reveal.done and choice is not None else node, seen=ui.state.shows_focus)
        return reveal.number, reveal.text, reveal.shown, self._waits(node, ui, reveal)

    def _waits(self, node: Node, ui: Context, reveal: Reveal) -> bool:
        """Return True if the sign for a complete line is visible."""
        has_no_choices = all(each.name != FIRST for each in node.root.nodes)
        return reveal.done and has_no_choices and (ui.settings.reduced_motion or ui.state.time % _BLINK < 0.7 * _BLINK)

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        """Return the width of the longest word, and that of the complete line."""
        text = ui.typeset(line_of(node, ui), ui.look(ui.calm(node)))
        return text.narrowest, text.width

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        """Return the height of the complete line at a width, and its baseline."""
        text = ui.typeset(line_of(node, ui), ui.look(ui.calm(node), wrap=max(width, 1.0)))
        return text.height, text.baseline

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        """Paint the visible part of the line, and the sign when it is complete."""
        style, reveal = painter.background(node), reveal_of(node, ui)
        part = revealed if ui.frame.cell is not None else veiled
        words = reveal.text if reveal.done else part(reveal.text, reveal.shown)
        text = ui.typeset(words, ui.look(style, wrap=max(node.w, 1.0)))
        painter.text(text, node.x + (node.w - text.width if ui.locales.right_to_left else 0.0), node.y, style)
        if self._waits(node, ui, reveal):
            sign = ui.typeset(_SIGN, ui.look(style))
            painter.text_in(
                sign, (node.x, node.y, node.w, node.h), style, 0.0 if ui.locales.right_to_left else 1.0, 1.0
            )

    def ring(self, node: Node, ui: Context) -> tuple[float, float, float, float]:
        """Return a place outside: the sign shows that a key goes on."""
        return -1e4, -1e4, 0.0, 0.0

    def click(self, node: Node, ui: Context) -> None:
        """Complete the line, which is no state, or go on, which is a command."""
        reveal = reveal_of(node, ui)
        if reveal.done:
            ui.send("Clicked", node)
        else:
            reveal.shown = reveal.length


class ChoicesKind(Kind):
    """The place of the buttons."""

    component = DialogueChoices
    name = "DialogueChoices"
    styled_as = "Grid"

    def hides(self, node: Node, child: Node, ui: Context) -> bool:
        """Return whether the line is still appearing."""
        line = next((each for each in node.root.nodes if isinstance(each.kind, LineKind)), None)
        return line is not None and not reveal_of(line, ui).done


KINDS = (LineKind(), ChoicesKind())
