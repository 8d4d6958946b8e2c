"""TITLE for Rish: entities that pulse, and an event at each beat."""

from .components import Beat, Pulse, Settings

__all__ = ["Beat", "Pulse", "Settings"]
