"""The rules: points, bombs, power-ups, lives, levels, and both endings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from rish_core import Transform

if TYPE_CHECKING:
    from .conftest import Breakout
else:
    Breakout = object

BLUE = (125, 332)
"""The center of a blue brick of the first level, worth 10 points."""


def hit(breakout: Breakout, x: float, y: float) -> None:
    """Let the ball break the brick above (x, y)."""
    breakout.place_ball(x, y - 40, 0, 900)
    breakout.tick(3)


def speeds(breakout: Breakout) -> list[float]:
    """Return the speeds of all balls."""
    return [math.hypot(*v) for v in breakout.world[breakout.Ball].velocity.tolist()]


def test_a_broken_brick_brings_its_points_and_more_from_hit_to_hit(breakout: Breakout) -> None:
    """The second brick since the ball left the paddle counts twice; the paddle resets the count."""
    breakout.begin()
    before = len(breakout.world[breakout.Brick])
    hit(breakout, *BLUE)
    assert (breakout.match.score, breakout.match.combo) == (10, 1)
    hit(breakout, BLUE[0] + 71, BLUE[1])
    assert (breakout.match.score, breakout.match.combo) == (30, 2)
    assert len(breakout.world[breakout.Brick]) == before - 2
    breakout.place_ball(480, 70, 0, -600)
    breakout.tick(3)
    assert breakout.match.combo == 0


def test_each_broken_brick_makes_the_ball_faster_up_to_the_limit(breakout: Breakout) -> None:
    """Speed grows by the same factor with each brick, and never beyond `top_speed`."""
    breakout.begin()
    breakout.place_ball(BLUE[0], BLUE[1] - 40, 0, 600)
    breakout.tick(4)
    assert speeds(breakout)[0] == pytest.approx(600 * breakout.module("rules").QUICKER, rel=1e-6)
    hit(breakout, BLUE[0] + 71, BLUE[1])
    assert speeds(breakout)[0] == pytest.approx(breakout.world[breakout.Settings].top_speed, rel=1e-6)


def test_stone_takes_two_hits_and_steel_never_breaks(breakout: Breakout) -> None:
    """A stone brick breaks at the second hit, without points for the first; steel stays and brings nothing."""
    breakout.begin(level=2)
    stone = breakout.brick_at(54, 440)
    steel = breakout.brick_at(196, 305)
    breakout.keep_bricks(stone, steel)
    breakout.match.score = 0
    hit(breakout, 54, 440)
    assert breakout.world.alive(stone)
    assert breakout.match.score == 0
    hit(breakout, 196, 305)
    assert breakout.world.alive(steel)
    hit(breakout, 54, 440)
    assert not breakout.world.alive(stone)
    assert breakout.match.phase is breakout.Phase.CLEARED


def test_a_bomb_takes_its_neighbors_along_and_they_count(breakout: Breakout) -> None:
    """All eight bricks around a bomb break a moment later and give points; no other brick does."""
    breakout.begin()
    bomb = breakout.brick_at(480, 386)
    bricks = breakout.world.query(breakout.Brick, Transform)
    away = np.abs(bricks[Transform.position] - np.array([480, 386], np.float32))
    near = bricks.entities[(away[:, 0] < 100) & (away[:, 1] < 40)].copy()
    assert len(near) == 9
    breakout.world.get(bomb, breakout.Brick).fuse = 0.001
    before = len(bricks)
    breakout.tick(2)
    assert not breakout.world.alive(bomb)
    breakout.tick(12)
    assert not breakout.world.alive(near).any()
    assert len(breakout.world[breakout.Brick]) == before - 9
    assert breakout.match.score > 9 * 20


def test_a_chain_of_bombs_runs_through_the_powder_keg(breakout: Breakout) -> None:
    """One bomb of the fourth level sets off the others, one after another and not all in the same tick."""
    breakout.begin(level=4)
    breakout.match.score = 0
    breakout.world.get(breakout.brick_at(125, 440), breakout.Brick).fuse = 0.001
    counts: list[int] = []
    for _ in range(90):
        breakout.tick()
        counts.append(len(breakout.world[breakout.Brick]))
    assert counts[0] - counts[-1] >= 26
    assert len(set(counts)) >= 8


def test_what_each_power_up_does(breakout: Breakout) -> None:
    """Wide widens the paddle, slow slows balls, life adds a life, multi splits balls, and each gives points."""
    breakout.serve()
    apply, effect = breakout.module("powers").apply_effect, breakout.Effect
    world, match = breakout.world, breakout.match
    apply(world, effect.WIDE)
    breakout.tick(40)
    match.score = 50
    assert float(world[breakout.Paddle].width[0]) == pytest.approx(192, abs=1)
    apply(world, effect.LIFE)
    assert match.lives == 4
    breakout.place_ball(480, 200, 300, 700)
    apply(world, effect.SLOW)
    assert speeds(breakout)[0] == pytest.approx(0.75 * breakout.module("rules").start_speed(world), rel=1e-5)
    apply(world, effect.MULTI)
    assert len(world[breakout.Ball]) == 3
    assert speeds(breakout) == pytest.approx([speeds(breakout)[0]] * 3, rel=1e-5)
    apply(world, effect.MULTI)
    apply(world, effect.MULTI)
    assert len(world[breakout.Ball]) == breakout.module("rules").MAX_BALLS
    assert match.score == 6 * breakout.module("powers").POINTS


def test_a_sticky_paddle_holds_the_ball_until_it_is_served(breakout: Breakout) -> None:
    """With the power-up the ball stays where it touched the paddle, moves with it, and flies at the serve key."""
    breakout.serve()
    breakout.module("powers").apply_effect(breakout.world, breakout.Effect.STICKY)
    x = breakout.module("rules").paddle_x(breakout.world)
    ball = breakout.place_ball(x + 20, 70, 0, -600)
    breakout.tick(5)
    view = breakout.world.get(ball, breakout.Ball)
    assert view.held
    assert view.offset == pytest.approx(20, abs=1)
    breakout.press("SPACE")
    assert not view.held
    assert view.velocity[1] > 0


def test_fire_goes_through_and_ends(breakout: Breakout) -> None:
    """A fire ball breaks a complete column on its way up; after the power-up's time the ball bounces again."""
    breakout.serve()
    breakout.module("powers").apply_effect(breakout.world, breakout.Effect.FIRE)
    before = len(breakout.world[breakout.Brick])
    breakout.place_ball(125, 250, 0, 800)
    breakout.tick(20)
    assert before - len(breakout.world[breakout.Brick]) == 5
    breakout.match.fire = 0.01
    breakout.tick(2)
    assert breakout.match.fire == 0


