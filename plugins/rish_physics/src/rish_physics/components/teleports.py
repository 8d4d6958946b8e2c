"""The table `Jumps`: bodies that were teleported. Providers of `physics2d` that read only columns need it, because a
changed position alone does not say whether the body was teleported or moved.
"""

from __future__ import annotations

from rish_core import Entity, field
from rish_ecs import table


@table
class Jumps:
    """The bodies that `teleport_bodies` has moved since the last step. Each step clears the table."""

    body: Entity = field(hidden=True)
