"""The settings of the plugin."""

from __future__ import annotations

from rish_core import Str, field, resource


@resource(derived=True)
class RemoteSettings:
    """The settings `settings: remote:` of a manifest."""

    port: int = field(0, low=0, high=65535, doc="the port of the server; 0 for any free one")
    token: Str = field("", doc="what a request must present; empty for a random one, which is printed")
    allow: Str = field("write", choices=("read", "write"), doc="read refuses all requests that change anything")