def test_the_paddle_catches_capsules_and_only_those_it_reaches(breakout: Breakout) -> None:
    """A capsule above the paddle is caught when it comes down; one beside it falls and is removed."""
    from rish_core import spawn_prefab

    breakout.serve()
    breakout.world[breakout.Settings].power_up_chance = 0.0
    breakout.place_ball(300, 200, 0, 500)
    x = breakout.module("rules").paddle_x(breakout.world)
    spawn_prefab(breakout.world, "power_wide", at=(x, 80))
    spawn_prefab(breakout.world, "power_life", at=(x + 300, 80))
    breakout.tick(45)
    assert breakout.match.wide > 10
    assert breakout.match.lives == 3
    assert len(breakout.world[breakout.PowerUp]) == 0


def test_capsules_come_as_often_as_the_settings_say(breakout: Breakout) -> None:
    """With a chance of 1 every broken brick drops a capsule, with 0 none does."""
    for chance, expected in ((1.0, 1), (0.0, 0)):
        breakout.world.restore(breakout.start)
        breakout.world[breakout.Settings].power_up_chance = chance
        breakout.begin()
        hit(breakout, *BLUE)
        assert len(breakout.world[breakout.PowerUp]) == expected


def test_the_last_ball_costs_a_life_and_power_ups(breakout: Breakout) -> None:
    """A lost ball costs nothing while another flies; the last one costs a life, and a new one is on the paddle."""
    breakout.serve()
    breakout.match.wide = 9.0
    breakout.place_ball(480, 300, 0, 500)
    breakout.module("powers").apply_effect(breakout.world, breakout.Effect.MULTI)
    breakout.place_ball(100, -10, 0, -900)
    breakout.tick(2)
    assert (breakout.match.lives, len(breakout.world[breakout.Ball])) == (3, 2)
    balls = breakout.world[breakout.Ball]
    for ball in balls.entities.tolist():
        breakout.world.set(ball, Transform(position=(100, -10)), breakout.Ball(velocity=(0, -900)))
    breakout.tick(3)
    assert (breakout.match.lives, breakout.match.wide) == (2, 0)
    assert breakout.match.phase is breakout.Phase.SERVE
    assert breakout.world[breakout.Ball].held.tolist() == [True]
    breakout.tick(2)
    assert len(breakout.world[breakout.Ghost]) == breakout.module("effects").TAIL


