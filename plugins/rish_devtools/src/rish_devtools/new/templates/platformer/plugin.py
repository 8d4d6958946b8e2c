"""The game's own plugin: it declares the game's scripts."""

from rish_scripts import scripts_in

from . import scripts


def rish_scripts():
    """Return all scripts in the folder scripts/."""
    return scripts_in(scripts)
