"""`UiState`: the data that the plugin keeps between frames outside of the state: tree, focus, hover, scrolling,
editing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rish_assets import LogOnce
from rish_ecs import resource

from .binding import WatchedFields
from .building import Tree, read_kind, read_screen, read_widget

if TYPE_CHECKING:
    from rish_ecs import Inputs, World
    from rish_frame import SurfacePoint

    from .node import Node

_SHIFT = ("LSHIFT", "RSHIFT")
_COMMAND = ("LCOMMAND", "RCOMMAND")
_CONTROL = ("LCTRL", "RCTRL", *_COMMAND)
_OPTION = ("LOPTION", "ROPTION")
_ALT = ("LALT", "RALT", *_OPTION)
MODIFIERS = frozenset((*_SHIFT, *_CONTROL, *_ALT))
"""The keys that modify other keys."""


@dataclass(eq=False)
class Edit:
    """The text that is being edited in a TextInput. caret, mark: the selection is between them. sent: the last text
    that a command was sent with. offset: how far the line is moved to the left, units. composed: text of an input
    method. touched: when it was changed, so that the caret is seen then. pressed: when it was pressed last.
    """

    text: str
    caret: int = 0
    mark: int = 0
    sent: str = ""
    offset: float = 0.0
    composed: tuple[str, int, int] = ("", 0, 0)
    touched: float = 0.0
    pressed: float = -1.0
    undo: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    @property
    def span(self) -> tuple[int, int]:
        """Begin and end of the selection."""
        return min(self.caret, self.mark), max(self.caret, self.mark)


@dataclass(eq=False)
class Press:
    """A pointer that holds a widget. device: that it belongs to. x, y: where it began. moved: whether it scrolls now.
    touch: whether it is a finger. popup: whether it presses the open list. surface: on which surface in space it began;
    None for the screen."""

    entity: int
    device: int
    x: float
    y: float
    moved: bool = False
    touch: bool = False
    popup: bool = False
    surface: SurfacePoint | None = None


@dataclass(eq=False)
class Popup:
    """A list or keyboard that is open over everything. Its rectangle is in units of the root of `owner`, its widget.

    row: the height of a row. hovered: the row under the pointer or keys; -1: none. offset: how far it is scrolled.
    page: of a keyboard, the letters that it shows.
    """

    owner: int
    rows: int
    x: float = 0.0
    y: float = 0.0
    w: float = 0.0
    h: float = 0.0
    row: float = 0.0
    hovered: int = -1
    offset: float = 0.0
    page: int = 0


@dataclass(eq=False)
class Repeat:
    """A direction or key that is held. due: when it is repeated."""

    name: str
    device: int
    due: float


@dataclass(eq=False)
class Noticed:
    """The inputs of the last frame, by which the next one detects changes.

    looks: what the sizes of all widgets depend on, space: the key of their places. moved: what `Kind.moves` returned,
    by entity. marked: the widgets under the pointer or with the focus. overlays: the key of the overlays. texts,
    fields: the filled templates and the bound fields. keys: the texts of keys, by key and version of the languages.
    watched: the widgets that show fields of components.
    """

    looks: Inputs | None = None
    space: tuple[Any, ...] = ()
    moved: dict[int, Any] = field(default_factory=dict[int, Any])
    marked: set[int] = field(default_factory=set[int])
    overlays: Any = None
    texts: dict[Any, Any] = field(default_factory=dict[Any, Any])
    fields: dict[Any, Any] = field(default_factory=dict[Any, Any])
    keys: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    watched: WatchedFields = field(default_factory=WatchedFields)


@resource(derived=True)
class UiState:
    """Data that is not state: no hash, snapshot or recording contains it.

    tree: the widgets. kinds: by component. focus: by player (0: all), the entity with the focus. shows_focus: whether
    the focus is visible, because it was moved by keys. left: by screen, the widget whose focus went to another screen.
    hovered: the entity below the pointer. rested: when it last moved. pointer: of the mouse, in units of the interface,
    y up. gamepad: whether a gamepad was used last, so that texts name its keys. modifiers: the keys such as LSHIFT that
    are held. presses: by pointer (0: the mouse, otherwise the number of a finger). rolling: by device, how far its
    right stick is pushed, and the time until which that has scrolled. scroll: by entity, how far its content is moved.
    edits: by entity. capture: the entity that gets the next key of any device. time: seconds of frames. moving: the
    parts of widgets whose transition is in progress, see `Node.mixes`. noticed: what the last frame was made from.
    memory: what kinds of widgets remember, by a name of their own. sources: of rows, by name: functions of the World.
    plugins: that run. log: logs each message once.
    """

    tree: Tree = field(default_factory=Tree)
    kinds: dict[type, Any] = field(default_factory=dict[type, Any])
    base: Any = None
    container: Any = None
    focus: dict[int, int] = field(default_factory=dict[int, int])
    left: dict[int, int] = field(default_factory=dict[int, int])
    shows_focus: bool = True
    hovered: int = 0
    rested: float = 0.0
    presses: dict[int, Press] = field(default_factory=dict[int, Press])
    touches: list[int] = field(default_factory=list[int])
    repeats: dict[str, Repeat] = field(default_factory=dict[str, Repeat])
    axes: dict[tuple[int, str], str] = field(default_factory=dict[tuple[int, str], str])
    rolling: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    scroll: dict[int, list[float]] = field(default_factory=dict[int, list[float]])
    edits: dict[int, Edit] = field(default_factory=dict[int, Edit])
    popup: Popup | None = None
    capture: int = 0
    time: float = 0.0
    pointer: tuple[float, float] = (-1.0, -1.0)
    gamepad: bool = False
    modifiers: set[str] = field(default_factory=set[str])
    moving: dict[tuple[Node, str], None] = field(default_factory=dict[Any, None])
    sources: dict[str, Any] = field(default_factory=dict[str, Any])
    noticed: Noticed = field(default_factory=Noticed)
    memory: dict[str, Any] = field(default_factory=dict[str, Any])
    plugins: frozenset[str] = frozenset()
    log: LogOnce = field(default_factory=lambda: LogOnce("rish.ui"))

    @property
    def shift(self) -> bool:
        """Whether SHIFT is held, which selects and goes back."""
        return not self.modifiers.isdisjoint(_SHIFT)

    @property
    def control(self) -> bool:
        """Whether keys are shortcuts. Together with ALT, CTRL is AltGr on Windows, which writes a sign."""
        return not self.modifiers.isdisjoint(_CONTROL) and self.modifiers.isdisjoint(_ALT)

    @property
    def words(self) -> bool:
        """Whether the caret moves by words."""
        return self.control or not self.modifiers.isdisjoint(_OPTION)

    @property
    def lines(self) -> bool:
        """Whether the caret moves to the ends of the line, as with COMMAND on a Mac."""
        return not self.modifiers.isdisjoint(_COMMAND)

    def rebuild(self, world: World) -> None:
        """End what the player is doing after a restore; focus and scrolling are kept for widgets that still exist."""
        for node in [node for node, _ in self.moving if self.tree.nodes.get(node.entity) is node]:
            node.repaint()
        for node in self.tree.nodes.values():
            node.mixes.clear()
        self.tree.outdated.update(self.tree.roots)  # their paintings were removed
        self.presses.clear()
        self.left.clear()
        self.moving.clear()
        self.memory.clear()
        self.popup = self.noticed.overlays = None

    def remember(self, world: World) -> None:
        """Remember nothing in a state in memory: what the player is doing is no state."""

    def recall(self, world: World, memory: None) -> None:
        """Go on after a state in memory was loaded, also with what the player is doing: only the paintings are gone.

        A rollback loads states while a button is pressed; the release must still click it.
        """
        self.tree.outdated.update(self.tree.roots)
        self.noticed.overlays = None

    def reset(self, world: World) -> None:
        """Drop the tree; it is built again, with the present kinds of widgets."""
        self.rebuild(world)
        self.tree, self.noticed = Tree(self.kinds, self.container, self.base), Noticed()

    def ready(self, world: World) -> Tree:
        """Return the tree of the World as it is now."""
        fresh = self.tree.update(world)
        if fresh is not None:
            self.noticed.watched.outdated = True
            for node in fresh:
                if node.parent is None:
                    read_screen(world, node.root)
                else:
                    node.scroll = self.scroll.setdefault(node.entity, [0.0, 0.0])
                read_widget(world, node)
                read_kind(world, node)
            nodes = self.tree.nodes
            for entity in self.scroll.keys() - nodes.keys():
                del self.scroll[entity]
        return self.tree

    def node(self, entity: int) -> Any:
        """Return the node of an entity, or None."""
        return self.tree.nodes.get(entity)

    def focused(self, player: int = 0) -> Any:
        """Return the node with the focus of a player, or None."""
        return self.tree.nodes.get(self.focus.get(player, 0))

    def focus_of(self, node: Any) -> bool:
        """Whether a node has the focus of a player."""
        return node.entity in self.focus.values()
