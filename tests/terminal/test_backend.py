"""The backend on a pty: its display, its events, and the state it leaves behind."""

from __future__ import annotations

import os
import signal
import termios
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from rish_core import WindowEvent
from rish_frame import BackendError, Frame
from rish_frame.testing import picture_frame, quad, sample_page
from rish_frame.testing.samples import PAGE
from rish_terminal import TerminalBackend
from rish_terminal.cells import shrink

Make = Callable[..., tuple[TerminalBackend, Any]]


@pytest.fixture
def terminal(line: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """A function that opens a backend on a pty: `terminal(size, columns, rows)` returns both after the first output."""
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    opened: list[TerminalBackend] = []

    def make(size: tuple[int, int] = (64, 48), columns: int = 80, rows: int = 40) -> tuple[TerminalBackend, Any]:
        pty = line(columns, rows)
        backend = TerminalBackend(pty.slave, pty.slave, rate=1e6)
        opened.append(backend)
        backend.open("a title", size)
        backend.image(PAGE, sample_page())
        backend.poll()
        pty.settle()
        return backend, pty

    yield make
    for backend in opened:
        backend.close()


def scene(size: tuple[int, int], seed: int = 1) -> Frame:
    """Return a frame with colored squares on black."""
    frame, random = picture_frame(size), np.random.default_rng(seed)
    for _ in range(12):
        x, y = random.uniform(0, size[0]), random.uniform(0, size[1])
        red, green, blue = (int(v) for v in random.integers(0, 256, 3))
        frame.add(quad(x, y, 9, 7, (red, green, blue, 255)))
    return frame


def show(backend: TerminalBackend, pty: Any, frame: Frame) -> np.ndarray[Any, Any]:
    """Draw and present a frame; return the image that the terminal displays."""
    backend.draw(frame)
    backend.present()
    screen, layout = pty.settle(), backend._layout
    top, left, (width, height) = 2 * layout.top, layout.left, layout.shown
    return screen.picture[top : top + height, left : left + width]


def heard(backend: TerminalBackend, pty: Any, data: str | bytes) -> list[WindowEvent]:
    """Return the backend's events after some input."""
    pty.type(data)
    time.sleep(0.02)
    return backend.poll()


@pytest.mark.slow
def test_the_terminal_shows_the_software_picture(terminal: Make) -> None:
    """The terminal displays each pixel of the software backend's image, centered, frame after frame."""
    backend, pty = terminal()
    for seed in range(5):
        assert np.array_equal(show(backend, pty, scene((64, 48), seed)), backend.pixels()[..., :3])
    assert pty.screen.title == "a title"


@pytest.mark.slow
def test_a_large_game_is_shown_smaller(terminal: Make) -> None:
    """A large game is drawn at a higher resolution and averaged; the game gets the size that is drawn."""
    backend, pty = terminal((960, 540), 100, 30)
    assert backend.size == (300, 168)
    shown = show(backend, pty, scene(backend.size))
    assert shown.shape == (56, 100, 3)
    assert np.array_equal(shown, shrink(backend.pixels(), 3))


@pytest.mark.slow
def test_terminals_of_256_colors_get_their_palette(terminal: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without COLORTERM and an answer of the terminal, the palette is used; with an answer the image is sent again."""
    backend, pty = terminal()
    backend.close()
    monkeypatch.setenv("COLORTERM", "")
    pty.settle()
    backend.open("few", (64, 48))
    backend.image(PAGE, sample_page())
    frame = scene((64, 48))
    few = show(backend, pty, frame)
    exact = backend.pixels()[..., :3]
    assert not np.array_equal(few, exact)
    assert np.abs(few.astype(int) - exact).max() <= 60
    assert "$qm" in pty.screen.asked
    heard(backend, pty, "\x1bP1$r48;2;1;2;3m\x1b\\")
    assert np.array_equal(show(backend, pty, frame), exact)


def test_keys_text_and_mouse_reach_the_game(terminal: Make) -> None:
    """Keys, text and mouse become window events, with the pointer in pixels of the image."""
    backend, pty = terminal((64, 48), 80, 40)
    assert heard(backend, pty, "w")[:2] == [WindowEvent("key", "W", True), WindowEvent("text", text="w")]
    click = heard(backend, pty, "\x1b[<0;9;9M")
    assert click[-2:] == [WindowEvent("mouse_move", x=0.5, y=47.0), WindowEvent("mouse_button", "mouse.left", True)]
    time.sleep(0.2)
    assert WindowEvent("key", "W", False) in backend.poll()
    assert heard(backend, pty, "\x1b[O")[-1] == WindowEvent("focus")
    assert heard(backend, pty, "\x1b[200~xyz\x1b[201~") == [WindowEvent("paste", text="xyz")]


def test_the_kitty_protocol_is_used_where_it_is_spoken(terminal: Make) -> None:
    """The kitty protocol is requested, and after the answer releases are those that the terminal reports."""
    backend, pty = terminal()
    assert pty.screen.keyboard == [31]
    heard(backend, pty, "\x1b[?31u\x1b[97;1:1;97u")
    time.sleep(0.2)
    assert backend.poll() == []
    assert heard(backend, pty, "\x1b[97;1:3u") == [WindowEvent("key", "A", False)]
    with pytest.raises(KeyboardInterrupt):
        heard(backend, pty, "\x1b[99;5:1u")


def test_a_new_size_of_the_terminal_is_news(terminal: Make) -> None:
    """After a resize of the terminal the image is fitted again, and the game is notified."""
    backend, pty = terminal((640, 480), 80, 40)
    assert backend.size == (240, 180)
    show(backend, pty, scene(backend.size))
    pty.resize(40, 10)
    os.kill(os.getpid(), signal.SIGWINCH)
    assert WindowEvent("resize", x=27 * 3, y=20 * 3) in backend.poll()
    assert backend.size == (81, 60)
    assert np.array_equal(show(backend, pty, scene(backend.size)), shrink(backend.pixels(), 3))


def test_a_slow_terminal_is_not_flooded(terminal: Make) -> None:
    """If the terminal answers status requests, no image is sent before an earlier one was processed."""
    backend, pty = terminal()
    heard(backend, pty, "\x1b[?62c")
    for seed in range(6):
        backend.draw(scene((64, 48), seed))
        backend.present()
    assert pty.settle().asked.count("n") == 2
    heard(backend, pty, "\x1b[0n\x1b[0n")
    assert np.array_equal(show(backend, pty, scene((64, 48), 9)), backend.pixels()[..., :3])


@pytest.mark.slow
def test_pictures_come_at_a_steady_rate(line: Callable[..., Any]) -> None:
    """`present` waits until the next frame's time."""
    pty = line()
    backend = TerminalBackend(pty.slave, pty.slave, rate=50)
    backend.open("paced", (64, 48))
    backend.draw(scene((64, 48)))
    begin = time.monotonic()
    for _ in range(6):
        backend.present()
    assert time.monotonic() - begin > 0.08
    backend.close()


def test_a_title_can_do_no_harm(terminal: Make) -> None:
    """Control characters are removed from the title."""
    backend, pty = terminal()
    backend.configure(title="x\x1b]0;evil\x07\x1b[2Jy")
    assert pty.settle().title == "x]0;evil[2Jy"


def test_the_terminal_is_put_back(terminal: Make) -> None:
    """Closing restores the terminal's modes and screen, also twice and in any state."""
    backend, pty = terminal()
    assert pty.screen.modes >= {1049, 1003, 1006, 1004, 2004}
    assert not pty.screen.modes & {25, 7}
    during = termios.tcgetattr(pty.slave)
    assert not during[3] & (termios.ECHO | termios.ICANON)
    backend.close()
    backend.close()
    after = termios.tcgetattr(pty.slave)
    assert after[3] & termios.ECHO
    assert after[3] & termios.ICANON
    assert pty.settle().modes == {7, 25}
    assert pty.screen.keyboard == []
    assert signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL


def test_it_is_put_back_after_an_exception(rish_app: Any, line: Callable[..., Any]) -> None:
    """An App whose system raises closes its backend and restores the terminal."""
    from rish_core import Stage, system
    from rish_render import plugin

    @system(Stage.UPDATE)
    def explode(world: Any, dt: float) -> None:
        raise ValueError("boom")

    class Bomb:
        rish_systems = staticmethod(lambda: [explode])

    pty = line()
    before = termios.tcgetattr(pty.slave)
    backend = TerminalBackend(pty.slave, pty.slave)
    app = rish_app({}, plugins={"render": plugin, "bomb": Bomb}, backend=backend, headless=False)
    assert app.windowed
    assert 1049 in pty.settle().modes
    with app, pytest.raises(Exception, match="boom"):
        app.frame(seconds=0.1)
    assert termios.tcgetattr(pty.slave) == before
    assert pty.settle().modes == {7, 25}


def test_a_terminal_that_hangs_up_ends_the_game(terminal: Make) -> None:
    """After a hang-up nothing raises, and the game gets a close event."""
    backend, pty = terminal()
    pty._stop = True
    pty._thread.join()
    os.close(pty.master)
    assert WindowEvent("close") in backend.poll()
    backend.draw(scene((64, 48)))
    backend.present()
    backend.close()


def test_without_a_terminal_there_is_one_clear_line(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe, a file, a closed descriptor or Windows gives one clear error line."""
    with (tmp_path / "file").open("w+") as file:
        for number in (file.fileno(), 987):
            with pytest.raises(BackendError, match="ssh -t"):
                TerminalBackend(number, number).open("nowhere", (64, 48))
    monkeypatch.setattr("rish_system.terminal._modes", None)
    with pytest.raises(BackendError, match="Windows"):
        TerminalBackend().open("nowhere", (64, 48))


def test_a_dumb_terminal_is_refused(line: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of type dumb is refused, since it can't display anything."""
    monkeypatch.setenv("TERM", "dumb")
    pty = line()
    with pytest.raises(BackendError, match="dumb"):
        TerminalBackend(pty.slave, pty.slave).open("nowhere", (64, 48))
    assert pty.settle().written == 0


def test_headless_it_needs_no_terminal() -> None:
    """Headless, the backend draws without a terminal and displays nothing."""
    backend = TerminalBackend(987, 987)
    backend.open("unseen", (64, 48), visible=False)
    backend.draw(scene((64, 48)))
    backend.present()
    assert backend.pixels().shape == (48, 64, 4)
    assert backend.poll() == []
    backend.close()


def test_it_works_outside_the_main_thread(line: Callable[..., Any]) -> None:
    """Outside the main thread it works without signals, and the terminal is restored."""
    pty = line()
    failures: list[BaseException] = []

    def play() -> None:
        try:
            backend = TerminalBackend(pty.slave, pty.slave)
            backend.open("thread", (64, 48))
            backend.close()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    assert not failures
    assert pty.settle().modes == {7, 25}
