"""Starts a thread when it is imported."""

from rish_core import About, Stage, Transform, component, event, field, resource, system
import threading
import time


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

