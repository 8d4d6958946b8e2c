"""The window that `rish run` opens first, with a window of a test in place of a real one."""

from __future__ import annotations

import importlib
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_cli import run as run_command
from rish_cli.early_window import ClosedEarly, early_window
from rish_core.manifest.progress import tell_progress

MANIFEST = """\
rish: 1
game: {title: Dots, size: [320, 240]}
plugins: ["shown>=1"]
settings: {shown: {background: red}}
"""


class Window:
    """A window that counts what it is asked; `closed`: whether a person has closed it."""

    def __init__(self) -> None:
        self.opened: list[Any] = []
        self.calls: list[str] = []
        self.closed = False

    def open_early(self, *given: Any) -> Window:
        """Open this window."""
        self.opened.append(given)
        return self

    def draw_title(self) -> None:
        """Note the call."""
        self.calls.append("title")

    def answer(self) -> bool:
        """Note the call."""
        self.calls.append("answer")
        return not self.closed

    def close(self) -> None:
        """Note the call."""
        self.calls.append("close")


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    """Return the window of the plugin `shown`."""
    window = Window()
    module = SimpleNamespace(BACKENDS=("glass",), open_early=window.open_early)
    candidate = SimpleNamespace(name="shown", distribution="rish-render", load=lambda: module)
    monkeypatch.setattr("rish_cli.early_window.installed_modules", lambda group: [candidate])
    monkeypatch.delenv("RISH_BACKEND", raising=False)
    return window


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Create a game that uses the plugin `shown`."""
    (tmp_path / "game.yaml").write_text(MANIFEST)
    return tmp_path


def options(game: Path, *more: str) -> Namespace:
    """Return the options of `rish run`."""
    parser = ArgumentParser()
    run_command.add_arguments(parser)
    return parser.parse_args([str(game), *more])


def test_it_opens_with_what_the_manifest_says(window: Window, game: Path) -> None:
    """Title, size and the plugin's own settings come from the manifest; the window is closed at the end."""
    with early_window(options(game)):
        assert window.opened == [("Dots", (320, 240), {"background": "red"})]
        assert "title" in window.calls
        assert "close" not in window.calls
    assert window.calls[-1] == "close"


def test_it_has_defaults(window: Window, game: Path) -> None:
    """Without title, size and settings those of a plain game are used."""
    (game / "game.yaml").write_text("plugins: [shown]\ngame: {size: [0, wide]}\n")
    with early_window(options(game)):
        assert window.opened == [("Rish", (960, 540), {})]


def test_it_answers_between_imports_and_while_a_manifest_is_read(
    window: Window, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window answers before a module is imported, and at each report of progress; afterwards no more."""
    (tmp_path / "a_module_of_this_test.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    with early_window(options(game)):
        for act in (lambda: importlib.import_module("a_module_of_this_test"), lambda: tell_progress("reading", 1, 2)):
            window.calls.clear()
            act()
            assert "answer" in window.calls
    sys.modules.pop("a_module_of_this_test")
    window.calls.clear()
    importlib.import_module("a_module_of_this_test")
    tell_progress("reading", 1, 2)
    assert window.calls == []
    sys.modules.pop("a_module_of_this_test")


def test_a_closed_window_ends_the_loading(window: Window, game: Path) -> None:
    """After a person has closed the window, the next import or report of progress raises."""
    with early_window(options(game)):
        window.closed = True
        with pytest.raises(ClosedEarly):
            tell_progress("reading", 1, 2)
    assert window.calls[-1] == "close"


@pytest.mark.parametrize(
    "more",
    [
        ["--headless"],
        ["--speed", "max"],
        ["--bisect"],
        ["--backend", "brass"],
        ["--without", "shown"],
    ],
)
def test_a_run_without_such_a_window_opens_none(window: Window, game: Path, more: list[str]) -> None:
    """Nothing opens without a window, with another backend, and without the plugin."""
    with early_window(options(game, *more)):
        assert window.opened == []


def test_names_of_the_environment_count(window: Window, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RISH_DISABLE_PLUGINS and RISH_BACKEND are respected, also before the game is loaded."""
    monkeypatch.setenv("RISH_DISABLE_PLUGINS", "shown")
    with early_window(options(game)):
        assert window.opened == []
    monkeypatch.delenv("RISH_DISABLE_PLUGINS")
    monkeypatch.setenv("RISH_BACKEND", "brass")
    with early_window(options(game)):
        assert window.opened == []
    with early_window(options(game, "--backend", "glass", "--size", "64x48")):
        assert [size for _, size, _ in window.opened] == [(64, 48)]
