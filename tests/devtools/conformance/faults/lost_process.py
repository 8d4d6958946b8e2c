"""Starts a process and does not end it."""

from rish_core import About, Stage, Transform, component, event, field, resource, system
import subprocess
import sys


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_ready(app):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]

