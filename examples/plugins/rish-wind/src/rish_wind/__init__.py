"""Wind for Rish: zones of moving air that push bodies and particles.

from rish_wind import GustBegan, WindZone, wind_at
"""

from .air import wind_at
from .components import Drag, GustBegan, WindSettings, WindZone, ZoneShape

__all__ = ["Drag", "GustBegan", "WindSettings", "WindZone", "ZoneShape", "wind_at"]
