"""Restores the log after each test, since the command line configures it for output."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def log_as_it_was() -> Iterator[None]:
    """Restore handlers, level and propagation of the log."""
    log = logging.getLogger("rish")
    before = log.handlers[:], log.level, log.propagate
    yield
    log.handlers[:], log.level, log.propagate = before
