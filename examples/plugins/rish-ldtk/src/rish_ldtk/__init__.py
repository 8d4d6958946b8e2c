"""Levels of the editor LDtk for Rish: tile layers, collision, entities, backgrounds and worlds.

from rish_ldtk import LdtkLevel, LdtkWorlds, level_at, neighbors
"""

from .components import LdtkLevel, LdtkSettings
from .model import EntityInstance, Level, Project
from .reading import read_project
from .worlds import LdtkWorlds, level_at, neighbors

__all__ = [
    "EntityInstance",
    "LdtkLevel",
    "LdtkSettings",
    "LdtkWorlds",
    "Level",
    "Project",
    "level_at",
    "neighbors",
    "read_project",
]
