"""Attaching joints to bodies that are selected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_space3d import Transform3D, world_poses

from ...components.joints import READERS
from ...joints.sketches import move_anchor_3d

if TYPE_CHECKING:
    from rish_editor import Editor


def bodies_in(game: Any, handles: list[int]) -> list[int]:
    """Return the entities among `handles` that have a Transform3D and no joint."""
    world = game.world
    joints = [world.table(cls) for cls in READERS]
    return [
        handle for handle in handles
        if world.table(Transform3D).row_of(handle) >= 0 and all(table.row_of(handle) < 0 for table in joints)
    ]  # fmt: skip


def selected_joint(game: Any) -> tuple[int, type] | None:
    """Return the selected joint and its class if exactly one joint and two other entities are selected; otherwise
    None.
    """
    joints = [(handle, cls) for handle in game.selection.handles for cls in READERS if game.world.has(handle, cls)]
    return joints[0] if len(joints) == 1 and len(bodies_in(game, game.selection.handles)) == 2 else None


def attach_selected(editor: Editor) -> None:
    """Attach the selected joint to the two selected bodies."""
    game = editor.game
    assert game is not None
    joint = selected_joint(game)
    if joint is not None:
        first, second = bodies_in(game, game.selection.handles)
        attach(game, *joint, first, second, editor.tr("Attach a joint"))


def attach(game: Any, joint: int, cls: type, a: int, b: int, name: str = "Attach a joint") -> None:
    """Let a joint connect two bodies, as one step: where they are now counts as no rotation.

    Both anchors are put at the position of b; those of a joint with a length at the positions of both.
    """
    world = game.world
    with game.edit(name):
        game.set([joint], cls, "a", a)
        game.set([joint], cls, "b", b)
        fields: Any = cls.__kind__.fields  # pyright: ignore[reportAttributeAccessIssue]
        if "rotation_given" in fields:
            game.set([joint], cls, "rotation_given", False)
        table, positions = world.table(Transform3D), world_poses(world)[0]
        places = [positions[table.row_of(handle)] for handle in (a, b)]
        for side in (0, 1):
            move_anchor_3d(world, joint, cls, side, places[side if "length" in fields else 1])
