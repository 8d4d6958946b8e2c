"""The flight of balls, compared with a plain reference in Python and with its invariants."""

from __future__ import annotations

import math
import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from long_runs import long

DT = 1 / 60
LEFT, RIGHT, TOP, FLOOR = 16.0, 944.0, 482.0, -24.0
COURT = np.array([LEFT, RIGHT, TOP, FLOOR])
BAT = np.array([480.0, 44.0, 60.0, 8.0])


class Table:
    """One ball and some bricks as the columns for the kernel."""

    def __init__(self, bricks: list[tuple[float, float]], *, steel: bool = False, hits: int = 1) -> None:
        n = len(bricks)
        self.position = np.array([(0.0, 0.0), *bricks], np.float32).reshape(-1, 2)
        self.velocity = np.zeros((1, 2), np.float32)
        self.radius = np.full(1, 8, np.float32)
        self.held = np.zeros(1, np.bool_)
        self.size = np.tile(np.array([66, 22], np.float32), (n, 1)).reshape(-1, 2)
        self.steel = np.full(n, steel)
        self.hits = np.full(n, hits, np.int32)
        self.bat = BAT.copy()

    def aim(self, x: float, y: float, vx: float, vy: float) -> None:
        """Set the ball's position and velocity."""
        self.position[0], self.velocity[0] = (x, y), (vx, vy)

    def fly(self, kernels: ModuleType, *, fire: bool = False, plain: bool = False) -> list[tuple[int, float, float]]:
        """Run one tick; return a list of what was met and where."""
        n = len(self.hits)
        met, where = np.zeros((32, 2), np.int32), np.zeros((32, 2))
        ball, bricks = np.zeros(1, np.int32), np.arange(n, dtype=np.int32)
        fly = kernels.fly.py_func if plain else kernels.fly
        count = fly(
            ball, ball, bricks, bricks + np.int32(1), self.position, self.velocity, self.radius, self.held,
            self.size, self.steel, self.hits, self.bat, COURT, fire, DT, met, where,
        )  # fmt: skip
        return [(int(met[k, 1]), *where[k].tolist()) for k in range(count)]

    @property
    def speed(self) -> float:
        """The speed of the ball."""
        return math.hypot(*self.velocity[0].tolist())


def random_wall(luck: random.Random) -> list[tuple[float, float]]:
    """Return some random cells of a wall."""
    cells = [(54 + 71 * column, 440 - 27 * row) for column in range(13) for row in range(8)]
    return luck.sample(cells, luck.randint(0, 60))


def overlaps(table: Table, slack: float) -> bool:
    """Return True if the ball's middle is deeper than `slack` in a standing brick grown by the ball's radius."""
    x, y = table.position[0].tolist()
    for (bx, by), hits in zip(table.position[1:].tolist(), table.hits.tolist(), strict=True):
        if hits > 0 and abs(x - bx) < 33 + 8 - slack and abs(y - by) < 11 + 8 - slack:
            return True
    return False


def crosses(start: tuple[float, float], end: tuple[float, float], box: tuple[float, float, float, float]) -> bool:
    """Return True if a segment passes through a box (middle and half sizes): the reference, by clipping."""
    enter, leave = 0.0, 1.0
    for axis in range(2):
        way = end[axis] - start[axis]
        low, high = box[axis] - box[axis + 2] - start[axis], box[axis] + box[axis + 2] - start[axis]
        if abs(way) < 1e-12:
            if low >= 0 or high <= 0:
                return False
            continue
        enter, leave = max(enter, min(low / way, high / way)), min(leave, max(low / way, high / way))
    return leave - enter > 1e-3


def test_a_ball_bounces_off_a_brick_like_light(kernels: ModuleType) -> None:
    """A ball that rises into a brick returns down with the same speed, and the brick has one hit less."""
    table = Table([(480, 300)], hits=2)
    table.aim(480, 275, 60, 600)
    assert [what for what, _, _ in table.fly(kernels)] == [0]
    assert table.velocity[0].tolist() == [60, -600]
    assert table.hits.tolist() == [1]
    seconds = (300 - 11 - 8 - 275) / 600
    assert table.position[0].tolist() == pytest.approx([481, 281 - 600 * (DT - seconds)], abs=1e-4)


