"""Questions to the user, drawn over everything, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from ..look import icons
from ..ui.widgets.base import Failure
from .chooser import Browser, Chosen, native_chooser

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI

Answer = Callable[[str], Any]
_MAX_DETAILS = 200
"""The greatest number of details that are shown."""


@dataclass
class Choice:
    """An answer to a question. name: what `answered` gets. kind: normal, primary or danger."""

    name: str
    label: str
    kind: str = "normal"


def unsaved_choices(editor: Editor) -> list[Choice]:
    """Return the answers to the question about unsaved changes: save, discard, cancel."""
    tr = editor.tr
    return [Choice("save", tr("Save"), "primary"), Choice("discard", tr("Don't save"), "danger"),
            Choice("cancel", tr("Cancel"))]  # fmt: skip


@dataclass
class Question:
    """A question with its answers.

    details: lines below the text. level: info, warning or error. settled: whether the question was answered or
    withdrawn.
    """

    title: str
    text: str
    choices: Sequence[Choice]
    answered: Answer
    details: Sequence[str] = ()
    level: str = "info"
    width: float = 500.0
    settled: bool = False

    @property
    def stays(self) -> bool:
        """Whether a press outside of the dialogue leaves it open; it closes a message, which has a single answer."""
        return len(self.choices) > 1

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the question; return whether it is settled. Enter gives the primary answer, Escape the last one."""
        if self.settled:
            return True
        color = ui.theme.rgba(self.level if self.level in ("warning", "error") else "info")
        ui.text(icons.by_name(self.level, icons.INFO), "title", color=color)
        ui.same_line(10)
        ui.text(self.text, wrap=True)
        if self.details:
            ui.space(2)
            with ui.area("details", height=min(self._height(ui), ui.px(200)), border=True):
                for line in self.details[:_MAX_DETAILS]:
                    ui.text(line, "small", wrap=True)
                if len(self.details) > _MAX_DETAILS:
                    ui.text(f"… {len(self.details) - _MAX_DETAILS:,}", "dim")
        ui.space(6)
        answer = self._buttons(ui)
        if answer is not None:
            self.settled = True
            editor.later(lambda: self.answered(answer))
        return self.settled

    def _height(self, ui: UI) -> float:
        """Return the height of the details, whose lines are wrapped, in pixels."""
        style = imgui.get_style()
        wide = ui.room[0] - 2 * style.window_padding.x - style.scrollbar_size
        lines = [
            imgui.calc_text_size(line, False, wide).y + style.item_spacing.y for line in self.details[:_MAX_DETAILS]
        ]
        return sum(lines) + 2 * style.window_padding.y

    def _buttons(self, ui: UI) -> str | None:
        answer = None
        for number, choice in enumerate(self.choices):
            if number:
                ui.same_line()
            if ui.button(choice.label, choice.name, kind=choice.kind):  # pyright: ignore[reportArgumentType]
                answer = choice.name
        if answer is None and ui.confirmed:
            answer = next((choice.name for choice in self.choices if choice.kind == "primary"), None)
        return self.choices[-1].name if answer is None and ui.leaves else answer


class Dialogs:
    """The open dialogue and those that wait. A form is an object with `title` and `draw(ui, editor) -> bool`, which
    returns True when it is done. Escape closes it, and so does a press outside unless something was entered or it
    `stays`. `width` and `stays` are optional.
    """

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._waiting: list[Any] = []
        self._shown: Any = None
        self._covered: list[Any] = []  # forms that wait behind others; what was entered in them is kept
        self._native: Callable[[], bool] | None = None

    @property
    def shown(self) -> Any:
        """The question or form that is shown, None without one."""
        return self._shown

    @property
    def open(self) -> bool:
        """Whether a dialogue is shown or waits."""
        return self._shown is not None or bool(self._waiting)

    def ask(
        self, title: str, text: str, choices: Sequence[Choice], answered: Answer, *, details: Sequence[str] = (),
        level: str = "info",
    ) -> Question:  # fmt: skip
        """Ask a question; `answered` is called after the frame with the name of the choice.

        Enter gives the first primary answer, Escape the last one. Return the question: its texts and choices may be
        changed while it is shown, see also `withdraw`.
        """
        question = Question(title, text, choices, answered, details, level)
        self._waiting.append(question)
        return question

    def withdraw(self, question: Question) -> None:
        """Close a question without an answer."""
        question.settled = True
        self._waiting = [each for each in self._waiting if each is not question]

    def tell(self, title: str, text: str, *, details: Sequence[str] = (), level: str = "info") -> None:
        """Show a message until the user closes it."""
        close = Choice("close", self._editor.tr("Close"), "primary")
        self.ask(title, text, [close], lambda _: None, details=details, level=level)

    def form(self, form: Any) -> None:
        """Show a form; one that is shown waits behind it and keeps its state."""
        self._waiting.insert(0, form)
        if self._shown is not None:
            self._waiting.insert(1, self._shown)
            self._covered.append(self._shown)
            self._shown = None

    def choose(
        self, title: str, chosen: Chosen, *, kind: str = "file", start: Path | None = None,
        filters: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Let the user choose a file or folder; `chosen` gets its path, and is not called without a choice.

        The dialogue of the system is used where there is one, otherwise the editor's own. kind: file, folder, or save
        for a new file. filters: patterns such as `*.png`.
        """
        self._native = native_chooser(self._editor, title, chosen, kind, start, filters)
        if self._native is None:
            self.form(Browser(title, chosen, kind, start, filters, self._editor))

    def choose_files(
        self, title: str, chosen: Callable[[list[Path]], Any], *, start: Path | None = None,
        filters: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Let the user choose one or more files, as `choose` does; `chosen` gets their paths."""
        self._native = native_chooser(self._editor, title, chosen, "files", start, filters)
        if self._native is None:
            self.form(Browser(title, chosen, "files", start, filters, self._editor))

    def draw(self) -> None:
        """Draw the open dialogue."""
        ui = self._editor.ui
        if self._native is not None and self._native():
            self._native = None
        if self._shown is None:
            if not self._waiting:
                return
            self._shown = self._waiting.pop(0)
        if not ui.popup_is_open("dialog"):  # it is new, or another window has taken the focus
            ui.open_popup("dialog")
        shown = self._shown
        title, width, stays = self._about(shown)
        with ui.modal(title, "dialog", width=width, stays=stays) as opened:
            if opened and (self._draw_form(ui, shown) or self._shown is not shown or ui.leaves):
                if self._shown is shown:
                    self._shown = None
                    self._covered = [form for form in self._covered if form is not shown]
                ui.close_popup()

    def _about(self, form: Any) -> tuple[str, float, bool]:
        """Return the title and the width of a form, and whether a press outside leaves it open. If reading them raises,
        the name of the class is the title."""
        try:
            stays = bool(getattr(form, "stays", False)) or any(form is other for other in self._covered)
            return str(form.title), float(getattr(form, "width", 440.0)), stays
        except Failure:
            return type(form).__name__, 440.0, False

    def _draw_form(self, ui: UI, form: Any) -> bool:
        """Draw a form; one that fails is closed."""
        try:
            with ui.isolated():
                form.title  # noqa: B018 (one that can't tell its title has failed)
                return bool(form.draw(ui, self._editor))
        except Failure as error:
            self._editor.report(self._about(form)[0], error, type(form))
            return True
