"""What the last step knew of each body: whether it sleeps, and what must stay the same while it does.

The rule is that sleep changes nothing but the time of a tick. So a sleeping body stores what its rest depends on: its
pose, its shapes and mass, its gravity scale. Whatever differs in the next step wakes it, or is evaluated for it. All
comparisons are of values, not of versions, since a restored World must wake the same bodies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

if TYPE_CHECKING:
    from ..joints.layout import JointLayout
    from .layout import Layout


def match_bodies(table: Any, layout: Layout) -> tuple[Array, Array]:
    """Update the table `Bodies3D` to the bodies of the layout; return which are new, and which others have another
    type, mass or shape, bool.
    """
    new = layout.body_digests
    old = table.body
    if len(old) == len(layout.entities) and (old == layout.entities).all():
        changed = table.digest != new
        table.digest[:] = new
        return np.zeros(len(new), np.bool_), changed
    place = np.minimum(np.searchsorted(layout.entities, old), len(layout.entities) - 1)
    stays = layout.entities[place] == old
    names = "island", "rest", "fresh", "seen", "digest", "areas"
    columns = {name: table.column(name)[stays].copy() for name in names}
    table.resize(len(layout.entities))
    table.body[:] = layout.entities
    for name, kept in columns.items():
        column = table.column(name)
        column[:] = 0
        column[place[stays]] = kept
    added: Array = np.ones(len(new), np.bool_)
    added[place[stays]] = False
    changed = ~added & (table.digest != new)
    table.digest[:] = new
    return added, changed


def settings_changed(solved: Any, digest: int) -> bool:
    """Return whether the settings differ from those of the last step, and note them. digest: of all settings."""
    before, solved.digest = solved.digest, digest
    return before not in (0, digest)


def match_joints(table: Any, joints: JointLayout, layout: Layout) -> Array:
    """Update the table `Joints3D` to these joints; return the entities of bodies whose joints have changed, int64.

    Joints that stay keep their impulses.
    """
    old = table.joint
    if not len(old) and not len(joints.entities):
        return old
    new, ends = joints.digests, layout.entities[joints.form[:, 1:3]]
    if len(old) == len(joints.entities) and (old == joints.entities).all():
        changed = table.digest != new
        if not changed.any():
            return old[:0]
        touched = np.concatenate([np.stack([table.a, table.b], axis=1)[changed], ends[changed]])
    else:
        place = np.minimum(np.searchsorted(joints.entities, old), max(0, len(joints.entities) - 1))
        stays = joints.entities[place] == old if len(joints.entities) else np.zeros(len(old), np.bool_)
        same = np.zeros(len(joints.entities), np.bool_)
        same[place[stays]] = table.digest[stays] == new[place[stays]]
        before = np.stack([table.a, table.b], axis=1)
        gone = ~stays
        gone[stays] = ~same[place[stays]]
        touched = np.concatenate([before[gone], ends[~same]])
        impulses = np.zeros((len(joints.entities), table.impulses.shape[1]), np.float32)
        impulses[place[stays]] = table.impulses[stays]
        table.resize(len(joints.entities))
        table.joint[:], table.impulses[:] = joints.entities, impulses
    table.a[:], table.b[:], table.digest[:] = ends[:, 0], ends[:, 1], new
    return np.unique(touched)
