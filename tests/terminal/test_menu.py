"""A menu that is painted flat is readable in a terminal: its texts are characters, its boxes are half blocks."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import WindowEvent
from rish_frame import BoxItem, Frame, Painting, Paintings, Part, TextItem, TextLook
from rish_frame.host.notice import Notice
from rish_render import plugin as render
from rish_terminal import TerminalBackend

WHITE, GRAY, BLUE = (255, 255, 255, 255), (40, 40, 40, 255), (20, 40, 160, 255)
GAME = {
    "game": {"size": [320, 160]},
    "layers": ["world", {"menu": {"space": "screen"}}],
    "settings": {"render": {"background": "#000000", "stretch": "canvas"}},
}


@pytest.fixture
def play(rish_app: Any, line: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, Any]]:
    """A function that starts a game of 320 by 160 pixels in a terminal: `play(columns, rows)` returns app and pty."""
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")

    def start(columns: int = 40, rows: int = 10) -> tuple[Any, Any]:
        pty = line(columns, rows)
        backend = TerminalBackend(pty.slave, pty.slave, rate=1e6)
        app = rish_app(GAME, plugins={"render": render}, backend=backend, headless=False)
        app.frame(seconds=0.1)
        return app, pty

    return start


def paint(app: Any) -> None:
    """Paint a menu with a title and three buttons, the second of which is selected."""
    world = app.world
    setter = world[Frame].typesetter
    panel = Part(boxes=[BoxItem(16, 16, 288, 128, fill=GRAY)])
    panel.texts.append(TextItem(setter.typeset(world, "Main menu", TextLook(size=40.0)), 32, 144, WHITE))
    buttons = Part(boxes=[BoxItem(32, 64, 160, 16, fill=BLUE)])
    for row, label in enumerate(("Play", "選項 [gold]new[/]", "離開遊戲")):
        text = setter.typeset(world, label, TextLook(markup=True))
        buttons.texts.append(TextItem(text, 40, 112 - 32 * row, WHITE))
    world[Paintings].items["menu"] = Painting("menu", parts=[panel, buttons])


def test_a_menu_is_shown_as_characters(play: Callable[..., tuple[Any, Any]]) -> None:
    """English and Chinese are characters in their colors, on the boxes behind them, without letters in the picture."""
    app, pty = play()
    paint(app)
    app.draw()
    screen = pty.settle()
    assert screen.text == ["", "    Main menu", "", "     Play", "", "     選項 new", "", "     離開遊戲", "", ""]
    assert screen.fore[3, 5].tolist() == [255, 255, 255]
    assert screen.fore[5, 10].tolist() == [255, 215, 0]
    assert screen.back[1, 4].tolist() == [40, 40, 40]
    assert screen.back[5, 5].tolist() == [20, 40, 160]
    assert len(np.unique(screen.behind.reshape(-1, 3), axis=0)) == 3


def test_a_changed_menu_is_a_small_change_of_the_screen(play: Callable[..., tuple[Any, Any]]) -> None:
    """If a letter changes, only its cell is written; a removed menu leaves the picture."""
    app, pty = play()
    paint(app)
    app.draw()
    screen = pty.settle()
    screen.written = 0
    part = app.world[Paintings].items["menu"].parts[1]
    text = app.world[Frame].typesetter.typeset(app.world, "Plan", TextLook())
    part.texts[0] = part.texts[0]._replace(text=text)
    part.version += 1
    app.draw()
    assert pty.settle().text[3] == "     Plan"
    assert screen.written == 1
    app.world[Paintings].items.clear()
    app.draw()
    assert set("".join(pty.settle().text)) == set()


def test_a_smaller_terminal_has_larger_cells(play: Callable[..., tuple[Any, Any]]) -> None:
    """Cells are measured in logical pixels of the game, and texts are to be set again when the terminal is resized."""
    app, pty = play()
    assert app.world[Frame].typesetter.cell == (8.0, 16.0)
    version = app.world[Frame].typesetter.version
    pty.settle()
    pty.resize(20, 5)
    os.kill(os.getpid(), signal.SIGWINCH)
    app.frame(seconds=0.1)
    app.frame(seconds=0.1)
    assert app.world[Frame].typesetter.cell == (16.0, 32.0)
    assert app.world[Frame].typesetter.version > version
    paint(app)
    app.draw()
    assert pty.settle().text == ["", "  Main menu", "   Play", "   選項 new", "   離開遊戲"]


def test_a_notice_leaves_the_characters(play: Callable[..., tuple[Any, Any]]) -> None:
    """What a tool draws over a frame does not remove the characters; a frame that clears the screen does."""
    app, pty = play()
    paint(app)
    app.draw()
    notice = Notice()
    notice.show("software")
    backend = app.host.backend
    notice.draw(backend)
    backend.present()
    assert pty.settle().text[1] == "    Main menu"
    backend.draw(Frame(backend.size))
    backend.present()
    assert pty.settle().text[1] == ""


def test_headless_there_are_no_cells(rish_app: Any) -> None:
    """Without a terminal the backend draws texts into the picture, as the software backend does."""
    backend = TerminalBackend(987, 987)
    app = rish_app(GAME, plugins={"render": render}, backend=backend, headless=True)
    app.frame(seconds=0.1)
    assert "cells" not in backend.capabilities
    assert app.world[Frame].cell is None


def test_keys_that_an_interface_needs(play: Callable[..., tuple[Any, Any]]) -> None:
    """Arrows, Tab, Enter, Escape, editing keys, text, clicks and pasted text arrive under the kernel's names."""
    app, pty = play()
    backend = app.host.backend
    backend.poll()
    sent = "\x1b[A\x1b[B\x1b[C\x1b[D\t\r\x7f\x1b[3~\x1b[H\x1b[F\x1b[5~\x1b[6~中\x1b[200~two\rlines\x1b[201~"
    pty.type(sent + "\x1b[<0;3;2M\x1b[<0;3;2m\x1b[Z")
    events: list[WindowEvent] = []
    while not any(event.name == "LSHIFT" for event in events):
        events += backend.poll()
    pressed = [event.name for event in events if event.kind in ("key", "mouse_button") and event.down]
    assert pressed == [
        *("UP", "DOWN", "RIGHT", "LEFT", "TAB", "ENTER", "BACKSPACE", "DELETE", "HOME", "END", "PAGEUP", "PAGEDOWN"),
        *("mouse.left", "LSHIFT", "TAB"),
    ]
    assert [event.text for event in events if event.kind in ("text", "paste")] == ["中", "two\nlines"]
    pty.type("\x1b")
    found: list[WindowEvent] = []
    for _ in range(40):
        found += backend.poll()
        signal.sigtimedwait([], 0.01)
    assert WindowEvent("key", "ESCAPE", True) in found
