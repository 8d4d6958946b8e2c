"""Texts in character cells, in plain code: letters of ASCII and ideographs, one paragraph after another."""

from __future__ import annotations

from rish_frame.paint.writing import line_ends


def width(text: str) -> int:
    """Return the cells of a text: two for an ideograph, one for a letter."""
    return sum(2 if ord(letter) >= 0x2E80 else 1 for letter in text)


def wrapped(text: str, room: int) -> list[str]:
    """Return the lines of a text: each is the longest that fits without its spaces and ends where it may."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        rest, ends = paragraph, line_ends(paragraph)  # of the whole paragraph: what is before a letter counts
        while room and len(rest.rstrip(" ")) > 1 and width(rest.rstrip(" ")) > room:
            shown = [(k, rest[:k].rstrip(" ")) for k in range(1, len(rest))]
            fits = [k for k, part in shown if len(part) <= 1 or width(part) <= room]
            allowed = [k for k in fits if len(paragraph) - len(rest) + k in ends]
            end = (allowed or fits)[-1]
            lines.append(rest[:end])
            rest = rest[end:]
        lines.append(rest)
    return lines


def columns(line: str, align: str, box: int) -> list[int]:
    """Return the first column of each letter of a line, and the end of the last one, without spaces at the end."""
    shown = line.rstrip(" ")
    free = box - width(shown)
    left = {"left": 0, "center": free // 2, "right": free}[align]
    return [left + width(shown[:k]) for k in range(len(shown) + 1)]
