"""Signals by name, on systems that lack some."""

from __future__ import annotations

import signal
import threading

import pytest

from rish_system import Handlers, default_action, handlers_of, raise_signal, signal_ignored

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="signals of POSIX")


def test_a_function_is_called_until_it_is_removed() -> None:
    """It gets the name of the signal; what happened before is restored."""
    before = handlers_of("SIGUSR1", "SIGUSR2")
    seen: list[str] = []
    handlers = Handlers({"SIGUSR1": seen.append, "SIGUSR2": seen.append})
    handlers.install()
    raise_signal("SIGUSR2")
    raise_signal("SIGUSR1")
    handlers.remove()
    handlers.remove()
    assert seen == ["SIGUSR2", "SIGUSR1"]
    assert handlers_of("SIGUSR1", "SIGUSR2") == before


def test_what_somebody_handles_stays() -> None:
    """A signal that is handled already, such as Ctrl-C, is left alone."""
    before = handlers_of("SIGINT")
    handlers = Handlers({"SIGINT": print})
    handlers.install()
    assert handlers_of("SIGINT") == before


def test_a_system_without_a_signal_ignores_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without SIGTERM and SIGTSTP nothing is called, sent or changed."""
    monkeypatch.delattr(signal, "SIGTERM")
    monkeypatch.delattr(signal, "SIGTSTP")
    handlers = Handlers({"SIGTERM": print, "SIGTSTP": print})
    handlers.install()
    handlers.remove()
    raise_signal("SIGTSTP")
    default_action("SIGTERM")
    assert handlers_of("SIGTERM", "SIGTSTP") == (None, None)


def test_the_default_action_leaves_the_handler() -> None:
    """After the action of the system, here none, the handler is there again."""
    seen: list[str] = []
    handlers = Handlers({"SIGCHLD": seen.append})
    handlers.install()
    default_action("SIGCHLD")
    raise_signal("SIGCHLD")
    handlers.remove()
    assert seen == ["SIGCHLD"]


def test_another_thread_changes_nothing() -> None:
    """Only the main thread can handle signals."""
    before = handlers_of("SIGUSR1")
    thread = threading.Thread(target=Handlers({"SIGUSR1": print}).install)
    thread.start()
    thread.join()
    assert handlers_of("SIGUSR1") == before


def test_a_signal_is_ignored_for_a_while() -> None:
    """A signal does nothing within the statement; afterwards it is handled as before."""
    seen: list[str] = []
    handlers = Handlers({"SIGUSR1": seen.append})
    handlers.install()
    with signal_ignored("SIGUSR1"):
        raise_signal("SIGUSR1")
    assert seen == []
    raise_signal("SIGUSR1")
    handlers.remove()
    assert seen == ["SIGUSR1"]
    with signal_ignored("SIGNOTHING"):
        pass
