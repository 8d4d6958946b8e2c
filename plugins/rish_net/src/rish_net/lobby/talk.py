"""Chat during the game: a line to write, and the last messages, which fade; and who came, left, or is awaited."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from rish_ui import Label, Screen, Widget

from ..game.net import Net
from ..game.roster import COLORS, ChatLine, Roster
from .overlay import Overlay

_ROWS = 6
_LONG = re.compile(r"\S{16}")
_SECONDS = 9.0
"""The time for which a message is shown."""
_FADES = 1.5
"""The last seconds of the newest one, in which all fade."""
_WAITING = 0.8
"""The time without a tick after which the player is told why."""


@dataclass
class _Notice:
    text: str
    time: float


class Talk:
    """The chat over the game. writing: whether the player writes a line."""

    def __init__(self) -> None:
        self.writing = False
        self._notices: list[_Notice] = []
        self._met: dict[int, tuple[str, bool]] | None = None  # by number: the name, and whether it lost its seat
        self._seated: set[int] = set()
        self._tick, self._moved = -1, 0.0

    def begin(self, overlay: Overlay) -> None:
        """Begin to write a line."""
        self.writing = True
        overlay.put("writing", Widget, visible=True)
        overlay.focus("said")

    def is_wanted(self, net: Net) -> bool:
        """Return whether there is anything to show."""
        roster, now = net.roster, time.monotonic()
        if not net.active:
            self.writing, self._met = False, None
            self._seated.clear()
            return False
        is_waiting = self._is_waiting(net, now)
        newest = roster.chat[-1].time if roster.chat else 0.0
        is_new = self._met is None or {n: lost for n, (_, lost) in self._met.items()} != self._lost(roster)
        notices = any(now - notice.time < _SECONDS for notice in self._notices)
        return self.writing or is_waiting or notices or is_new or now - newest < _SECONDS

    def _is_waiting(self, net: Net, now: float) -> bool:
        """Return whether the game stands still because input of the others is missing."""
        session = net.session
        if net.lost and not net.roster.hosts:
            return True
        if session is None or not net.roster.started:
            return False
        if session.game.tick != self._tick:
            self._tick, self._moved = session.game.tick, now
        return now - self._moved > _WAITING and not session.rollback.may_advance

    def show(self, overlay: Overlay, net: Net, *, is_hidden: bool) -> None:
        """Show the lines. is_hidden: whether the lobby is shown over them."""
        now, roster = time.monotonic(), net.roster
        overlay.put("chat", Screen, visible=not is_hidden and net.active, takes_keys=self.writing)
        if not net.active:
            return
        self._notice(overlay, net, now)
        lines = [(line.time, chat_markup(overlay, roster, line)) for line in roster.chat]
        lines += [(notice.time, notice.text) for notice in self._notices]
        lines = [line for line in sorted(lines) if self.writing or now - line[0] < _SECONDS][-_ROWS:]
        shown, is_waiting = [text for _, text in lines], self._is_waiting(net, now)
        age = 0.0 if self.writing or is_waiting or not lines else now - lines[-1][0]
        overlay.fade("chat", min(1.0, (_SECONDS - age) / _FADES))
        overlay.put("talk_lines", Widget, visible=bool(shown) or is_waiting)
        for row in range(_ROWS):
            overlay.put(f"spoken{row}", Widget, visible=row < len(shown))
            if row < len(shown):
                overlay.put(f"spoken{row}", Label, text=shown[row])
        overlay.put("waiting", Label, text="$net.lost" if net.lost else "$net.waiting")
        overlay.put("waiting", Widget, visible=is_waiting)
        overlay.put("writing", Widget, visible=self.writing)

    def _lost(self, roster: Roster) -> dict[int, bool]:
        """Return by number whether a person played and has no seat any more, because nothing came from it."""
        self._seated = {n for n in self._seated if n in roster.people} | {
            n for n, person in roster.people.items() if person.seat
        }
        return {n: n in self._seated and not person.seat for n, person in roster.people.items()}

    def _notice(self, overlay: Overlay, net: Net, now: float) -> None:
        """Add a line for everybody who came, left, lost the seat or got it back since the last call."""
        roster, before = net.roster, self._met
        lost = self._lost(roster)
        people = {n: (shown_name(overlay, person.name, person.seat), lost[n]) for n, person in roster.people.items()}
        if before is not None and roster.own in people:
            here = {n for n, (_, is_lost) in people.items() if not is_lost} - {roster.own}
            former = {n for n, (_, is_lost) in before.items() if not is_lost} - {roster.own}
            texts = [overlay.text("net.came", name=escaped(people[n][0])) for n in sorted(here - former)]
            texts += [overlay.text("net.gone", name=escaped(before[n][0])) for n in sorted(former - here)]
            self._notices += [_Notice(text, now) for text in texts]
        self._notices = self._notices[-_ROWS:]
        self._met = people


def escaped(text: str) -> str:
    """Return a text of another person for a Label: without templates, keys of translations, colors and icons.

    Long words may be divided, so that they do not make a column wider.
    """
    text = _LONG.sub("\\g<0>\u200b", text)
    text = text.replace("{", "(").replace("}", ")").replace("[", "[[")
    return f"\u200b{text}" if text.startswith("$") else text


def dot(color: str, *, is_chosen: bool = False) -> str:
    """Return the markup of a dot in a color."""
    return f"[{color}]{'[size=1.9]●[/]' if is_chosen else '[size=1.2]●[/]'}[/]"


def chat_markup(overlay: Overlay, roster: Roster, line: ChatLine) -> str:
    """Return the markup of a line of chat: the name of the person in its color, and the text."""
    person = roster.people.get(line.number) or line
    name = escaped(shown_name(overlay, person.name, person.seat))
    return f"[{COLORS[person.color]}]{name}[/]  {escaped(line.text)}"


def shown_name(overlay: Overlay, name: str, seat: int) -> str:
    """Return the name of a person; the number of the player if it has none."""
    if name:
        return name
    return overlay.text("net.player", n=seat) if seat else overlay.text("net.guest")