@pytest.mark.parametrize(
    ("at", "velocity", "after"),
    [((30, 200), (-600, 300), (600, 300)), ((930, 200), (600, 300), (-600, 300)), ((480, 470), (90, 600), (90, -600))],
)
def test_walls_turn_a_ball(kernels: ModuleType, at: Any, velocity: Any, after: Any) -> None:
    """The walls on both sides and above reflect a ball and keep its speed."""
    table = Table([])
    table.aim(*at, *velocity)
    assert [what for what, _, _ in table.fly(kernels)] == [kernels.WALL]
    assert table.velocity[0].tolist() == pytest.approx(after)


def test_the_paddle_sends_a_ball_where_it_is_hit(kernels: ModuleType) -> None:
    """The middle of the paddle sends the ball straight up, its ends far to their side; the speed is kept."""
    leans: list[float] = []
    for off in (-60, -30, 0, 30, 60):
        table = Table([])
        table.aim(480 + off, 64, 0, -500)
        assert [what for what, _, _ in table.fly(kernels)] == [kernels.PADDLE]
        assert table.speed == pytest.approx(500, rel=1e-6)
        leans.append(math.atan2(*table.velocity[0].tolist()))
    assert leans == sorted(leans)
    assert leans[2] == pytest.approx(0, abs=1e-6)
    assert -leans[0] == pytest.approx(leans[4], abs=1e-6) == pytest.approx(kernels.STEEPEST * 60 / 68, abs=1e-6)


def test_a_paddle_that_moves_over_a_ball_still_catches_it(kernels: ModuleType) -> None:
    """A ball that the moving paddle covers is caught while the ball is above the paddle's middle."""
    table = Table([])
    table.aim(480, 50, 0, -300)
    table.fly(kernels)
    assert table.velocity[0, 1] > 0


def test_a_fiery_ball_breaks_what_it_meets_and_flies_on(kernels: ModuleType) -> None:
    """With fire, bricks in a column break one after another without turning the ball; steel still turns it."""
    table = Table([(480, 300), (480, 327)])
    table.aim(480, 275, 0, 2000)
    table.fly(kernels, fire=True)
    assert table.hits.tolist() == [0, 0]
    assert table.velocity[0].tolist() == [0, 2000]
    table = Table([(480, 300)], steel=True)
    table.aim(480, 275, 0, 2000)
    table.fly(kernels, fire=True)
    assert table.velocity[0, 1] == -2000


def test_a_ball_below_the_floor_is_lost_once(kernels: ModuleType) -> None:
    """A ball that passes the floor is reported as lost."""
    table = Table([])
    table.aim(100, -20, 0, -600)
    assert [what for what, _, _ in table.fly(kernels)] == [kernels.LOST]


def test_no_ball_flies_level_for_ever(kernels: ModuleType) -> None:
    """After a tick at least a fifth of a ball's speed is vertical, however flat its course was."""
    table = Table([])
    table.aim(480, 250, 700, 0)
    table.fly(kernels)
    assert abs(table.velocity[0, 1]) >= 0.199 * 700
    assert table.speed == pytest.approx(700, rel=1e-6)


def check_legs(kernels: ModuleType, table: Table) -> int:
    """Fly a tick and check every leg of the flight: it stays in the court and crosses no brick that stood at its start.

    Return the number of legs, 0 once the ball is lost.
    """
    start: tuple[float, float] = tuple(table.position[0].tolist())
    left = table.hits.tolist()
    bricks = table.position[1:].tolist()
    met = table.fly(kernels)
    if any(what == kernels.LOST for what, _, _ in met):
        return 0
    for what, x, y in [*met, (kernels.NOTHING, *table.position[0].tolist())]:
        assert LEFT + 8 - 1e-3 <= x <= RIGHT - 8 + 1e-3
        assert y <= TOP - 8 + 1e-3
        boxes = [(bx, by, 41.0, 19.0) for (bx, by), hits in zip(bricks, left, strict=True) if hits > 0]
        assert not any(crosses(start, (x, y), box) for box in boxes)
        if what >= 0 and not table.steel[what]:
            left[what] -= 1
        start = (x, y)
    assert left == table.hits.tolist()
    assert not overlaps(table, 1e-3)
    return len(met) + 1


