"""Finds the system by which two games went apart.

The host and the guest keep some states and all inputs of the last seconds. After a wrong hash both run the ticks since
the last equal hash again, beside the game, and compare what they get, by messages of kind `DESYNC`:

    host    search   the hash after each of these ticks
    guest   trail    the first tick with another hash: what each of its systems changed
    host    culprit  the first system that changed something else, and the values that it wrote
    guest   report   the sentence that both write into the log

The guest gets the state of the host at once; it does not wait for the search. Both sides write a recording of these
ticks. If the guest gets the hashes of the host when it runs the ticks again, no system of these ticks is the cause.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from rish_core import printable
from rish_history import HistorySettings, RecordingError, RecordingWriter, origin_of

from ..session.session import Session
from ..wire.errors import ProtocolError
from ..wire.messages import DESYNC, pack, unpack
from .trail import Rerun, Step, difference_of_rows, first_difference

_log = logging.getLogger("rish.net")
_LONGEST = 240
"""The most ticks that are run again."""
_SEARCHES = 3
"""How often a search is begun for a link."""
_MOST_TEXT = 600
_MOST_WAITING = 16


class DesyncSearch:
    """Searches for each link. send: sends a message to a link."""

    def __init__(self, app: Any, send: Callable[[int, bytes], None]) -> None:
        self._app, self._send = app, send
        self._runs: dict[int, Rerun] = {}
        self._begun = Counter[int]()
        self._compared: set[int] = set()
        self._arrived: list[tuple[int, bytes]] = []

    def begin(self, session: Session, link: int, end: int) -> None:
        """Begin to search, as the host, after the hash of a guest at tick `end` was wrong."""
        begin = session.peers[link].equal
        if link in self._runs or self._begun[link] >= _SEARCHES:
            return
        self._begun[link] += 1
        self._compared.discard(link)
        run = self._run(session, link, begin, end)
        if run is not None:
            self._send(link, pack(DESYNC, what="search", begin=begin, end=end, hashes=run.hashes))

    def take(self, link: int, message: bytes) -> None:
        """Keep a message until `work`."""
        if len(self._arrived) < _MOST_WAITING:
            self._arrived.append((link, message))

    def work(self, session: Session) -> None:
        """Go on with what arrived; between two ticks. A message that fits no search ends it."""
        arrived, self._arrived = self._arrived, []
        for link, message in arrived:
            try:
                self._take(session, link, message)
            except ProtocolError as error:
                _log.warning("the search for the cause of a wrong hash ends: %s", error)
                self._runs.pop(link, None)

    def _take(self, session: Session, link: int, message: bytes) -> None:
        what = unpack(message, what=str)["what"]
        searches = link in self._runs
        if what == "search" and not session.hosts:
            self._search(session, link, message)
        elif what == "culprit" and not session.hosts and searches:
            self._name(session, link, message)
        elif what == "trail" and session.hosts and searches and link not in self._compared:
            self._compare(session, link, message)
        elif what == "report" and session.hosts and searches:
            self._end(session, link, printable(unpack(message, text=str)["text"], one_line=True)[:_MOST_TEXT])
        else:
            raise ProtocolError(f"nobody asked for {what[:20]!r}")

    def _run(self, session: Session, link: int, begin: int, end: int) -> Rerun | None:
        """Run the ticks again; None if the state or the inputs are not there any more."""
        state = session.rollback.checkpoints.get(begin)
        if state is None or not begin < end <= min(begin + _LONGEST, session.game.tick):
            return None
        records = [session.rollback.input_of(tick) for tick in range(begin, end)]
        run = self._runs[link] = Rerun(self._app, begin, state, records)
        return run

    # The guest

    def _search(self, session: Session, link: int, message: bytes) -> None:
        values = unpack(message, begin=int, end=int, hashes=list)
        begin, end, hashes = values["begin"], values["end"], values["hashes"]
        run = self._run(session, link, begin, end)
        if run is None or len(hashes) != len(run.hashes):
            self._tell(session, link, f"tick {end}: the guest has no state of tick {begin} to search from")
            return
        differing = [number for number, digest in enumerate(run.hashes) if digest != hashes[number]]
        if not differing:
            self._tell(
                session, link,
                f"tick {end}: run again from tick {begin}, the guest has the state of the host. Something changed it "
                "between two ticks, or depends on what is not in the World; `rish run --strict` finds that",
            )  # fmt: skip
            return
        tick = begin + differing[0]
        self._send(link, pack(DESYNC, what="trail", tick=tick, steps=run.trail(tick).steps))

    def _name(self, session: Session, link: int, message: bytes) -> None:
        values = unpack(message, tick=int, step=int, name=str, part=str, rows=dict)
        run, tick, part = self._runs[link], values["tick"], values["part"]
        if not run.begin <= tick < run.end:
            raise ProtocolError("a message about a search names a tick that was not run again")
        own = run.trail(tick, values["step"], part).rows
        culprit = f"'{values['name']}'" if " " not in values["name"] else values["name"]
        where = f"wrote {part} first" if part else "ran first on one side only"
        self._tell(session, link, f"tick {tick}: {culprit} {where}{difference_of_rows(own, values['rows'])}")

    def _tell(self, session: Session, link: int, text: str) -> None:
        """Write the result into the log and the recording, and send it to the host."""
        text = printable(text, one_line=True)[:_MOST_TEXT]
        self._send(link, pack(DESYNC, what="report", text=text))
        self._end(session, link, text)

    # The host

    def _compare(self, session: Session, link: int, message: bytes) -> None:
        values = unpack(message, tick=int, steps=list)
        run, tick = self._runs[link], values["tick"]
        if not run.begin <= tick < run.end:
            raise ProtocolError("a message about a search names a tick that was not run again")
        self._compared.add(link)
        own = run.trail(tick).steps
        number, part = first_difference(own, _steps(values["steps"])) or (len(own) - 1, "")
        rows = run.trail(tick, number, part).rows if part else {}
        name = own[min(number, len(own) - 1)][0]
        self._send(link, pack(DESYNC, what="culprit", tick=tick, step=number, name=name, part=part, rows=rows))

    # Both

    def _end(self, session: Session, link: int, text: str) -> None:
        """Write the result into the log, and the ticks into a recording."""
        run, recorded = self._runs.pop(link, None), ""
        if run is not None:
            recorded = self._record(session, run, text)
        _log.error("the games went apart at %s%s", text, recorded)

    def _record(self, session: Session, run: Rerun, text: str) -> str:
        """Write a recording of what this side gets; return a sentence that says where it is."""
        app, side = self._app, "host" if session.hosts else "guest"
        settings = app.world[HistorySettings] if HistorySettings in app.world else HistorySettings()
        folder = Path(HistorySettings().capsules if app.manifest.data_only else settings.capsules)
        if not settings.capsules:
            return ""
        path = folder / f"desync-{run.end}-{side}.rish"
        more = [] if "net" in [wish.name for wish in app.manifest.plugins] else ["net"]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            writer = RecordingWriter(path, origin_of(app, more=more))
            writer.begin(run.begin, "the last equal state", run.state.snapshot())
            writer.add(run.begin, run.records, 1, run.hashes)
            writer.finish(text)
        except (OSError, RecordingError) as error:
            _log.error("the desync can't be recorded: %s", error)
            return ""
        return f". Replay it: rish replay {path} --verify"


def _steps(rows: list[Any]) -> list[Step]:
    """Return the steps of a message. Raises ProtocolError."""
    steps: list[Step] = []
    for row in rows:
        pair = cast("list[Any]", row) if isinstance(row, list) else []
        if len(pair) != 2 or not isinstance(pair[0], str) or not isinstance(pair[1], dict):
            raise ProtocolError("the steps of a message are no names with hashes")
        steps.append((pair[0], cast("dict[str, int]", pair[1])))
    return steps
