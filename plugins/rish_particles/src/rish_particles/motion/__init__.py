"""The motion of living particles: the arguments of a step, and collisions with edges."""
