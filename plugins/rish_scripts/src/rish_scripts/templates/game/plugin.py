"""The game's own plugin: tells Rish which scripts and events there are."""

from rish_scripts import scripts_in

from . import scripts
from .scripts.firefly import Caught


def rish_scripts():
    """Every script in the folder scripts/."""
    return scripts_in(scripts)


def rish_events():
    """What can happen."""
    return [Caught]
