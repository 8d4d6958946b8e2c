"""The game's own plugin: it declares the game's scripts and events."""

from rish_scripts import scripts_in

from . import scripts
from .scripts.firefly import Caught


def rish_scripts():
    """Return all scripts in the folder scripts/."""
    return scripts_in(scripts)


def rish_events():
    """Return the events of the game."""
    return [Caught]
