"""Waits without an end when the process ends."""

import atexit
import time

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_ready(app):
    atexit.register(time.sleep, 1000)


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
