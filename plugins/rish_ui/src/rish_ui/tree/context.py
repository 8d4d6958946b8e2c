"""`Context`: the World, styles, texts and fields, for kinds of widgets that measure, paint and operate widgets."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from rish_core import Failures, Input, Layers, Name, PendingInput, WindowEvent
from rish_ecs import RishError
from rish_expressions import Bound, ExpressionError
from rish_frame import Frame, TextLook

from ..components.screen import Screen
from ..components.settings import UiSettings
from ..locales import Locales
from ..preferences import key_text
from ..themes import Themes, mix
from .binding import Plain, bind_field, component_of
from .node import Node, Root
from .spaces import layer_of, local
from .state import UiState

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_frame import Region, SurfacePoint, Typeset

    from ..themes import Style, Theme

_NO_VALUES: dict[str, Any] = {}
_AWAY = (-1e9, -1e9)
_VALUES = ("value", "low", "high")
_KEY = "key_"
"""The prefix of the names of keys in templates; the name of an action follows."""
_PAD = "gamepad."
_NAMES = {**dict.fromkeys(_VALUES, "number"), "self": "entity"}


class Context:
    """The World, and the resources of it that widgets use. unit: logical pixels of a unit of the interface.

    density: pixels of the screen in a unit. device: the device whose event is handled. key: the name of the key or
    button that is handled.
    """

    def __init__(self, world: World, state: UiState | None = None) -> None:
        self.world = world
        self.state: UiState = state if state is not None else world[UiState]
        self.settings: UiSettings = world[UiSettings]
        self.theme: Theme = world[Themes].current(world)
        self.locales: Locales = world[Locales]
        self.frame: Frame = world[Frame]
        self.setter = self.frame.typesetter
        self.unit = float(self.settings.scale)
        fit = self.frame.fit
        self.density = self.unit * (fit.scale if fit is not None else 1.0)
        self.device = 0
        self.key = ""
        self.held: SurfacePoint | None = None
        self._region: tuple[float, float, Region | None] | None = None
        self._surface: tuple[float, float, SurfacePoint | None] | None = None

    # Styles and texts

    def style(self, node: Node, part: str = "", states: int = 0) -> Style:
        """Return the style of a widget or part at this moment, which may be between two styles.

        states: further states of the part, such as those of one row.
        """
        kind = node.kind
        target = self.theme.style(kind.entry, node.variant, part, node.states | states)
        if states or node.parent is None:  # the base has no states, and its entity may be a widget with its own style
            return target
        running = node.mixes.get(part)
        if running is None:
            node.mixes[part] = [target, target, self.state.time]
            return target
        start, end, began = running
        if start is target and end is target:
            return target
        if target is not end:
            running[:] = [self._between(start, end, began), target, self.state.time]
            start, end, began = running
            if target.seconds > 0:
                self.state.moving[node, part] = None
        return self._between(start, end, began)

    def _between(self, start: Style, end: Style, began: float) -> Style:
        if start is end or end.seconds <= 0:
            return end
        return mix(start, end, (self.state.time - began) / end.seconds)

    def calm(self, node: Node) -> Style:
        """Return the style of a widget in no particular state, which its layout depends on."""
        return self.theme.style(node.kind.entry, node.variant)

    def look(
        self, style: Style, *, wrap: float = 0.0, align: str = "left", lines: int = 0, markup: bool = True
    ) -> TextLook:
        """Return the parameters of the layout of a text in a style."""
        return TextLook(
            style.text_size, style.font, align, max(wrap, 0.0), style.line_spacing, style.letter_spacing,
            style.outline_width, markup, lines,
        )  # fmt: skip

    def typeset(self, text: str, look: TextLook) -> Typeset:
        """Set a text."""
        assert self.setter is not None
        return self.setter.typeset(self.world, text, look)

    def shown(self, node: Node, part: str) -> str:
        """Return a text of a widget as it is shown now, translated and filled in."""
        text = node.shows.get(part)
        return text if isinstance(text, str) else "" if text is None else str(text)

    def value(self, node: Node, word: str, otherwise: Any) -> Any:
        """Return the value of a bound field; `otherwise` if the widget is bound to none."""
        bound = node.shows.get(f"={word}")
        return otherwise if bound is None else bound

    def refresh(self, node: Node) -> bool:
        """Read bound fields, and fill in texts; return whether something changed."""
        before = node.shows
        texts: dict[str, Any] = {}
        for word, path in node.kind.bindings(node).items():
            if path:
                texts[f"={word}"] = self.read(node, path)
        for part, text in node.kind.texts(node).items():
            texts[part] = self.fill(node, text, texts) if text else ""
        node.shows = texts
        return texts != before

    def watch(self, node: Node) -> None:
        """Find out whether a widget is read again in each frame, or after writes to which components of entities."""
        paths = [path for path in node.kind.bindings(node).values() if path]
        watched = [component_of(self.field(node, path)[0], node.owner) for path in paths]
        has_templates = any(self._varies(node, text) for text in node.kind.texts(node).values())
        before = node.polls, node.watched
        node.polls = has_templates or None in watched or node.kind.moves(node, self) is not None
        node.watched = () if node.polls else tuple(each for each in watched if each is not None)
        if (node.polls, node.watched) != before:
            node.root.live, self.state.noticed.watched.outdated = None, True
        if node.polls or node.watched:
            node.outdated = node.root.restless = True

    @cached_property
    def _words(self) -> int:
        """The version of the texts of all languages."""
        return self.locales.update(self.world)

    def fill(self, node: Node, text: str, texts: dict[str, Any]) -> str:
        """Return a text as it is shown: a key translated, a template filled in. Mistakes are reported once."""
        if text[:1] != "$" and "{" not in text and "}" not in text:
            return text
        bound = self._bound(node, text)
        values = self._values(node, bound.used, texts) if bound.used else _NO_VALUES
        try:
            return bound(values)
        except RishError as error:
            self.tell(node, f"the text {text!r}: {error}")
            return text

    def _varies(self, node: Node, text: str) -> bool:
        """Return whether the shown form of a text may change although the text and the language stay the same."""
        return ("{" in text or text[:1] == "$") and not self._bound(node, text).constant

    def _bound(self, node: Node, text: str) -> Bound | Plain:
        """Return a key or template as an expression for the shown text."""
        key = (text, self._words)
        cache = self.state.noticed.texts
        bound = cache.get(key)
        if bound is None:
            try:
                bound = self.locales.bind(self.world, text, self._names(node))
            except RishError as error:
                self.tell(node, f"the text {text!r}: {error}")
                bound = Plain(text)
            cache[key] = bound
        return bound

    def _values(self, node: Node, used: frozenset[str], texts: dict[str, Any]) -> dict[str, Any]:
        """Return the values of the names that a template uses. texts: the bound fields of the widget."""
        values: dict[str, Any] = {**node.kind.numbers(node, self)}
        for name in used:
            if name == "self":
                values[name] = node.owner
            elif name.startswith(_KEY):
                values[name] = self.key_of(node, name[len(_KEY) :])
            elif name in _VALUES and (bound := texts.get(f"={name}")) is not None:
                values[name] = bound
        return values

    def _names(self, node: Node) -> dict[str, str]:
        """Return the names that templates of a widget may use besides those of the World, with their types."""
        keys = {f"{_KEY}{action}": "text" for action in self._actions(node)}
        return _NAMES | keys

    def _actions(self, node: Node) -> dict[str, list[str]]:
        """Return the keys of the actions of a widget's player."""
        keys: Input = self.world[Input]
        player = node.root.player
        return keys.actions | (keys.players[player - 1].actions if 0 < player <= len(keys.players) else {})

    def key_of(self, node: Node, action: str) -> str:
        """Return the text of the first key of an action, of the kind of device that was used last."""
        keys = self._actions(node).get(action, [])
        fitting = [key for key in keys if key.startswith(_PAD) == self.state.gamepad] or keys
        if not fitting:
            return self.locales.text(self.world, "ui.controls.none")
        cache, key = self.state.noticed.keys, (fitting[0], self._words)
        text = cache.get(key)
        if text is None:  # a frame of the game sirens has a fifteenth fewer calls with the cache
            text = cache[key] = key_text(fitting[0], self.world)
        return text

    def fill_with(self, node: Node, text: str, values: dict[str, float]) -> str:
        """Return a text of a widget, filled in with these numbers instead of its own."""
        return self.fill(node, text, {f"={name}": value for name, value in values.items()})

    # Bound fields

    def field(self, node: Node, path: str) -> tuple[Any, bool]:
        """Return the field of a path, or None after a report; and whether it is one of the entity called `self`."""
        cache = self.state.noticed.fields
        bound = cache.get(path)
        if bound is None:
            try:
                bound = bind_field(self.world, path, node.owner)
            except (ExpressionError, RishError) as error:
                self.tell(node, f"bind: {error}")
                bound = None, False
            cache[path] = bound
        return bound

    def read(self, node: Node, path: str) -> Any:
        """Return the value of a path; None if it can't be read, which is reported once."""
        field, is_own = self.field(node, path)
        if field is None:
            return None
        try:
            return field.read_of(node.owner) if is_own else field.read()
        except RishError as error:
            self.tell(node, f"bind: {error}")
            return None

    def write(self, node: Node, path: str, value: Any) -> None:
        """Write the value of a path, in a tick."""
        field, is_own = self.field(node, path)
        if field is None:
            return
        try:
            field.write_of(node.owner, value) if is_own else field.write(value)
        except RishError as error:
            self.tell(node, f"bind: {error}")

    def tell(self, node: Node, mistake: str) -> None:
        """Report a mistake of a widget once."""
        line = f"{node.kind.name} {node.path} (entity {node.entity}): {mistake}"
        if self.state.log(line):
            self.world[Failures].note(f"widget {node.path}", "")

    def source(self, node: Node, name: str) -> Any:
        """Return the rows of a source of a List; no rows, reported once, if no plugin provides it."""
        rows = self.state.sources.get(name)
        if rows is None:
            names = ", ".join(self.state.sources) or "there are none"
            self.tell(node, f"no plugin provides the source {name!r} (sources: {names})")
            return ()
        return rows(self.world)

    # Changes

    def focus(self, node: Node, *, seen: bool) -> None:
        """Give a widget the focus of the player of its screen. seen: whether it is shown."""
        state = self.state
        before = state.tree.nodes.get(state.focus.get(node.root.player, 0))
        if before is not None and before.root is not node.root:
            state.left[before.root.entity] = before.entity
        state.focus[node.root.player] = node.entity
        state.shows_focus = seen
        state.rested = state.time
        if state.popup is not None and state.popup.owner != node.entity:
            state.popup = None

    def layer_of(self, root: Root) -> int:
        """Return the place of a screen's layer on the stack; -1 if it is hidden. An unknown one counts as the first."""
        layers: Layers = self.world[Layers]
        name = layer_of(self, root)
        if name not in layers.order:
            return 0
        return layers.order.index(name) if layers.is_visible(name) else -1

    def region_at(self, x: float, y: float) -> Region | None:
        """Return the region that the camera at a point of the picture (units, y up) shows there; None without
        cameras."""
        if self._region is None or self._region[:2] != (x, y):
            source, point = self.frame.region_at, (x * self.unit, y * self.unit)
            self._region = x, y, source(self.world, point) if source is not None else None
        return self._region[2]

    def surface_at(self, x: float, y: float) -> SurfacePoint | None:
        """Return the picture of a camera that a surface in space shows at a point of the picture (units, y up).

        With `held`, that of the surface on which a pointer was pressed.
        """
        if self._surface is None or self._surface[:2] != (x, y):
            source, point = self.frame.surface_at, (x * self.unit, y * self.unit)
            self._surface = x, y, source(self.world, point, self.held) if source is not None else None
        return self._surface[2]

    def pointer_in(self, node: Node) -> tuple[float, float]:
        """Return the place of the pointer in units of a node's root, y down; far away if it is not in that space."""
        return self.inside(node.root, *self.state.pointer)

    def inside(self, root: Root, x: float, y: float) -> tuple[float, float]:
        """Return a point of the picture (units, y up) in units of a root, y down; far away if the root is not there."""
        return local(self, root, x, y) or _AWAY

    def repaint(self, node: Node) -> None:
        """Paint the part with a widget again."""
        node.repaint()

    def resize(self, node: Node) -> None:
        """Measure the content of a widget again, and lay out if its size changed; other widgets are as they were."""
        node.root.unmeasured.add(node)
        node.root.solve_again()
        if node.children:
            node.root.unstyled.add(node)
            node.root.placed = False

    def restyle(self, node: Node) -> None:
        """Lay out again after a change of a widget's style or kind."""
        node.root.unstyled.add(node)
        node.root.placed = False
        self.resize(node)

    def relayout(self, root: Root) -> None:
        """Lay out again after a change of the space, of a `Layout`, or of which widgets are visible."""
        root.relayout()

    def close(self, node: Node) -> None:
        """Close the screen of a widget, in a tick: hide one that opens by a key, despawn any other."""
        root = node.root
        if root.opens_by:
            self.world.set(root.entity, Screen(visible=False))
        else:
            self.world.despawn(root.entity)

    def send(self, verb: str, node: Node, value: float = 0.0, text: str = "") -> None:
        """Send a command about a widget; it takes effect in the next tick.

        Later events wait until then, except after presses, releases, and changes of widgets whose kind has `drags`.
        """
        event = WindowEvent("command", f"{verb} {node.path}", value=float(value), text=text, device=self.device)
        settle = verb not in ("Pressed", "Released") and not (verb == "Changed" and node.kind.drags)
        self.world[PendingInput].send(event, replace=verb == "Changed", settle=settle)

    def settle(self) -> None:
        """Delay later events until the next tick, because a screen may open in it."""
        self.world[PendingInput].settling = True

    def waiting(self, verb: str, node: Node) -> WindowEvent | None:
        """Return the last command about a widget that waits for the next tick."""
        name = f"{verb} {node.path}"
        events = self.world[PendingInput].events
        return next((event for event in reversed(events) if event.kind == "command" and event.name == name), None)

    def has(self, plugin: str) -> bool:
        """Whether a plugin that a widget needs runs; True if it needs none."""
        return not plugin or plugin in self.state.plugins

    def player(self) -> int:
        """Return the player of the device whose event is handled; 0: any."""
        return self.world[Input].player_of(self.device)

    def name_of(self, entity: int) -> str:
        """Return the name of an entity, or an empty text."""
        row = self.world.table(Name).row_of(entity)
        return self.world.get(entity, Name).value if row >= 0 else ""
