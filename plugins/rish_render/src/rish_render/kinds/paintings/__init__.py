"""Paintings: sets texts for plugins that draw flat, and converts their paintings to batches.

`typesetter` sets texts, `carets` finds places in them. `items` converts the items of parts to arrays in the space of
their paintings, `letters` texts to sprites in pixels; `extract` finds their places in a view, and `joining` puts them
there and makes batches of them.
"""
