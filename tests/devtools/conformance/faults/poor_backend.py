"""Offers a backend that forgets to refuse a target that does not exist."""

from rish_core import About, component, field, hookimpl
from rish_frame import NullBackend


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


METADATA = {"requires": ["rish-core", "rish-ecs", "rish-frame"]}


class PoorBackend(NullBackend):
    """Shows nothing, whatever it is asked for."""

    name = "poor"

    def pixels(self, target="screen"):
        return super().pixels("screen")


@hookimpl(optional=True)
def rish_backends():
    return {"poor": lambda: PoorBackend(keep=0)}


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
