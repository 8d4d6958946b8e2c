"""Kernels that fill shadow maps. The tests compare them with a slow and simple version, `plain_shadows`.

The map of a light is a row of bins over the pseudo-angle (see `diamond`). Each bin holds the smallest |x| + |y| at
which an edge blocks the light. An edge from A to B with C = cross(A, B) > 0 shows its far side and runs
counter-clockwise about the light, so it covers the bins from that of A to that of B. The ray to the border d of a bin
meets the edge at t = C / cross(d, B - A). Since d is on the diamond, t is |x| + |y| at that point. Within a quadrant
cross(d, B - A) is linear in the index of the bin. So a bin costs one division and one comparison, and the compiler
processes eight or sixteen bins together. Every bin that an edge touches gets the nearest point of the edge in this
bin: no light leaks through, and a shadow is at most one bin too wide.
"""

from __future__ import annotations

import numpy as np

from rish_jit import njit

FAR = np.float32(1e30)


@njit
def cast_points(
    edges, owner, mask, two_sided, light, light_owner, light_mask, start, bins, lights, out
):  # fmt: skip
    """Fill the maps of some lights.

    edges: float32 4·n, x0 y0 x1 y1 relative to the same origin as the lights. owner: int64 n. mask: int32 n.
    two_sided: uint8 n, 1 for edges that block light from both sides. light: float32 3·m, x, y, radius. light_owner:
    int64 m, the owner whose edges are ignored, 0 for none. light_mask: int32 m. start, bins: int64 m, offset and length
    of each map in `out`. lights: int64 k, the lights to compute. out: float32.
    """
    for k in range(lights.size):
        which = lights[k]
        first, count = start[which], bins[which]
        row = out[first : first + count]
        for i in range(row.size):
            row[i] = FAR
        x, y, radius = light[3 * which], light[3 * which + 1], light[3 * which + 2]
        own_family, needed_mask = light_owner[which], light_mask[which]
        for e in range(owner.size):
            ax, ay = edges[4 * e] - x, edges[4 * e + 1] - y
            bx, by = edges[4 * e + 2] - x, edges[4 * e + 3] - y
            if min(ax, bx) > radius or max(ax, bx) < -radius or min(ay, by) > radius or max(ay, by) < -radius:
                continue
            if not mask[e] & needed_mask or (own_family != 0 and owner[e] == own_family):
                continue
            area = np.float64(ax) * np.float64(by) - np.float64(ay) * np.float64(bx)
            if area > 0.0:
                _cast_edge(np.float64(ax), np.float64(ay), np.float64(bx), np.float64(by), area, row)
            elif area < 0.0 and two_sided[e]:
                _cast_edge(np.float64(bx), np.float64(by), np.float64(ax), np.float64(ay), -area, row)


@njit(inline="always")
def _turn(x, y, length):
    """Return the pseudo-angle, 0 to 4, of a vector with |x| + |y| = length > 0."""
    return 1.0 + y / length if x >= 0.0 else 3.0 - y / length


