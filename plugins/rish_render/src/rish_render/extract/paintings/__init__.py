"""Paintings: sets texts for plugins that draw flat, and converts their paintings to batches.

`typesetter` sets texts, `carets` finds places in them. `items` converts the items of a part to arrays in the space of
the painting, `letters` its texts to sprites in pixels, and `extract` puts both at their places in a view.
"""
