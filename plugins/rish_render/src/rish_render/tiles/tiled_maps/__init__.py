"""Maps of the Tiled editor, from its files to a `GameMap`."""
