"""Starts a thread when it is imported."""

import threading
import time

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
