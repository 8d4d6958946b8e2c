"""`Node`: a widget in memory, kept from frame to frame; built from the World, never state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rish_frame import Typeset

    from ..painting.painted_part import PaintedPart


@dataclass(eq=False)
class Node:
    """A widget in the tree.

    entity: its handle; 0 for the base of screens without an entity. kind: how it behaves. name: of the entity. parts:
    bits of the components of `structure.COMMON` that it has. values: what the kind has read from its component. Places
    are in units of the interface from the top left corner of the root, y down, scrolling included: x, y, w, h. clip:
    the rectangle outside which it is not seen, or None. scroll: how far its children are moved, of those that scroll.
    content: the size of what it shows, of those that scroll. number: its place in the root, parents first; row: in the
    last layout of the root, -1 if that does not have it. states: see `themes.State`. texts: the texts that were set, by
    part. shows: the texts and the values of bound fields, by part or word. mixes: by part, the style that its
    transition began with and the one that it ends with, and the time when it began. part: the index of the part of the
    painting that it is in. moved: how far scrolling above it moves it. hidden: whether the last layout left it out.
    begun: whether its texts and fields were read. polls: whether they are read in each frame; watched: otherwise, the
    components and entities with the fields that it shows, see `WatchedFields`. outdated: whether one of these was
    written since it was read.
    """

    entity: int
    kind: Any  # a Kind, whose methods take nodes
    name: str
    root: Root
    parent: Node | None = None
    children: list[Node] = field(default_factory=list["Node"])
    number: int = 0
    row: int = -1
    parts: int = 0
    depth: int = 0
    variant: str = ""
    values: Any = None
    visible: bool = True
    enabled: bool = True
    focusable: bool = True
    tab: int = 0
    z: int = 0
    tooltip: str = ""
    needs: str = ""
    beside: dict[str, int] = field(default_factory=dict[str, int])
    x: float = 0.0
    y: float = 0.0
    w: float = 0.0
    h: float = 0.0
    clip: tuple[float, float, float, float] | None = None
    scroll: list[float] = field(default_factory=lambda: [0.0, 0.0])
    content: tuple[float, float] = (0.0, 0.0)
    states: int = 0
    texts: dict[str, Typeset] = field(default_factory=dict[str, Any])
    shows: dict[str, Any] = field(default_factory=dict[str, Any])
    mixes: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    part: int = 0
    moved: tuple[float, float] = (0.0, 0.0)
    hidden: bool = False
    begun: bool = False
    polls: bool = False
    watched: tuple[tuple[type, int], ...] = ()
    outdated: bool = False

    @property
    def owner(self) -> int:
        """The entity that `self` means in its bindings and texts: that of its screen, or itself."""
        return self.root.owner or self.entity

    @property
    def shown(self) -> bool:
        """Whether the widget was shown by the last layout."""
        return self.root.visible and not self.hidden

    @property
    def usable(self) -> bool:
        """Whether the widget and its parents are visible and enabled, so that commands on it have an effect."""
        node: Node | None = self
        while node is not None:
            if not (node.visible and node.enabled):
                return False
            node = node.parent
        return self.root.visible

    @property
    def active(self) -> bool:
        """Whether the widget and its parents are enabled."""
        node: Node | None = self
        while node is not None:
            if not node.enabled:
                return False
            node = node.parent
        return True

    @property
    def path(self) -> str:
        """The names from the root to this widget, `options.volume`; `#2` for the second child without a name.

        Commands name widgets by it.
        """
        above = self.parent.path if self.parent is not None else ""
        label = self.label
        return f"{above}.{label}" if above and label else above or label

    @property
    def label(self) -> str:
        """The last part of the path; empty for the base of a screen whose entity has a widget of its own."""
        if self.parent is None:
            return self.root.label
        if self.entity == self.root.entity:
            return ""
        namesakes = [each for each in self.parent.children if each.name == self.name]
        position = namesakes.index(self) + 1
        return self.name if self.name and position == 1 else f"{self.name}#{position}"

    def holds(self, x: float, y: float) -> bool:
        """Return True if a point is on the widget, within its clip rectangle."""
        if not (self.x <= x < self.x + self.w and self.y <= y < self.y + self.h):
            return False
        if self.clip is None:
            return True
        left, top, width, height = self.clip
        return left <= x < left + width and top <= y < top + height

    def walk(self) -> list[Node]:
        """Return this node and all below it, parents first."""
        nodes: list[Node] = []
        levels: list[Iterator[Node]] = [iter((self,))]
        while levels:
            for node in levels[-1]:
                nodes.append(node)
                if node.children:
                    levels.append(iter(node.children))
                    break
            else:
                levels.pop()
        return nodes

    def repaint(self) -> None:
        """Let it be painted again."""
        self.root.repainted.add(self)
        self.root.outdated.add(self.root)


@dataclass(eq=False)
class Root:
    """A tree of widgets with the values of its Screen.

    nodes: parents before children; the first one is the base. number: its place among the roots. label: begins the
    paths of its widgets. world: whether it is in the world; then `follow`, `lift`, `pivot` and `unit` place it. owner:
    the entity that `self` means in its bindings and texts, 0: each widget itself. visible: whether it is shown; wanted:
    as its Screen says, whether or not its owner is there. solid: whether the pointer or the focus can have something to
    do with it. mirrored: whether left and right are exchanged. width, height: of its space, in units of the interface.
    layout: its `LayoutNodes`; fixed: what of it changes rarely; measures: the sizes of contents. aligned:
    whether the rows of these are those of the nodes; filled: whether the values of the layout are those of the World;
    placed: whether all nodes are where it says; unstyled, unmeasured: the
    nodes whose rows of `fixed` and of `measures` are out of date; unsolved: whether it is to be laid out. parts: of its
    painting; members: the nodes of each, and whether what is over their children is painted; dealt: whether these are
    up to date. repainted, stale_parts: the nodes and parts to paint again. shape: what its tree consists of, see
    `structure_of`. arrived: the nodes whose texts and fields are to be read. live: the nodes that are read again when
    the state of the game changes, None if they are not known; restless: whether one of them is to be read in the next
    frame. aimed: whether its painting is at its place. stale_scroll: whether something was scrolled since the nodes
    were placed. outdated: the roots of the tree of which something is out of date.
    """

    entity: int
    outdated: set[Root]
    shape: bytes = b""
    number: int = 0
    label: str = ""
    nodes: list[Node] = field(default_factory=list[Node])
    layer: str = ""
    z: float = 0.0
    world: bool = False
    mirrored: bool = False
    modal: bool = False
    takes_keys: bool = False
    player: int = 0
    pauses: bool = False
    cancel: str = ""
    opens_by: str = ""
    first: str = ""
    size: tuple[float, float] = (0.0, 0.0)
    follow: int = 0
    lift: tuple[float, float] = (0.0, 0.0)
    pivot: tuple[float, float] = (0.5, 1.0)
    unit: float = 1.0
    safe: bool = True
    owner: int = 0
    wanted: bool = True
    solid: bool = False
    visible: bool = True
    width: float = 0.0
    height: float = 0.0
    arrived: list[Node] = field(default_factory=list[Node])
    live: list[Node] | None = None
    restless: bool = False
    aimed: bool = False
    layout: Any = None
    fixed: Any = None
    measures: Any = None
    aligned: bool = False
    filled: bool = False
    placed: bool = False
    dealt: bool = False
    unsolved: bool = True
    unstyled: set[Node] = field(default_factory=set[Node])
    unmeasured: set[Node] = field(default_factory=set[Node])
    parts: list[PaintedPart] = field(default_factory=list["PaintedPart"])
    members: list[list[tuple[Node, bool]]] = field(default_factory=list[list[tuple[Node, bool]]])
    repainted: set[Node] = field(default_factory=set[Node])
    stale_parts: set[int] = field(default_factory=set[int])
    stale_scroll: bool = False

    @property
    def base(self) -> Node:
        """The node that fills the space of the root."""
        return self.nodes[0]

    def renew(self) -> None:
        """Let the texts, fields and styles of all its widgets be read again."""
        self.arrived = [*self.nodes]
        for node in self.nodes:
            node.begun = False
            node.mixes.clear()

    def present(self, nodes: set[Node]) -> list[Node]:
        """Return those of some nodes that are still in the root, in order."""
        return sorted((node for node in nodes if node in self), key=lambda node: node.number)

    def __contains__(self, node: Node) -> bool:
        return node.number < len(self.nodes) and self.nodes[node.number] is node

    def relayout(self) -> None:
        """Fill, lay out and place all again."""
        self.filled = self.placed = self.aimed = False
        self.solve_again()

    def refill(self, node: Node) -> None:
        """Fill the row of a node and lay out again; nodes that are where they were before are not placed again."""
        self.unstyled.add(node)
        self.solve_again()

    def solve_again(self) -> None:
        """Let it be laid out again."""
        self.unsolved = True
        self.outdated.add(self)

    @cached_property
    def name(self) -> str:
        """The name of its painting."""
        return f"ui:{self.entity}"
