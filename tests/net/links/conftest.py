"""Waiting for what arrives."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from rish_net.links.link import Arrival, Arrived
from rish_net.links.quic import QuicTransport
from rish_net.relay.relay import Relay
from rish_net.relay.serving import serve_relay

SECONDS = 20.0


@pytest.fixture
def wait_for() -> Callable[[QuicTransport, Arrival], Arrived]:
    """A function that returns the first thing of a kind that arrives."""
    rest: dict[int, list[Arrived]] = {}

    def wait(transport: QuicTransport, what: Arrival) -> Arrived:
        until, waiting = time.monotonic() + SECONDS, rest.setdefault(id(transport), [])
        while time.monotonic() < until:
            waiting += transport.poll()
            while waiting:
                arrived = waiting.pop(0)
                if arrived.what is what:
                    return arrived
            time.sleep(0.005)
        raise AssertionError(f"{what} did not arrive")

    return wait


@pytest.fixture
def host() -> Iterator[QuicTransport]:
    """A host that listens on this machine only."""
    transport = QuicTransport.listen()
    yield transport
    transport.close()


@contextmanager
def running_relay(port: int = 0) -> Iterator[tuple[Relay, int]]:
    """Run a relay in a thread; give it and its port."""
    loop, relay = asyncio.new_event_loop(), Relay()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    socket, bound = asyncio.run_coroutine_threadsafe(serve_relay(relay, "127.0.0.1", port), loop).result()
    try:
        yield relay, bound
    finally:
        loop.call_soon_threadsafe(socket.close)
        loop.call_soon_threadsafe(loop.call_later, 0.01, loop.stop)
        thread.join()
        loop.close()


@pytest.fixture
def relay_on() -> Callable[..., object]:
    """The function that runs a relay."""
    return running_relay
