"""Jumps: bodies that were moved without passing through the space between, for providers that read only columns."""

from __future__ import annotations

from rish_core import Entity, field
from rish_ecs import table


@table
class Jumps:
    """The bodies that `teleport_bodies` has moved since the last step, which clears the table."""

    body: Entity = field(hidden=True)
