"""Messages of a link, which arrive completely and in order: JSON with a few known fields, or the bytes of a state.

Each message begins with one byte, its kind. The host tells a guest its `game`. The guest says `hello` with the game
that it has; the host answers with `welcome` and slices of the `state`, which the guest confirms by `taken`, or with
`refused`. A guest that has caught up says `ready`, and gets a seat. A guest whose hash was wrong gets another `welcome`
and `state`.

A guest tells its `profile`, and the host tells all guests the `people` of the session. Lines of `chat` go to the host,
which sends them to all.
"""

from __future__ import annotations

import json
from typing import Any, cast

from .errors import ProtocolError

GAME, HELLO, WELCOME, STATE, READY, SEATED, REFUSED, AT_END, DESYNC, PROFILE, PEOPLE, CHAT, TAKEN = range(1, 14)
"""The kinds of messages."""
_MOST = 1 << 20
"""The greatest size of a message in JSON, in bytes."""


def pack(kind: int, **values: Any) -> bytes:
    """Return a message in JSON."""
    return bytes([kind]) + json.dumps(values).encode()


def kind_of(message: bytes) -> int:
    """Return the kind of a message. Raises ProtocolError for an unknown one."""
    if not message or not GAME <= message[0] <= TAKEN:
        raise ProtocolError("a message is of no known kind")
    return message[0]


def unpack(message: bytes, **types: type) -> dict[str, Any]:
    """Return the values of a message in JSON, which has to have values of these types. Raises ProtocolError."""
    if len(message) > _MOST:
        raise ProtocolError(f"a message has {len(message)} bytes, and the limit is {_MOST}")
    try:
        values = json.loads(message[1:])
    except (ValueError, RecursionError):
        raise ProtocolError("a message is no JSON") from None
    if not isinstance(values, dict):
        raise ProtocolError("a message is no mapping")
    mapping = cast("dict[str, Any]", values)
    for name, wanted in types.items():
        value = mapping.get(name)
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise ProtocolError(f"a message has no {name}, or one of another type than {wanted.__name__}")
    return mapping
