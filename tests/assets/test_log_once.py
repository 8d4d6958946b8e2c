"""`LogOnce` logs a message once, however often its cause occurs."""

from __future__ import annotations

import logging

import pytest

from rish_assets import LogOnce


def test_a_message_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """The same text, or the same key, is logged at the first call only."""
    log = LogOnce("rish.test")
    assert [log("a"), log("a"), log("b", key=("x", 1)), log("c", key=("x", 1)), log.error("d")] == [
        True, False, True, False, True,
    ]  # fmt: skip
    assert [(record.name, record.levelno, record.getMessage()) for record in caplog.records] == [
        ("rish.test", logging.WARNING, "a"), ("rish.test", logging.WARNING, "b"), ("rish.test", logging.ERROR, "d"),
    ]  # fmt: skip
    assert "a" in log
    assert ("x", 1) in log
    assert "b" not in log


def test_forgotten_messages_are_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    """Some keys, or all, can be logged again."""
    log = LogOnce("rish.test")
    for _ in range(2):
        log("a %s")
        log("b")
        log.forget("b", "unknown")
    assert caplog.messages == ["a %s", "b", "b"]
    log.forget()
    assert log("a %s")


def test_a_muted_one_logs_and_remembers_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """While it is muted nothing is logged; the message is logged the next time."""
    log = LogOnce("rish.test")
    log.muted = True
    assert not log("a")
    log.muted = False
    assert log("a")
    assert caplog.messages == ["a"]
