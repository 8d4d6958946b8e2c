"""The hooks: Rish calls these functions once, and checks what they return."""

from rish_core import About

from .backend import CLASS


def rish_about() -> About:
    """Describe the plugin; backends are declared to the plugin `frame`."""
    return About(description="a backend that writes SVG", api=">=1,<2", requires=["frame>=0.1"])


def make() -> CLASS:
    """Make the backend that a game uses; it writes the last picture of the game."""
    return CLASS(path="PLUGIN.svg")


def rish_backends() -> dict[str, object]:
    """Return the backends of the plugin: for each name a function that makes one."""
    return {"PLUGIN": make}
