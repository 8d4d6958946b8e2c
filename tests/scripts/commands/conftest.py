"""The log is left as it was found: the command line sends it to where a person reads it."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def log_as_it_was() -> Iterator[None]:
    """Handlers, level and propagation of the log."""
    log = logging.getLogger("rish")
    before = log.handlers[:], log.level, log.propagate
    yield
    log.handlers[:], log.level, log.propagate = before
