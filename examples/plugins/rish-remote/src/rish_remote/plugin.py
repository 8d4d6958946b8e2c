"""The hooks of the plugin: its settings, the resource that holds the server, and the system that answers requests."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from typing import Any

from rish_core import About, Stage, World, resource, system

from .game.game import Game
from .server.inbox import Inbox, Job
from .server.server import Server
from .settings import RemoteSettings

_WAIT = 1 / 60
"""Seconds for which a frame of a paused game without a window waits for a request."""


@resource(derived=True)
class Remote:
    """The server of a game and what it needs of the game; None before the game is ready. url: opens the page."""

    server: Any = None
    inbox: Any = None
    game: Any = None
    url: str = ""


def rish_about() -> About:
    """Describe the plugin."""
    return About(description="a server on this machine that inspects and drives the game")


def rish_settings() -> type:
    """Return the class of `settings: remote:`."""
    return RemoteSettings


def rish_resources() -> list[type]:
    """Return the resource that holds the server."""
    return [Remote]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that answers requests."""
    return [answer_requests]


def rish_ready(app: Any) -> None:
    """Open the port and print the address; requests are answered from the first frame on."""
    settings, remote = app.world[RemoteSettings], app.world[Remote]
    token = str(settings.token) or secrets.token_urlsafe(16)
    writable = settings.allow == "write"
    remote.inbox = Inbox()
    remote.server = Server(remote.inbox, int(settings.port), token, writable=writable)
    remote.game = Game(app, writable=writable)
    remote.game.log.attach()
    remote.url = f"http://127.0.0.1:{remote.server.port}/#token={token}"
    print(f"remote: open {remote.url}", file=sys.stderr, flush=True)


@system(Stage.LAST, after="*.*")
def answer_requests(world: World, dt: float) -> None:
    """Answer the requests that came in, and those that change the state at the next tick border."""
    remote = world[Remote]
    inbox, game = remote.inbox, remote.game
    if not remote.server.started:
        remote.server.start()
    game.frame()
    if inbox.knock.is_set() or (game.idle and inbox.knock.wait(_WAIT)):
        now, later = inbox.take()
        _answer(game, now)
        if later:
            world.defer(lambda world: _answer(game, later))


def _answer(game: Game, jobs: list[Job]) -> None:
    for job in jobs:
        game.answer(job.route, job.call, job.future)


def rish_shutdown(world: Any) -> None:
    """Close the server: no thread, socket or hook is left."""
    remote = world[Remote]
    if remote.server is not None:
        remote.inbox.close()
        remote.game.close()
        remote.server.close()
