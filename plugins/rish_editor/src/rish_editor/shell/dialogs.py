"""Questions to the person, drawn over everything, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..look import icons

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI

Answer = Callable[[str], Any]


@dataclass
class Choice:
    """An answer to a question. name: what `answered` gets. kind: normal, primary or danger."""

    name: str
    label: str
    kind: str = "normal"


@dataclass
class Question:
    """A question with its answers. details: shown below the text. level: info, warning or error."""

    title: str
    text: str
    choices: Sequence[Choice]
    answered: Answer
    details: Sequence[str] = ()
    level: str = "info"


class Dialogs:
    """The open dialogue and those that wait. A form is an object with `title` and `draw(ui, editor) -> bool`, which
    returns True when it is done.
    """

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._waiting: list[Any] = []
        self._shown: Any = None

    @property
    def open(self) -> bool:
        """Whether a dialogue is shown or waits."""
        return self._shown is not None or bool(self._waiting)

    def ask(
        self, title: str, text: str, choices: Sequence[Choice], answered: Answer, *, details: Sequence[str] = (),
        level: str = "info",
    ) -> None:  # fmt: skip
        """Ask a question; `answered` is called with the name of the choice. Escape answers with the last choice."""
        self._waiting.append(Question(title, text, choices, answered, details, level))

    def tell(self, title: str, text: str, *, details: Sequence[str] = (), level: str = "info") -> None:
        """Show a message until the person closes it."""
        close = Choice("close", self._editor.tr("Close"), "primary")
        self.ask(title, text, [close], lambda _: None, details=details, level=level)

    def form(self, form: Any) -> None:
        """Show a form."""
        self._waiting.append(form)

    def draw(self) -> None:
        """Draw the open dialogue."""
        ui = self._editor.ui
        if self._shown is None:
            if not self._waiting:
                return
            self._shown = self._waiting.pop(0)
            ui.open_popup("dialog")
        shown = self._shown
        with ui.modal(shown.title, "dialog", width=getattr(shown, "width", 440.0)) as opened:
            if not opened:
                self._shown = None
            elif isinstance(shown, Question):
                answer = self._draw_question(ui, shown)
                if answer is not None:
                    self._close(ui)
                    shown.answered(answer)
            elif self._draw_form(ui, shown):
                self._close(ui)

    def _close(self, ui: UI) -> None:
        self._shown = None
        ui.close_popup()

    def _draw_form(self, ui: UI, form: Any) -> bool:
        """Draw a form; one that fails is closed."""
        try:
            return bool(form.draw(ui, self._editor))
        except Exception as error:
            self._editor.report(form.title, error)
            return True

    def _draw_question(self, ui: UI, question: Question) -> str | None:
        mark = {"warning": "warning", "error": "error"}.get(question.level, "info")
        ui.text(f"{icons.by_name(mark)}  {question.text}", wrap=True)
        for line in question.details[:12]:
            ui.text(line, "mono", wrap=True)
        ui.space(8)
        for choice in question.choices:
            if ui.button(choice.label, choice.name, kind=choice.kind):  # pyright: ignore[reportArgumentType]
                return choice.name
            ui.same_line()
        ui.text("")
        escaped = ui.pressed("escape")
        return question.choices[-1].name if escaped else None
