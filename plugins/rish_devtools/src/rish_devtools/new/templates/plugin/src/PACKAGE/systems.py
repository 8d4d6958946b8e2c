"""What happens in a tick. A system runs once for all entities, so its values are arrays."""

import numpy as np
from rish_core import Stage, Transform, World, system
from rish_jit import maths

from .components import Beat, Pulse, Settings


@system(Stage.UPDATE, reads=Settings, writes=(Pulse, Transform, Beat))
def pulse(world: World, dt: float) -> None:
    """Advance the phases, scale the entities, and emit a `Beat` for those whose beat begins."""
    pulsing = world.query(Pulse, Transform)
    step = (pulsing[Pulse.rate] * world[Settings].tempo * dt).astype(np.float32)
    with pulsing.edit(Pulse.phase, Transform.scale) as (phase, scale):
        phase += step
        began = phase >= 1
        phase -= np.floor(phase)
        swell = maths.exp(-4 * phase)  # falls to 2 % until the next beat
        scale[:] = (1 + pulsing[Pulse.amount] * swell)[:, None]
    if began.any():
        world.emit(Beat, entity=pulsing.entities[began])
