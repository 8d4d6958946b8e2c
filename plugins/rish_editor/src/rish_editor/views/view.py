"""SceneView: one way to show the world in the scene panel. The plane, space and the game's screen are three of them.

A view has a camera that mouse and keys move, gives the picture that it sees, and says what is at a point of it. The
panel does the rest: it shows the picture, and lets its canvases draw handles, select, drop, and open the menu.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .interaction.viewport import Viewport

if TYPE_CHECKING:
    from rish_core import World
    from rish_frame import Region

    from ..session.editor import Editor
    from ..session.game.game import Game
    from ..session.game.selection import Handles
    from .canvas import Canvas

Point = tuple[float, float]
Rect = tuple[float, float, float, float]


class SceneView(ABC):
    """One view of the scene panel. Points of the window have y down, in units of the window.

    in_space: whether it shows three dimensions, and new entities get their place there. label: of the button of the
    zoom. viewport: the pointer over the view. scenes: the canvases of the last frame, the upper ones first; a view may
    draw in several spaces, such as the screen and the world below it. size: of the view, units of the window.
    """

    in_space = False
    label = ""

    def __init__(self) -> None:
        self.viewport = Viewport()
        self.scenes: Sequence[Canvas] = ()
        self.size: tuple[int, int] = (16, 16)

    @property
    def scene(self) -> Any:
        """The upper canvas of the last frame."""
        return self.scenes[0]

    # Which view is shown

    def reset(self) -> None:
        """Reset the view to its initial state; called when another game or scene is opened."""
        self.viewport = Viewport()

    def is_available(self, world: World) -> bool:
        """Return whether the view can show a World."""
        return True

    def suits(self, editor: Editor, world: World) -> bool:
        """Return whether a scene that was just opened is shown by this view at first."""
        return False

    # One frame, in this order

    @abstractmethod
    def navigate(self, editor: Editor, game: Game, origin: Point) -> None:
        """Move the camera by mouse and keys. origin: the left top of the view in the window."""

    @abstractmethod
    def draw(self, editor: Editor, game: Game, pixels: tuple[int, int], dense: float) -> int:
        """Return the picture, a texture. pixels: its size. dense: pixels of the picture for each unit of the window."""

    def area(self, origin: Point, size: Point) -> Rect:
        """Return where in the window the picture is: left, top, width and height; by default it fills the view."""
        return *origin, *size

    @abstractmethod
    def canvases(self, editor: Editor, origin: Point, pointer: Point) -> Sequence[Canvas]:
        """Return what draws over the picture in this frame, the upper ones first."""

    def drawers(self, editor: Editor) -> Sequence[tuple[type, Any]]:
        """Return the gizmos that are drawn: component and function, as of `rish_editor_gizmos`."""
        return editor.gizmos

    @abstractmethod
    def draw_below(self, editor: Editor, *, hovered: bool) -> bool:
        """Draw what lies below the gizmos; return whether the left button is for gizmos and for selecting."""

    @property
    def right_button_moved(self) -> bool:
        """Whether the right button has moved the view, so that its release opens no menu."""
        return False

    def draw_above(self, editor: Editor) -> None:  # noqa: B027
        """Draw what lies above the gizmos; nothing by default."""

    # The bar in the corner

    def inset(self, editor: Editor) -> float:
        """Return how far the bar is from the left edge, units of the window."""
        return 0.0

    @abstractmethod
    def buttons(self, editor: Editor) -> Sequence[Sequence[str]]:
        """Return the commands that are buttons of the bar, in groups."""

    @abstractmethod
    def position_text(self, point: Point) -> str:
        """Return the position at a point of the window as text."""

    # Positions

    @property
    @abstractmethod
    def middle(self) -> tuple[float, ...]:
        """The position where the view looks: (x, y), units, or (x, y, z), meters."""

    @abstractmethod
    def place_at(self, point: Point) -> tuple[float, ...]:
        """Return the position in the world at a point of the window, as `middle`."""

    @abstractmethod
    def region(self, world: World, point: Point, to: Point | None) -> Region:
        """Return the region of a point of the window, or of the box from it to another, for `rish_frame.pick`."""

    # What commands change

    @abstractmethod
    def zoom(self, notches: float) -> None:
        """Zoom in at the middle of the view, or out for negative values. notches: of a mouse wheel."""

    def zoom_reset(self) -> None:  # noqa: B027
        """Show one unit of the world as one unit of the window; nothing in views without such a zoom."""

    @abstractmethod
    def frame(self, world: World, handles: Handles) -> None:
        """Move the camera so that entities are seen completely; without any, everything."""
