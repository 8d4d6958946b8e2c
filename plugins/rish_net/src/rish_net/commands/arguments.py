"""Values of options."""

from __future__ import annotations

import argparse

from ..wire.packets import MAX_SEATS


def port_argument(text: str) -> int:
    """Return a port of UDP."""
    if not (text.isascii() and text.isdigit() and int(text[:6]) < 1 << 16):
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to 65535, not {text!r}")
    return int(text)


def count_argument(text: str) -> int:
    """Return a number above 0."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:12]) < 1 << 31):
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, not {text!r}")
    return int(text)


def relay_argument(text: str) -> tuple[str, int]:
    """Return the address and port of a relay."""
    address, _, port = text.rpartition(":")
    if not address or not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 1 << 16):
        raise argparse.ArgumentTypeError(f"expected an address and a port, such as relay.example:41235, not {text!r}")
    return address, int(port)


def guests_argument(text: str) -> int:
    """Return a number of guests."""
    if not (text.isascii() and text.isdigit() and int(text[:6]) < MAX_SEATS):
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to {MAX_SEATS - 1}, not {text!r}")
    return int(text)
