"""Games with planted faults."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import pytest

import rish_devtools.watchdog as watchdog
from rish_core import App
from rish_devtools import Report, Watchdog
from rish_devtools.testing import AppFactory

Faulty = Callable[..., App]
HEAD = "import logging, threading, time\nfrom rish_core import Stage, system\n"


@pytest.fixture
def faulty(rish_app: AppFactory) -> Faulty:
    """A function that makes a game from the code of its `plugin.py`, below two lines of imports, with the watchdog."""

    def make(code: str, policy: str = "disable", **settings: Any) -> App:
        return rish_app(
            {"settings": {"watchdog": settings}},
            plugins={"watchdog": watchdog},
            files={"plugin.py": HEAD + textwrap.dedent(code)},
            strict=False,
            policy=policy,
        )

    return make


@pytest.fixture
def reports() -> Callable[[App, str], list[Report]]:
    """A function that returns the reports of a kind."""

    def of_kind(app: App, kind: str) -> list[Report]:
        return [report for report in app.world[Watchdog].reports if report.kind == kind]

    return of_kind
