"""The components of a box. All other parts of it are widgets of `rish-ui`, found by their names."""

from __future__ import annotations

from rish_core import component, field
from rish_ecs import Chars


@component
class DialogueBox:
    """On the Screen of a box, which is shown while somebody talks. Widgets in it with these names are filled: `speaker`
    (Label), `portrait` (Image), `line` (DialogueLine) and `choices` (DialogueChoices).
    """


@component
class DialogueLine:
    """Shows the line letter by letter. A click completes it; a click on the complete line goes on."""

    text: Chars = field("", doc="the line, or a key of the translations")
    speed: float = field(0.0, low=0, unit="1/s", doc="characters in a second; 0: at once")
    number: int = field(0, doc="of lines shown before it; another number begins anew")
    visits: int = field(0, doc="how often the dialogue was started before, for translations that name it")


@component
class DialogueChoices:
    """Holds the buttons of the choices; they are shown as soon as the line is complete."""
