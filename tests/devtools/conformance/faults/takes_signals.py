"""Replaces the handler of interrupts."""

import signal

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_ready(app):
    signal.signal(signal.SIGINT, lambda *_: None)


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
