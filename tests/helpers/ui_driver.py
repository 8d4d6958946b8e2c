"""A game with widgets, driven through window events: `with ui_game(scene) as ui: ui.click("menu.play")`.

`PlainSetter` sets texts without fonts: each letter is half as wide as its size, each line is 1.25 sizes high.
"""

from __future__ import annotations

import itertools
import textwrap
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rish_core import App, Stage, WindowEvent, open_game, system
from rish_frame import Caret, Frame, Icon, NullBackend, Paintings, TextLook
from rish_frame.paint.writing import clusters_of
from rish_ui import Changed, Clicked, Pressed, Released, Submitted, UiSettings, UiState

WIDE, HIGH = 0.5, 1.25


@dataclass(frozen=True)
class PlainText:
    """A text of letters of equal width."""

    source: str
    look: TextLook
    rows: tuple[str, ...]

    @property
    def text(self) -> str:
        """The characters."""
        return self.source

    @property
    def _letter(self) -> float:
        return self.look.size * WIDE

    @property
    def width(self) -> float:
        """The width of the longest line."""
        return max(len(row) for row in self.rows) * self._letter

    @property
    def height(self) -> float:
        """The height of all lines."""
        return len(self.rows) * self.look.size * HIGH

    @property
    def narrowest(self) -> float:
        """The width of the longest word."""
        return max((len(word) for word in self.source.split()), default=0) * self._letter

    @property
    def baseline(self) -> float:
        """The baseline of the first line."""
        return self.look.size

    @property
    def lines(self) -> int:
        """The number of lines."""
        return len(self.rows)

    @property
    def icons(self) -> tuple[Icon, ...]:
        """No icons."""
        return ()

    def caret(self, index: int) -> Caret:
        """Return the place before a letter of the first line."""
        return Caret(index * self._letter, 0.0, self.look.size * HIGH)

    def index_at(self, x: float, y: float) -> int:
        """Return the nearest place in the first line."""
        return min(max(round(x / self._letter), 0), len(self.source))

    def step(self, index: int, by: int) -> int:
        """Return the place some clusters after or before another one."""
        stops = list(itertools.accumulate(map(len, clusters_of(self.source, shaped=False)), initial=0))
        at = bisect_right(stops, index) - 1
        return stops[min(max(at + by + (by < 0 and stops[at] < index), 0), len(stops) - 1)]

    def selection(self, start: int, end: int) -> list[tuple[float, float, float, float]]:
        """Return one rectangle."""
        return [(start * self._letter, 0.0, (end - start) * self._letter, self.look.size * HIGH)]


class PlainSetter:
    """Sets texts in letters of equal width."""

    cell = None
    version = 1

    def typeset(self, world: Any, text: str, look: TextLook) -> PlainText:
        """Set a text."""
        rows: list[str] = []
        for line in text.split("\n"):
            room = int(look.wrap / (look.size * WIDE) + 1e-6) if look.wrap else 0
            rows += (textwrap.wrap(line, max(room, 1)) or [""]) if room else [line]
        return PlainText(text, look, tuple(rows))


