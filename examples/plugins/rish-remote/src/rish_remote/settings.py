"""The settings of the plugin."""

from __future__ import annotations

from rish_core import Str, field, resource


@resource(derived=True)
class RemoteSettings:
    """The settings `settings: remote:` of a manifest."""

    port: int = field(0, low=0, high=65535, doc="the port of the server; 0 for any free one")
    token: Str = field("", doc="what a request must present; empty for a random one, which is printed")
    certificate: Str = field(
        "", doc="a PEM file with a certificate, with which the server speaks HTTPS; empty for HTTP"
    )
    key: Str = field("", doc="the PEM file of the certificate's key; empty if `certificate` contains it")
    allow: Str = field("write", choices=("read", "write"), doc="read refuses all requests that change anything")