def test_no_life_left_is_the_end(breakout: Breakout) -> None:
    """After the last life the game is over, shows that, and changes to the losing screen."""
    breakout.serve()
    breakout.match.lives = 1
    breakout.place_ball(100, -10, 0, -900)
    breakout.tick(2)
    assert breakout.match.phase is breakout.Phase.OVER
    breakout.tick(100)
    assert breakout.scene == "lose"


def test_a_cleared_level_leads_to_the_next_and_the_last_one_to_victory(breakout: Breakout) -> None:
    """The last breakable brick ends a level; after five levels the match is won, with a bonus for lives."""
    breakout.begin()
    seen: list[int] = []
    while breakout.scene == "play":
        seen.append(breakout.match.level)
        bricks = breakout.world[breakout.Brick]
        breakable = bricks.entities[~bricks.steel]
        breakout.keep_bricks(int(breakable[0]), *bricks.entities[bricks.steel].tolist())
        x, y = breakout.world.get(int(breakable[0]), Transform).position.tolist()
        breakout.world.set(int(breakable[0]), breakout.Brick(hits=1))
        before = breakout.match.score
        breakout.place_ball(x, y - 40, 0, 900)
        breakout.tick(3)
        assert breakout.match.phase is breakout.Phase.CLEARED
        assert breakout.match.score >= before + 100 * seen[-1]
        breakout.tick(190)
    assert seen == [1, 2, 3, 4, 5]
    assert breakout.scene == "win"
    assert breakout.match.score >= 3 * breakout.module("match").LIFE_BONUS


def test_a_fuse_that_burns_on_after_the_last_ball_may_clear_the_level(breakout: Breakout) -> None:
    """A chain of bombs continues while the next ball waits; if it breaks the last brick, the level is cleared."""
    breakout.begin()
    brick = breakout.brick_at(*BLUE)
    breakout.keep_bricks(brick)
    breakout.world.get(brick, breakout.Brick).fuse = 0.05
    breakout.tick(6)
    assert breakout.match.phase is breakout.Phase.CLEARED
    assert len(breakout.world[breakout.Ball]) == 0


def test_balls_that_hit_only_steel_are_turned(breakout: Breakout) -> None:
    """A ball that breaks nothing for a long time is turned a little, so that no match gets stuck."""
    breakout.serve()
    breakout.place_ball(480, 250, 0, 500)
    breakout.match.dull = 1e6
    breakout.tick()
    vx, _ = breakout.world[breakout.Ball].velocity[0].tolist()
    assert abs(vx) > 50
    assert breakout.match.dull == 0


def test_no_wall_holds_a_brick_that_no_ball_can_reach(breakout: Breakout) -> None:
    """In every level each breakable brick can be reached from below, around the steel."""
    levels = breakout.module("levels")
    for number in range(1, len(levels.LEVELS) + 1):
        bricks = levels.layout(number)
        steel = {(column, row) for name, column, row in bricks if name == "steel_brick"}
        wanted = {(column, row) for name, column, row in bricks if name != "steel_brick"}
        assert wanted, number
        assert all(0 <= column < levels.COLUMNS and row < 10 for _, column, row in bricks)
        free, front = set(), [(column, 10) for column in range(levels.COLUMNS)]
        while front:
            cell = front.pop()
            if cell in free or cell in steel or not (0 <= cell[0] < levels.COLUMNS and -1 <= cell[1] <= 10):
                continue
            free.add(cell)
            front += [(cell[0] + 1, cell[1]), (cell[0] - 1, cell[1]), (cell[0], cell[1] + 1), (cell[0], cell[1] - 1)]
        assert wanted <= free, f"level {number}"
