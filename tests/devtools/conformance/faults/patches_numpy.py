"""Replaces a function of numpy."""

import numpy as np

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


def rish_ready(app):
    plain = np.clip
    np.clip = lambda *given, **options: plain(*given, **options)


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
