"""The frame: passes, targets, batches and their kinds, shaders, and how the picture lies on the screen."""
