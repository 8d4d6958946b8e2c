"""The lobby of a game in a window: opens by a key or a command, hosts, joins, and shows people and chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rish_core import App, Input, Layer, LayerStack, RishError, WindowEvent
from rish_frame import Frame
from rish_ui import Screen, TextInput

from ..game.net import Net
from ..game.seating import Seats
from ..links.lan import LanAnnouncement, LanGame
from ..settings import NetSettings
from ..wire.texts import clean_name
from .acts import Act
from .connecting import Hosted, Opening, hosting, joining, searching
from .identity import Identity
from .overlay import LAYER, Overlay
from .pages import row_of, show_page
from .talk import Talk

_TYPED = ("key", "text", "compose", "paste")


class Lobby:
    """The lobby of an App. games: those in the local network; near: the one that was chosen. code: of the own game.

    It is a layer of the window; `show` is called in each frame before the picture is drawn.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self.near: LanGame | None = None
        self.code = ""
        self.net: Net = app.world[Net]
        self.identity = Identity.load()
        self.is_open = False
        self.status = ""
        self.games: Sequence[LanGame] = ()
        self._search: Opening | None = None
        self._announcement: LanAnnouncement | None = None
        self.opening: Opening | None = None
        self._overlay: Overlay | None = None
        self._talk = Talk()
        self._is_own = False  # whether the lobby began the session, so that it also ends it
        self._waits = False
        self._unwritten = ""
        app.world[LayerStack].push(app.world, Layer(LAYER, space="screen", tool=True, on_event=self._on_event))

    @property
    def overlay(self) -> Overlay:
        """The screens; they are made when they are needed first."""
        if self._overlay is None:
            self._overlay = Overlay(self.app, {"games_near": lambda world: [row_of(game) for game in self.games]})
            self._overlay.put("name", TextInput, text=self.identity.name)
        return self._overlay

    @property
    def in_room(self) -> bool:
        """Whether there is a session, so that people are shown."""
        return self.net.active

    @property
    def waits(self) -> bool:
        """Whether the game has not begun yet, so that the lobby can't be closed."""
        return self.net.active and not self.net.roster.started

    def open(self) -> None:
        """Show the lobby."""
        self.is_open, self._talk.writing = True, False
        self.status = ""

    def close(self) -> None:
        """Hide the lobby, unless the game waits in it."""
        self.is_open = self.waits

    def end(self) -> None:
        """Close the screens and end the announcement and the search, when the game is closed."""
        self._end_announcement()
        if self._search is not None and self._search.result is not None:
            self._search.result.close()
        self._search = None
        if self._overlay is not None:
            self._overlay.close()
            self._overlay = None

    # Events of the window

    def _on_event(self, world: Any, event: WindowEvent) -> bool:
        if event.kind == "text" and event.text.upper() == self._unwritten:
            self._unwritten = ""
            return True  # the letter of the key that opened the line
        if event.kind == "key" and event.down:
            self._unwritten = ""
            if self._used(world, world[NetSettings], event.name):
                return True
        if self._overlay is None or not (self.is_open or self._talk.writing):
            return False
        return self._overlay.route(event) or (event.kind in _TYPED and self._talk.writing)

    def _used(self, world: Any, settings: NetSettings, key: str) -> bool:
        """Use a key of the lobby that went down; return whether it is one."""
        if key == settings.lobby_key:
            self.close() if self.is_open else self.open()
            return True
        if self._talk.writing and key == "ESCAPE":
            self._talk.writing = False
            return True
        if (
            key != settings.chat_key
            or self.is_open
            or self._talk.writing
            or not self.in_room
            or _has_action(world, key)
        ):
            return False
        self._talk.begin(self.overlay)
        self._unwritten = key
        return True

    # In each frame

    def show(self) -> None:
        """Bring the screens up to date, and add them to the picture."""
        net = self.net
        if self.app.world[Frame].typesetter is None:
            return
        if self.opening is not None and self.opening.done:
            self._opened(self.opening)
        if net.ended and self._is_own:
            self.open()
            self.status = self.overlay.text("net.ended", why=clean_name(net.ended))
            self._leave()
        if self._waits != self.waits:  # it opens before the game begins, and closes when it does
            self._waits = self.is_open = self.waits
        self._keep_identity()
        if not (self.is_open or self._talk.is_wanted(net)):
            if self._overlay is not None:
                self._overlay.hide()
            return
        overlay = self.overlay
        for act in overlay.advance():
            self._do(act)
        if self.is_open and not self.in_room:
            self._look_around()
        overlay.put("lobby", Screen, visible=self.is_open)
        if self.is_open:
            show_page(self)
        self._talk.show(overlay, net, is_hidden=self.is_open)
        overlay.show()

    def _keep_identity(self) -> None:
        """Tell the session the own name and color, and store the token that the host gave."""
        net, mine = self.net, self.identity
        net.roster.profile.name, net.roster.profile.color = mine.name, mine.color
        if net.token and net.host_print and mine.tokens.get(net.host_print) != net.token:
            mine.tokens[net.host_print] = net.token
            mine.save()

    def _look_around(self) -> None:
        """List the games of the local network; none where zeroconf is not installed."""
        self._search = self._search or searching()
        games = self._search.result.games() if self._search.result is not None else ()
        if games != self.games:
            self.games = games
            self.near = self.near if self.near in games else None

    # What the player does

    def _do(self, act: Act) -> None:
        if act.what == "clicked" and act.widget.startswith("color"):
            self.identity.color = int(act.widget.removeprefix("color"))
            self.identity.save()
        elif act.what == "clicked" and act.widget in _CLICKS:
            _CLICKS[act.widget](self)
        elif act.what == "changed" and act.widget == "near" and 0 <= int(act.value) < len(self.games):
            self.near = self.games[int(act.value)]
            self.status = self.overlay.text("net.ask_code")
            self.overlay.focus("invitation")
        elif act.widget == "name":
            self.identity.name = clean_name(act.text)
            if act.what == "submitted":
                self.identity.save()
        elif act.what == "submitted" and act.widget == "invitation":
            self._join(act.text)
        elif act.what == "submitted" and act.widget in ("line", "said"):
            self.net.say(act.text)
            self.overlay.write(act.widget, "")
            self._talk.writing = False

    def _host(self) -> None:
        self.status = ""
        world = self.app.world
        most: int = world[NetSettings].players
        self.opening = self.opening or hosting(self.app.manifest.title, most, lambda: len(world[Seats].open) or 1)

    def _join(self, text: str = "") -> None:
        self.status = ""
        if self.opening is not None:
            return
        try:
            self.opening = joining(text or self.overlay.written("invitation"), self.near)
        except RishError as error:
            self.status = str(error).partition("\n")[0]

    def _opened(self, opening: Opening) -> None:
        self.opening, self.status = None, opening.error
        if opening.result is None or self.net.active:
            return
        self._is_own = True
        if isinstance(opening.result, Hosted):
            transport, self._announcement = opening.result
            self.code = self._announcement.code if self._announcement is not None else ""
            self.net.host(self.app, transport, lobby=True, invitation=str(transport.invitation))
        else:
            host = opening.result.invitation.fingerprint.hex()
            self.net.join(self.app, opening.result, host, self.identity.tokens.get(host, ""))

    def _paste(self) -> None:
        self.overlay.focus("invitation")
        self.overlay.paste()

    def _copy(self) -> None:
        self.overlay.copy(self.net.invitation)
        self.status = self.overlay.text("net.copied")

    def _ready(self) -> None:
        self.net.roster.profile.ready = not self.net.roster.profile.ready

    def _start(self) -> None:
        roster = self.net.roster
        if roster.hosts and roster.all_ready:
            self.net.start()

    def _leave(self) -> None:
        self._is_own = False
        self._end_announcement()
        self.net.leave()

    def _end_announcement(self) -> None:
        if self._announcement is not None:
            self._announcement.close()
        self._announcement, self.code = None, ""


def _has_action(world: Any, key: str) -> bool:
    """Return whether the game uses a key."""
    keys: Input = world[Input]
    actions = [keys.actions, *(player.actions for player in keys.players)]
    return any(key in names for each in actions for names in each.values())


_CLICKS: dict[str, Callable[[Lobby], None]] = {
    "host": Lobby._host, "join": Lobby._join, "paste": Lobby._paste, "copy": Lobby._copy, "ready": Lobby._ready,
    "start": Lobby._start, "leave": Lobby._leave, "close": Lobby.close,
}  # fmt: skip
