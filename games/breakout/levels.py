"""The walls of Breakout, drawn in letters.

Each level is a few rows of bricks from the top. A letter is a kind of brick, `.` is a gap. A row that is shorter than
the wall is centered.
"""

from __future__ import annotations

COLUMNS = 13
KINDS = {
    "r": "red_brick",
    "o": "orange_brick",
    "y": "yellow_brick",
    "g": "green_brick",
    "b": "blue_brick",
    "v": "violet_brick",
    "#": "stone_brick",
    "*": "bomb_brick",
    "=": "steel_brick",
}

LEVELS: tuple[str, ...] = (
    # Warm-up
    """
        rrrrrrrrrrrrr
        ooooooooooooo
        yyyyyy*yyyyyy
        ggggggggggggg
        bbbbbbbbbbbbb
    """,
    # Castle
    """
        #.#.#.#.#.#.#
        #v#v#v#v#v#v#
        vvv.vvvvv.vvv
        vv*vvv.vvv*vv
        bbbbbbbbbbbbb
        bb==bbbbb==bb
    """,
    # Rainbow
    """
        .....rrr.....
        ...rroooorr..
        ..rooyyyoor..
        .rooy*g*yoor.
        .roygg.ggyor.
        royg.....gyor
        ry=.......=yr
    """,
    # Powder keg
    """
        #*#*#*#*#*#*#
        *#*#*#*#*#*#*
        =.vvvvvvvvv.=
        ..v*#####*v..
        =.vvvvvvvvv.=
    """,
    # Vault
    """
        =============
        =rrrrr.rrrrr=
        =rooo...ooor=
        =ro*.....*or=
        =rrrr...rrrr=
        ===.......===
    """,
)


def layout(number: int) -> list[tuple[str, int, int]]:
    """Return the prefab, column and row of each brick of level `number`; from 1, the levels repeat after the last."""
    rows = LEVELS[(number - 1) % len(LEVELS)].split()
    bricks: list[tuple[str, int, int]] = []
    for row, text in enumerate(rows):
        first = (COLUMNS - len(text)) // 2
        for column, letter in enumerate(text):
            if letter != ".":
                bricks.append((KINDS[letter], first + column, row))
    return bricks
