"""The hooks of the plugin: its settings, the resource that holds the server, and the system that answers requests."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import About, Stage, UsageError, World, resource, system

from .game.game import Game
from .server.inbox import Inbox, Job
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
    remote.server = _open_server(app, settings, remote.inbox, token)
    remote.game = Game(app, writable=writable)
    remote.game.log.attach()
    remote.url = f"{remote.server.scheme}://127.0.0.1:{remote.server.port}/#token={token}"
    print(f"remote: open {remote.url}", file=sys.stderr, flush=True)


def _open_server(app: Any, settings: RemoteSettings, inbox: Inbox, token: str) -> Any:
    """Return a server with the port and the certificate of the settings. Raises UsageError at the place of either."""
    from .server.server import Server, read_certificate  # its library is loaded with a game, not with the plugin

    at = "certificate"
    folder = app.manifest.root or Path()
    try:
        files = [str(folder / each) if each else "" for each in (str(settings.certificate), str(settings.key))]
        tls = read_certificate(*files) if files[0] else None
        at = "port"
        return Server(inbox, int(settings.port), token, tls=tls, writable=settings.allow == "write")
    except UsageError as error:
        place = app.manifest.document.place("settings", "remote", at)
        raise UsageError(error.what, where=place, hint=error.hint) from None


@system(Stage.LAST, after="*.*")
def answer_requests(world: World, dt: float) -> None:
    """Answer the requests that came in, and those that change the state at the next tick border."""
    remote = world[Remote]
    inbox, game = remote.inbox, remote.game
    if not remote.server.started:
        remote.server.start()
    game.frame()
    if inbox.knock.is_set() or (game.idle and inbox.knock.wait(_WAIT)):
        jobs, later = inbox.take()
        _answer(game, jobs)
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
