"""Sends states of the game to guests."""

from __future__ import annotations

import logging

from ..links.link import Transport
from ..session.session import Session
from ..wire.messages import STATE, WELCOME, pack
from .desync_search import DesyncSearch

_log = logging.getLogger("rish.net")


def send_states(session: Session, wanting: list[int], transport: Transport | None, search: DesyncSearch | None) -> None:
    """Send the newest state that can't change to guests that join, and to those whose hash was wrong.

    wanting: the links of the guests that need one; emptied. search: finds the system by which a game went apart.
    """
    assert transport is not None
    for number, tick in session.desyncs:
        who = f"link {number}" if session.hosts else "the host"
        _log.error("tick %d: the game of %s has another state", tick, who)
        if session.hosts and number not in wanting:
            wanting.append(number)
            assert search is not None
            search.begin(session, number, tick)
    session.desyncs.clear()
    for link in wanting:
        if link in session.peers:
            tick, state, streams = session.state()
            rows = [[seat, opened, closed] for seat, (opened, closed) in streams.items()]
            session.begin_peer(link, tick, streams)
            welcome = pack(WELCOME, streams=rows, epoch=session.peers[link].epoch, course=session.course)
            transport.send_message(link, welcome)
            transport.send_message(link, bytes([STATE]) + state.to_bytes())
    wanting.clear()
