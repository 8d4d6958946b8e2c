"""Codes that people type."""

from __future__ import annotations

import pytest

from rish_core import UsageError
from rish_net import key_of, new_code

PRINT = bytes(range(32))


def test_a_code_gives_one_key_for_each_certificate() -> None:
    """Case, hyphens and letters that look alike do not matter; another code or certificate gives another key."""
    key = key_of("7K3M-9XQ0", PRINT)
    assert len(key) == 16
    assert key_of("7k3m 9xqo", PRINT) == key
    assert key_of("7K3M-9XQ1", PRINT) != key
    assert key_of("7K3M-9XQ0", bytes(32)) != key


def test_codes_are_random() -> None:
    """A new code is one that can be typed, and no two are equal."""
    codes = {new_code() for _ in range(100)}
    assert len(codes) == 100
    assert all(len(code) == 9 and code[4] == "-" for code in codes)
    assert len(key_of(codes.pop(), PRINT)) == 16


@pytest.mark.parametrize("text", ["", "1234", "7K3M-9XQ22", "7K3M-9XÄ2", "rish:127.0.0.1:1:abc"])
def test_other_texts_are_no_codes(text: str) -> None:
    """What is no code is an error that shows one."""
    with pytest.raises(UsageError, match="7K3M-9XQ2"):
        key_of(text, PRINT)
