"""What a panel is, and the window of one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rish_core import describe_error

from ..ui.widgets.base import Failure

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI


class Panel(Protocol):
    """The members of a class of `rish_editor_panels`. All but `id`, `title` and `draw` are optional.

    id: begins with the plugin's name, and stays the same. title: in English. icon: a name of `icon`. dock: where it
    stands at first: left, right, bottom, center or float. order: among the panels of one place. open: whether it is
    shown at first. bare: without padding and scroll bars, for pictures. always: whether it is also shown while no game
    is open. in_game: whether it is also in the overlay of `rish run --debug`, where it is closed at first, unless
    `open` is True. size: width and height of a panel that floats, units. typing: whether letters belong to it now,
    while it has the keyboard focus, instead of being shortcuts. keys: shortcuts such as `Ctrl+S` that belong to it
    while it has the keyboard focus, instead of running commands. entities: whether it shows entities; only then the
    keys of commands for the selected ones, as Delete, are used while it has the keyboard focus.
    """

    id: str
    title: str
    icon: str
    dock: str
    order: int
    open: bool
    bare: bool
    typing: bool
    keys: frozenset[str]
    entities: bool
    always: bool
    in_game: bool
    size: tuple[float, float]

    def inputs(self, editor: Editor) -> Hashable:
        """Return what the content is made of, such as versions of tables, to compare with the last frame.

        While it is equal, and the user does nothing with the panel, the panel stays as it was drawn; it is drawn again
        at least every half second. None: it is drawn in each frame, as without this method.
        """
        ...

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel's content; called in each frame in which it is visible."""
        ...

    def save(self) -> Any:
        """Return the data to save until the next start: plain numbers, texts, lists and dicts."""
        ...

    def load(self, data: Any) -> None:
        """Restore the data that `save` returned."""
        ...


@dataclass
class PanelWindow:
    """A panel and its window. failed: the error that closed it. visible: whether it was drawn in this frame.

    front: whether it is to be brought to the front. begun: the number of frames in which it was open. seen: how often
    its content was drawn. late: the number of slow frames minus that of the others, at least 0; -1 after it was
    reported as slow. inputs: of the panel in the last frame. settling: the number of frames in which it is still drawn
    after they changed. moves: whether it has asked for frames at the full rate, by `Editor.stay_awake`. drawn: when it
    was drawn last, seconds. root: the number of its window.
    """

    panel: Any
    open: bool
    failed: str | None = None
    front: bool = False
    visible: bool = False
    focused: bool = False
    begun: int = 0
    seen: int = 0
    late: int = 0
    inputs: Any = None
    settling: int = 0
    moves: bool = False
    drawn: float = 0.0
    root: int = 0

    @property
    def id(self) -> str:
        """The panel's id."""
        return self.panel.id

    def option(self, name: str, usual: Any) -> Any:
        """Return an optional member of the panel; the default if it has none, or if a property raises."""
        try:
            return getattr(self.panel, name, usual)
        except Failure as error:
            self.failed = self.failed or describe_error(error)[:300]
            return usual
