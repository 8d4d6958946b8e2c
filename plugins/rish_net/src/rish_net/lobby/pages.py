"""What the lobby shows: the page to host and join, and the room with people and chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ui import Button, Dialog, Label, List, TextInput, Widget

from ..game.roster import COLORS, Person, Roster
from ..links.lan import LanGame
from ..wire.texts import clean_line
from .overlay import Overlay
from .talk import chat_markup, dot, escaped, shown_name

if TYPE_CHECKING:
    from .lobby import Lobby

_ROWS = 8
_SLOW, _LATE = 90, 180
"""Round trips in milliseconds from which on they are marked as slow, and as bad."""
_PING_COLORS = "#2fa36b", "#c99a1e", "#d9534f"


def show_page(lobby: Lobby) -> None:
    """Show the page that fits: the room while there is a session, otherwise the one to host and join."""
    overlay, in_room = lobby.overlay, lobby.in_room
    title = escaped(lobby.app.manifest.title)
    overlay.put("lobby", Dialog, title=overlay.text("net.title_of", game=title) if title else "$net.title")
    overlay.put("begin", Widget, visible=not in_room)
    if overlay.put("room", Widget, visible=in_room) and in_room:
        overlay.focus("line" if not lobby.waits else "start" if lobby.net.roster.hosts else "ready")
    roster = lobby.net.roster
    status = lobby.status
    if not in_room:
        _show_begin(lobby)
        status = overlay.text("net.connecting") if lobby.opening is not None else status
        mine = lobby.identity.color
    else:
        status = _show_room(lobby, roster) or status
        mine = roster.people[roster.own].color if roster.own in roster.people else lobby.identity.color
    for color, code in enumerate(COLORS):
        overlay.put(f"color{color}", Button, text=dot(code, is_chosen=color == mine))
    overlay.put("status", Label, text=escaped(status))
    overlay.put("status", Widget, visible=bool(status))


def row_of(game: LanGame) -> str:
    """Return the row of a game in the local network, whose title anybody may have written."""
    return f"{escaped(clean_line(game.title)) or '?'}  ·  {game.players}/{game.most}  ·  {game.address}"


def _show_begin(lobby: Lobby) -> None:
    overlay, idle = lobby.overlay, lobby.opening is None
    for name in ("host", "join", "paste"):
        overlay.put(name, Widget, enabled=idle)
    overlay.put("near", Widget, visible=bool(lobby.games), enabled=idle)
    overlay.put("near", List, selected=-1 if lobby.near is None else list(lobby.games).index(lobby.near))
    overlay.put("invitation", TextInput, hint="$net.invitation_hint" if lobby.near is None else "$net.code_hint")
    overlay.put("near_about", Widget, visible=bool(lobby.games))
    overlay.put("close", Button, text="$ui.close")
    overlay.put("close", Widget, visible=True, style="quiet")
    for name in ("leave", "ready", "start"):
        overlay.put(name, Widget, visible=False)


def _show_room(lobby: Lobby, roster: Roster) -> str:
    """Show the people, the chat and the buttons; return what to do next."""
    overlay, net = lobby.overlay, lobby.net
    people = sorted(roster.people.values(), key=lambda person: (person.seat or 99, person.number))
    for row in range(_ROWS):
        _show_person(overlay, f"person{row}", people[row] if row < len(people) else None, roster)
    overlay.put("more", Widget, visible=len(people) > _ROWS)
    overlay.put("more", Label, text=overlay.text("net.more", n=len(people) - _ROWS))
    overlay.put("copy", Widget, visible=bool(net.invitation))
    overlay.put("code", Widget, visible=bool(lobby.code))
    overlay.put("code", Label, text=overlay.text("net.code", code=lobby.code))
    lines = "\n".join(chat_markup(overlay, roster, line) for line in roster.chat)
    if overlay.put("lines", Label, text=lines):
        overlay.scroll_to_end("view")
    waits, ready = lobby.waits, roster.profile.ready
    overlay.put("close", Button, text="$net.resume")
    overlay.put("close", Widget, visible=not waits, style="primary")
    overlay.put("leave", Widget, visible=True)
    overlay.put("ready", Button, text="$net.not_ready" if ready else "$net.ready")
    overlay.put("ready", Widget, visible=waits and not roster.hosts, style="" if ready else "primary")
    overlay.put("start", Widget, visible=waits and roster.hosts, enabled=roster.all_ready)
    if not waits:
        return ""
    if not roster.hosts:
        return overlay.text("net.wait_for_host")
    return "" if lobby.status else overlay.text("net.alone" if len(people) < 2 else "net.not_all_ready")


def _show_person(overlay: Overlay, row: str, person: Person | None, roster: Roster) -> None:
    overlay.put(row, Widget, visible=person is not None)
    if person is None:
        return
    name = escaped(shown_name(overlay, person.name, person.seat))
    name = overlay.text("net.you", name=name) if person.number == roster.own else name
    overlay.put(f"{row}.who", Label, text=f"{dot(COLORS[person.color])}  {name}")
    state, color = "", ""
    if person.number == 0:
        state = overlay.text("net.is_host")
    elif not roster.started:
        state, color = (overlay.text("net.is_ready"), _PING_COLORS[0]) if person.ready else ("", "")
    elif not person.seat:
        state = overlay.text("net.watches")
    overlay.put(f"{row}.state", Label, text=f"[{color}]{state}[/]" if color else state)
    slow = (person.ping >= _SLOW) + (person.ping >= _LATE)
    ping = f"[{_PING_COLORS[slow]}]{overlay.text('net.ping', n=person.ping)}[/]" if person.ping >= 0 else ""
    overlay.put(f"{row}.ping", Label, text=ping if person.number else "")
