"""The lobby over a game, driven by events of the window."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import LayerStack, WindowEvent, open_game
from rish_frame import Paintings
from rish_net import Net
from rish_net.links.lan import LanGame
from rish_net.lobby import connecting
from rish_net.lobby import lobby as lobby_module
from rish_net.lobby.acts import Act
from rish_net.lobby.connecting import Opening
from rish_net.lobby.identity import Identity
from rish_net.lobby.lobby import Lobby
from rish_net.lobby.pages import row_of
from rish_ui import UiState

GAME = """
rish: 1
game: {title: Two, size: [640, 360]}
plugins: [net, render, ui]
input: {jump: [T]}
scenes: {main: [{name: hello, Label: {text: Hello}}]}
"""


def _two() -> Any:
    spec = importlib.util.spec_from_file_location("net_two_of_lobby", Path(__file__).parents[1] / "game" / "two.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["net_two_of_lobby"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A game with a lobby, whose pictures nobody draws."""
    monkeypatch.setattr(connecting, "LanBrowser", lambda: SimpleNamespace(games=list, close=lambda: None))
    monkeypatch.setenv("RISH_USER_FOLDER", str(tmp_path / "user"))
    (tmp_path / "game.yaml").write_text(GAME)
    with open_game(tmp_path, headless=True, backend="null") as app:
        app.world[Net].lobby = Lobby(app)
        app.frame()
        yield app


def key(app: Any, name: str, text: str = "") -> bool:
    """Press a key, which may write a letter; return whether the lobby used it."""
    route = app.world[LayerStack].route
    is_used = route(app.world, WindowEvent("key", name, True), tools=True)
    if text:
        route(app.world, WindowEvent("text", text=text), tools=True)
    app.frame()
    return bool(is_used)


def act(app: Any, what: str, widget: str, text: str = "") -> None:
    """Do something to a widget of the lobby."""
    app.world[Net].lobby._do(Act(what, widget, 0.0, text))
    app.frame()


def shown(app: Any) -> dict[str, Any]:
    """Return the visible widgets of the lobby by path."""
    roots = app.world[Net].lobby.overlay.world[UiState].tree.roots
    return {node.path: node for root in roots if root.visible for node in root.nodes if node.shown}


def test_a_key_opens_and_closes_the_lobby(game: Any) -> None:
    """The game has no widget of it, and its hash is that of a game whose lobby was never opened."""
    before = game.world.hash()
    assert key(game, "F9")
    assert "lobby.begin.hosting.host" in shown(game)
    assert any(name.startswith("net.lobby") for name in game.world[Paintings].items)
    assert key(game, "SPACE")  # it keeps keys from the game
    assert key(game, "F9")
    game.frame()
    assert not any(name.startswith("net.lobby") for name in game.world[Paintings].items)
    assert not key(game, "SPACE")
    app = open_game(game.manifest.root, headless=True, backend="null")
    for _ in range(game.world.tick):
        app.frame()
    assert app.world.hash() == game.world.hash() != before
    app.close()


def test_a_name_that_is_typed_is_stored(game: Any) -> None:
    """The name and the color are those of the player in every game."""
    key(game, "F9")
    for letter in "Mia":
        key(game, letter.upper(), letter)
    act(game, "submitted", "name", game.world[Net].lobby.overlay.written("name"))
    act(game, "clicked", "color5")
    assert Identity.load() == Identity("Mia", 5)


def test_from_the_room_into_the_game(game: Any, tmp_path: Path) -> None:
    """People, chat and buttons follow the session; texts of others change neither markup nor sizes; the game begins
    when the host starts it, which needs all to be ready, and the chat is shown over it.
    """
    two = _two()
    game.world[Net].host(game, two.Wire(), lobby=True, invitation="rish:here")
    guest = open_game(tmp_path, headless=True, backend="null")
    there = two.Wire()
    game.world[Net].traffic.transport.connect(there, 1, 1)
    guest.world[Net].join(guest, there)
    guest.world[Net].roster.profile.name = "[red]$ui.play"
    two.play([game, guest], 10)
    guest.world[Net].say("{1 / 0} [size=9]" + "W" * 300)
    two.play([guest, game], 3)
    game.frame()
    widgets = shown(game)
    width = widgets["lobby.room.party.people.person1.who"].root.width
    assert widgets["lobby.room.party.people.person1.who"].shows[""].endswith("(red)Sui.play")
    assert "(1 / 0) [[size=9]" in widgets["lobby.room.talk.log.view.lines"].shows[""]
    assert all(node.x >= 0 and node.x + node.w <= width for node in widgets.values())
    act(game, "clicked", "start")
    assert not game.world[Net].roster.started
    assert key(game, "ESCAPE")
    assert game.world[Net].lobby.is_open
    guest.world[Net].roster.profile.ready = True
    two.play([guest, game], 3)
    act(game, "clicked", "start")
    two.play([guest, game], 3)
    game.frame()
    assert not game.world[Net].lobby.is_open
    assert "chat.talk_lines.spoken0" in shown(game)
    assert not key(game, "T", "t")  # an action of the game
    guest.close()


def test_a_player_who_is_silent_is_told_of(game: Any, tmp_path: Path) -> None:
    """The others read that a player left as soon as the seat is closed, though the link may come back, and that the
    player joined again when it does.
    """
    two = _two()
    game.world[Net].host(game, two.Wire())
    game.frame()
    with open_game(tmp_path, headless=True, backend="null") as guest:
        there = two.Wire()
        game.world[Net].traffic.transport.connect(there, 1, 1)
        guest.world[Net].join(guest, there)
        for both, frames, said in ((True, 60, "joined"), (False, 150, "left"), (True, 90, "joined")):
            for _ in range(frames // 10):
                two.play([game, guest] if both else [game], 10)
                game.frame()
            lines = [node.shows.get("", "") for path, node in shown(game).items() if ".spoken" in path]
            assert lines[-1].endswith(said), lines


def test_a_wrong_invitation_is_explained(game: Any) -> None:
    """The sentence of the error is shown, and the player can try again."""
    key(game, "F9")
    act(game, "submitted", "invitation", "rish:nobody")
    assert "no invitation" in shown(game)["lobby.status"].shows[""]


def test_games_of_the_network_are_listed(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who chooses a row and types the code of the host joins it; titles of others are cleaned."""
    asked: list[Any] = []
    near = LanGame("[red]Two\n{x}", 1, 4, "192.168.1.5", 4000, b"p" * 32)
    monkeypatch.setattr(connecting, "LanBrowser", lambda: SimpleNamespace(games=lambda: [near], close=lambda: None))
    monkeypatch.setattr(lobby_module, "joining", lambda text, near: asked.append(near.invitation(text)))
    lobby = game.world[Net].lobby
    key(game, "F9")
    lobby._search._thread.join()
    game.frame()
    assert row_of(near) == "[[red]Two (x)  ·  1/4  ·  192.168.1.5"
    assert "lobby.begin.joining.near" in shown(game)
    act(game, "changed", "near")
    act(game, "submitted", "invitation", "7K3M-9XQ2")
    assert asked[0].address == "192.168.1.5"
    act(game, "submitted", "invitation", "7")
    assert "code" in lobby.status


def test_opening_a_link_does_not_wait() -> None:
    """An error of the thread is a sentence."""

    def fail() -> None:
        raise ValueError("broken")

    opening = Opening(fail)
    opening._thread.join()
    assert opening.done
    assert "broken" in opening.error