def test_no_ball_passes_through_anything_at_any_speed(kernels: ModuleType) -> None:
    """No leg of a flight crosses a standing brick or a wall, and every bounce keeps the speed.

    The test runs random walls of bricks or steel, with balls of up to 2,000 units/s.
    """
    luck = random.Random(1)
    legs, walls = 0, long(300, 75)
    for _ in range(walls):
        table = Table(random_wall(luck), steel=luck.random() < 0.4, hits=luck.randint(1, 3))
        table.bat[0] = luck.uniform(80, 880)
        angle, speed = luck.uniform(0, math.tau), luck.uniform(100, 2000)
        table.aim(luck.uniform(30, 930), luck.uniform(80, 230), speed * math.cos(angle), speed * math.sin(angle))
        for _ in range(40):
            flown = check_legs(kernels, table)
            if not flown:
                break
            legs += flown
            assert table.speed == pytest.approx(speed, rel=1e-4)
    assert legs > 16 * walls


def test_no_ball_falls_through_the_paddle(kernels: ModuleType) -> None:
    """At any speed and angle, a ball whose straight course down ends on the paddle flies up again afterwards."""
    luck = random.Random(5)
    for _ in range(300):
        table = Table([])
        table.bat[0] = luck.uniform(100, 860)
        goal = table.bat[0] + luck.uniform(-59, 59)
        down, across = luck.uniform(100, 1900), luck.uniform(-500, 500)
        height = luck.uniform(61, 90)
        table.aim(goal - across * (height - 60) / down, height, across, -down)
        if not LEFT + 8 < float(table.position[0, 0]) < RIGHT - 8:
            continue
        for _ in range(20):
            if kernels.PADDLE in [what for what, _, _ in table.fly(kernels)]:
                break
        assert table.velocity[0, 1] > 0


def test_compiled_and_plain_give_the_same_bits(kernels: ModuleType) -> None:
    """The same flights give exactly the same numbers compiled and in plain Python."""
    luck = random.Random(3)
    for _ in range(long(40, 15)):
        wall = random_wall(luck)
        angle, speed = luck.uniform(0, math.tau), luck.uniform(100, 2000)
        start = (luck.uniform(30, 930), luck.uniform(60, 230), speed * math.cos(angle), speed * math.sin(angle))
        one, other = Table(wall), Table(wall)
        for table in (one, other):
            table.aim(*start)
        for _ in range(15):
            assert one.fly(kernels) == other.fly(kernels, plain=True)
            assert one.position.tobytes() == other.position.tobytes()
            assert one.velocity.tobytes() == other.velocity.tobytes()


def test_the_pace_stays_within_its_bounds(kernels: ModuleType) -> None:
    """`set_pace` keeps speeds within its upper and lower bounds, and a ball at rest stays at rest."""
    velocity = np.array([(300, 400), (0, 0), (3, 4)], np.float32)
    kernels.set_pace(velocity, 2.0, 0.0, 800.0)
    assert np.hypot(*velocity.T).tolist() == pytest.approx([800, 0, 10])
    kernels.set_pace(velocity, 0.0, 200.0, 0.0)
    assert np.hypot(*velocity.T).tolist() == pytest.approx([200, 0, 10])


def test_foresight_is_where_the_ball_comes_down(kernels: ModuleType) -> None:
    """The predicted landing is the place where a ball without bricks on its course crosses that height."""
    luck = random.Random(4)
    row = np.zeros(1, np.int32)
    for _ in range(50):
        table = Table([])
        table.bat[0] = -9999
        table.aim(luck.uniform(40, 900), 300, luck.uniform(-600, 600), luck.uniform(-500, -200))
        landing, seconds, falls = kernels.foresee(row, row, table.position, table.velocity, table.radius, COURT, 60.0)
        assert falls
        before = table.position[0].tolist()
        for _ in range(int(seconds / DT) + 1):
            before = table.position[0].tolist()
            table.fly(kernels)
        after = table.position[0].tolist()
        assert after[1] <= 60.001 <= before[1] + 0.01
        assert min(before[0], after[0]) - 16 <= landing <= max(before[0], after[0]) + 16