@njit
def _cast_edge(ax, ay, bx, by, area, row):
    """Write an edge that runs counter-clockwise about the light into a map; all in float64."""
    count = row.size
    near_a, near_b = abs(ax) + abs(ay), abs(bx) + abs(by)
    if near_a == 0.0 or near_b == 0.0:
        return
    scale = count / 4.0
    begin = min(int(_turn(ax, ay, near_a) * scale), count - 1)
    end = min(int(_turn(bx, by, near_b) * scale), count - 1)
    if end == begin and (ax * bx + ay * by) > 0.0:
        near = np.float32(min(near_a, near_b))
        if near < row[begin]:
            row[begin] = near
        return
    ex, ey = bx - ax, by - ay
    last = end if end >= begin else end + count
    quarter = count // 4
    step = 1.0 / quarter
    at = begin
    while at <= last:
        quadrant = (at // quarter) % 4
        stop = min((at // quarter + 1) * quarter, last + 1)
        dx = 0.0 if quadrant == 0 else 1.0 if quadrant == 1 else 0.0 if quadrant == 2 else -1.0
        dy = -1.0 if quadrant == 0 else 0.0 if quadrant == 1 else 1.0 if quadrant == 2 else 0.0
        slope_x = step if quadrant == 0 or quadrant == 3 else -step
        slope_y = step if quadrant < 2 else -step
        gain = slope_x * ey - slope_y * ex
        inside = at % quarter
        size = stop - at
        base = dx * ey - dy * ex + inside * gain
        place = at % count
        if gain > 0.0:  # the distance decreases with u: its minimum in a bin is at the bin's upper border
            complete = size - 1 if stop == last + 1 else size
            _lower(row[place : place + complete], np.float32(base + gain), np.float32(gain), np.float32(area))
            if complete < size:
                row[end] = min(row[end], np.float32(near_b))
        else:
            skip = 1 if at == begin else 0
            if skip:
                row[begin] = min(row[begin], np.float32(near_a))
            _lower(row[place + skip : place + size], np.float32(base + skip * gain), np.float32(gain), np.float32(area))
        at = stop


@njit(inline="always")
def _lower(row, base, gain, area):
    """Set row[i] to min(row[i], area / (base + gain·i))."""
    for i in range(row.size):
        far = area / (base + gain * np.float32(i))
        row[i] = far if far < row[i] else row[i]


@njit
def reach_of(light, start, bins, lights, wedges, maps, out, nearest):
    """Compute the distance that light reaches in each wedge of its disc, float32 wedges·m: the largest |x| + |y| of
    the bins of the wedge.

    light: float32 3·m, x, y, radius; the result is limited to √2·radius, since greater |x| + |y| are outside the
    radius. nearest: float32 m, the smallest value of all bins.
    """
    for k in range(lights.size):
        which = lights[k]
        maximum = light[3 * which + 2] * np.float32(1.4142137)
        size = bins[which] // wedges
        minimum = FAR
        for w in range(wedges):
            first = start[which] + w * size
            part = maps[first : first + size]
            far = np.float32(0)
            for i in range(part.size):
                far = part[i] if part[i] > far else far
                minimum = part[i] if part[i] < minimum else minimum
            out[which * wedges + w] = min(far, maximum)
        nearest[which] = minimum


@njit
def cast_sun(edges, mask, two_sided, needed_mask, across, along, first, step, begin, thick, rows, bins, out):
    """Fill the map of a sun: the distances at which shadows begin, for each strip of light and each stretch along
    it.

    edges, mask, two_sided: as in `cast_points`. needed_mask: the light's mask. across, along: float64 pairs, unit
    vectors; along is the direction in which the light travels. first, step: the start of the strips and their width.
    begin, thick: the start of the first of `rows` stretches, and the length of each, which is the length of the
    shadows. out: float32 2·rows·bins, for each stretch the smallest distance along the light at which an edge blocks,
    one bin for each strip, then the largest distances. A point at the distance t is in shadow if the smallest distance
    of its own stretch is below t, or the largest of the previous stretch is above t - thick.
    """
    for row in range(rows):
        for i in range(bins):
            out[2 * row * bins + i] = FAR
            out[(2 * row + 1) * bins + i] = -FAR
    for e in range(mask.size):
        if not mask[e] & needed_mask:
            continue
        ax, ay = np.float64(edges[4 * e]), np.float64(edges[4 * e + 1])
        bx, by = np.float64(edges[4 * e + 2]), np.float64(edges[4 * e + 3])
        sa = (ax * across[0] + ay * across[1] - first) / step
        sb = (bx * across[0] + by * across[1] - first) / step
        ta, tb = ax * along[0] + ay * along[1] - begin, bx * along[0] + by * along[1] - begin
        if sb < sa:
            if not two_sided[e]:
                continue
            sa, sb, ta, tb = sb, sa, tb, ta
        if sa == sb or sb <= 0.0 or sa >= bins:
            continue
        slope = (tb - ta) / (sb - sa)
        for i in range(int(max(sa, 0.0)), min(int(sb), bins - 1) + 1):
            t0 = ta + (max(np.float64(i), sa) - sa) * slope
            t1 = ta + (min(np.float64(i + 1), sb) - sa) * slope
            low, high = max(min(t0, t1), 0.0), max(max(t0, t1), 0.0)
            for row in range(min(int(low / thick), rows), min(int(high / thick), rows - 1) + 1):
                near, far = np.float32(max(low, row * thick)), np.float32(min(high, (row + 1) * thick))
                index = 2 * row * bins + i
                out[index] = min(out[index], near)
                out[index + bins] = max(out[index + bins], far)
