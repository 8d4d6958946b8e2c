"""The clock of animations: one pass over all animations advances their time and finds the cell to show.

A clip is a row of steps, each with the time at which it ends. Time runs forward or, at a negative speed, backward. If
the time of an animation is not within its step (a file was reloaded, or the time was set), the step is searched again,
without events. Float32 in a fixed order gives the same bits on every machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

_f32 = np.float32
_i32 = np.int32
_i64 = np.int64
_u64 = np.uint64
_HOPS = 8  # most clips that may follow one another within one tick


@njit
def _step_at(end: Any, first: Any, count: Any, time: Any) -> Any:
    """Return the step that contains a time, by binary search; the last step for later times."""
    low, high = _i64(0), _i64(count - 1)
    while low < high:
        middle = (low + high) // 2
        if time < end[first + middle]:
            high = middle
        else:
            low = middle + 1
    return low


@njit
def advance(
    rows: Any, sprites: Any, dt: Any, animations: Any, clip_table: Any, clips: Any, frame: Any, events: Any
) -> None:
    """Advance animations by `dt` seconds (float32).

    rows, sprites: int32 n, rows of Animation and of the same entities' Sprite. animations: columns of Animation,
    written. clip_table: the lookup arrays of a `ClipTable`. clips: its flat clips and steps. frame: the column
    `Sprite.frame`, read. events, written: changed and cells (n), rows of Sprite and their new cells; unknown (n), the
    indices k whose clip is not in the table yet; happened (m, 3), k, clip and event; ended (m, 2), k and clip; counts
    int64 (4), the length of each.
    """
    file, own, fps, mode, name, queued, shown, time, step, speed, playing = animations
    files, names, owns, index = clip_table
    first, count, length, once, follows, title, cell, end, event = clips
    changed, cells, unknown, happened, ended, counts = events
    n_texts = owns.shape[0]
    n_changed, n_unknown, n_happened, n_ended = _i64(0), _i64(0), _i64(0), _i64(0)
    for k in range(rows.shape[0]):
        r, q = _u64(rows[k]), _u64(sprites[k])
        c = _i64(-2)  # the row of the clip; -1 if a text was not looked up yet, -2 if there is no such clip
        f, n = _u64(file[r]), _u64(name[r])
        if f == _u64(0):
            if own[r] != 0:
                c = _i64(owns[_u64(own[r])]) if own[r] < n_texts else _i64(-1)
                c += _i64(mode[r]) if c >= 0 else _i64(0)
        elif f >= _u64(n_texts) or n >= _u64(n_texts) or files[f] < 0 or names[n] < 0:
            c = _i64(-1)
        else:
            c = _i64(index[_u64(files[f]), _u64(names[n])])
        if c < 0:
            if c == -1:
                unknown[n_unknown] = k
                n_unknown += 1
            continue
        begin, steps, whole = _i64(first[_u64(c)]), _i64(count[_u64(c)]), length[_u64(c)]
        t, s = time[r], _i64(step[r])
        way = dt * speed[r]
        if file[r] == 0:
            way = way * fps[r]
        if not abs(way) < _f32(1e9):
            way = _f32(0)
        if s >= 0 and name[r] == shown[r] and playing[r] and t >= _f32(0) and way > _f32(0) and s < steps:
            at = _u64(begin + s)
            if t + way < end[at] and (s == 0 or t >= end[_u64(begin + s - 1)]):  # the usual case
                time[r] = t + way
                if frame[q] != cell[at]:
                    changed[n_changed], cells[n_changed] = sprites[k], cell[at]
                    n_changed += 1
                continue
        entered = False
        if s < 0 or name[r] != shown[r]:
            t = t if s < 0 and t > _f32(0) else _f32(0)
            shown[r] = name[r]
            if way < _f32(0) and t == _f32(0):
                t = whole
            if t > whole:
                t = whole if once[c] else t - whole * _f32(np.floor(t / whole))
            s = _step_at(end, begin, steps, t)
            entered = True
        else:
            since = end[begin + s - 1] if 0 < s < steps else _f32(0)
            if not (s < steps and since <= t <= end[begin + s]):
                t = t if t >= _f32(0) else _f32(0)
                t = min(t, whole) if once[c] else t - whole * _f32(np.floor(t / whole))
                s = _step_at(end, begin, steps, t)
        if entered and event[begin + s] != 0 and n_happened < happened.shape[0]:
            happened[n_happened, 0], happened[n_happened, 1] = k, shown[r]
            happened[n_happened, 2] = event[begin + s]
            n_happened += 1
        if playing[r] and way != _f32(0):
            t += way
            hops = _i64(0)
            while True:
                if way > _f32(0):
                    if t < end[begin + s]:
                        break
                    inside, s = s + 1 < steps, s + 1
                else:
                    if t >= (end[begin + s - 1] if s > 0 else _f32(0)):
                        break
                    inside, s = s > 0, s - 1
                if not inside:
                    after = _i64(-1)
                    if queued[r] != 0:
                        n = _u64(queued[r])
                        if f == _u64(0):
                            after = _i64(owns[_u64(own[r])]) + _i64(mode[r])
                        elif n < _u64(n_texts) and names[n] >= 0:
                            after = _i64(index[_u64(files[f]), _u64(names[n])])
                        if after < 0:  # shown from the next tick on, which reports the missing clip
                            name[r], queued[r] = queued[r], 0
                    if after < 0 and once[c] and way > _f32(0):
                        after = _i64(follows[c])
                    if after >= 0 or once[c]:
                        if n_ended < ended.shape[0]:
                            ended[n_ended, 0], ended[n_ended, 1] = k, shown[r]
                            n_ended += 1
                        hops += 1
                    if after < 0 and once[c]:
                        t, s = (whole, steps - 1) if way > _f32(0) else (_f32(0), _i64(0))
                        playing[r] = False
                        break
                    t = t - whole if way > _f32(0) else t
                    if after >= 0:
                        c = after
                        begin, steps, whole = _i64(first[c]), _i64(count[c]), length[c]
                        name[r] = title[c]
                        shown[r] = title[c]
                        queued[r] = 0
                    if way > _f32(0):
                        s = _i64(0)
                        if not t < whole and not once[c]:
                            t = t - whole * _f32(np.floor(t / whole))
                    else:
                        t, s = t + whole, steps - 1
                        if t < _f32(0) and not once[c]:
                            t = t - whole * _f32(np.floor(t / whole))
                    if hops > _HOPS:
                        t = _f32(0) if way > _f32(0) else whole
                if event[begin + s] != 0 and n_happened < happened.shape[0]:
                    happened[n_happened, 0], happened[n_happened, 1] = k, shown[r]
                    happened[n_happened, 2] = event[begin + s]
                    n_happened += 1
        time[r], step[r] = t, s
        if frame[q] != cell[begin + s]:
            changed[n_changed], cells[n_changed] = sprites[k], cell[begin + s]
            n_changed += 1
    counts[0], counts[1], counts[2], counts[3] = n_changed, n_unknown, n_happened, n_ended


@njit
def write_cells(frame: Any, rows: Any, cells: Any) -> None:
    """Assign frame[rows] = cells, many times faster than numpy."""
    for k in range(rows.shape[0]):
        frame[rows[k]] = cells[k]
