"""Effects over the whole picture: a chain that a manifest lists and any plugin can extend.

The picture is taken as it is after the layers of the world, decoded to linear light, led through the effects in their
order, and encoded once onto the canvas. Layers in screen space and overlays lie on top, untouched.
"""
