"""The invitation."""

from __future__ import annotations

import pytest

from rish_core import UsageError
from rish_net.links.invitation import Invitation, new_key


@pytest.mark.parametrize("address", ["127.0.0.1", "example.org", "::1", "fe80::1%eth0"])
def test_an_invitation_is_read_as_it_was_written(address: str) -> None:
    """The text of an invitation contains everything, also with an address of IPv6, and
    the session at a relay.
    """
    for session in (b"", bytes(range(16))):
        invitation = Invitation(address, 4433, bytes(range(32)), new_key(), session)
        assert Invitation.parse(f" {invitation}\n") == invitation


@pytest.mark.parametrize(
    "text", ["", "rish", "rish:a:1:", "http://x", "rish:a:99999:" + "A" * 64, "rish:a:1:" + "A" * 63]
)
def test_other_texts_are_refused(text: str) -> None:
    """What is no invitation is an error that says where one comes from."""
    with pytest.raises(UsageError, match="rish host"):
        Invitation.parse(text)
