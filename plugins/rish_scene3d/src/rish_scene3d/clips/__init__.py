"""Animation: clips of models, their blending, and the poses of joints."""
