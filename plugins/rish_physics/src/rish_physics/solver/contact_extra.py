"""Cold contacts: restitution, rolling resistance, moving surfaces, two coefficients of friction, hit events.

Few contacts need any of this. Those that do have their own blocks (the COLD parts), with a second block beside the
first for the additional data. So other contacts have no cost for it, not even memory.

Restitution is applied once, after the sub-steps: a contact whose approach was fast enough gets its separation speed if
it had any impulse (as in Box2D). Rolling resistance is a torque against the difference of the angular velocities,
limited by the normal force times a length. A moving surface is friction towards a speed other than zero: that of a belt
that runs clockwise around its shape. Friction uses the static coefficient for a contact that does not slide, and the
dynamic coefficient for one that slides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, bits, load, maximum, minimum, select, splat, sqrt, store

from .blocks import (
    ARM_A,
    ARM_B,
    FRICTION,
    LEVER_A,
    LEVER_B,
    NORMAL,
    NORMAL_MASS,
    NORMAL_X,
    NORMAL_Y,
    POINT0,
    POINT1,
    SIZE,
    TANGENT,
    TANGENT_MASS,
)
from .color import COLD, STILL
from .contact import common_place, normal_step, small_turn, soft_step
from .pairs import read_pair, turn_pair, write_pair
from .prepare import mixed
from .soft import BOUNCE_SPEED, CLOSED, SLIP_SPEED

# Vectors of an extra block
RESTITUTION, SPEED = 0, 8
"""The coefficient of restitution, and the speed of the surfaces along the tangent."""
ROLLING, ROLLING_MASS, ROLL = 16, 24, 32
"""The length that limits the torque, the effective mass, and the accumulated angular impulse."""
SLIDING = 40
"""The dynamic coefficient of friction."""
APPROACH, PEAK = 48, 64
"""For each of the two points, the approach speed before the step, and the greatest impulse since."""
ENERGY = 80
"""The kinetic energy of both bodies before the step, in the frame of `kinetic_energy`."""
FRAME = 88
"""The velocity of that frame, along the normal and along the tangent."""
EXTRA = 104
"""The number of float32 in an extra block. Extra blocks have the order of the contact blocks."""
_STEP = POINT1 - POINT0

_zero, _one, _half = np.float32(0), np.float32(1), np.float32(0.5)
_two, _tiny = np.float32(2), np.float32(1e-30)
_BOUNCE_PASSES = 4
"""The number of passes of the restitution over contacts that bounce."""
_SINGULAR = np.float32(1e-3)
"""The points of a contact are solved one after the other if the determinant of their masses is below this share."""
MAX, MIN = 0, 1
"""The selection of the restitution; numbers of `settings.RestitutionMix`."""


@njit(borrows=True)
def prepare_extra(
    parts: Any, order: Any, pair: Any, surface: Any, size: Any, cold: Any, friction_mix: int, restitution_mix: int,
    share: Any, numbers: Any, state: Any, blocks: Any, lanes: Any, extra: Any,
) -> None:  # fmt: skip
    """Fill the extra blocks; call after `prepare`. share: factor of the last step's rolling impulse for warm
    starting.
    """
    zero, threshold = splat(_zero), splat(numbers[BOUNCE_SPEED])
    e = 0
    for part in range(COLD, COLD + STILL + 1, STILL):
        for block in range(parts[part], parts[part + 1]):
            s = block * LANES
            x = block * 2 * LANES
            o = block * SIZE
            for v in range(0, EXTRA, LANES):
                store(extra, e + v, zero)
            for k in range(LANES):
                c = np.int64(order[s + k])
                if c < 0:
                    continue
                a = np.int64(pair[4 * c])
                b = np.int64(pair[4 * c + 1])
                f = 8 * a
                g = 8 * b
                extra[e + SPEED + k] = surface[f + 4] + surface[g + 4]
                if restitution_mix == MIN:
                    extra[e + RESTITUTION + k] = min(surface[f + 2], surface[g + 2])
                else:
                    extra[e + RESTITUTION + k] = max(surface[f + 2], surface[g + 2])
                radius = max(size[4 * a + 2], size[4 * b + 2])
                extra[e + ROLLING + k] = max(surface[f + 3], surface[g + 3]) * radius
                slide_a = surface[f + 1] if surface[f + 1] >= _zero else surface[f]
                slide_b = surface[g + 1] if surface[g + 1] >= _zero else surface[g]
                extra[e + SLIDING + k] = mixed(slide_a, slide_b, friction_mix)
                extra[e + ROLL + k] = cold[8 * c] * share
                inertia = state[8 * np.int64(lanes[x + k]) + 7] + state[8 * np.int64(lanes[x + LANES + k]) + 7]
                if inertia > _zero:
                    extra[e + ROLLING_MASS + k] = _one / inertia
            a_row, b_row = read_pair(state, lanes, block)
            nx = load(blocks, o + NORMAL_X)
            ny = load(blocks, o + NORMAL_Y)
            speed = (b_row[0] - a_row[0]) * nx + (b_row[1] - a_row[1]) * ny
            for p in range(2):
                q = o + POINT0 + p * _STEP
                found = speed + (b_row[2] * load(blocks, q + ARM_B) - a_row[2] * load(blocks, q + ARM_A))
                present = load(blocks, q + NORMAL_MASS) > zero
                store(extra, e + APPROACH + p * LANES, select(present, -found, zero))
            fastest = maximum(load(extra, e + APPROACH), load(extra, e + APPROACH + LANES))
            if bits((fastest > threshold) & (load(extra, e + RESTITUTION) > zero)):
                _store_frame(blocks, o, extra, e, a_row, b_row, nx, ny)
                store(extra, e + ENERGY, kinetic_energy(extra, e, a_row, b_row, nx, ny))
            e += EXTRA


@njit(borrows=True, forceinline=True)
def _store_frame(blocks: Any, o: Any, extra: Any, e: Any, a: Any, b: Any, nx: Any, ny: Any) -> None:
    """Write the velocity of the frame of `kinetic_energy`."""
    zero, q = splat(_zero), o + POINT0
    fixed_a, fixed_b = a[3] <= zero, b[3] <= zero
    along_a, along_b = a[0] * nx + a[1] * ny, b[0] * nx + b[1] * ny
    across_a, across_b = a[0] * ny - a[1] * nx, b[0] * ny - b[1] * nx
    # Of a body that cannot be moved, the velocity of the contact point.
    along_a = select(fixed_a, along_a + a[2] * load(blocks, q + ARM_A), along_a)
    along_b = select(fixed_b, along_b + b[2] * load(blocks, q + ARM_B), along_b)
    across_a = select(fixed_a, across_a + a[2] * load(blocks, q + LEVER_A), across_a)
    across_b = select(fixed_b, across_b + b[2] * load(blocks, q + LEVER_B), across_b)
    mass = a[3] + b[3]
    weight = select(mass > zero, b[3] / mass, zero)
    store(extra, e + FRAME, along_b + weight * (along_a - along_b))
    store(extra, e + FRAME + LANES, across_b + weight * (across_a - across_b))


@njit(borrows=True, forceinline=True)
def kinetic_energy(extra: Any, e: Any, a: Any, b: Any, nx: Any, ny: Any) -> Any:
    """Return the kinetic energy of both bodies, without those that have no mass or inertia.

    It is measured in the frame of their common center of mass before the step, or of the contact point of a body that
    cannot be moved. So a bat gives its velocity to a ball, and a body at rest in a moving world is at rest.
    """
    zero, one = splat(_zero), splat(_one)
    along, across = load(extra, e + FRAME), load(extra, e + FRAME + LANES)
    x, y = along * nx + across * ny, along * ny - across * nx
    total = zero
    for body in (a, b):
        vx, vy = body[0] - x, body[1] - y
        total = total + select(body[3] > zero, (vx * vx + vy * vy) / body[3], zero)
        total = total + select(body[7] > zero, (body[2] * body[2]) / select(body[7] > zero, body[7], one), zero)
    return splat(_half) * total


@njit(borrows=True)
def warm_extra(parts: Any, state: Any, extra: Any, lanes: Any) -> None:
    """Apply the rolling impulses. The other impulses of cold contacts are applied by `contact.warm`."""
    e = 0
    for part in range(COLD, COLD + STILL + 1, STILL):
        for block in range(parts[part], parts[part + 1]):
            a, b = read_pair(state, lanes, block)
            roll = load(extra, e + ROLL)
            turn_pair(state, lanes, block, a, b, a[7] * roll, b[7] * roll)
            e += EXTRA


@njit(borrows=True, forceinline=True)
def both_changes(alone0: Any, alone1: Any, by1: Any, by0: Any, old0: Any, old1: Any) -> Any:
    """Return the changes of the impulses of two points that are solved together: c0 = alone0 - by1 c1, and likewise c1,
    so that no impulse becomes negative (block solver: E. Catto, Box2D, 2008).

    One after the other, the first point would turn the body: a box that lands flat would get a spin. If the equations
    are singular, both points share one change.
    """
    one = splat(_one)
    share = one - by0 * by1
    regular = share > splat(_SINGULAR)
    scale = select(regular, one / share, splat(_half))
    both0 = select(regular, scale * (alone0 - by1 * alone1), scale * alone0)
    both1 = select(regular, scale * (alone1 - by0 * alone0), scale * alone1)
    # Only point 1 pushes, if point 0 then parts; otherwise only point 0 does.
    only1, only0 = maximum(alone1 + by0 * old0, -old1), maximum(alone0 + by1 * old1, -old0)
    parts0 = alone0 - by1 * only1 <= -old0
    pushes = (both0 >= -old0) & (both1 >= -old1)
    change0 = select(pushes, both0, select(parts0, -old0, only0))
    change1 = select(pushes, both1, select(parts0, only1, -old1))
    return change0, change1


@njit(borrows=True)
def solve_extra(parts: Any, state: Any, blocks: Any, extra: Any, lanes: Any, numbers: Any, bias: bool) -> None:
    """Do one pass over the cold blocks; see `contact.solve`."""
    zero = splat(_zero)
    slip = splat(numbers[SLIP_SPEED])
    near = splat(numbers[CLOSED])
    closed = numbers[CLOSED] > _zero
    begin = 0
    for part in range(COLD, COLD + STILL + 1, STILL):
        soft = soft_step(numbers, part >= STILL, bias)
        n = parts[part + 1] - parts[part]
        for k in range(n):
            at = k if bias else n - 1 - k
            block = parts[part] + at
            e = begin + at * EXTRA
            o = block * SIZE
            a, b = read_pair(state, lanes, block)
            nx = load(blocks, o + NORMAL_X)
            ny = load(blocks, o + NORMAL_Y)
            mass = a[3] + b[3]
            sine_a, fall_a = small_turn(a[6])
            sine_b, fall_b = small_turn(b[6])
            way = (b[4] - a[4]) * nx + (b[5] - a[5]) * ny
            speed = (b[0] - a[0]) * nx + (b[1] - a[1]) * ny
            spin_a = a[2]
            spin_b = b[2]
            drag = zero
            more_a = more_b = higher_a = higher_b = zero
            if closed:
                more_a, higher_a, more_b, higher_b = common_place(a, b, nx, ny, near)
            q = o + POINT0
            arm_a0, arm_b0, old0, hold0, stiff0 = normal_step(blocks, q, sine_a, fall_a, sine_b, fall_b, way, soft)
            arm_a0, arm_b0 = arm_a0 + more_a, arm_b0 + more_b
            # The change of the impulse of each point alone.
            alone0 = hold0 - stiff0 * (speed + (spin_b * arm_b0 - spin_a * arm_a0)) - old0
            change0, change1 = maximum(alone0, -old0), zero
            q = o + POINT1
            two = bits(load(blocks, q + NORMAL_MASS) > zero) != 0
            arm_a1 = arm_b1 = old1 = zero
            if two:
                arm_a1, arm_b1, old1, hold1, stiff1 = normal_step(blocks, q, sine_a, fall_a, sine_b, fall_b, way, soft)
                arm_a1, arm_b1 = arm_a1 + more_a, arm_b1 + more_b
                alone1 = hold1 - stiff1 * (speed + (spin_b * arm_b1 - spin_a * arm_a1)) - old1
                k01 = mass + (a[7] * arm_a0 * arm_a1 + b[7] * arm_b0 * arm_b1)
                change0, change1 = both_changes(alone0, alone1, stiff0 * k01, stiff1 * k01, old0, old1)
                store(blocks, q + NORMAL, old1 + change1)
                store(extra, e + PEAK + LANES, maximum(old1 + change1, load(extra, e + PEAK + LANES)))
            store(blocks, o + POINT0 + NORMAL, old0 + change0)
            store(extra, e + PEAK, maximum(old0 + change0, load(extra, e + PEAK)))
            total = change0 + change1
            pressing = (old0 + change0) + (old1 + change1)
            spin_a = spin_a - a[7] * (arm_a0 * change0 + arm_a1 * change1)
            spin_b = spin_b + b[7] * (arm_b0 * change0 + arm_b1 * change1)
            if not bias:
                slide = (b[0] - a[0]) * ny - (b[1] - a[1]) * nx - load(extra, e + SPEED)
                friction = load(blocks, o + FRICTION)
                sliding = load(extra, e + SLIDING)
                for p in range(2 if two else 1):
                    q = o + POINT0 + p * _STEP
                    lever_a = load(blocks, q + LEVER_A) + higher_a
                    lever_b = load(blocks, q + LEVER_B) + higher_b
                    normal = load(blocks, q + NORMAL)
                    before = load(blocks, q + TANGENT)
                    velocity = slide + (spin_b * lever_b - spin_a * lever_a)
                    free = before - load(blocks, q + TANGENT_MASS) * velocity
                    stick = friction * normal
                    # Coulomb cone with the dynamic coefficient while sliding, otherwise the static one.
                    slips = (velocity > slip) | (velocity < -slip)
                    limit = select(slips, sliding * normal, stick)
                    after = maximum(minimum(free, limit), -limit)
                    store(blocks, q + TANGENT, after)
                    change = after - before
                    drag = drag + change
                    slide = slide + mass * change
                    spin_a = spin_a - a[7] * (lever_a * change)
                    spin_b = spin_b + b[7] * (lever_b * change)
                before = load(extra, e + ROLL)
                limit = load(extra, e + ROLLING) * pressing
                # Rolling resistance: an angular impulse against the relative spin, |roll| <= length · normal impulse.
                free = before - load(extra, e + ROLLING_MASS) * (spin_b - spin_a)
                after = maximum(minimum(free, limit), -limit)
                store(extra, e + ROLL, after)
                spin_a = spin_a - a[7] * (after - before)
                spin_b = spin_b + b[7] * (after - before)
            px = total * nx + drag * ny
            py = total * ny - drag * nx
            write_pair(state, lanes, block, a, b, px, py, spin_a, spin_b)
        begin += n * EXTRA


@njit(borrows=True, forceinline=True)
def _missing(blocks: Any, q: Any, extra: Any, e: Any, p: int, speed: Any, threshold: Any) -> Any:
    """Return the lanes that bounce at a point, and the remaining change of its relative normal speed until the
    restitution is reached, 0 in other lanes.

    A point bounces if its approach speed was above the threshold and it had an impulse.
    """
    zero = splat(_zero)
    restitution, approach = load(extra, e + RESTITUTION), load(extra, e + APPROACH + p * LANES)
    bounces = (restitution > zero) & (approach > threshold) & (load(extra, e + PEAK + p * LANES) > zero)
    return bounces, select(bounces, restitution * approach - speed, zero)


@njit(borrows=True)
def bounce(
    parts: Any, order: Any, state: Any, blocks: Any, extra: Any, lanes: Any, numbers: Any, cold: Any, listed: Any
) -> None:
    """Apply restitution after the sub-steps to points whose approach speed was above the threshold. Then write rolling
    impulses, greatest impulses and approach speeds to the contacts.

    The two points of a contact are solved together (block solver: E. Catto, Box2D, 2008). One after the other, the
    first would turn the body, and a box that lands flat would leave with a spin. Contacts of the same body are solved
    one after the other, in a few passes. A contact gives its bodies no more kinetic energy than they had before the
    step (see `kinetic_energy`): Newton's restitution, with friction or several contacts, may add some. listed: int32,
    room for all cold blocks.
    """
    zero, one = splat(_zero), splat(_one)
    threshold = splat(numbers[BOUNCE_SPEED])
    near = splat(numbers[CLOSED])
    closed = numbers[CLOSED] > _zero
    first, still, moving = parts[COLD], parts[COLD + STILL], parts[COLD + 1] - parts[COLD]
    count = moving + parts[COLD + STILL + 1] - still
    for k in range(count):
        listed[k] = k
    pending = count
    for _ in range(_BOUNCE_PASSES):
        bouncing = 0
        for k in range(pending):
            e = np.int64(listed[k]) * EXTRA
            block = first + np.int64(listed[k]) if listed[k] < moving else still + np.int64(listed[k]) - moving
            o = block * SIZE
            a, b = read_pair(state, lanes, block)
            nx = load(blocks, o + NORMAL_X)
            ny = load(blocks, o + NORMAL_Y)
            mass = a[3] + b[3]
            speed = (b[0] - a[0]) * nx + (b[1] - a[1]) * ny
            more_a = more_b = zero
            if closed:
                more_a, _, more_b, _ = common_place(a, b, nx, ny, near)
            q = o + POINT0
            arm_a0, arm_b0 = load(blocks, q + ARM_A) + more_a, load(blocks, q + ARM_B) + more_b
            speed0 = speed + (b[2] * arm_b0 - a[2] * arm_a0)
            met0, miss0 = _missing(blocks, q, extra, e, 0, speed0, threshold)
            old0, effective0 = load(blocks, q + NORMAL), load(blocks, q + NORMAL_MASS)
            q = o + POINT1
            arm_a1, arm_b1 = load(blocks, q + ARM_A) + more_a, load(blocks, q + ARM_B) + more_b
            speed1 = speed + (b[2] * arm_b1 - a[2] * arm_a1)
            met1, miss1 = _missing(blocks, q, extra, e, 1, speed1, threshold)
            old1, effective1 = load(blocks, q + NORMAL), load(blocks, q + NORMAL_MASS)
            if not bits(met0 | met1):
                continue
            listed[bouncing] = listed[k]
            bouncing += 1
            # Both points at once: K change = miss, with K the inverse effective masses and the coupling of the points.
            k01 = mass + (a[7] * arm_a0 * arm_a1 + b[7] * arm_b0 * arm_b1)
            share = one - k01 * k01 * effective0 * effective1
            scale = select(met0 & met1 & (share > splat(_SINGULAR)), one / share, zero)
            both0 = scale * effective0 * (miss0 - k01 * effective1 * miss1)
            both1 = scale * effective1 * (miss1 - k01 * effective0 * miss0)
            pushes = (scale > zero) & (old0 + both0 >= zero) & (old1 + both1 >= zero)
            # One after the other, if only one bounces, or one would have to pull.
            one0 = select(met0, maximum(effective0 * miss0, -old0), zero)
            one1 = select(met1, maximum(effective1 * (miss1 - k01 * one0), -old1), zero)
            change0, change1 = select(pushes, both0, one0), select(pushes, both1, one1)
            # The work of these impulses, s (d v) + s^2 (d K d) / 2 for a share s of them, is at most what is missing.
            linear = change0 * speed0 + change1 * speed1
            square = change0 * (change0 * _inverse(effective0) + k01 * change1)
            square = square + change1 * (change1 * _inverse(effective1) + k01 * change0)
            budget = maximum(load(extra, e + ENERGY) - kinetic_energy(extra, e, a, b, nx, ny), zero)
            largest = (sqrt(linear * linear + splat(_two) * square * budget) - linear) / maximum(square, splat(_tiny))
            part = select(linear + splat(_half) * square > budget, minimum(largest, one), one)
            change0, change1 = part * change0, part * change1
            total = change0 + change1
            spin_a = a[2] - a[7] * (arm_a0 * change0 + arm_a1 * change1)
            spin_b = b[2] + b[7] * (arm_b0 * change0 + arm_b1 * change1)
            store(blocks, o + POINT0 + NORMAL, old0 + change0)
            store(blocks, o + POINT1 + NORMAL, old1 + change1)
            write_pair(state, lanes, block, a, b, total * nx, total * ny, spin_a, spin_b)
        pending = bouncing
    for k in range(count):
        e = k * EXTRA
        block = first + k if k < moving else still + k - moving
        o = block * SIZE
        for lane in range(LANES):
            c = np.int64(order[block * LANES + lane])
            if c >= 0:
                cold[8 * c] = extra[e + ROLL + lane]
                for p in range(2):
                    peak, current = extra[e + PEAK + p * LANES + lane], blocks[o + POINT0 + p * _STEP + NORMAL + lane]
                    cold[8 * c + 1 + p] = max(peak, current)
                    cold[8 * c + 3 + p] = extra[e + APPROACH + p * LANES + lane]


@njit(borrows=True, forceinline=True)
def _inverse(mass: Any) -> Any:
    """Return one divided by an effective mass, 0 for 0."""
    return select(mass > splat(_zero), splat(_one) / mass, splat(_zero))
