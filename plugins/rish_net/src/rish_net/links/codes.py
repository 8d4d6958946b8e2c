"""The code that a host shows and a guest types: eight letters and digits, 40 random bits, instead of an invitation.

The key that belongs to it is derived from the code *and* the fingerprint of the certificate that the guest sees, with
scrypt. So a host that imitates another one gets a key that the other one does not accept; and to find the code from
that key would take 2**40 runs of scrypt while the game lasts. At the host itself nobody guesses 40 bits, so wrong keys
need not be counted, and nobody can lock the others out with some.
"""

from __future__ import annotations

import hashlib
import secrets

from rish_core import UsageError

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The digits of Crockford's base 32: without I, L, O and U."""
_CODE_LETTERS = 8
_ALIKE = str.maketrans("ILOU", "110V")
_SCRYPT = {"n": 1 << 14, "r": 8, "p": 1}


def new_code() -> str:
    """Return a random code, such as `7K3M-9XQ2`."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LETTERS))
    return f"{letters[:4]}-{letters[4:]}"


def key_of(code: str, fingerprint: bytes) -> bytes:
    """Return the key that belongs to a code at the host with this fingerprint. Raises UsageError for what is no code.

    It takes 50 ms on purpose. Small letters and I, L, O count as what they look like.
    """
    letters = code.upper().replace("-", "").replace(" ", "").translate(_ALIKE)
    if len(letters) != _CODE_LETTERS or set(letters) - set(_LETTERS):
        hint = "The host shows it: eight letters and digits, such as 7K3M-9XQ2"
        raise UsageError("this is no code", given=code[:20], hint=hint)
    return hashlib.scrypt(letters.encode(), salt=b"rish lan" + fingerprint, dklen=16, **_SCRYPT)