class UiDriver:
    """A game whose widgets are operated by events of the window."""

    def __init__(self, app: App, backend: NullBackend) -> None:
        self.app, self.backend, self.world = app, backend, app.world
        self.size = app.world[Frame].logical

    def frame(self, count: int = 1) -> None:
        """Run frames, each with one tick, and draw the last one."""
        for rest in reversed(range(count)):
            self.app.frame(draw=rest == 0)

    def wait(self, ticks: int) -> None:
        """Run ticks without drawing, which is cheaper than frames."""
        self.app.run(ticks, draw=False)

    def send(self, *events: WindowEvent) -> None:
        """Send events of the window in one frame."""
        self.backend.send(*events)
        self.frame()

    def node(self, path: str) -> Any:
        """Return a widget by its path."""
        for root in self.world[UiState].tree.roots:
            for node in root.nodes:
                if node.path == path:
                    found = node
                    break
            else:
                continue
            child = next((each for each in found.children if each.entity == found.entity), None)
            return child or found
        raise AssertionError(f"no widget {path}: {[n.path for r in self.world[UiState].tree.roots for n in r.nodes]}")

    def at(self, path: str, x: float = 0.5, y: float = 0.5) -> tuple[float, float]:
        """Return a point of a widget in the window, y up; x and y are fractions from its top left."""
        node, unit = self.node(path), self.world[UiSettings].scale
        return (node.x + node.w * x) * unit, (node.root.height - node.y - node.h * y) * unit

    def move(self, path: str, x: float = 0.5, y: float = 0.5) -> None:
        """Move the mouse onto a widget."""
        px, py = self.at(path, x, y)
        self.send(WindowEvent("mouse_move", x=px, y=py))

    def press(self, path: str, x: float = 0.5, y: float = 0.5) -> None:
        """Press the mouse on a widget."""
        px, py = self.at(path, x, y)
        self.send(WindowEvent("mouse_move", x=px, y=py), WindowEvent("mouse_button", "mouse.left", True, px, py))

    def release(self, path: str, x: float = 0.5, y: float = 0.5) -> None:
        """Release the mouse on a widget."""
        px, py = self.at(path, x, y)
        self.send(WindowEvent("mouse_move", x=px, y=py), WindowEvent("mouse_button", "mouse.left", False, px, py))

    def click(self, path: str, x: float = 0.5, y: float = 0.5) -> None:
        """Click on a widget; the command takes effect in the next tick."""
        self.press(path, x, y)
        self.release(path, x, y)
        self.frame()

    def key(self, *names: str, device: int = 0) -> None:
        """Press and release keys or buttons, one after another."""
        for name in names:
            kind = "gamepad_button" if name.startswith("gamepad.") else "key"
            self.send(WindowEvent(kind, name, True, device=device))
            self.send(WindowEvent(kind, name, False, device=device))

    def type(self, text: str) -> None:
        """Type a text."""
        for letter in text:
            self.send(WindowEvent("text", text=letter))

    @property
    def heard(self) -> list[tuple[Any, ...]]:
        """The events of widgets so far; reading it clears it."""
        found = list(HEARD)
        HEARD.clear()
        return found

    @property
    def focus(self) -> str:
        """The path of the widget with the focus; empty for none."""
        node = self.world[UiState].focused(0)
        return node.path if node is not None else ""

    @property
    def texts(self) -> list[str]:
        """All texts that are painted, in drawing order."""
        return [t.text.text for p in self.world[Paintings] for part in p.parts for t in part.texts]


HEARD: list[tuple[Any, ...]] = []
"""The events of widgets since the game was opened: name, path of the widget, value, text or valid."""


@system(Stage.UPDATE, reads=(Pressed, Released, Clicked, Changed, Submitted))
def hear(world: Any, dt: float) -> None:
    """Note the events of widgets."""
    nodes = world[UiState].ready(world).nodes
    for kind in (Pressed, Released, Changed, Submitted, Clicked):
        batch = world.events(kind)
        for k, entity in enumerate(batch.widget.tolist()):
            path = nodes[entity].path if entity in nodes else entity
            extra: tuple[Any, ...] = ()
            if kind is Changed:
                extra = (round(float(batch.value[k]), 5), batch.text[k])
            elif kind is Submitted:
                extra = (batch.text[k], bool(batch.valid[k]))
            HEARD.append((kind.__name__, path, *extra))


PROBE = """
from ui_driver import hear

def rish_systems():
    return [hear]
"""


@contextmanager
def ui_game(
    scene: str,
    head: str = "",
    size: tuple[int, int] = (640, 360),
    files: Mapping[str, str] | None = None,
    scenes: str = "",
    **options: Any,
) -> Iterator[UiDriver]:
    """Open a game with the given entries of a scene, in YAML. head: further lines of the manifest. files: by name.

    scenes: further scenes, in YAML.
    """
    text = f"rish: 1\ngame: {{title: Test, size: [{size[0]}, {size[1]}]}}\n"
    if "plugins:" not in head:
        text += "plugins: [ui]\n"
    text += textwrap.dedent(head) + "\nscenes:\n  main:\n" + textwrap.indent(textwrap.dedent(scene).strip("\n"), "    ")
    text += "\n" + textwrap.indent(textwrap.dedent(scenes), "  ")
    backend = NullBackend(keep=0)
    HEARD.clear()
    with TemporaryDirectory() as folder:
        for name, content in {"game.yaml": text, "plugin.py": PROBE, **(files or {})}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        with open_game(folder, headless=True, backend=backend, **options) as app:
            app.world[Frame].typesetter = PlainSetter()
            driver = UiDriver(app, backend)
            driver.frame()
            yield driver
