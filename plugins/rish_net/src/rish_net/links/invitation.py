"""The invitation: where a host listens, the fingerprint of its certificate, and the key that lets a guest in.

Through a relay the address is that of the relay, and the session says which of its hosts is meant.

It is one word of letters, digits, `-`, `_`, `.` and `:`, such as `rish:192.168.1.5:41234:k3J...`. Whoever has it may
join; without it no byte of the game is sent. The fingerprint makes sure that the guest talks to this host and nobody
else.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
from dataclasses import dataclass

from rish_core import UsageError

_KEY_BYTES = 16
_PRINT_BYTES = 32
_SESSION_BYTES = 16
_SIZES = _PRINT_BYTES + _KEY_BYTES, _PRINT_BYTES + _KEY_BYTES + _SESSION_BYTES
_PREFIX = "rish"


@dataclass(frozen=True)
class Invitation:
    """address: a name or IP address. port: of UDP. fingerprint: SHA-256 of the certificate. key: secret.

    session: at the relay whose address this is; empty for the host's own address.
    """

    address: str
    port: int
    fingerprint: bytes
    key: bytes
    session: bytes = b""

    def __str__(self) -> str:
        secret = base64.urlsafe_b64encode(self.fingerprint + self.key + self.session).decode().rstrip("=")
        return f"{_PREFIX}:{self.address}:{self.port}:{secret}"

    @classmethod
    def parse(cls, text: str) -> Invitation:
        """Return the invitation of its text. Raises UsageError."""
        prefix, _, rest = text.strip().partition(":")
        head, _, secret = rest.rpartition(":")
        address, _, port = head.rpartition(":")
        try:
            data = base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4))
        except (binascii.Error, ValueError):
            data = b""
        number = int(port) if port.isascii() and port.isdigit() else 0
        if prefix != _PREFIX or not address or not 0 < number < 65536 or len(data) not in _SIZES:
            raise UsageError(
                "this is no invitation", given=text[:80],
                hint="`rish host GAME` prints one, such as rish:192.168.1.5:41234:... Copy the whole line",
            )  # fmt: skip
        secret_end = _PRINT_BYTES + _KEY_BYTES
        return cls(address, number, data[:_PRINT_BYTES], data[_PRINT_BYTES:secret_end], data[secret_end:])


def new_key() -> bytes:
    """Return a random key of 128 bits."""
    return secrets.token_bytes(_KEY_BYTES)


def fingerprint(certificate: bytes) -> bytes:
    """Return the SHA-256 of a certificate in DER."""
    return hashlib.sha256(certificate).digest()
