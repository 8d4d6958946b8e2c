"""Starts a process and does not end it."""

import subprocess
import sys

from rish_core import About, component, field


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
