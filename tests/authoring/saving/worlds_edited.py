"""A game with every form of entries, and random edits of its World."""

from __future__ import annotations

import random

from rish_authoring import mark_authored
from rish_core import App, Name, Tags, Transform, spawn_prefab
from rish_physics import Body, Collider

TEXT = """\
# game
rish: 1
plugins: [physics]
prefabs:
  crate:    # a box
    Transform: {}
    tags: [solid]
    Body: {}
    Collider: {shape: box, size: [4, 4]}
    children:
      - {name: lid, Transform: {position: [0, 3]}}
  big: {prefab: crate, Body.linear_damping: 3, lid.Transform.rotation: 45deg}
scenes:
  main:
    # the first
    - prefab: crate   # here
      name: one
      at: [1, 2]
    - {prefab: crate, count: 4}
    - {prefab: big, at: {grid: [3, 2], step: [10, 10]}, lid.Transform.scale: [2, 2]}

    # random ones
    - {prefab: crate, at: {random: [0, 0, 99, 99]}, count: 5, Body: {velocity: {random: [[0, 0], [5, 5]]}}}
    - {prefab: crate, at: {random: [0, 0, 100, 100]}}
    - name: two
      Transform: {position: [5, 5], rotation: 90deg}
      children:
        # kids
        - {name: inner, Transform: {}}
        - Transform: {}
          Body: {linear_damping: {each: [1, 2, 3]}}
          at: [[1, 1], [2, 2], [3, 3]]
    - {name: three, Transform: {}, parent: two}
    - {name: jim, Transform: {}, count: 2}
"""


def random_edit(rng: random.Random, app: App) -> None:
    """Change the World as an editor would."""
    world = app.world
    alive = sorted(world[Transform].entities.tolist())
    one = rng.choice(alive) if alive else 0
    match rng.randrange(12) if alive else 10:
        case 0:
            world.set(one, Transform(position=(rng.uniform(-50, 50), rng.randint(0, 9))))
        case 1:
            world.set(one, Transform(rotation=rng.choice([0.0, 1.0, rng.uniform(-7, 7)])))
        case 2:
            world.set(one, Transform(scale=rng.choice([(1, 1), (2, 0.1)])))
        case 3 if world.has(one, Body):
            world.set(one, Body(linear_damping=rng.choice([0, 3, 5.5])))
        case 4 if world.has(one, Body):
            world.remove(one, Body)
        case 5 if not world.has(one, Collider):
            world.add(one, Collider(shape="circle", radius=rng.uniform(1, 5)))
        case 6:
            world.despawn(one)
        case 7:
            world.add(one, Name(value=f"n{rng.randrange(10**9)}"))
        case 8 if world.has(one, Tags):
            world.set(one, Tags(values=[*world.get(one, Tags).values, f"t{rng.randrange(5)}"]))
        case 8:
            world.add(one, Tags(values=["a b"]))
        case 9:
            above = parent = rng.choice([0, *alive])
            while above and above != one:
                above = int(world.get(above, Transform).parent)
            if not above:
                world.set(one, Transform(parent=parent))
        case 10:
            mark_authored(world, world.spawn(Transform(position=(1, 2), parent=rng.choice([0, *alive]))))
        case _:
            mark_authored(world, spawn_prefab(world, "big", at=(1.5, 2), parent=rng.choice([0, *alive])))
